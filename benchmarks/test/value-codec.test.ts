import assert from "node:assert/strict";
import { before, suite, test } from "node:test";
import { createValueCodec, stored, type ValueCodec } from "@tightwire/codec-core";
import { createCheckedFrame, valueCodecSuite } from "../src/cases/value-codec.ts";
import type { CaseResult } from "../src/results.ts";
import { type QuickRun, runQuickly } from "./support/run-suite.ts";

suite("cases of value-codec", () => {
  const names = valueCodecSuite.listCases().map(({ name }) => name);

  test("are 60 each way, each once", () => {
    assert.equal(new Set(names).size, 120);
    assert.equal(names.length, 120);
    for (const operation of ["encode", "decode"]) {
      assert.equal(names.filter((name) => name.startsWith(`value-codec/${operation}/`)).length, 60);
    }
  });

  test("take less than a quarter of an hour in two processes, those of checksum included", () => {
    const estimateMs = valueCodecSuite.listCases().reduce((sum, { estimateMs }) => sum + estimateMs, 0);
    assert.ok((estimateMs * 128 * 2) / 120 < 15 * 60_000);
  });
});

suite("a quick run of value-codec", () => {
  let run: QuickRun;
  before(async () => {
    run = await runQuickly(valueCodecSuite, /-64\/|-16k\/(raw|zstd-3|lz4|brotli-4)\/threshold-1024/);
  });

  function resultOf(name: string): CaseResult {
    const result = run.results.get(`value-codec/${name}`);
    assert.ok(result !== undefined, name);
    return result;
  }

  test("ends every chosen case once", () => {
    assert.deepEqual([...run.failed], []);
    assert.equal(run.ended.length, 2 * 2 * (10 + 4));
    assert.equal(new Set(run.ended).size, run.ended.length);
  });

  for (const operation of ["encode", "decode"]) {
    test(`holds 82 bytes of 64 under the threshold (${operation})`, () => {
      for (const codec of ["brotli-4", "deflate-1", "lz4", "zstd-3"]) {
        for (const corpus of ["record-text", "random"]) {
          const { facts } = resultOf(`${operation}/${corpus}-64/${codec}/threshold-1024`);
          assert.equal(facts["heldBytes"], 82);
          assert.equal(facts["respBytes"], 82 + 2 + 5);
          assert.equal(facts["codecId"], 0);
        }
      }
    });

    test(`holds what the codecs make of 16 KiB of text (${operation})`, () => {
      const heldBytes = (codec: string): number =>
        Number(resultOf(`${operation}/record-text-16k/${codec}/threshold-1024`).facts["heldBytes"]);
      assert.equal(heldBytes("raw"), 16_384);
      for (const codec of ["brotli-4", "lz4", "zstd-3"]) assert.ok(heldBytes(codec) > 18 && heldBytes(codec) < 300, codec);
    });

    test(`stores what does not compress (${operation})`, () => {
      for (const codec of ["brotli-4", "lz4", "zstd-3"]) {
        const { facts } = resultOf(`${operation}/random-16k/${codec}/threshold-1024`);
        assert.equal(facts["heldBytes"], 16_402);
        assert.equal(facts["codecId"], 0);
      }
    });
  }

  test("says the same digest for raw and for codecs", () => {
    const digests = new Set(
      [...run.results.values()]
        .filter(({ parameters }) => parameters["corpus"] === "random" && parameters["sizeBytes"] === 64)
        .map(({ facts }) => facts["sha256"]),
    );
    assert.deepEqual([...digests], ["d1ed20d11680548111d23e41c701e2fb2235d8c47f58101eed80f9664617e896"]);
  });

  test("measures time, throughput and memory of every case", () => {
    for (const { name, metrics } of run.results.values()) {
      assert.ok((metrics["ns"]?.median ?? 0) > 0, name);
      assert.ok((metrics["mibPerSecond"]?.median ?? 0) > 0, name);
      assert.ok((metrics["heapBytes"]?.median ?? -1) >= 0, name);
      assert.ok((metrics["externalBytes"]?.median ?? -1) >= 0, name);
    }
  });

  test("finds that a copy takes no memory, and that forms with a target take less than the content", () => {
    assert.ok((resultOf("encode/random-16k/raw/threshold-1024").metrics["heapBytes"]?.median ?? 99) < 32);
    const { metrics } = resultOf("decode/random-16k/zstd-3/threshold-1024");
    assert.ok((metrics["heapBytes"]?.median ?? 0) + (metrics["externalBytes"]?.median ?? 0) < 16_384);
  });

  test("ends early when it is stopped", async () => {
    const { ended } = await runQuickly(valueCodecSuite, /./, AbortSignal.abort());
    assert.deepEqual(ended, []);
  });
});

suite("checks before timing", () => {
  const codec = createValueCodec({ compressor: stored() });
  const content = Buffer.from("some content");

  test("pass for a sound codec", () => {
    assert.deepEqual(createCheckedFrame(content, codec), codec.encode(content));
  });

  const faults: readonly (readonly [fault: string, changes: Partial<ValueCodec>])[] = [
    ["the forms write different frames", { encodeInto: (_, target) => codec.encodeInto(Buffer.from("other content"), target) }],
    ["an array is decoded to something else", { decode: () => Buffer.from("same length!") }],
    ["a target is decoded to something else", { decodeInto: (_, target) => target.fill(0).length }],
    ["a target gets another length", { decodeInto: (frame, target) => codec.decodeInto(frame, target) - 1 }],
    [
      "the input is changed",
      {
        decodeInto: (frame, target) => {
          content[0] = 0;
          return codec.decodeInto(frame, target);
        },
      },
    ],
    ["the frame has another version", { frameVersion: 1 }],
  ];
  for (const [fault, changes] of faults) {
    test(`fail if ${fault}`, () => {
      content.write("some content");
      assert.throws(() => createCheckedFrame(content, { ...codec, ...changes }));
    });
  }

  test("fail if content under the threshold is compressed", () => {
    const always = createValueCodec({ minCompressBytes: 0 });
    assert.throws(() => createCheckedFrame(Buffer.alloc(500), { ...always, minCompressBytes: 1_024 }), /threshold/);
  });
});
