import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, suite, test } from "node:test";
import { fileURLToPath } from "node:url";
import { listVarying, nameForReport } from "../src/report/cases.ts";
import { formatMedian, formatNumber } from "../src/report/format.ts";
import { formatTable, replaceBetween } from "../src/report/markdown.ts";
import { REPORTED_SUITES } from "../src/report/sections.ts";
import { makeLongTable, makeTables } from "../src/report/tables.ts";
import { createTargetReport } from "../src/report/target-tables.ts";
import { adoptResults, fillDocument, readResultSet, thinResults, writeReport, writeSuiteSummary } from "../src/report.ts";
import type { CaseResult, ResultsFile } from "../src/results.ts";
import { formatResults, readResults, writeResults } from "../src/results-format.ts";
import { createMetric } from "../src/statistics.ts";
import { SUITES } from "../src/suites.ts";
import { UsageError } from "../src/usage-error.ts";
import { craftResults } from "./support/crafted-results.ts";
import { makeFile } from "./support/stub-files.ts";
import { makeCase } from "./support/stub-suite.ts";

const folder = mkdtempSync(join(tmpdir(), "tightwire-report-"));
after(() => rmSync(folder, { recursive: true }));
let count = 0;
function newFolder(): string {
  const path = join(folder, String(++count));
  mkdirSync(path);
  return path;
}

const RESULTS = craftResults();
const SET = new Map(RESULTS.map((file) => [file.suite, file]));
const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const DOCUMENT = readFileSync(join(ROOT, "docs/benchmarks.md"), "utf8");

suite("formatNumber()", () => {
  test("groups thousands and shows three digits of what is small", () => {
    assert.deepEqual([1_234_567.8, 999.6, 99.96, 1.2345, 0.01234, 0].map(formatNumber), [
      "1,234,568",
      "1,000",
      "100",
      "1.23",
      "0.0123",
      "0",
    ]);
  });
});

suite("formatMedian()", () => {
  test("shows the interval where it differs from the median as shown", () => {
    assert.equal(formatMedian(createMetric("ns", [1_000, 1_200, 1_100])), "1,100 (1,000–1,200)");
    assert.equal(formatMedian(createMetric("B", [64, 64])), "64");
  });
});

suite("formatTable()", () => {
  test("escapes bars and aligns numbers to the right", () => {
    const text = formatTable({
      title: "",
      head: ["name", "ns"],
      rows: [
        ["a|b", "1,234 (1–2)"],
        ["c", ""],
      ],
    });
    assert.equal(text, "| name | ns |\n|---|--:|\n| a\\|b | 1,234 (1–2) |\n| c |  |");
  });
});

suite("replaceBetween()", () => {
  test("changes what stands between the markers alone, and is the same when it is done again", () => {
    const text = "a\n<!-- table:x -->\nold\n<!-- /table:x -->\nb\n";
    const once = replaceBetween(text, "x", "new");
    assert.equal(once, "a\n<!-- table:x -->\nnew\n<!-- /table:x -->\nb\n");
    assert.equal(replaceBetween(once, "x", "new"), once);
  });

  test("refuses a text without the place", () => {
    assert.throws(() => replaceBetween("<!-- table:x -->", "x", "new"));
    assert.throws(() => replaceBetween("", "x", "new"));
  });
});

suite("nameForReport()", () => {
  test("makes one name of a client and its codec, and of two of one kind the names that their cases have", () => {
    const parameters = { suite: "redis", peer: "ioredis", codec: "raw" };
    const names = ["redis/get/ioredis-again", "redis/get/ioredis-raw", "redis/get"].map(
      (name) => nameForReport({ ...makeCase(name), parameters }).parameters["peer"],
    );
    assert.deepEqual(names, ["ioredis-again", "ioredis-raw", "ioredis-raw"]);
    assert.equal(nameForReport({ ...makeCase("redis/get"), parameters }).parameters["codec"], undefined);
  });

  test("tells break-even speeds in Mbit/s", () => {
    const metrics = { breakEvenBitsPerSecond: createMetric("bit/s", [1e9, 3e9]) };
    const { breakEvenMbps } = nameForReport({ ...makeCase("link/break-even"), metrics }).metrics;
    assert.deepEqual([breakEvenMbps?.median, breakEvenMbps?.interval, breakEvenMbps?.unit], [2_000, [1_000, 3_000], "Mbit/s"]);
  });
});

