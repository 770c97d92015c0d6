import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { runInNewContext } from "node:vm";
import { brotli } from "../src/compressors/brotli.ts";
import { defineCompressor } from "../src/compressors/custom.ts";
import { deflate } from "../src/compressors/deflate.ts";
import { lz4 } from "../src/compressors/lz4.ts";
import { stored } from "../src/compressors/stored.ts";
import { zstd } from "../src/compressors/zstd.ts";
import { MAX_CONTENT_BYTES } from "../src/limits.ts";
import { createValueCodec } from "../src/value-codec.ts";
import { assertCode, codeOf, flipsOf, frameOf, noise, records } from "./support/frames.ts";

const BUILT_IN = [brotli(), deflate(), lz4(), zstd()];
const VERSIONS = [1, 2] as const;

/** Counts what it is asked to decompress; whatever it is asked for, it gives zeros. */
function createSpy(id = 77): { compressor: ReturnType<typeof defineCompressor>; calls: number[] } {
  const calls: number[] = [];
  const decompress = (_payload: Uint8Array, contentSize: number): Uint8Array => {
    calls.push(contentSize);
    return new Uint8Array(contentSize);
  };
  return { calls, compressor: defineCompressor({ id, name: "spy", compress: (content) => content, decompress }) };
}

/** Bytes of a class whose author means something else by these names; all of the bytes are `content`. */
function misleading(content: Uint8Array, claimed: number): Uint8Array {
  class Misleading extends Uint8Array {
    override get length(): number {
      return claimed;
    }
    override get byteLength(): number {
      return claimed;
    }
    override get byteOffset(): number {
      return 1;
    }
    override get buffer(): ArrayBuffer {
      return new ArrayBuffer(10_000);
    }
    override set(): void {}
  }
  const bytes = new Misleading(content.length);
  Uint8Array.prototype.set.call(bytes, content);
  return bytes;
}

suite("createValueCodec()", () => {
  test("has the defaults of the specification", () => {
    const codec = createValueCodec();
    assert.equal(codec.compressor.name, "zstd");
    assert.deepEqual(codec.compressor.options, { level: 3 });
    assert.equal(codec.frameVersion, 2);
    assert.equal(codec.minCompressBytes, 1024);
    assert.equal(codec.maxContentBytes, 8_388_608);
    assert.deepEqual(
      codec.accept.map(({ id }) => id),
      [0, 1, 2, 3, 4],
    );
  });

  test("takes undefined for an option that is absent", () => {
    const options = {
      compressor: undefined,
      frameVersion: undefined,
      minCompressBytes: undefined,
      maxContentBytes: undefined,
      accept: undefined,
    };
    assert.equal(createValueCodec(options as never).maxContentBytes, 8_388_608);
  });

  test("is frozen, and so is what it accepts", () => {
    const codec = createValueCodec();
    assert.ok(Object.isFrozen(codec));
    assert.ok(Object.isFrozen(codec.accept));
  });

  test("keeps its options when the caller's change", () => {
    const accept = [lz4()];
    const options = { compressor: zstd(), accept, maxContentBytes: 100 };
    const codec = createValueCodec(options);
    options.maxContentBytes = 1;
    accept.push(brotli());
    assert.equal(codec.maxContentBytes, 100);
    assert.deepEqual(
      codec.accept.map(({ id }) => id),
      [0, 3, 4],
    );
  });

  test("throws TypeError for unknown keys and wrong kinds", () => {
    const wrong = [
      { compresor: zstd() },
      { compressor: "zstd" },
      { compressor: zstd },
      { compressor: { ...zstd() } },
      { compressor: null },
      { frameVersion: "2" },
      { minCompressBytes: "1kb" },
      { minCompressBytes: null },
      { maxContentBytes: 8n },
      { accept: zstd() },
      { accept: ["zstd"] },
      { accept: new Set([zstd()]) },
    ];
    for (const options of wrong)
      assert.throws(() => createValueCodec(options as never), TypeError, JSON.stringify(Object.keys(options)));
    for (const options of [null, 5, "zstd", []]) assert.throws(() => createValueCodec(options as never), TypeError);
  });

  test("throws RangeError for values out of range", () => {
    const wrong = [
      ...[0, 3, 1.5].map((frameVersion) => ({ frameVersion })),
      ...[-1, 0.5, Number.NaN, Infinity].map((minCompressBytes) => ({ minCompressBytes })),
      ...[0, -1, 1.5, MAX_CONTENT_BYTES + 1, Infinity].map((maxContentBytes) => ({ maxContentBytes })),
      { accept: [zstd(), zstd({ level: 9 })] },
      { accept: [createSpy().compressor], compressor: createSpy().compressor },
    ];
    for (const options of wrong) assert.throws(() => createValueCodec(options as never), RangeError, JSON.stringify(options));
    assert.equal(createValueCodec({ maxContentBytes: MAX_CONTENT_BYTES }).maxContentBytes, MAX_CONTENT_BYTES);
  });

  test("accepts what it writes whatever accept says, and stored frames", () => {
    const codec = createValueCodec({ compressor: lz4(), accept: [] });
    assert.deepEqual(
      codec.accept.map(({ id }) => id),
      [0, 3],
    );
    for (const content of [records(5000), noise(5000)]) assert.ok(codec.decode(codec.encode(content)).equals(content));
  });

  test("accepts the built-in ones beside a custom one that it writes with", () => {
    assert.deepEqual(
      createValueCodec({ compressor: createSpy().compressor }).accept.map(({ id }) => id),
      [0, 1, 2, 3, 4, 77],
    );
  });
});

