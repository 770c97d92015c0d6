import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, suite, test } from "node:test";
import { readMachine } from "../src/machine.ts";
import type { ResultsFile } from "../src/results.ts";
import { formatResults, KEPT_SAMPLES, readResults, reduceCase } from "../src/results-format.ts";
import { assertResumable, openResultsStore, type RunHeader } from "../src/results-store.ts";
import { createMetric } from "../src/statistics.ts";
import { UsageError } from "../src/usage-error.ts";
import { makeCase } from "./support/stub-suite.ts";

const folder = mkdtempSync(join(tmpdir(), "tightwire-results-"));
after(() => rmSync(folder, { recursive: true }));
let count = 0;
const newPath = (): string => join(folder, `${++count}.json`);

const HEADER: RunHeader = {
  suite: "stub",
  command: "npm run bench -- --suite stub",
  effort: "full",
  filters: [],
  launches: 1,
  revision: { commit: "c0ffee", dirty: false },
  machine: readMachine(),
  versions: { node: "20.0.0" },
};

function writeRun(change: (file: ResultsFile) => unknown = (file) => file): string {
  const path = newPath();
  const store = openResultsStore(path, HEADER);
  store.record(makeCase("stub/a"));
  const file = store.finish(["stub/a"]);
  writeFileSync(path, JSON.stringify(change(file)));
  return path;
}

suite("openResultsStore()", () => {
  test("has everything on disk after each case, marked partial until the last one is in", () => {
    const path = newPath();
    const store = openResultsStore(path, HEADER);
    assert.deepEqual([readResults(path).status, readResults(path).cases.length], ["partial", 0]);
    store.record(makeCase("stub/a"));
    assert.deepEqual([readResults(path).status, readResults(path).cases.length], ["partial", 1]);
    store.skip("stub/b", "no compiler");
    store.noteVersion("redis", "7.0.15");
    store.note("stub: no checksum");
    store.note("stub: no checksum");
    store.finish(["stub/a", "stub/b"]);
    const file = readResults(path);
    assert.equal(file.status, "complete");
    assert.deepEqual(file.skipped, [{ name: "stub/b", reason: "no compiler" }]);
    assert.deepEqual(file.notes, ["stub: no checksum"]);
    assert.deepEqual(file.versions, { node: "20.0.0", redis: "7.0.15" });
    assert.deepEqual(
      readdirSync(folder).filter((name) => name.endsWith(".tmp")),
      [],
    );
  });

  test("is not complete with a failed or a missing case", () => {
    const store = openResultsStore(newPath(), HEADER);
    store.record(makeCase("stub/a"));
    assert.equal(store.finish(["stub/a", "stub/b"]).status, "partial");
    store.fail("stub/b", new Error("wrong digest\nwith details"));
    const file = store.finish(["stub/a", "stub/b"]);
    assert.equal(file.status, "partial");
    assert.deepEqual(file.failed, [{ name: "stub/b", error: "wrong digest" }]);
  });

  test("refuses a second result of one case", () => {
    const store = openResultsStore(newPath(), HEADER);
    store.record(makeCase("stub/a"));
    assert.throws(() => store.record(makeCase("stub/a")));
    assert.throws(() => store.fail("stub/a", new Error("late")));
  });

  test("goes on with what is recorded, and forgets what failed or was skipped", () => {
    const first = openResultsStore(newPath(), HEADER);
    first.record(makeCase("stub/a"));
    first.fail("stub/b", new Error("once"));
    first.skip("stub/c", "not there");
    const previous = first.finish(["stub/a", "stub/b", "stub/c"]);
    const second = openResultsStore(first.path, HEADER, previous);
    assert.deepEqual([...second.settled], ["stub/a"]);
    second.record(makeCase("stub/b"));
    second.record(makeCase("stub/c"));
    const file = second.finish(["stub/a", "stub/b", "stub/c"]);
    assert.deepEqual([file.status, file.startedAt], ["complete", previous.startedAt]);
    assert.deepEqual(
      file.cases.map(({ name }) => name),
      ["stub/a", "stub/b", "stub/c"],
    );
  });
});

