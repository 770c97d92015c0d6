import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { indexCases, type Judgement, judgeTarget } from "../src/report/judgement.ts";
import { createTargetReport, formatTargets } from "../src/report/target-tables.ts";
import type { Target } from "../src/report/targets.ts";
import type { CaseResult, ResultsFile } from "../src/results.ts";
import { createMetric } from "../src/statistics.ts";
import { makeFile } from "./support/stub-files.ts";

const AT_MOST: Target = { what: "speed", sign: "≤", limit: 2, unit: "× C", metric: "ratioToC", cases: ["limit/a", "limit/b"] };
const AT_LEAST: Target = { ...AT_MOST, sign: "≥" };
const ABOVE: Target = { ...AT_MOST, sign: ">" };

function makeRatio(name: string, ...samples: readonly number[]): CaseResult {
  return { name, parameters: {}, metrics: { ratioToC: createMetric("ratio", samples) }, facts: {} };
}

function makeSet(...cases: readonly CaseResult[]): ReadonlyMap<string, ResultsFile> {
  return new Map([["limit", makeFile("limit", cases)]]);
}

function judge(target: Target, ...cases: readonly CaseResult[]): Judgement {
  return judgeTarget(target, indexCases(makeSet(...cases)));
}

suite("judgeTarget()", () => {
  test("takes a target for met where every case meets it, the limit included", () => {
    const { verdict, missed, worst } = judge(AT_MOST, makeRatio("limit/a", 1), makeRatio("limit/b", 2));
    assert.deepEqual([verdict, missed, worst?.name, worst?.value], ["met", 0, "limit/b", 2]);
    assert.equal(judge(AT_LEAST, makeRatio("limit/a", 2), makeRatio("limit/b", 3)).verdict, "met");
    assert.equal(judge(ABOVE, makeRatio("limit/a", 2.1), makeRatio("limit/b", 3)).verdict, "met");
  });

  test("takes it for missed where one case misses it, and tells the worst", () => {
    const high = judge(AT_MOST, makeRatio("limit/a", 2.001), makeRatio("limit/b", 1));
    assert.deepEqual([high.verdict, high.missed, high.worst?.name], ["missed", 1, "limit/a"]);
    const low = judge(AT_LEAST, makeRatio("limit/a", 1.9), makeRatio("limit/b", 1.8));
    assert.deepEqual([low.verdict, low.missed, low.worst?.name], ["missed", 2, "limit/b"]);
    assert.equal(judge(ABOVE, makeRatio("limit/a", 2), makeRatio("limit/b", 3)).verdict, "missed");
  });

  test("leaves it undecided where the interval of a case has the limit inside, on whichever side its median is", () => {
    const met = judge(AT_MOST, makeRatio("limit/a", 1, 1.5, 9), makeRatio("limit/b", 1));
    assert.deepEqual([met.verdict, met.missed, met.undecided, met.worst?.interval], ["undecided", 0, 1, [1, 9]]);
    const missed = judge(AT_LEAST, makeRatio("limit/a", 1, 1.5, 9), makeRatio("limit/b", 3));
    assert.deepEqual([missed.verdict, missed.missed, missed.worst?.name], ["undecided", 0, "limit/a"]);
    assert.equal(judge(AT_MOST, makeRatio("limit/a", 1, 1.5, 2), makeRatio("limit/b", 1)).verdict, "met");
    assert.equal(judge(ABOVE, makeRatio("limit/a", 2, 3, 4), makeRatio("limit/b", 3)).verdict, "undecided");
  });

  test("takes it for missed where one decided case misses it, and names the worst of those alone", () => {
    const { verdict, missed, undecided, worst } = judge(AT_MOST, makeRatio("limit/a", 1, 8, 9), makeRatio("limit/b", 3, 4, 5));
    assert.deepEqual([verdict, missed, undecided, worst?.name], ["missed", 1, 1, "limit/b"]);
  });

  test("names the worst of the undecided cases of an undecided target", () => {
    const { verdict, worst } = judge(AT_LEAST, makeRatio("limit/a", 1, 8, 9), makeRatio("limit/b", 2.5));
    assert.deepEqual([verdict, worst?.name], ["undecided", "limit/a"]);
  });

  test("never takes it for met without one of its cases", () => {
    const some = judge(AT_MOST, makeRatio("limit/a", 1));
    assert.deepEqual([some.verdict, some.absent], ["not measured", ["limit/b"]]);
    const none = judge(AT_MOST);
    assert.deepEqual([none.verdict, none.absent.length, none.worst], ["not measured", 2, undefined]);
    assert.equal(judge({ ...AT_MOST, cases: [] }).verdict, "not measured");
    assert.equal(judge(AT_MOST, makeRatio("limit/a", 3)).verdict, "missed");
    assert.equal(judge(AT_MOST, makeRatio("limit/a", 1, 1.5, 9)).verdict, "not measured");
  });

  test("takes a case without the metric for absent", () => {
    assert.equal(judge({ ...AT_MOST, metric: "ns" }, makeRatio("limit/a", 1), makeRatio("limit/b", 1)).verdict, "not measured");
  });

  const divided: Target = { ...AT_MOST, cases: ["limit/a"], dividedBy: () => "limit/base" };

  test("divides by the median of another case where the metric is no ratio", () => {
    const { verdict, worst } = judge(divided, makeRatio("limit/a", 30, 31, 32), makeRatio("limit/base", 20, 20, 20));
    assert.deepEqual([verdict, worst?.value], ["met", 1.55]);
    assert.deepEqual(worst?.interval, [1.5, 1.6]);
    assert.equal(judge(divided, makeRatio("limit/a", 50), makeRatio("limit/base", 20)).worst?.value, 2.5);
  });

  test("has no reading where that case is absent or nothing", () => {
    assert.deepEqual(judge(divided, makeRatio("limit/a", 30)).absent, ["limit/a"]);
    assert.equal(judge(divided, makeRatio("limit/a", 30), makeRatio("limit/base", 0)).verdict, "not measured");
  });

  const control = { of: (name: string) => `${name}-again`, metric: "ratioToC" };
  const controlled: Target = { ...AT_LEAST, cases: ["limit/a"], control };

  test("leaves it undecided where a client differs from itself by more than noise should, whatever the case says", () => {
    for (const [value, again] of [
      [1, [0.5, 0.53, 0.76]],
      [3, [0.5, 0.53, 0.76]],
      [1, [1.1, 1.2, 1.3]],
    ] as const) {
      const { verdict, missed, worst } = judge(controlled, makeRatio("limit/a", value), makeRatio("limit/a-again", ...again));
      assert.deepEqual([verdict, missed, worst?.control], ["undecided", 0, { value: again[1], interval: [again[0], again[2]] }]);
    }
  });

  test("decides where the client is close to itself, or its interval includes 1, or it was not measured again", () => {
    const close = makeRatio("limit/a-again", 0.95, 0.96, 0.97);
    const wide = makeRatio("limit/a-again", 0.5, 0.6, 1);
    for (const [value, verdict] of [
      [1, "missed"],
      [3, "met"],
    ] as const) {
      const own = makeRatio("limit/a", value);
      assert.deepEqual(
        [judge(controlled, own, close), judge(controlled, own, wide), judge(controlled, own)].map((one) => one.verdict),
        [verdict, verdict, verdict],
      );
    }
  });

  test("divides the control, too, where its metric is no ratio", () => {
    const byBase = { ...controlled, control: { ...control, dividedBy: () => "limit/base" } };
    const judgement = judge(byBase, makeRatio("limit/a", 3), makeRatio("limit/a-again", 30), makeRatio("limit/base", 20));
    assert.deepEqual([judgement.verdict, judgement.worst?.control?.value], ["undecided", 1.5]);
  });

  test("reads what is told beside the cases, and judges nothing by it", () => {
    const { verdict, also } = judge(
      {
        ...controlled,
        also: [
          { what: "other", name: "limit/b" },
          { what: "none", name: "limit/c" },
        ],
      },
      makeRatio("limit/a", 3),
      makeRatio("limit/b", 1),
      makeRatio("limit/b-again", 0.9),
    );
    assert.equal(verdict, "met");
    assert.deepEqual(
      also.map(({ what, name, reading }) => [what, name, reading?.value, reading?.control?.value]),
      [
        ["other", "limit/b", 1, 0.9],
        ["none", "limit/c", undefined, undefined],
      ],
    );
  });
});