suite("encode()", () => {
  test("writes the published vectors", () => {
    const encode = (text: string, frameVersion: 1 | 2): string =>
      createValueCodec({ frameVersion }).encode(Buffer.from(text)).toString("hex");
    assert.equal(encode("abc", 1), "52564300010003000000ba7816bf8f01cfea616263");
    assert.equal(encode("abc", 2), "5256430002000300000050392f89945faf78616263");
    assert.equal(encode("", 1), "52564300010000000000e3b0c44298fc1c14");
    assert.equal(encode("", 2), "52564300020000000000c294d3380580062d");
  });

  test("compresses from the threshold on", () => {
    for (const compressor of BUILT_IN) {
      const codec = createValueCodec({ compressor, minCompressBytes: 200 });
      assert.equal(codec.encode(records(199))[5], 0);
      assert.equal(codec.encode(records(200))[5], compressor.id);
    }
  });

  test("always tries at threshold 0, and never with empty content", () => {
    const tried: number[] = [];
    const compressInto = (content: Uint8Array): number => {
      tried.push(content.length);
      return -1;
    };
    const compressor = defineCompressor({ id: 16, name: "spy", compressInto, decompress: (payload) => payload });
    const codec = createValueCodec({ compressor, minCompressBytes: 0 });
    for (const size of [0, 1, 2, 3]) assert.equal(codec.encode(noise(size)).length, size + 18);
    // One byte cannot become fewer: not worth asking.
    assert.deepEqual(tried, [2, 3]);
  });

  test("stores content that compression does not make smaller, by one byte too", () => {
    for (const compressor of BUILT_IN) {
      const frame = createValueCodec({ compressor }).encode(noise(5000));
      assert.equal(frame[5], 0);
      assert.equal(frame.length, 5018);
    }
    const rooms: number[] = [];
    const fill = (shortfall: number) =>
      defineCompressor({
        id: 16,
        name: "exact",
        compressInto: (content, target) => {
          rooms.push(target.length);
          const size = content.length - shortfall;
          return size <= target.length ? size : -1;
        },
        decompress: (payload) => payload,
      });
    assert.equal(createValueCodec({ compressor: fill(1), minCompressBytes: 0 }).encode(noise(100))[5], 16);
    assert.equal(createValueCodec({ compressor: fill(0), minCompressBytes: 0 }).encode(noise(100))[5], 0);
    assert.deepEqual(rooms, [99, 99]);
  });

  test("refuses content over the limit, and takes it at the limit", () => {
    const codec = createValueCodec({ maxContentBytes: 2000 });
    assertCode(() => codec.encode(records(2001)), "CODEC_SIZE_LIMIT", { contentSize: 2001, limit: 2000 });
    assertCode(() => codec.encodeInto(records(2001), Buffer.alloc(5000)), "CODEC_SIZE_LIMIT", { contentSize: 2001, limit: 2000 });
    assert.ok(codec.decode(codec.encode(records(2000))).equals(records(2000)));
  });

  test("throws TypeError for what is no Uint8Array", () => {
    const codec = createValueCodec();
    for (const content of [
      "text",
      null,
      undefined,
      5,
      [1, 2],
      {},
      new ArrayBuffer(8),
      new DataView(new ArrayBuffer(8)),
      new Float64Array(2),
    ]) {
      assert.throws(() => codec.encode(content as never), TypeError);
      assert.throws(() => codec.encodeInto(content as never, Buffer.alloc(100)), TypeError);
    }
  });

  test("throws TypeError for detached content, instead of taking it for empty", () => {
    const content = new Uint8Array(10);
    structuredClone(content.buffer, { transfer: [content.buffer] });
    assert.throws(() => createValueCodec().encode(content), TypeError);
  });

  test("takes every view: offsets, shared memory, other realms", () => {
    const shared = new Uint8Array(new SharedArrayBuffer(3000));
    shared.set(records(3000));
    const views = [
      Buffer.concat([noise(7), records(3000)]).subarray(7),
      shared,
      runInNewContext("new Uint8Array(3000)").fill(65),
    ];
    for (const compressor of [...BUILT_IN, stored()]) {
      const codec = createValueCodec({ compressor });
      for (const view of views) assert.ok(codec.decode(codec.encode(view)).equals(view));
    }
  });

  test("leaves content as it is, and its result is the caller's", () => {
    for (const compressor of [...BUILT_IN, stored()]) {
      const codec = createValueCodec({ compressor });
      const content = records(3000);
      const frame = codec.encode(content);
      assert.ok(content.equals(records(3000)));
      const before = Buffer.from(frame);
      content.fill(0);
      codec.encode(noise(4000));
      codec.encode(records(4000));
      assert.ok(frame.equals(before));
      frame.fill(0);
      assert.ok(codec.encode(records(3000)).equals(before));
    }
  });

  test("gives small frames no large memory to hold on to", () => {
    for (const size of [10, 2000, 60_000]) {
      const frame = createValueCodec().encode(records(size));
      assert.ok(frame.buffer.byteLength <= Math.max(8192, frame.length), `${frame.buffer.byteLength} bytes for ${frame.length}`);
    }
  });
});

