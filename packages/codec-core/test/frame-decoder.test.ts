import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { loadKernel } from "@tightwire/kernel";
import fc from "fast-check";
import { nativeZstd } from "../src/compressors/zstd.ts";
import { brotli, createValueCodec, defineCompressor, deflate, lz4, stored, zstd } from "../src/index.ts";
import { damagesOf } from "./support/damages.ts";
import { cutsOf, flipsOf, frameOf, noise, records } from "./support/frames.ts";
import { outcomeOf } from "./support/outcomes.ts";
import { runWithout } from "./support/run-child.ts";
import { texts } from "./support/texts.ts";

setFlagsFromString("--expose-gc");

const plain = defineCompressor({
  id: 16,
  name: "plain",
  compress: (content) => content.subarray(1),
  decompress: (payload) => Buffer.concat([Buffer.from("t"), payload]),
});
const COMPRESSORS = [stored(), brotli(), deflate(), lz4(), zstd(), plain];

suite("decodeText()", () => {
  for (const compressor of COMPRESSORS) {
    test(`${compressor.name}: gives the text that was encoded`, () => {
      for (const frameVersion of [1, 2] as const) {
        const codec = createValueCodec({ compressor, frameVersion, minCompressBytes: 20 });
        fc.assert(
          fc.property(texts, (text) => {
            const content = Buffer.from(`t${text}`);
            assert.equal(codec.decodeText(codec.encode(content)), content.toString("utf8"));
          }),
          { numRuns: 60 },
        );
      }
    });

    test(`${compressor.name}: gives of any bytes what toString() gives of decode()`, () => {
      const codec = createValueCodec({ compressor, minCompressBytes: 20 });
      const bytes = fc.tuple(fc.uint8Array({ maxLength: 100 }), fc.integer({ min: 1, max: 30 }));
      fc.assert(
        fc.property(bytes, ([part, times]) => {
          const content = Buffer.concat([Buffer.from("t"), ...new Array(times).fill(part)]);
          assert.equal(codec.decodeText(codec.encode(content)), content.toString("utf8"));
        }),
        { numRuns: 60 },
      );
    });

    test(`${compressor.name}: refuses every flip and cut as decode() does`, () => {
      const codec = createValueCodec({ compressor, minCompressBytes: 20 });
      const frame = codec.encode(Buffer.from("text ".repeat(20)));
      for (const damaged of [...flipsOf(frame), ...cutsOf(frame)]) {
        const expected = outcomeOf(() => codec.decode(damaged).toString("utf8"));
        assert.deepEqual(
          outcomeOf(() => codec.decodeText(damaged)),
          expected,
        );
      }
    });
  }

  test("is the same at the bounds of the kernel", () => {
    for (const compressor of COMPRESSORS) {
      const codec = createValueCodec({ compressor });
      for (const size of [2 ** 19 - 1, 2 ** 19 + 1, 2 ** 20 - 1, 2 ** 20, 2 ** 20 + 1]) {
        for (const unit of ["t", "té", "t語"]) {
          const content = Buffer.alloc(size, unit);
          assert.ok(codec.decodeText(codec.encode(content)) === content.toString("utf8"), `${compressor.name} ${size} ${unit}`);
        }
      }
    }
  });

  test("throws TypeError for what is no Uint8Array", () => {
    for (const frame of [undefined, null, "text", 5, [1], new ArrayBuffer(30), new Uint16Array(20)]) {
      assert.throws(() => createValueCodec().decodeText(frame as never), TypeError);
    }
  });

  test("reads shared memory", () => {
    for (const compressor of COMPRESSORS) {
      const codec = createValueCodec({ compressor, minCompressBytes: 0 });
      const content = Buffer.concat([Buffer.from("t"), records(500)]);
      const frame = codec.encode(content);
      const shared = new Uint8Array(new SharedArrayBuffer(frame.length));
      shared.set(frame);
      assert.equal(codec.decodeText(shared), content.toString("utf8"));
    }
  });

  test("gives U+FFFD for what is no UTF-8", () => {
    assert.equal(createValueCodec().decodeText(frameOf({ payload: Buffer.from("61ff62c3", "hex") })), "a\ufffdb\ufffd");
  });
});