suite("createTargetReport()", () => {
  const areas = [
    { title: "first", targets: [AT_MOST, { ...AT_LEAST, what: "size" }] },
    {
      title: "second",
      targets: [
        { ...AT_MOST, what: "more", cases: ["limit/c"], beside: { text: "a copy has", of: () => "limit/a" } },
        { ...AT_MOST, what: "other", cases: ["redis/x"] },
      ],
    },
  ];
  const set = makeSet(makeRatio("limit/a", 1.2346), makeRatio("limit/b", 1.99991), makeRatio("limit/c", 3));

  test("counts verdicts, and has a row for each target", () => {
    const report = createTargetReport(set, areas);
    assert.equal(report?.summary, "Of 4 targets 1 are met, 2 missed, 0 undecided and 1 not measured.");
    assert.deepEqual(
      report?.tables.map(({ rows }) => rows),
      [
        [
          ["speed", "≤ 2 × C", "met", "2", "0 of 2", "limit/b"],
          ["size", "≥ 2 × C", "missed", "1.235", "2 of 2", "limit/a"],
        ],
        [
          ["more", "≤ 2 × C", "missed", "3", "1 of 1", "limit/c, where a copy has 1.235"],
          ["other", "≤ 2 × C", "not measured", "", "1 of 1 absent", ""],
        ],
      ],
    );
  });

  test("shows the same client again where targets have one, undecided cases, and rows that no target is about", () => {
    const control = { of: () => "limit/again", metric: "ratioToC" };
    const also = [
      { what: "size of others", name: "limit/d" },
      { what: "size of none", name: "limit/e" },
    ];
    const controlled = [{ title: "third", targets: [{ ...AT_LEAST, what: "size", control, also }] }];
    const cases = [
      makeRatio("limit/a", 3),
      makeRatio("limit/b", 1, 3, 4),
      makeRatio("limit/d", 1.5),
      makeRatio("limit/again", 1.04),
    ];
    const report = createTargetReport(makeSet(...cases), controlled);
    assert.equal(report?.summary, "Of 1 targets 0 are met, 0 missed, 1 undecided and 0 not measured.");
    assert.equal(report?.tables[0]?.head[4], "the same client again");
    assert.deepEqual(report?.tables[0]?.rows, [
      ["size", "≥ 2 × C", "undecided", "3 (1–4)", "1.04", "0 of 2, 1 undecided", "limit/b"],
      ["size of others", "no target, × C", "", "1.5", "1.04", "", "limit/d"],
    ]);
    assert.equal(createTargetReport(set, areas)?.tables[0]?.head.includes("the same client again"), false);
  });

  test("tells before the tables what record text and JSON documents are held in, where that was measured", () => {
    const makeHeld = (corpus: string, codec: string, heldBytes: number): CaseResult => ({
      ...makeRatio(`redis/set/${corpus}-16k/64-direct/tightwire-${codec}`, 1),
      facts: { heldBytes },
    });
    const text = makeHeld("record-text", "lz4", 128);
    const json = [makeHeld("json-documents", "lz4", 8_192), makeHeld("json-documents", "zstd-3", 4_096)];
    const report = createTargetReport(makeSet(...json, text), areas);
    assert.match(report?.introduction[1] ?? "", /16 KiB of it are held in 128 B with LZ4 \(128 times less\)\. /);
    assert.match(report?.introduction[1] ?? "", /8,192 B with LZ4 \(2 times less\) and 4,096 B with zstd \(4 times less\)/);
    const formatted = formatTargets(report ?? assert.fail());
    assert.ok(formatted.indexOf("16 KiB of it") < formatted.indexOf("| speed |"));
    assert.equal(createTargetReport(makeSet(...json), areas)?.introduction.length, 1);
  });

  test("says what it was measured by, and which of it is a quick run", () => {
    const text = formatTargets(createTargetReport(set, areas) ?? assert.fail());
    assert.match(text, /Measured in limit: revision c0ffeec0ff, 2020-02-20\.$/);
    const quick = new Map([["limit", { ...makeFile("limit", [makeRatio("limit/a", 1)]), effort: "quick" as const }]]);
    assert.match(createTargetReport(quick, areas)?.notes.join(" ") ?? "", /Quick runs, whose numbers mean little: limit\.$/);
  });

  test("is not there without any suite that the targets need", () => {
    assert.equal(createTargetReport(new Map(), areas), undefined);
    assert.equal(createTargetReport(new Map([["link", makeFile("link", [])]]), areas), undefined);
  });
});
