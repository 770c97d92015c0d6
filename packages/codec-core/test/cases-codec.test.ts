// Failures of other systems, small enough to replay. Each test names the case and the public thread that told of it.
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { brotliCompressSync, deflateRawSync, deflateSync } from "node:zlib";
import { brotli } from "../src/compressors/brotli.ts";
import { deflate } from "../src/compressors/deflate.ts";
import { lz4 } from "../src/compressors/lz4.ts";
import { stored } from "../src/compressors/stored.ts";
import { zstd } from "../src/compressors/zstd.ts";
import { MAX_CONTENT_BYTES } from "../src/limits.ts";
import { loadPackage } from "../src/load-package.cts";
import { loadLz4 } from "../src/platform.ts";
import { createValueCodec } from "../src/value-codec.ts";
import { assertCode, codeOf, cutsOf, flipsOf, frameOf, noise, records } from "./support/frames.ts";

const BUILT_IN = [brotli(), deflate(), lz4(), zstd()];

interface ZstdWriter {
  setParameters(parameters: object): void;
  loadDictionary(dictionary: Buffer): void;
  compress(content: Buffer): Buffer;
}

function zstdFrame(content: Buffer, parameters: object = {}, dictionary?: Buffer): Buffer {
  const { Compressor } = loadPackage("zstd-napi") as { Compressor: new () => ZstdWriter };
  const writer = new Compressor();
  writer.setParameters(parameters);
  if (dictionary !== undefined) writer.loadDictionary(dictionary);
  return writer.compress(content);
}

function lz4Block(content: Buffer): Buffer {
  return loadLz4().compressSync(content).subarray(4);
}

function decode(codecId: number, payload: Uint8Array, contentSize: number, maxContentBytes = MAX_CONTENT_BYTES): Buffer {
  return createValueCodec({ maxContentBytes }).decode(frameOf({ codecId, payload, contentSize }));
}

/** Growth of the process while `run` runs. */
function growthDuring(run: () => void): number {
  const before = process.memoryUsage().rss;
  run();
  return process.memoryUsage().rss - before;
}

const MIB = 1024 * 1024;

// The heap of a test run moves by tens of MiB on its own; what is guarded against here are GiB. memory.test.ts measures closely.
const NOISE_BYTES = 80 * MIB;

suite("length fields that lie", () => {
  test("case 1 (redisson/redisson#6574): a nonsensical LZ4 payload allocates nothing", () => {
    const payload = Buffer.from("ffffff7f11223344", "hex");
    const growth = growthDuring(() => {
      for (const contentSize of [9, 2040, 2041, 2 ** 31 - 1, 2 ** 32 - 19]) {
        assertCode(() => decode(3, payload, contentSize), "CODEC_PAYLOAD_CORRUPT", { codecId: 3, contentSize });
      }
    });
    assert.ok(growth < NOISE_BYTES, `${growth} bytes`);
  });

  test("case 2 (lz4/lz4#972): claimed and real length never differ", () => {
    assertCode(() => decode(3, Buffer.from("ffffffff11223344", "hex"), 1000), "CODEC_PAYLOAD_CORRUPT");
    const block = lz4Block(Buffer.alloc(100, "a"));
    assert.equal(decode(3, block, 100).toString(), "a".repeat(100));
    for (const claim of [block.length + 1, 99, 101, 200, 2 ** 30, 2 ** 32 - 19]) {
      assertCode(() => decode(3, block, claim), "CODEC_PAYLOAD_CORRUPT", { contentSize: claim });
    }
    assertCode(() => decode(3, block, 0), "CODEC_SIZE_MISMATCH");
    assertCode(() => decode(3, block, 10), "CODEC_SIZE_MISMATCH");
  });

  test("case 9 (manzt/numcodecs.js#46): zstd's sentinel and absurd content sizes are refused unread", () => {
    const sizes = [2n ** 31n - 1n, 2n ** 32n - 1n, 2n ** 33n, 2n ** 63n, 2n ** 64n - 2n, 2n ** 64n - 1n];
    const growth = growthDuring(() => {
      for (const size of sizes) {
        const payload = Buffer.concat([Buffer.from("28b52ffde0", "hex"), Buffer.alloc(8), Buffer.from("010000", "hex")]);
        payload.writeBigUInt64LE(size, 5);
        for (const claim of [1000, 2 ** 31 - 1, 2 ** 32 - 19])
          assertCode(() => decode(4, payload, claim), "CODEC_PAYLOAD_CORRUPT");
      }
    });
    assert.ok(growth < NOISE_BYTES, `${growth} bytes`);
  });
});

