import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { mergeLaunches } from "../src/merge.ts";
import type { CaseResult, ResultsFile } from "../src/results.ts";
import { createMetric } from "../src/statistics.ts";
import { findValueCodecFaults, listValueCodecCases, respBytesOf } from "../src/value-codec-check.ts";
import { makeFile } from "./support/stub-files.ts";

const DIGESTS: Readonly<Record<string, string>> = {
  "record-text-64": "c2b21e7c8af3dbcebf19bf2d8c13a1c61674aeff937ade6db6f4ca3fee5bcdf1",
  "record-text-1k": "ddde80f27854f09534dcbffca07ae4878c33ddaf4d894491d75c5b8f2b4fd760",
  "record-text-16k": "924c68ba68f270845f844f0683e73663f67cdff24f5860d7208dd91984405df6",
  "random-64": "d1ed20d11680548111d23e41c701e2fb2235d8c47f58101eed80f9664617e896",
  "random-1k": "fab0287900c70b10192d7fd4b0a07615351fb90f43d2264f6981521a5a229307",
  "random-16k": "14f7549860498b8973a3f2716a290d5cb806f95b1d1cf8b286be76a0e06237c6",
};
const SIZES: Readonly<Record<string, number>> = { "64": 64, "1k": 1_024, "16k": 16_384 };

function craftCase(name: string): CaseResult {
  const [, operation = "", content = "", codec = "", threshold = ""] = name.split("/");
  const [corpus, size] = content.split(/-(?=\w+$)/);
  const sizeBytes = SIZES[size ?? ""] ?? 0;
  const heldBytes = codec === "raw" ? sizeBytes : sizeBytes + 18;
  return {
    name,
    parameters: {
      suite: "value-codec",
      operation,
      corpus: corpus ?? "",
      sizeBytes,
      codec,
      threshold: Number(threshold.slice(10)),
    },
    metrics: {
      ns: createMetric("ns", [100, 101]),
      mibPerSecond: createMetric("MiB/s", [10, 11]),
      heapBytes: createMetric("B", [0, 0]),
    },
    facts: {
      contentBytes: sizeBytes,
      heldBytes,
      respBytes: respBytesOf(heldBytes),
      codecId: codec === "raw" ? null : 0,
      sha256: DIGESTS[content] ?? "",
    },
  };
}

const craftRun = (names = listValueCodecCases()): ResultsFile => makeFile("value-codec", names.map(craftCase));
const ONE = "value-codec/encode/record-text-16k/brotli-4/threshold-1024";
const RAW = "value-codec/encode/record-text-16k/raw/threshold-1024";

function change(name: string, edit: (one: CaseResult) => CaseResult, file = craftRun()): ResultsFile {
  return { ...file, cases: file.cases.map((one) => (one.name === name ? edit(one) : one)) };
}

const without = (name: string): ResultsFile => {
  const file = craftRun();
  return { ...file, cases: file.cases.filter((one) => one.name !== name) };
};

function withFacts(facts: Partial<CaseResult["facts"]>, name = ONE): ResultsFile {
  return change(name, (one) => ({ ...one, facts: JSON.parse(JSON.stringify({ ...one.facts, ...facts })) }));
}

function withMetrics(metrics: Readonly<Record<string, object | undefined>>): ResultsFile {
  return change(ONE, (one) => ({ ...one, metrics: { ...one.metrics, ...metrics } as CaseResult["metrics"] }));
}

const metric = createMetric("ns", [1]);

suite("listValueCodecCases()", () => {
  test("holds 60 cases of each direction", () => {
    assert.equal(new Set(listValueCodecCases()).size, 120);
    for (const direction of ["encode", "decode"] as const) assert.equal(listValueCodecCases(direction).length, 60);
  });
});