suite("bytes that mislead about themselves", () => {
  const mirror = defineCompressor({
    id: 20,
    name: "mirror",
    compress: (content) => misleading(Buffer.from(content).reverse().subarray(1), 4),
    decompress: (payload, contentSize) => misleading(Buffer.concat([payload, Buffer.alloc(1)]).reverse(), contentSize),
  });
  const codecs = [...BUILT_IN, stored()].flatMap((compressor) =>
    VERSIONS.map((frameVersion) => createValueCodec({ compressor, frameVersion, minCompressBytes: 1 })),
  );
  const claims = [0, 5, 5000, -1, Number.NaN];

  test("are encoded as what they are", () => {
    for (const codec of codecs) {
      for (const claimed of claims) {
        for (const content of [Buffer.alloc(0), records(10), records(2000), noise(300), records(70_000)]) {
          const frame = codec.encode(content);
          assert.ok(codec.encode(misleading(content, claimed)).equals(frame));
          const target = Buffer.alloc(content.length + 30, 0xee);
          const room = target.subarray(0, 7 + codec.maxEncodedBytes(content.length));
          assert.equal(codec.encodeInto(misleading(content, claimed), room, 7), frame.length);
          assert.ok(target.subarray(7, 7 + frame.length).equals(frame));
          assert.ok(target.subarray(room.length).every((byte) => byte === 0xee));
          assert.throws(() => codec.encodeInto(misleading(content, claimed), room, 8), RangeError);
        }
      }
    }
  });

  test("are decoded as what they are", () => {
    for (const codec of codecs) {
      for (const claimed of claims) {
        for (const content of [Buffer.alloc(0), records(2000), noise(300), records(70_000)]) {
          const frame = misleading(codec.encode(content), claimed);
          assert.ok(codec.decode(frame).equals(content));
          assert.equal(codec.decodeText(frame), content.toString());
          const target = Buffer.alloc(content.length + 7);
          assert.equal(codec.decodeInto(frame, target, 7), content.length);
          assert.ok(target.subarray(7).equals(content));
        }
      }
    }
  });

  test("are written to as far as they go", () => {
    const { prototype } = Uint8Array;
    for (const codec of codecs) {
      for (const content of [Buffer.alloc(0), records(2000), noise(300), records(70_000)]) {
        const target = misleading(Buffer.alloc(content.length + 18), 5);
        const frame = codec.encode(content);
        assert.equal(codec.encodeInto(content, target), frame.length);
        assert.ok(Buffer.from(prototype.map.call(new Uint8Array(frame.length), (_, index) => target[index] ?? 0)).equals(frame));
        assert.equal(codec.decodeInto(frame, target, 18), content.length);
        const restored = new Uint8Array(content.length);
        assert.ok(content.equals(prototype.map.call(restored, (_, index) => target[18 + index] ?? 0)));
        assert.throws(() => codec.decodeInto(codec.encode(noise(content.length + 1)), target, 18), RangeError);
      }
    }
  });

  test("are taken as what they are from a compressor of one's own", () => {
    const codec = createValueCodec({ compressor: mirror, minCompressBytes: 1 });
    const content = Buffer.alloc(50, "abc");
    content[0] = 0;
    content[49] = 0;
    const frame = codec.encode(content);
    assert.equal(frame.length, 18 + 49);
    assertCode(
      () => codec.decode(frameOf({ codecId: 20, contentSize: 60, payload: frame.subarray(18) })),
      "CODEC_PAYLOAD_CORRUPT",
    );
  });
});