suite("truncated and poisoned zstd", () => {
  const text = Buffer.from("the quick brown fox ".repeat(50));
  const sizeless = { contentSizeFlag: false };

  test("case 5 (nodejs/node#64592): no cut is taken for a shorter value", () => {
    const frame = zstdFrame(text, sizeless);
    assert.equal(frame.length, 36);
    assert.ok(decode(4, frame, text.length).equals(text));
    for (const cut of cutsOf(frame))
      assertCode(() => decode(4, cut, text.length), "CODEC_PAYLOAD_CORRUPT", { payloadSize: cut.length });
    const large = zstdFrame(Buffer.concat([noise(300_000), records(5000)]), sizeless);
    assertCode(() => decode(4, large.subarray(0, -1000), 305_000), "CODEC_PAYLOAD_CORRUPT");
    assertCode(() => decode(4, large.subarray(0, -1000), 304_000), "CODEC_PAYLOAD_CORRUPT");
  });

  test("case 6 (lz4/lz4#1227, lz4/lz4#302, coolbutuseless/zstdlite#21): one bad value never spoils the next read", () => {
    const codec = createValueCodec();
    const healthy = [records(2000), text, zstdHealthy()].map((content) => [content, codec.encode(content)] as const);
    const frame = zstdFrame(text, sizeless);
    const bad = [frame.subarray(0, 20), ...flipsOf(frame)];
    let refused = 0;
    for (const payload of bad) {
      if (codeOf(() => decode(4, payload, text.length)) !== undefined) refused++;
      for (const [content, good] of healthy) assert.ok(codec.decode(good).equals(content));
    }
    assert.ok(refused > 100, `${refused} of ${bad.length} refused`);
  });

  test("case 7 (sergey-dryabzhinsky/python-zstd#53, yoshihitoh/zstd-codec#223): a frame without content size is read under the bound", () => {
    const frame = zstdFrame(Buffer.alloc(1_048_576), sizeless);
    assert.ok(frame.length < 100);
    assert.ok(decode(4, frame, 1_048_576).equals(Buffer.alloc(1_048_576)));
    assertCode(() => decode(4, frame, 1_048_575), "CODEC_PAYLOAD_CORRUPT");
    assertCode(() => decode(4, frame, 1_048_577), "CODEC_PAYLOAD_CORRUPT");
    const bomb = zstdFrame(Buffer.alloc(30_000_000), sizeless);
    assertCode(() => decode(4, bomb, 1_000_000), "CODEC_PAYLOAD_CORRUPT");
  });
});

function zstdHealthy(): Buffer {
  return Buffer.concat([noise(1000), records(1000)]);
}

suite("bombs", () => {
  test("case 10 (oven-sh/bun#35856, oven-sh/bun#35866): a frame that claims a GiB is refused before anything is allocated", () => {
    const block = Buffer.from("020010 61".replace(" ", ""), "hex");
    const header = Buffer.from("28b52ffda0 00000040".replace(" ", ""), "hex");
    const blocks = Buffer.concat(Array.from({ length: 8192 }, () => block));
    const payload = Buffer.concat([header, blocks.subarray(0, -4), Buffer.from("03001061", "hex")]);
    const single = zstdFrame(Buffer.alloc(65_536));
    const joined = Buffer.concat(Array.from({ length: 65 }, () => single));
    const growth = growthDuring(() => {
      assertCode(() => decode(4, payload, 2 ** 30, 8 * MIB), "CODEC_SIZE_LIMIT", { contentSize: 2 ** 30, limit: 8 * MIB });
      assertCode(() => decode(4, payload, 8 * MIB, 8 * MIB), "CODEC_PAYLOAD_CORRUPT", { contentSize: 8 * MIB });
      assertCode(() => decode(4, joined, 65 * 65_536), "CODEC_PAYLOAD_CORRUPT");
    });
    assert.ok(growth < NOISE_BYTES, `${growth} bytes`);
  });

  test("case 11 (valkey-io/valkey-glide#5895, part 1): the limit holds to the byte, for every compressor", () => {
    const content = Buffer.alloc(1_048_576);
    for (const compressor of BUILT_IN) {
      const frame = createValueCodec({ compressor }).encode(content);
      for (const maxContentBytes of [1024, 1_048_575]) {
        const facts = { contentSize: 1_048_576, limit: maxContentBytes };
        assertCode(() => createValueCodec({ compressor, maxContentBytes }).decode(frame), "CODEC_SIZE_LIMIT", facts);
      }
      assert.ok(createValueCodec({ compressor, maxContentBytes: 1_048_576 }).decode(frame).equals(content));
    }
  });

  test("case 12 (vm0-ai/vm0#10128, nodejs/node#27253): the cap bounds decompression, not its finished result", () => {
    const zeros = Buffer.alloc(30_000_000);
    const payloads = [
      [1, brotliCompressSync(zeros)],
      [2, deflateRawSync(zeros)],
      [3, lz4Block(zeros)],
      [4, zstdFrame(zeros)],
    ] as const;
    const growth = growthDuring(() => {
      for (const [id, payload] of payloads) {
        assertCode(() => decode(id, payload, 30_000_000, 1_000_000), "CODEC_SIZE_LIMIT", { limit: 1_000_000 });
        assertCode(() => decode(id, payload, 1_000_000, 1_000_000), "CODEC_PAYLOAD_CORRUPT", { contentSize: 1_000_000 });
      }
    });
    assert.ok(growth < NOISE_BYTES, `${growth} bytes`);
  });

  test("case 12: a length of zero has a path of its own, which no compressor sees", () => {
    for (const { id } of BUILT_IN) assertCode(() => decode(id, Buffer.alloc(0), 0), "CODEC_SIZE_MISMATCH");
    assert.equal(decode(0, Buffer.alloc(0), 0).length, 0);
  });
});