suite("findValueCodecFaults()", () => {
  test("accepts the whole matrix, one direction, one case with its raw twin, and merged processes", () => {
    assert.deepEqual(findValueCodecFaults(craftRun()), []);
    assert.deepEqual(findValueCodecFaults(craftRun(listValueCodecCases("decode")), { direction: "decode" }), []);
    assert.deepEqual(findValueCodecFaults(craftRun([ONE, RAW]), { cases: [ONE, RAW] }), []);
    assert.deepEqual(findValueCodecFaults(mergeLaunches([craftRun(), craftRun()]), { launches: 2 }), []);
  });

  const base = craftRun();
  const bad: Readonly<Record<string, ResultsFile>> = {
    "a missing case": without(ONE),
    "an extra case": { ...base, cases: [...base.cases, craftCase("value-codec/encode/record-text-16k/gzip-6/threshold-0")] },
    "a duplicate case": { ...base, cases: [...base.cases, craftCase(ONE)] },
    "a failed case": { ...without(ONE), failed: [{ name: ONE, error: "threw" }] },
    "a case that failed and was measured": { ...base, failed: [{ name: ONE, error: "threw" }] },
    "a skipped case": { ...without(ONE), skipped: [{ name: ONE, reason: "no zstd" }] },
    "a partial run": { ...base, status: "partial" },
    "another suite": { ...base, suite: "checksum" },
    "a decode under the name of an encode": change(ONE, (one) => ({
      ...one,
      parameters: { ...one.parameters, operation: "decode" },
    })),
    "another codec under a name": change(ONE, (one) => ({ ...one, parameters: { ...one.parameters, codec: "zstd-3" } })),
    "no mean": withMetrics({ ns: undefined }),
    "no samples": withMetrics({ ns: { ...metric, samples: [] } }),
    "a mean that is not finite": withMetrics({ ns: { ...metric, mean: Number.NaN } }),
    "a mean of 0": withMetrics({ ns: { ...metric, mean: 0 } }),
    "no allocation": withMetrics({ heapBytes: undefined }),
    "a negative allocation": withMetrics({ heapBytes: { ...metric, mean: -1 } }),
    "an allocation that is not finite": withMetrics({ heapBytes: { ...metric, median: Number.POSITIVE_INFINITY } }),
    "no throughput": withMetrics({ mibPerSecond: undefined }),
    "no held bytes": withFacts({ heldBytes: undefined }),
    "no digest": withFacts({ sha256: undefined }),
    "RESP bytes that do not fit": withFacts({ respBytes: 1 }),
    "content of another size": withFacts({ contentBytes: 16_000 }),
    "content with another digest": withFacts({ sha256: "00" }),
    "raw content held in another size": withFacts({ heldBytes: 9, respBytes: respBytesOf(9) }, RAW),
    "no sizes of the raw twin": withFacts({ sha256: undefined }, RAW),
  };
  for (const [title, file] of Object.entries(bad)) {
    test(`finds ${title}`, () => {
      assert.notDeepEqual(findValueCodecFaults(file), []);
    });
  }

  test("names the case whose raw twin lacks its sizes", () => {
    const faults = findValueCodecFaults(withFacts({ sha256: undefined }, RAW));
    assert.ok(faults.some((fault) => fault.startsWith(`${ONE}:`)));
  });

  test("lists what is missing and what is extra by name", () => {
    const extra = "value-codec/encode/record-text-16k/gzip-6/threshold-0";
    const file = without(ONE);
    const faults = findValueCodecFaults({ ...file, cases: [...file.cases, craftCase(extra)] });
    for (const name of [ONE, extra]) assert.ok(faults.some((fault) => fault.startsWith(`${name}:`)));
  });

  test("finds a case of the other direction", () => {
    const names = [...listValueCodecCases("decode"), ONE, RAW];
    assert.equal(findValueCodecFaults(craftRun(names), { direction: "decode" }).length, 2);
  });

  test("finds a digest and a size that changed between two fresh processes", () => {
    for (const facts of [{ sha256: "00" }, { heldBytes: 99, respBytes: respBytesOf(99) }]) {
      const merged = mergeLaunches([craftRun(), withFacts(facts)]);
      assert.ok(findValueCodecFaults(merged).some((fault) => fault.startsWith(`${ONE}:`)));
    }
  });

  test("finds a case that one of two processes lacks, and fewer processes than were to run", () => {
    assert.notDeepEqual(findValueCodecFaults(mergeLaunches([craftRun(), without(ONE)])), []);
    assert.notDeepEqual(findValueCodecFaults(craftRun(), { launches: 2 }), []);
  });

  test("finds that nothing was expected", () => {
    assert.notDeepEqual(findValueCodecFaults(craftRun([]), { cases: [] }), []);
  });
});