suite("listVarying()", () => {
  test("leaves out what is the same in all cases, and what says the same as another", () => {
    const cases = [1, 2].flatMap((sizeBytes) =>
      ["a", "b"].map((corpus) => ({
        ...makeCase("x"),
        parameters: { suite: "x", corpus, sizeBytes, title: `the ${corpus}`, style: "direct" },
      })),
    );
    assert.deepEqual(listVarying(cases), ["corpus", "sizeBytes"]);
  });

  test("keeps what has a size of its own, and that size", () => {
    const cases = ["json", "v8"].map((serializer, i) => ({ ...makeCase("x"), parameters: { sizeBytes: i, serializer } }));
    assert.deepEqual(listVarying(cases), ["sizeBytes", "serializer"]);
  });
});

suite("makeTables()", () => {
  test("has what each serializer and codec of the hash study holds, then each operation", () => {
    const cases = ["serialize", "set"].flatMap((operation) =>
      ["json", "v8"].flatMap((serializer) =>
        ["none", "lz4"].map((codec) => ({
          ...makeCase(`hash-study/${operation}`),
          parameters: { operation, serializer, codec },
          facts: operation === "set" ? { heldBytes: serializer.length + codec.length } : {},
        })),
      ),
    );
    const tables = makeTables("hash-study", cases);
    assert.deepEqual(
      tables.map(({ title }) => title),
      ["bytes held", "serialize", "set"],
    );
    assert.deepEqual(tables[0]?.head, ["serializer", "none", "lz4"]);
    assert.deepEqual(tables[0]?.rows, [
      ["json", "8", "7"],
      ["v8", "6", "5"],
    ]);
  });

  test("has the ratios of hostile frames by damage and codec, and their growth by itself", () => {
    const cases: CaseResult[] = ["lz4", "zstd-3"].flatMap((codec) => [
      ...["version", "bomb"].map((damage) => ({
        ...makeCase("hostile/refuse"),
        parameters: { operation: "refuse", sizeBytes: 64, codec, damage },
        metrics: { ns: createMetric("ns", [6]), ratioToGood: createMetric("ratio", [3]) },
      })),
      { ...makeCase("hostile/decode"), parameters: { operation: "decode", sizeBytes: 64, codec } },
      {
        ...makeCase("hostile/growth"),
        parameters: { operation: "growth", sizeBytes: 64, codec },
        metrics: { growthBytes: createMetric("B", [0.5]) },
      },
    ]);
    cases.push({ ...makeCase("hostile/throw/bare-error"), parameters: { operation: "throw" } });
    const [ratios, good, bare, growth] = makeTables("hostile", cases);
    assert.deepEqual(ratios?.head, ["damage", "lz4", "zstd-3"]);
    assert.deepEqual(ratios?.rows[1], ["bomb", "3", "3"]);
    assert.deepEqual(good?.rows, [["2 (1–3)", "2 (1–3)"]]);
    assert.deepEqual(bare?.rows, [["2 (1–3)"]]);
    assert.deepEqual(growth?.rows[0], ["lz4", "0.5"]);
  });

  test("marks what the proxy bound, which tells nothing about the link", () => {
    const cases = ["link", "proxy"].map((boundBy) => ({
      ...makeCase("link/set"),
      parameters: { operation: "set", link: boundBy },
      metrics: { opsPerSecond: createMetric("ops/s", [10]) },
      facts: { boundBy },
    }));
    assert.deepEqual(makeTables("link", cases)[0]?.rows, [["10", "10 †"]]);
  });
});

suite("makeLongTable()", () => {
  test("has a row for each case, columns for what tells cases apart, and none that is empty", () => {
    const file = SET.get("value-codec");
    assert.ok(file !== undefined);
    const { head, rows } = makeLongTable("all", file.cases);
    assert.equal(rows.length, 120);
    assert.deepEqual(head, [
      "operation",
      "content",
      "size",
      "codec",
      "threshold",
      "ns",
      "MiB/s",
      "heap B/op",
      "content B",
      "held B",
      "RESP B",
    ]);
    assert.ok(rows.every((row) => row.length === head.length));
  });
});

