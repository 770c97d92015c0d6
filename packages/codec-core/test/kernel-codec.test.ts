import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { type Kernel, loadKernel, MAX_KERNEL_BYTES } from "@tightwire/kernel";
import fc from "fast-check";
import { nativeZstd } from "../src/compressors/zstd.ts";
import { kernelFor } from "../src/engine.ts";
import { brotli, type Compressor, createValueCodec, defineCompressor, deflate, lz4, stored, zstd } from "../src/index.ts";
import { decodeInKernel, decoderFor, encoderFor, NOT_JUDGED, openInKernel } from "../src/kernel-codec.ts";
import { assertCode, type FrameParts, frameOf, noise, records } from "./support/frames.ts";
import { runWithout } from "./support/run-child.ts";

const isOff = process.env["TIGHTWIRE_KERNEL"] === "off";
const skip = isOff ? "TIGHTWIRE_KERNEL is off" : loadKernel() === undefined && "this process cannot run the kernel";
const COMPRESSORS: Readonly<Record<string, () => Compressor>> = { stored, brotli, deflate, lz4, zstd };

function settingsOf(compressor: Compressor, frameVersion: 1 | 2 = 2) {
  const registry: (Compressor | undefined)[] = [];
  for (const one of [stored(), lz4(), compressor]) registry[one.id] = one;
  return { compressor, frameVersion, minCompressBytes: 1, maxContentBytes: 2 ** 23, registry };
}

suite("encoderFor()", { skip }, () => {
  test("gives the kernel for frames of version 2 by our own compressors, up to its memory", () => {
    for (const make of Object.values(COMPRESSORS)) {
      assert.ok(encoderFor(settingsOf(make()), records(10), 10) !== undefined);
      assert.equal(encoderFor(settingsOf(make()), Buffer.alloc(MAX_KERNEL_BYTES + 1), MAX_KERNEL_BYTES + 1), undefined);
      assert.equal(encoderFor(settingsOf(make(), 1), records(10), 10), undefined);
    }
  });

  test("gives none to a compressor that is not ours, which would see what others encoded", () => {
    const custom = defineCompressor({ id: 16, name: "custom", compress: (content) => content, decompress: (payload) => payload });
    assert.equal(encoderFor(settingsOf(custom), records(10), 10), undefined);
  });

  test("gives none where a native compressor would read memory that another thread writes to", () => {
    const shared = new Uint8Array(new SharedArrayBuffer(10));
    assert.equal(encoderFor(settingsOf(zstd()), shared, 10), undefined);
    assert.ok(encoderFor(settingsOf(stored()), shared, 10) !== undefined);
  });
});

suite("decoderFor()", { skip }, () => {
  const settings = settingsOf(lz4());

  test("gives the kernel for zstd frames up to a content size, where zstd is native", {
    skip: nativeZstd() === undefined,
  }, () => {
    const zstdSettings = settingsOf(zstd());
    assert.ok(decoderFor(zstdSettings, frameOf({ codecId: 4, contentSize: 100 }), 100) !== undefined);
    assert.equal(decoderFor(zstdSettings, frameOf({ codecId: 4, contentSize: 101 }), 100), undefined);
  });

  test("gives the kernel for stored and LZ4 frames of version 2", () => {
    assert.ok(decoderFor(settings, frameOf({}), 2 ** 20) !== undefined);
    assert.ok(decoderFor(settings, frameOf({ codecId: 3, contentSize: 100 }), 2 ** 20) !== undefined);
  });

  test("gives none for what others must judge", () => {
    const frames = [
      frameOf({ version: 1 }),
      frameOf({ codecId: 16, contentSize: 100 }),
      frameOf({ codecId: 3, contentSize: MAX_KERNEL_BYTES + 1 }),
      frameOf({ payload: Buffer.alloc(MAX_KERNEL_BYTES + 1), contentSize: 1 }),
      frameOf({}).subarray(0, 17),
      Buffer.alloc(0),
    ];
    for (const frame of frames) assert.equal(decoderFor(settings, frame, 2 ** 20), undefined);
    const narrow = { ...settings, registry: settings.registry.slice(0, 3) };
    const shared = new Uint8Array(new SharedArrayBuffer(21));
    shared.set(frameOf({}));
    assert.ok(decoderFor(settings, shared, 2 ** 20) !== undefined);
    assert.ok(decoderFor(narrow, frameOf({}), 2 ** 20) !== undefined);
    assert.equal(decoderFor(narrow, frameOf({ codecId: 3, contentSize: 100 }), 2 ** 20), undefined);
  });
});