suite("encodeInto()", () => {
  test("writes the same frame at any offset and gives its length", () => {
    for (const compressor of [...BUILT_IN, stored()]) {
      for (const frameVersion of VERSIONS) {
        const codec = createValueCodec({ compressor, frameVersion });
        for (const content of [Buffer.alloc(0), records(10), records(3000), noise(3000)]) {
          const target = Buffer.alloc(5000, 0xee);
          const size = codec.encodeInto(content, target, 13);
          assert.ok(target.subarray(13, 13 + size).equals(codec.encode(content)));
          assert.ok(target.subarray(0, 13).every((byte) => byte === 0xee));
          assert.ok(target.subarray(13 + 18 + content.length).every((byte) => byte === 0xee));
        }
      }
    }
  });

  test("begins at 0 unless asked", () => {
    const target = Buffer.alloc(100);
    const size = createValueCodec().encodeInto(Buffer.from("abc"), target);
    assert.equal(target.toString("hex", 0, size), "5256430002000300000050392f89945faf78616263");
  });

  test("needs room for maxEncodedBytes, to the byte, whether or not the frame is shorter", () => {
    const codec = createValueCodec();
    assert.equal(codec.maxEncodedBytes(3000), 3018);
    assert.equal(codec.encodeInto(noise(3000), Buffer.alloc(3023), 5), 3018);
    assert.throws(() => codec.encodeInto(records(3000), Buffer.alloc(3022), 5), RangeError);
    assert.throws(() => codec.encodeInto(Buffer.alloc(0), Buffer.alloc(17)), RangeError);
  });

  test("throws for targets and offsets that are none", () => {
    const codec = createValueCodec();
    const content = Buffer.from("abc");
    for (const target of [undefined, null, "text", [], new ArrayBuffer(100), new Uint16Array(50)]) {
      assert.throws(() => codec.encodeInto(content, target as never), TypeError);
    }
    for (const offset of ["1", null, {}, 1n])
      assert.throws(() => codec.encodeInto(content, Buffer.alloc(100), offset as never), TypeError);
    for (const offset of [-1, 0.5, 101, Number.NaN, Infinity])
      assert.throws(() => codec.encodeInto(content, Buffer.alloc(100), offset), RangeError);
  });

  test("encodes content that lies in the target", () => {
    for (const compressor of [...BUILT_IN, stored()]) {
      const codec = createValueCodec({ compressor });
      for (const [at, offset] of [
        [0, 0],
        [18, 0],
        [0, 18],
        [100, 90],
        [5, 40],
      ] as const) {
        const memory = Buffer.alloc(4000);
        const content = memory.subarray(at, at + 3000);
        content.set(records(3000));
        const size = codec.encodeInto(content, memory, offset);
        assert.ok(
          codec.decode(memory.subarray(offset, offset + size)).equals(records(3000)),
          `${compressor.name} ${at} ${offset}`,
        );
      }
    }
  });

  test("writes into shared memory", () => {
    const target = new Uint8Array(new SharedArrayBuffer(4000));
    const codec = createValueCodec();
    const size = codec.encodeInto(records(3000), target, 7);
    assert.ok(Buffer.from(target.subarray(7, 7 + size)).equals(codec.encode(records(3000))));
  });

  test("leaves nothing that reads as a frame when it fails", () => {
    const scribble = defineCompressor({
      id: 16,
      name: "scribble",
      compressInto: (_content, target) => {
        target.fill(0x11);
        throw new Error("half way");
      },
      decompress: (payload) => payload,
    });
    const codec = createValueCodec({ compressor: scribble });
    const target = Buffer.alloc(4000, 0xee);
    assertCode(() => codec.encodeInto(records(3000), target, 20), "CODEC_PAYLOAD_CORRUPT", { codecId: 16 });
    assert.ok(target.subarray(0, 38).every((byte) => byte === 0xee));
    assert.ok(target.subarray(3038).every((byte) => byte === 0xee));
  });

  test("leaves the target as it is when content, target or offset is refused", () => {
    const codec = createValueCodec({ maxContentBytes: 100 });
    const target = Buffer.alloc(200, 0xee);
    assertCode(() => codec.encodeInto(records(101), target), "CODEC_SIZE_LIMIT");
    assert.throws(() => codec.encodeInto(records(100), target, 83), RangeError);
    assert.ok(target.every((byte) => byte === 0xee));
  });
});