suite("fillDocument()", () => {
  test("puts every suite's tables with machine, versions, command, date and noise into docs/benchmarks.md", () => {
    const filled = fillDocument(DOCUMENT, SET);
    for (const name of SET.keys()) {
      const part = filled.slice(filled.indexOf(`<!-- table:${name} -->`), filled.indexOf(`<!-- /table:${name} -->`));
      for (const fact of [
        "Example CPU",
        "redis 7.0.15",
        "node 20.0.0",
        `npm run bench -- --suite ${name}`,
        "2020-02-20",
        "Noise:",
      ]) {
        assert.ok(part.includes(fact), `${name}: ${fact}`);
      }
      assert.ok(part.includes("|--:|"), name);
    }
    assert.equal(fillDocument(filled, SET), filled);
  });

  test("shows mean, spread, throughput, allocation and sizes of value-codec", () => {
    const filled = fillDocument(DOCUMENT, SET);
    const columns = "| ns, mean ± deviation | ns, median (95 %) | MiB/s | heap B/op | held B | RESP B |";
    assert.equal(filled.split(columns).length, 3);
  });

  test("says where there are no results, and what a run skipped", () => {
    const filled = fillDocument(DOCUMENT, SET);
    const part = filled.slice(filled.indexOf("<!-- table:checksum -->"), filled.indexOf("<!-- /table:checksum -->"));
    assert.ok(part.includes("No results yet"));
    assert.ok(filled.includes("Skipped (link/set/glide): @valkey/valkey-glide is not installed."));
  });

  test("has a place for every suite, and every suite has one", () => {
    const filled = fillDocument(DOCUMENT, new Map());
    assert.deepEqual([...REPORTED_SUITES].sort(), Object.keys(SUITES).sort());
    for (const name of REPORTED_SUITES) assert.ok(filled.includes(`<!-- table:${name} -->\nNo results yet`), name);
  });

  test("puts targets and what they are judged by into docs/benchmarks.md, and how many are met into README", () => {
    const summary = createTargetReport(SET)?.summary ?? "";
    assert.match(summary, /^Of \d+ targets \d+ are met, \d+ missed, \d+ undecided and \d+ not measured\.$/);
    const filled = fillDocument(DOCUMENT, SET);
    const part = filled.slice(filled.indexOf("<!-- table:targets -->"), filled.indexOf("<!-- /table:targets -->"));
    assert.ok(part.includes(summary));
    assert.match(part, /\| not measured \|/);
    assert.ok(fillDocument(DOCUMENT, new Map()).includes("<!-- table:targets -->\nNo results yet"));
    assert.ok(fillDocument(readFileSync(join(ROOT, "README.md"), "utf8"), SET).includes(summary));
  });

  test("puts ratios with intervals and what Redis holds into README's table", () => {
    const readme = readFileSync(join(ROOT, "README.md"), "utf8");
    const filled = fillDocument(readme, SET);
    assert.match(filled, /\| client \| SET 1 KiB \| SET 16 KiB \| SET 256 KiB \| GET 1 KiB .* \| bytes in Redis of 16 KiB \|/);
    assert.match(filled, /\| tightwire-zstd-3 \| \d[\d.]* \([\d.]+–[\d.]+\)/);
    assert.match(filled, /\| codec \| encode record-text \| decode record-text \| held B \|/);
    assert.equal(fillDocument(filled, SET), filled);
    assert.equal(fillDocument(filled, new Map()), fillDocument(readme, new Map()));
  });
});

suite("writeReport()", () => {
  test("writes every case into the summary, and the same text each time", () => {
    const [first, second] = [newFolder(), newFolder()];
    writeReport(SET, first);
    writeReport(SET, second);
    for (const name of ["summary.md", "index.html"]) {
      assert.equal(readFileSync(join(first, name), "utf8"), readFileSync(join(second, name), "utf8"));
    }
    const rows = readFileSync(join(first, "summary.md"), "utf8").match(/^\| (?!---)/gm)?.length;
    const cases = RESULTS.reduce((sum, file) => sum + file.cases.length, 0);
    const targets = createTargetReport(SET)?.tables ?? [];
    assert.equal(rows, cases + RESULTS.length + targets.reduce((sum, table) => sum + table.rows.length + 1, 0));
  });

  test("needs no results", () => {
    const out = newFolder();
    writeReport(new Map(), out);
    assert.match(readFileSync(join(out, "summary.md"), "utf8"), /No results yet/);
    assert.match(readFileSync(join(out, "index.html"), "utf8"), /No results yet/);
  });

  test("marks partial and quick runs, and names what failed", () => {
    const out = newFolder();
    const file: ResultsFile = {
      ...makeFile("stub", [makeCase("stub/a")]),
      status: "partial",
      effort: "quick",
      failed: [{ name: "stub/b", error: "a digest <differs>" }],
    };
    writeReport(new Map([["stub", file]]), out);
    const [summary, page] = ["summary.md", "index.html"].map((name) => readFileSync(join(out, name), "utf8"));
    for (const text of [summary, page]) {
      assert.match(text ?? "", /A partial run/);
      assert.match(text ?? "", /A quick run/);
    }
    assert.match(summary ?? "", /Failed \(stub\/b\): a digest <differs>\./);
    assert.match(page ?? "", /Failed \(stub\/b\): a digest &lt;differs&gt;\./);
  });
});