const COUNT = 3_000;

suite("a damaged frame", () => {
  const writers = [stored(), lz4(), zstd(), deflate(), brotli()].map((compressor) =>
    createValueCodec({ compressor, minCompressBytes: 0 }),
  );
  const contents = [records(1), records(70), records(700), Buffer.concat([records(300), noise(200)])];
  const frames = writers.flatMap((codec) => contents.map((content) => codec.encode(content)));

  test("is refused with the same code and facts by both engines, in every form, and else gives the same", () => {
    const source = `
      import { createValueCodec, lz4 } from "./src/index.ts";
      import { damagesOf } from "./test/support/damages.ts";
      import { outcomeOf } from "./test/support/outcomes.ts";
      const codecs = [createValueCodec(), createValueCodec({ compressor: lz4(), accept: [], maxContentBytes: 600 })];
      const target = Buffer.alloc(650);
      const frames = ${JSON.stringify(frames.map((frame) => frame.toString("hex")))}.map((hex) => Buffer.from(hex, "hex"));
      const outcomes = damagesOf(frames, ${COUNT}).map((frame) =>
        codecs.map((codec) => [
          outcomeOf(() => codec.decode(frame).toString("hex")),
          outcomeOf(() => codec.decodeText(frame)),
          outcomeOf(() => codec.decodeInto(frame, target, 3)),
        ]),
      );
      console.log(JSON.stringify(outcomes));
    `;
    const [on, off] = (["on", "off"] as const).map((mode) => runWithout([], source, [], mode) as unknown[]);
    for (const [index, frame] of damagesOf(frames, COUNT).entries())
      assert.deepEqual(on?.[index], off?.[index], frame.toString("hex"));
    const codes = new Set(JSON.stringify(on).match(/CODEC_\w+/g));
    assert.ok(codes.size >= 8, `${[...codes]}`);
  });
});

const isOff = process.env["TIGHTWIRE_KERNEL"] === "off";
const skip = isOff ? "TIGHTWIRE_KERNEL is off" : loadKernel() === undefined && "this process cannot run the kernel";

suite("the forms that write into a target", { skip }, () => {
  const collect = runInNewContext("gc") as () => void;

  /**
   * Least bytes of heap that a call takes: until code is optimised, which takes as long as it takes on cores that others keep busy,
   * numbers are boxed.
   */
  function heapBytesOf(run: () => unknown): number {
    let least = Number.POSITIVE_INFINITY;
    for (let round = 0; round < 2_000 && least >= 8; round++) {
      for (let index = 0; index < 500; index++) run();
      collect();
      const before = process.memoryUsage().heapUsed;
      for (let index = 0; index < 500; index++) run();
      least = Math.min(least, (process.memoryUsage().heapUsed - before) / 500);
    }
    return least;
  }

  for (const compressor of [stored(), lz4(), ...(nativeZstd() === undefined ? [] : [zstd()])]) {
    test(`${compressor.name}: take no memory of the heap`, () => {
      const codec = createValueCodec({ compressor, minCompressBytes: 0 });
      for (const size of [64, 1_024, 16_384]) {
        const [content, text] = [records(size), records(size).toString()];
        const [frame, target, restored] = [codec.encode(content), Buffer.alloc(size + 18), Buffer.alloc(size)];
        const forms = {
          encodeInto: () => codec.encodeInto(content, target),
          encodeTextInto: () => codec.encodeTextInto(text, target),
          decodeInto: () => codec.decodeInto(frame, restored),
        };
        for (const [name, run] of Object.entries(forms)) {
          const heapBytes = heapBytesOf(run);
          assert.ok(heapBytes < 8, `${name} of ${size} bytes: ${heapBytes} bytes`);
        }
      }
    });
  }
});