suite("maxEncodedBytes()", () => {
  test("is a header more than the content", () => {
    assert.equal(createValueCodec().maxEncodedBytes(0), 18);
    assert.equal(createValueCodec().maxEncodedBytes(8_388_608), 8_388_626);
  });

  test("throws for sizes that cannot be", () => {
    const codec = createValueCodec();
    for (const size of [-1, 0.5, 8_388_609, Number.NaN]) assert.throws(() => codec.maxEncodedBytes(size), RangeError);
    assert.throws(() => codec.maxEncodedBytes("3" as never), TypeError);
  });
});

suite("the checks of decode(), in their order", () => {
  // Each frame fails every check from its own on: only the order decides which code comes out.
  const everythingWrong = { version: 9, codecId: 9, contentSize: 0xffff_ffff };

  test("1: the magic, before the length", () => {
    const codec = createValueCodec();
    assertCode(() => codec.decode(Buffer.alloc(0)), "CODEC_FRAME_INVALID", { frameSize: 0 });
    assertCode(() => codec.decode(Buffer.from("RVC")), "CODEC_FRAME_INVALID", { frameSize: 3 });
    assertCode(() => codec.decode(Buffer.from("RVC\0")), "CODEC_FRAME_TRUNCATED", { frameSize: 4 });
    assertCode(() => codec.decode(frameOf(everythingWrong).subarray(0, 17)), "CODEC_FRAME_TRUNCATED", { frameSize: 17 });
    assertCode(() => codec.decode(frameOf(everythingWrong).fill(0, 0, 1)), "CODEC_FRAME_INVALID");
  });

  test("2: the version, before the codec id", () => {
    assertCode(() => createValueCodec().decode(frameOf(everythingWrong)), "CODEC_FRAME_VERSION", { version: 9 });
  });

  test("3: the codec id, before the size", () => {
    const frame = frameOf({ ...everythingWrong, version: 2 });
    assertCode(() => createValueCodec().decode(frame), "CODEC_UNKNOWN_ID", { codecId: 9, version: 2, contentSize: 0xffff_ffff });
    const narrow = createValueCodec({ compressor: lz4(), accept: [lz4()] });
    assertCode(() => narrow.decode(frameOf({ codecId: 4, contentSize: 0xffff_ffff })), "CODEC_UNKNOWN_ID", { codecId: 4 });
  });

  test("4: the limit, before the sizes are compared", () => {
    const frame = frameOf({ codecId: 0, contentSize: 8_388_609 }).fill(0, 10, 18);
    assertCode(() => createValueCodec().decode(frame), "CODEC_SIZE_LIMIT", { contentSize: 8_388_609, limit: 8_388_608 });
  });

  test("5: the payload's length, before the checksum", () => {
    const codec = createValueCodec();
    assertCode(() => codec.decode(frameOf({ contentSize: 4 }).fill(0, 10, 18)), "CODEC_SIZE_MISMATCH", {
      contentSize: 4,
      payloadSize: 3,
    });
    assertCode(() => codec.decode(frameOf({ codecId: 4, contentSize: 3 }).fill(0, 10, 18)), "CODEC_SIZE_MISMATCH");
    assertCode(() => codec.decode(frameOf({ codecId: 4, contentSize: 0, payload: Buffer.alloc(0) })), "CODEC_SIZE_MISMATCH");
  });

  test("6: the checksum, before anything is decompressed", () => {
    const { compressor, calls } = createSpy();
    const frame = frameOf({ codecId: 77, contentSize: 100 }).fill(0, 10, 18);
    assertCode(() => createValueCodec({ compressor }).decode(frame), "CODEC_CHECKSUM_MISMATCH", { codecId: 77 });
    assert.deepEqual(calls, []);
  });

  test("7: the payload itself", () => {
    for (const compressor of BUILT_IN) {
      const frame = frameOf({ codecId: compressor.id, contentSize: 100, payload: Buffer.alloc(50, 0xff) });
      const facts = { codecId: compressor.id, contentSize: 100, payloadSize: 50 };
      assertCode(() => createValueCodec({ compressor }).decode(frame), "CODEC_PAYLOAD_CORRUPT", facts);
      assertCode(() => createValueCodec({ compressor }).decodeInto(frame, Buffer.alloc(100)), "CODEC_PAYLOAD_CORRUPT", facts);
    }
    const empty = frameOf({ codecId: 4, contentSize: 1, payload: Buffer.alloc(0) });
    assertCode(() => createValueCodec().decode(empty), "CODEC_PAYLOAD_CORRUPT");
  });

  test("a frame over the limit allocates nothing and reaches no compressor", () => {
    const { compressor, calls } = createSpy();
    const codec = createValueCodec({ compressor, maxContentBytes: 10_000 });
    const frame = frameOf({ codecId: 77, contentSize: 10_001, payload: noise(500) });
    const sizes = allocationsDuring(() =>
      assert.equal(
        codeOf(() => codec.decode(frame)),
        "CODEC_SIZE_LIMIT",
      ),
    );
    assert.deepEqual(sizes, []);
    assert.deepEqual(calls, []);
    const fitting = frameOf({ codecId: 77, contentSize: 10_000, payload: noise(500) });
    assert.deepEqual(
      allocationsDuring(() => codec.decode(fitting)),
      [10_000],
    );
    assert.deepEqual(calls, [10_000]);
  });
});