suite("writeSuiteSummary()", () => {
  test("writes one suite's cases as Markdown", () => {
    const path = join(newFolder(), "deeper", "summary.md");
    writeSuiteSummary(makeFile("stub", [makeCase("stub/a"), makeCase("stub/b")]), path);
    const text = readFileSync(path, "utf8");
    assert.match(text, /\| case \| ns \|/);
    assert.match(text, /\| stub\/b \| 2 \(1–3\) \|/);
  });
});

suite("readResultSet()", () => {
  test("takes the newest complete run of each suite, and leaves single launches alone", () => {
    const out = newFolder();
    const write = (name: string, change: Partial<ResultsFile>): void =>
      writeResults(join(out, name), { ...makeFile("redis", [makeCase("redis/a")]), ...change });
    write("1.json", { startedAt: "2020-01-01T00:00:00.000Z", command: "old" });
    write("2.json", { startedAt: "2020-01-02T00:00:00.000Z", command: "new" });
    write("3.json", { startedAt: "2020-01-03T00:00:00.000Z", command: "partial", status: "partial" });
    write("4.launch-1.json", { startedAt: "2020-01-04T00:00:00.000Z", command: "launch" });
    assert.equal(readResultSet(out).get("redis")?.command, "new");
  });

  test("refuses a file of another version among them", () => {
    const out = newFolder();
    writeFileSync(
      join(out, "old.json"),
      formatResults(makeFile("redis", [])).replace('"resultsVersion": 1', '"resultsVersion": 0'),
    );
    assert.throws(() => readResultSet(out), UsageError);
  });
});

suite("adoptResults()", () => {
  test("keeps statistics and thins samples to the size of a file", () => {
    const [out, committed] = [newFolder(), newFolder()];
    const file = SET.get("value-codec");
    assert.ok(file !== undefined);
    writeResults(join(out, "run.json"), file);
    const target = adoptResults(join(out, "run.json"), committed);
    assert.deepEqual(readdirSync(committed), ["value-codec.json"]);
    assert.ok(statSync(target).size <= 200_000);
    const thinned = thinResults(file, 100_000);
    const [before, after] = [file, thinned].map(({ cases }) => cases[0]?.metrics["ns"]);
    assert.ok(before !== undefined && after !== undefined && after.samples.length < before.samples.length);
    assert.equal(after.sampleCount, before.samples.length);
    assert.equal(after.median, Number(before.median.toPrecision(4)));
  });

  const unfit: Readonly<Record<string, Partial<ResultsFile>>> = {
    "a partial run": { status: "partial" },
    "a quick run": { effort: "quick" },
    "a run of some cases": { filters: ["get"] },
    "a run of changed sources": { revision: { commit: "c0ffee", dirty: true } },
  };
  for (const [title, change] of Object.entries(unfit)) {
    test(`refuses ${title}`, () => {
      const [out, committed] = [newFolder(), newFolder()];
      writeResults(join(out, "run.json"), { ...makeFile("redis", [makeCase("redis/a")]), ...change });
      assert.throws(() => adoptResults(join(out, "run.json"), committed), UsageError);
      assert.deepEqual(readdirSync(committed), []);
    });
  }
});

suite("npm run bench:report", () => {
  const report = (...args: readonly string[]) => {
    const program = fileURLToPath(new URL("../src/report-cli.ts", import.meta.url));
    return spawnSync(process.execPath, ["--import", "tsx", program, ...args], { encoding: "utf8", cwd: ROOT });
  };

  test("makes summary and page of another folder's results, and leaves the committed ones alone", () => {
    const out = newFolder();
    writeResults(join(out, "run.json"), makeFile("stub", [makeCase("stub/a")]));
    const { status } = report("--from", out);
    assert.equal(status, 0);
    assert.deepEqual(readdirSync(out).sort(), ["index.html", "run.json", "summary.md"]);
    assert.equal(readResults(join(out, "run.json")).suite, "stub");
  });

  const broken = newFolder();
  writeFileSync(join(broken, "run.json"), "{");
  const mistakes: Readonly<Record<string, readonly string[]>> = {
    "an unknown option": ["--fast"],
    "an argument that nobody asked for": ["run.json"],
    "a missing folder": ["--from", join(folder, "missing")],
    "a folder without results": ["--from", newFolder()],
    "a folder with a broken file": ["--from", broken],
    "a missing file to adopt": ["--adopt", join(folder, "missing.json")],
  };
  for (const [title, args] of Object.entries(mistakes)) {
    test(`refuses ${title} in one line, exit code 2`, () => {
      const { status, stdout, stderr } = report(...args);
      assert.equal(status, 2);
      assert.equal(stdout, "");
      assert.equal(stderr.trim().split("\n").length, 1, stderr);
    });
  }
});