function growing(frame: Buffer): { bytes: Uint8Array; grow: () => void } {
  const Growable = SharedArrayBuffer as unknown as GrowableConstructor;
  const memory = new Growable(frame.length, { maxByteLength: frame.length + 100 });
  const bytes = new Uint8Array(memory);
  bytes.set(frame);
  return { bytes, grow: () => memory.grow(memory.byteLength + 1) };
}

// In every supported Node, but not yet in the ES2023 library types.
type GrowableConstructor = new (
  size: number,
  options: { maxByteLength: number },
) => SharedArrayBuffer & { grow(size: number): void };

/** The same kernel; `before` is called whenever it is asked for something but to take a frame. */
function watch(kernel: Kernel, before: () => void): Kernel {
  return new Proxy(kernel, {
    get(target, name) {
      if (name !== "putFrame") before();
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

suite("openInKernel()", { skip }, () => {
  const settings = settingsOf(lz4());
  const kernel = kernelFor(0);
  assert.ok(kernel !== undefined || skip);

  function open(parts: FrameParts, { room = 2 ** 20, maxContentBytes = 2 ** 23 } = {}): number {
    assert.ok(kernel !== undefined);
    return openInKernel(kernel, { ...settings, maxContentBytes }, frameOf(parts), room);
  }

  // As another thread would leave a frame that was looked at before.
  test("leaves to others what is not accepted, or of a version or a size that is not the kernel's", () => {
    assert.equal(open({ codecId: 16, contentSize: 100 }), NOT_JUDGED);
    assert.equal(open({ version: 1 }), NOT_JUDGED);
    assert.equal(open({ codecId: 3, contentSize: MAX_KERNEL_BYTES + 1 }), NOT_JUDGED);
    assert.equal(open({}), 3);
  });

  test("throws the error of the first check that fails", () => {
    const facts = { version: 2, codecId: 3, frameSize: 21, contentSize: 100, payloadSize: 3 };
    assertCode(() => open({ codecId: 3, contentSize: 100 }, { maxContentBytes: 99 }), "CODEC_SIZE_LIMIT", {
      ...facts,
      limit: 99,
    });
    assertCode(() => open({ codecId: 3, contentSize: 3 }), "CODEC_SIZE_MISMATCH", { ...facts, contentSize: 3 });
    const corrupt = { codecId: 3, contentSize: 100, payloadSize: 3 };
    assertCode(() => open({ codecId: 3, contentSize: 100 }), "CODEC_PAYLOAD_CORRUPT", corrupt);
  });

  test("says that there is no room before it says that a payload is corrupt", () => {
    assert.throws(() => open({ codecId: 3, contentSize: 100 }, { room: 99 }), RangeError);
  });

  // As another thread may make it: by one byte at every step.
  test("opens a frame as long as it was, in shared memory that grows meanwhile", { skip: nativeZstd() === undefined }, () => {
    assert.ok(kernel !== undefined);
    for (const compressor of [stored(), lz4(), zstd()]) {
      const frame = createValueCodec({ compressor, minCompressBytes: 1 }).encode(records(1_000));
      for (const open of [openInKernel, decodeInKernel]) {
        const { bytes, grow } = growing(frame);
        const watched = watch(kernel, grow);
        const opened = open(watched, settingsOf(compressor), bytes, 1_000);
        const content = typeof opened === "number" ? Buffer.alloc(opened) : opened;
        if (typeof opened === "number") kernel.copyContent(content as Buffer, 0);
        assert.ok(content?.equals(records(1_000)), compressor.name);
      }
    }
  });

  test("names the size of the frame that it refused, in shared memory that grows meanwhile", () => {
    assert.ok(kernel !== undefined);
    const { bytes, grow } = growing(frameOf({ codecId: 3, contentSize: 100 }));
    const run = () => openInKernel(watch(kernel, grow), settings, bytes, 1_000);
    assertCode(run, "CODEC_PAYLOAD_CORRUPT", { codecId: 3, contentSize: 100, payloadSize: 3 });
  });
});

suite("frames by the kernel", { skip }, () => {
  // Sizes around the kernel's own bound, where one engine takes over from the other.
  const sizes = [0, 1, 2, 17, 18, 64, 255, 1_280, 1_281, 16_384, MAX_KERNEL_BYTES - 1, MAX_KERNEL_BYTES, MAX_KERNEL_BYTES + 1];
  for (const [name, make] of Object.entries(COMPRESSORS)) {
    test(`${name}: what is written is read, at every bound`, () => {
      const codec = createValueCodec({ compressor: make(), minCompressBytes: 0 });
      for (const size of sizes) {
        for (const content of [records(size), noise(size)]) {
          const frame = codec.encode(content);
          assert.ok(codec.decode(frame).equals(content), `${size} bytes`);
          const target = Buffer.alloc(codec.maxEncodedBytes(size) + 2, 0x7e);
          assert.equal(codec.encodeInto(content, target, 1), frame.length);
          assert.ok(target.subarray(1, 1 + frame.length).equals(frame));
          assert.equal(target[0], 0x7e);
          assert.equal(target.at(-1), 0x7e);
        }
      }
    });
  }

  test("content that overlaps its target, and a frame that overlaps its", () => {
    const codec = createValueCodec({ compressor: lz4(), minCompressBytes: 0 });
    const memory = Buffer.concat([records(500), Buffer.alloc(100)]);
    const size = codec.encodeInto(memory.subarray(0, 500), memory, 3);
    assert.equal(codec.decodeInto(memory.subarray(3, 3 + size), memory, 1), 500);
    assert.ok(memory.subarray(1, 501).equals(records(500)));
  });

  test("targets and sources in shared memory", () => {
    const codec = createValueCodec({ compressor: lz4(), minCompressBytes: 0 });
    const target = new Uint8Array(new SharedArrayBuffer(1_000));
    const size = codec.encodeInto(records(500), target, 7);
    const content = new Uint8Array(new SharedArrayBuffer(500));
    assert.equal(codec.decodeInto(target.subarray(7, 7 + size), content, 0), 500);
    assert.ok(Buffer.from(content).equals(records(500)));
    assert.ok(codec.decode(target.subarray(7, 7 + size)).equals(records(500)));
  });

  test("a refused frame leaves the target as it was, and shows nothing of values before it", () => {
    const codec = createValueCodec({ compressor: lz4(), minCompressBytes: 0 });
    codec.decode(codec.encode(Buffer.alloc(2_000, "secret")));
    // One literal, then a match that reaches before the content.
    const payload = Buffer.from("1061ff00 50414141 4141".replaceAll(" ", ""), "hex");
    const target = Buffer.alloc(100, 0x7e);
    assertCode(() => codec.decodeInto(frameOf({ codecId: 3, payload, contentSize: 50 }), target, 0), "CODEC_PAYLOAD_CORRUPT");
    assert.ok(!target.includes("secret"));
  });

  test("are the same for bytes that use the codec when they are asked for their length", () => {
    const other = createValueCodec({ compressor: stored() });
    const secret = other.encode(Buffer.alloc(200, "secret"));
    class Nesting extends Uint8Array {
      override get length(): number {
        other.decode(secret);
        other.encode(secret);
        return super.length;
      }
    }
    for (const make of Object.values(COMPRESSORS)) {
      const codec = createValueCodec({ compressor: make(), minCompressBytes: 0 });
      for (const size of [20, 100, 2_000]) {
        const frame = codec.encode(records(size));
        assert.ok(codec.encode(new Nesting(records(size))).equals(frame));
        assert.ok(codec.decode(new Nesting(frame)).equals(records(size)));
        const target = new Nesting(size + 18);
        assert.equal(codec.encodeInto(records(size), target), frame.length);
        assert.ok(Buffer.from(target.buffer, 0, frame.length).equals(frame));
        assert.equal(codec.decodeInto(frame, target), size);
        assert.ok(Buffer.from(target.buffer, 0, size).equals(records(size)));
      }
    }
  });

  test("show nothing of values before them to bytes that claim to be longer than they are", () => {
    const codec = createValueCodec({ compressor: stored() });
    class Liar extends Uint8Array {
      override get length(): number {
        return 500;
      }
    }
    codec.encode(Buffer.alloc(2_000, "secret"));
    assert.ok(!codec.encode(new Liar(10)).includes("secret"));
  });

  test("are the same as without it, but for the choices of the LZ4 compressor", () => {
    const contents = fc.sample(fc.uint8Array({ maxLength: 300 }), { seed: 7, numRuns: 50 }).map((bytes) => Buffer.from(bytes));
    const source = `
      import { createValueCodec, stored, zstd, deflate, lz4 } from "./src/index.ts";
      const contents = ${JSON.stringify(contents.map((content) => content.toString("hex")))};
      const frames = [stored, zstd, deflate, lz4].map((make) => {
        const codec = createValueCodec({ compressor: make(), minCompressBytes: 0 });
        return contents.map((content) => codec.encode(Buffer.from(content, "hex")).toString("hex"));
      });
      console.log(JSON.stringify(frames));
    `;
    const [on, off] = (["on", "off"] as const).map((mode) => runWithout([], source, [], mode) as string[][]);
    assert.deepEqual(on?.slice(0, 3), off?.slice(0, 3));
    const codec = createValueCodec({ compressor: lz4() });
    for (const frames of [on, off]) {
      for (const [i, frame] of (frames?.[3] ?? []).entries()) {
        assert.ok(codec.decode(Buffer.from(frame, "hex")).equals(contents[i] ?? Buffer.alloc(0)));
      }
    }
  });
});