/** Sizes that were asked of Buffer during `run`. */
function allocationsDuring(run: () => unknown): number[] {
  const sizes: number[] = [];
  const originals = { alloc: Buffer.alloc, allocUnsafe: Buffer.allocUnsafe, allocUnsafeSlow: Buffer.allocUnsafeSlow };
  for (const [name, original] of Object.entries(originals)) {
    Object.assign(Buffer, {
      [name]: (size: number) => {
        sizes.push(size);
        return original.call(Buffer, size);
      },
    });
  }
  try {
    run();
  } finally {
    Object.assign(Buffer, originals);
  }
  return sizes;
}

suite("decode()", () => {
  test("reads both versions and all compressors, whatever it writes", () => {
    for (const writer of [...BUILT_IN, stored()]) {
      for (const frameVersion of VERSIONS) {
        const frame = createValueCodec({ compressor: writer, frameVersion }).encode(records(3000));
        for (const reader of [...BUILT_IN, stored()]) {
          for (const other of VERSIONS) {
            const codec = createValueCodec({ compressor: reader, frameVersion: other });
            assert.ok(codec.decode(frame).equals(records(3000)));
          }
        }
      }
    }
  });

  test("reads frames of compressors that are no longer written, with the threshold changed", () => {
    const old = createValueCodec({ compressor: deflate(), minCompressBytes: 0 }).encode(records(100));
    assert.equal(old[5], 2);
    assert.ok(createValueCodec({ compressor: lz4(), minCompressBytes: 5000 }).decode(old).equals(records(100)));
  });

  test("throws TypeError for what is no Uint8Array, and for a detached one", () => {
    const codec = createValueCodec();
    const detached = new Uint8Array(codec.encode(records(10)));
    structuredClone(detached.buffer, { transfer: [detached.buffer] });
    for (const frame of ["RVC", null, undefined, [82, 86, 67, 0], new ArrayBuffer(30), detached]) {
      assert.throws(() => codec.decode(frame as never), TypeError);
      assert.throws(() => codec.decodeInto(frame as never, Buffer.alloc(100)), TypeError);
    }
  });

  test("takes every view: offsets, plain Uint8Arrays, shared memory", () => {
    for (const compressor of [...BUILT_IN, stored()]) {
      const codec = createValueCodec({ compressor });
      const frame = codec.encode(records(3000));
      const shared = new Uint8Array(new SharedArrayBuffer(frame.length));
      shared.set(frame);
      for (const view of [
        new Uint8Array(frame),
        Buffer.concat([noise(9), frame, noise(9)]).subarray(9, 9 + frame.length),
        shared,
      ]) {
        assert.ok(codec.decode(view).equals(records(3000)));
      }
    }
  });

  test("leaves the frame as it is, and its result is the caller's", () => {
    for (const compressor of [...BUILT_IN, stored()]) {
      const codec = createValueCodec({ compressor });
      const frame = codec.encode(records(3000));
      const before = Buffer.from(frame);
      const content = codec.decode(frame);
      assert.ok(frame.equals(before));
      frame.fill(0);
      codec.decode(codec.encode(records(4000)));
      assert.ok(content.equals(records(3000)));
      content.fill(0);
      assert.ok(codec.decode(before).equals(records(3000)));
    }
  });

  test("gives small content no large memory to hold on to", () => {
    for (const compressor of [...BUILT_IN, stored()]) {
      const codec = createValueCodec({ compressor, minCompressBytes: 0 });
      for (const size of [10, 100, 5000, 70_000]) {
        const content = codec.decode(codec.encode(records(size)));
        assert.ok(content.buffer.byteLength <= size + 8192, `${compressor.name}: ${content.buffer.byteLength} bytes for ${size}`);
      }
    }
  });

  test("works after every kind of failure", () => {
    for (const compressor of BUILT_IN) {
      const codec = createValueCodec({ compressor });
      const frame = codec.encode(records(3000));
      for (const damaged of flipsOf(frame))
        assert.notEqual(
          codeOf(() => codec.decode(damaged)),
          undefined,
        );
      assert.ok(codec.decode(frame).equals(records(3000)));
    }
  });
});

