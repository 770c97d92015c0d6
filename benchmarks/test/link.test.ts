import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { findBound, linkSuite } from "../src/cases/link.ts";
import { LINK_CELLS, LINK_PEERS, LINKS } from "../src/cases/link-cells.ts";
import { listFaults, runQuickly } from "./support/run-suite.ts";

const GIGABIT = 1_000_000_000;

suite("linkSuite", () => {
  test("lists every weight on every link, each name once, within 15 minutes", () => {
    const cases = linkSuite.listCases();
    const names = cases.map(({ name }) => name);
    assert.equal(new Set(names).size, names.length);
    assert.deepEqual(
      LINKS.map(({ name }) => name),
      ["100mbit", "440mbit", "1gbit", "10gbit"].flatMap((speed) => [`${speed}-0.2ms`, `${speed}-2ms`]),
    );
    assert.deepEqual(new Set(LINK_CELLS.map(({ sizeBytes }) => sizeBytes)), new Set([0, 256, 8_192, 2_048_000]));
    assert.equal(LINK_CELLS.length, LINKS.length * 4 * 2);
    const ms = cases.reduce((sum, { estimateMs }) => sum + estimateMs, 0);
    assert.ok(ms < 15 * 60_000, `${ms} ms`);
  });

  test("runs every peer over a link, and says what the link carried and what bound the case", async () => {
    const run = await runQuickly(linkSuite, /^link\/(set|get)\/half-compressible-8k\/100mbit-0.2ms\//);
    const { results, failed, notes } = run;
    assert.deepEqual(listFaults(run), []);
    assert.equal(results.size + failed.size, 2 * LINK_PEERS.length);
    for (const { name, metrics, facts } of results.values()) {
      assert.ok(Number(facts["linkUse"]) > 0 && Number(facts["linkUse"]) <= 1.05, `${name} ${facts["linkUse"]}`);
      assert.ok((metrics["p50Us"]?.median ?? 0) >= 200, name);
      assert.match(String(facts["boundBy"]), /^(link|proxy|client|round trips)$/);
    }
    const calibration = notes.find((note) => note.startsWith("100mbit-0.2ms as measured"));
    assert.ok(Number(/(\d+) µs/.exec(calibration ?? "")?.[1]) >= 200, calibration);
    const raw = results.get("link/set/half-compressible-8k/100mbit-0.2ms/ioredis-raw");
    // 12.5 million bytes a second carry 1,519 of its values.
    assert.ok((raw?.metrics["opsPerSecond"]?.median ?? 0) <= 1_519 * 1.05);
    assert.equal(raw?.parameters["link"], "100mbit-0.2ms");
  });

  test("computes where codecs break even", async () => {
    const run = await runQuickly(linkSuite, /^link\/break-even\/record-text-16k\//);
    const { results, failed } = run;
    assert.deepEqual(listFaults(run), []);
    assert.equal(results.size + failed.size, 6);
    for (const { name, metrics } of results.values()) {
      assert.deepEqual(Object.keys(metrics), ["breakEvenBitsPerSecond", "encodeNs", "decodeNs"]);
      // Even a codec that takes a second a value breaks even at some speed; none does at a terabit.
      const speed = metrics["breakEvenBitsPerSecond"]?.median ?? 0;
      assert.ok(speed > 100_000 && speed < 1_000 * GIGABIT, `${name} ${speed}`);
    }
  });
});

suite("findBound()", () => {
  const sharesOf = (linkUse: number, proxyBusy: number, mainThreadBusy: number) => ({ linkUse, proxyBusy, mainThreadBusy });
  const link = { bitsPerSecond: 10 * GIGABIT };
  const calibrationOf = (bitsPerSecond: number) => ({
    toServerBitsPerSecond: bitsPerSecond,
    toClientBitsPerSecond: bitsPerSecond,
    roundTripUs: 300,
  });

  test("tells a link that is used up from a proxy that cannot carry it", () => {
    assert.equal(findBound(sharesOf(0.9, 0.9, 0.9), link, calibrationOf(10 * GIGABIT)), "link");
    assert.equal(findBound(sharesOf(0.35, 0.5, 0.1), link, calibrationOf(4 * GIGABIT)), "proxy");
    assert.equal(findBound(sharesOf(0.2, 0.5, 0.1), link, calibrationOf(4 * GIGABIT)), "round trips");
    assert.equal(findBound(sharesOf(0.1, 0.85, 0.1), link, calibrationOf(10 * GIGABIT)), "proxy");
    assert.equal(findBound(sharesOf(0.1, 0.1, 0.9), link, calibrationOf(10 * GIGABIT)), "client");
  });
});