suite("many reads", () => {
  test("case 3 (antoniomuso/lz4-napi#678): a large value is read over and over under a bound", () => {
    const content = Buffer.concat([Buffer.alloc(1_000_000, "y"), Buffer.alloc(1_000_000, "x")]);
    const codec = createValueCodec({ compressor: lz4() });
    const frame = codec.encode(content);
    const growth = growthDuring(() => {
      for (let round = 0; round < 500; round++) assert.equal(codec.decode(frame).length, 2_000_000);
    });
    assert.ok(growth < 400 * MIB, `${growth} bytes of 1 GB`);
  });
});

suite("what is behind the end", () => {
  test("case 13 (nodejs/node#58247, nodejs/node#64023): junk behind a complete stream is corrupt, for every compressor", () => {
    const content = records(2000);
    const junk = Buffer.from("6a756e6b", "hex");
    const payloads = [
      [1, brotliCompressSync(content)],
      [2, deflateRawSync(content)],
      [3, lz4Block(content)],
      [4, zstdFrame(content)],
    ] as const;
    for (const [id, payload] of payloads) {
      assert.ok(decode(id, payload, 2000).equals(content));
      for (const tail of [junk, Buffer.alloc(1), payload]) {
        assertCode(() => decode(id, Buffer.concat([payload, tail]), 2000), "CODEC_PAYLOAD_CORRUPT", { codecId: id });
      }
    }
    assertCode(() => decode(2, deflateSync(content), 2000), "CODEC_PAYLOAD_CORRUPT");
  });
});

suite("empty values", () => {
  test("case 14 (Netflix/curator#193, kurrent-io/KurrentDB#5480, gchq/CyberChef#1273): nothing comes back as nothing", () => {
    for (const compressor of [...BUILT_IN, stored()]) {
      const codec = createValueCodec({ compressor, minCompressBytes: 0 });
      const frame = codec.encode(Buffer.alloc(0));
      assert.equal(frame.toString("hex"), "52564300020000000000c294d3380580062d");
      assert.equal(codec.decode(frame).length, 0);
    }
  });

  test("case 14: a frame without payload, where one is due, is corrupt", () => {
    for (const { id } of BUILT_IN) {
      for (const contentSize of [1, 2, 1000]) assertCode(() => decode(id, Buffer.alloc(0), contentSize), "CODEC_PAYLOAD_CORRUPT");
    }
    assertCode(() => decode(0, Buffer.alloc(0), 1), "CODEC_SIZE_MISMATCH");
  });
});

suite("dictionaries", () => {
  const dictionary = Buffer.from("hello world dictionary content ".repeat(10));
  const content = Buffer.from("hello world dictionary content X".repeat(3));

  // Raw dictionaries have no id, and our frame has no place for one, so nothing can name the dictionary that is missing. What can be
  // promised is that none is ever guessed: such a payload reaches behind the beginning of its content, which every decoder refuses.
  test("case 15 (facebook/zstd#2873, facebook/zstd#3626, facebook/zstd#3655): a payload made with a raw dictionary is corrupt", () => {
    const withDictionary = loadPackage("lz4-napi") as { compressSync(content: Buffer, dictionary: Buffer): Buffer };
    const payloads = [
      [2, deflateRawSync(content, { dictionary })],
      [3, withDictionary.compressSync(content, dictionary).subarray(4)],
      [4, zstdFrame(content, {}, dictionary)],
    ] as const;
    for (const [id, payload] of payloads) {
      assert.ok(payload.length < content.length, "the dictionary was used");
      assertCode(() => decode(id, payload, content.length), "CODEC_PAYLOAD_CORRUPT", { codecId: id });
    }
  });

  test("case 15: a zstd frame that names its dictionary says which error it is", () => {
    const payload = Buffer.from("28b52ffd23 d2040000 40 030200 41".replaceAll(" ", ""), "hex");
    assertCode(() => decode(4, payload, 64), "CODEC_DICTIONARY_MISSING", { codecId: 4, contentSize: 64 });
  });
});

suite("sizes", () => {
  test("case 17 (redisson/redisson#1145): every codec restores every size around internal blocks", () => {
    const sizes = [
      0, 1, 11, 12, 13, 32_767, 32_768, 49_999, 50_001, 65_535, 65_536, 65_537, 131_071, 131_072, 131_073, 1_048_577, 4_194_305,
    ];
    for (const compressor of BUILT_IN) {
      const codec = createValueCodec({ compressor, minCompressBytes: 0 });
      for (const size of sizes) {
        for (const content of [records(size), noise(size)]) {
          const frame = codec.encode(content);
          assert.ok(frame.length <= size + 18);
          assert.ok(codec.decode(frame).equals(content), `${compressor.name}, ${size} bytes`);
        }
      }
    }
  });
});