suite("reduceCase()", () => {
  test("keeps a bounded number of samples of 6 digits, and the statistics of all", () => {
    const samples = Array.from({ length: 1_000 }, (_, i) => 100 + i / 3);
    const metric = reduceCase(makeCase("stub/a", samples)).metrics["ns"];
    assert.equal(metric?.samples.length, KEPT_SAMPLES);
    assert.equal(metric?.sampleCount, 1_000);
    assert.equal(metric?.median, Number(createMetric("ns", samples).median.toPrecision(6)));
    assert.ok(metric?.samples.every((value) => value === Number(value.toPrecision(6))));
  });

  test("is the same when it is done again", () => {
    const once = reduceCase(makeCase("stub/a", Array.from({ length: 700 }, Math.random)));
    assert.deepEqual(reduceCase(once), once);
    assert.equal(reduceCase(once, { samples: 16, digits: 4 }).metrics["ns"]?.sampleCount, 700);
  });
});

suite("formatResults()", () => {
  test("holds one case a line, and is read back equal", () => {
    const path = newPath();
    const store = openResultsStore(path, HEADER);
    for (const name of ["stub/a", "stub/b"]) store.record(makeCase(name));
    const file = store.finish(["stub/a", "stub/b"]);
    const text = readFileSync(path, "utf8");
    assert.equal(text, formatResults(file));
    assert.deepEqual(readResults(path), JSON.parse(JSON.stringify(file)));
    assert.equal(text.split("\n").filter((line) => line.startsWith('{"name":"stub/')).length, 2);
  });
});

suite("readResults()", () => {
  const faults: Readonly<Record<string, (file: ResultsFile) => unknown>> = {
    "of another version": (file) => ({ ...file, resultsVersion: 999 }),
    "without a version": ({ suite: name }) => ({ suite: name }),
    "that is a list": () => [],
    "of an unknown status": (file) => ({ ...file, status: "done" }),
    "without cases": ({ cases: _, ...file }) => file,
    "with a case without a name": (file) => ({ ...file, cases: [{ metrics: {}, parameters: {}, facts: {} }] }),
    "with a metric without samples": (file) => ({
      ...file,
      cases: [{ ...makeCase("stub/a"), metrics: { ns: { ...createMetric("ns", [1]), samples: [] } } }],
    }),
    "with a median that is text": (file) => ({
      ...file,
      cases: [{ ...makeCase("stub/a"), metrics: { ns: { ...createMetric("ns", [1]), median: "1" } } }],
    }),
  };
  for (const [title, change] of Object.entries(faults)) {
    test(`refuses a file ${title}, in one line`, () => {
      const path = writeRun(change);
      assert.throws(
        () => readResults(path),
        (error) => error instanceof UsageError && !error.message.includes("\n"),
      );
    });
  }

  test("refuses a missing file, and one that is cut", () => {
    assert.throws(() => readResults(newPath()), UsageError);
    const path = writeRun();
    writeFileSync(path, readFileSync(path, "utf8").slice(0, -20));
    assert.throws(() => readResults(path), UsageError);
  });
});

suite("assertResumable()", () => {
  const partial: ResultsFile = { ...readResults(writeRun()), status: "partial" };

  test("accepts the same sources, machine, versions and effort", () => {
    assertResumable("file", partial, HEADER);
  });

  const others: Readonly<Record<string, Partial<RunHeader>>> = {
    "another commit": { revision: { commit: "beef", dirty: false } },
    "changed sources": { revision: { commit: "c0ffee", dirty: true, changes: "1234" } },
    "unknown sources": { revision: { commit: "unknown", dirty: true } },
    "another processor": { machine: { ...HEADER.machine, cpu: "Z80" } },
    "another Node": { versions: { node: "22.0.0" } },
    "another effort": { effort: "quick" },
    "another suite": { suite: "other" },
  };
  for (const [title, change] of Object.entries(others)) {
    test(`refuses ${title}`, () => {
      assert.throws(() => assertResumable("file", partial, { ...HEADER, ...change }), UsageError);
    });
  }

  test("refuses a complete file", () => {
    assert.throws(() => assertResumable("file", { ...partial, status: "complete" }, HEADER), UsageError);
  });
});