suite("decodeInto()", () => {
  test("writes the content at any offset and gives its length", () => {
    for (const compressor of [...BUILT_IN, stored()]) {
      const codec = createValueCodec({ compressor });
      for (const content of [Buffer.alloc(0), records(10), records(3000), noise(3000)]) {
        const target = Buffer.alloc(4000, 0xee);
        assert.equal(codec.decodeInto(codec.encode(content), target, 13), content.length);
        assert.ok(target.subarray(13, 13 + content.length).equals(content));
        assert.ok(target.subarray(0, 13).every((byte) => byte === 0xee));
        assert.ok(target.subarray(13 + content.length).every((byte) => byte === 0xee));
      }
    }
  });

  test("begins at 0 unless asked, and needs room for the content alone", () => {
    const codec = createValueCodec();
    const target = Buffer.alloc(3000);
    assert.equal(codec.decodeInto(codec.encode(records(3000)), target), 3000);
    assert.ok(target.equals(records(3000)));
    assert.equal(codec.decodeInto(codec.encode(Buffer.alloc(0)), Buffer.alloc(0)), 0);
    assert.throws(() => codec.decodeInto(codec.encode(records(3000)), target, 1), RangeError);
    assert.throws(() => codec.decodeInto(codec.encode(records(3000)), Buffer.alloc(2999)), RangeError);
  });

  test("throws for targets and offsets that are none", () => {
    const codec = createValueCodec();
    const frame = codec.encode(records(10));
    for (const target of [undefined, null, "text", [], new ArrayBuffer(100)]) {
      assert.throws(() => codec.decodeInto(frame, target as never), TypeError);
    }
    for (const offset of ["1", null, {}])
      assert.throws(() => codec.decodeInto(frame, Buffer.alloc(100), offset as never), TypeError);
    for (const offset of [-1, 0.5, 101, Number.NaN])
      assert.throws(() => codec.decodeInto(frame, Buffer.alloc(100), offset), RangeError);
  });

  test("says that a frame is damaged rather than that there is no room", () => {
    const codec = createValueCodec();
    const frame = codec.encode(records(3000));
    frame[30] = (frame[30] as number) ^ 1;
    assertCode(() => codec.decodeInto(frame, Buffer.alloc(5)), "CODEC_CHECKSUM_MISMATCH");
  });

  test("decodes a frame that lies in the target", () => {
    for (const compressor of [...BUILT_IN, stored()]) {
      const codec = createValueCodec({ compressor });
      const frame = codec.encode(records(3000));
      for (const [at, offset] of [
        [0, 0],
        [0, 18],
        [18, 0],
        [900, 800],
      ] as const) {
        const memory = Buffer.alloc(4000);
        memory.set(frame, at);
        assert.equal(codec.decodeInto(memory.subarray(at, at + frame.length), memory, offset), 3000);
        assert.ok(memory.subarray(offset, offset + 3000).equals(records(3000)), `${compressor.name} ${at} ${offset}`);
      }
    }
  });

  test("writes into shared memory", () => {
    for (const compressor of [...BUILT_IN, stored()]) {
      const codec = createValueCodec({ compressor });
      const target = new Uint8Array(new SharedArrayBuffer(4000));
      assert.equal(codec.decodeInto(codec.encode(records(3000)), target, 7), 3000);
      assert.ok(Buffer.from(target.subarray(7, 3007)).equals(records(3000)));
    }
  });

  test("touches the room of the content alone when decompression fails, and nothing when a check fails", () => {
    for (const compressor of BUILT_IN) {
      const codec = createValueCodec({ compressor });
      const frame = codec.encode(records(3000));
      const cut = frameOf({ codecId: compressor.id, contentSize: 3000, payload: frame.subarray(18, frame.length - 1) });
      const target = Buffer.alloc(4000, 0xee);
      assertCode(() => codec.decodeInto(cut, target, 500), "CODEC_PAYLOAD_CORRUPT");
      assert.ok(target.subarray(0, 500).every((byte) => byte === 0xee));
      assert.ok(target.subarray(3500).every((byte) => byte === 0xee));
      target.fill(0xee);
      assert.throws(() => codec.decodeInto(frame, target, 1001), RangeError);
      for (const damaged of flipsOf(frame.subarray(0, 18))) {
        // A size that grew may be a RangeError: it is the target that has no room for what the frame claims to hold.
        assert.throws(() => codec.decodeInto(Buffer.concat([damaged, frame.subarray(18)]), target, 1001));
      }
      assert.ok(target.every((byte) => byte === 0xee));
    }
  });
});
