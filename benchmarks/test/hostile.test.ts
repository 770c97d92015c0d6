import assert from "node:assert/strict";
import { before, suite, test } from "node:test";
import { hostileSuite } from "../src/cases/hostile.ts";
import { DAMAGES, damagesOf, HOSTILE_CODECS } from "../src/cases/hostile-damages.ts";
import { createGoodFrame, DAMAGE_MAKERS, findCode } from "../src/cases/hostile-frames.ts";
import { dotnetRandom, halfCompressible } from "../src/corpus/corpora.ts";
import { type QuickRun, runQuickly } from "./support/run-suite.ts";

suite("cases of hostile", () => {
  const cases = hostileSuite.listCases();
  const names = cases.map(({ name }) => name);

  test("have every damage of every codec at four sizes, each beside a good frame, and growth of each codec", () => {
    assert.equal(new Set(names).size, names.length);
    const damages = HOSTILE_CODECS.reduce((sum, codec) => sum + damagesOf(codec).length, 0);
    const count = (operation: string): number => names.filter((name) => name.startsWith(`hostile/${operation}/`)).length;
    assert.deepEqual(["refuse", "decode", "growth"].map(count), [4 * damages, 4 * HOSTILE_CODECS.length, HOSTILE_CODECS.length]);
  });

  test("take less than three minutes", () => {
    assert.ok(cases.reduce((sum, { estimateMs }) => sum + estimateMs, 0) < 3 * 60_000);
  });
});

suite("damages", () => {
  test("have a maker each", () => {
    assert.deepEqual(
      Object.keys(DAMAGE_MAKERS),
      DAMAGES.map(({ name }) => name),
    );
  });

  for (const codec of HOSTILE_CODECS) {
    for (const sizeBytes of [64, 262_144]) {
      test(`of ${codec} frames of ${sizeBytes} bytes leave the good frame as it is, and are refused with their codes`, () => {
        const good = createGoodFrame(codec, halfCompressible.create(sizeBytes));
        for (const { name, code } of damagesOf(codec)) {
          const frame = DAMAGE_MAKERS[name]?.(good);
          assert.ok(frame !== undefined && !frame.equals(good.frame), name);
          assert.equal(
            findCode(() => good.codec.decode(frame)),
            code,
            name,
          );
        }
        assert.deepEqual(good.codec.decode(good.frame), good.content);
      });
    }
  }
});

suite("createGoodFrame()", () => {
  test("refuses content that does not shrink, whose frame would be another codec's", () => {
    assert.throws(() => createGoodFrame("lz4", dotnetRandom.create(1_024)), /codec id/);
  });
});

suite("findCode()", () => {
  test("finds none where nothing is refused, and throws what is no CodecError", () => {
    assert.equal(
      findCode(() => 1),
      undefined,
    );
    const mistake = new RangeError("a target without room");
    assert.throws(
      () =>
        findCode(() => {
          throw mistake;
        }),
      mistake,
    );
  });
});

suite("a quick run of hostile", () => {
  let run: QuickRun;
  before(async () => {
    run = await runQuickly(hostileSuite, /-1k\/(stored|zstd-3)|-16k\/lz4\/bomb|bare-error/);
  });

  test("has every case, and none failed", () => {
    assert.deepEqual([...run.failed], []);
    const damages = damagesOf("stored").length + damagesOf("zstd-3").length;
    assert.equal(run.ended.length, damages + 2 + 2 + 2);
    assert.equal(new Set(run.ended).size, run.ended.length);
  });

  test("has the code of each refusal as a fact, and its time in that of the good frame in the same round", () => {
    const good = run.results.get("hostile/decode/half-compressible-1k/zstd-3")?.metrics["ns"]?.samples ?? [];
    assert.ok(good.length > 0);
    for (const { name, code } of damagesOf("zstd-3")) {
      const result = run.results.get(`hostile/refuse/half-compressible-1k/zstd-3/${name}`);
      assert.equal(result?.facts["code"], code);
      const samples = result?.metrics["ns"]?.samples ?? [];
      const ratios = samples.map((ns, round) => ns / (good[round] ?? Number.NaN));
      assert.deepEqual(result?.metrics["ratioToGood"]?.samples, ratios);
    }
  });

  test("has the ratio where the good frame was not asked for", () => {
    assert.ok((run.results.get("hostile/refuse/half-compressible-16k/lz4/bomb")?.metrics["ratioToGood"]?.median ?? 0) > 0);
  });

  test("has what refusals leave behind", () => {
    const { growthBytes, residentGrowthBytes } = run.results.get("hostile/growth/half-compressible-1k/stored")?.metrics ?? {};
    assert.ok(growthBytes !== undefined && residentGrowthBytes !== undefined);
    // An error that was kept would take more.
    assert.ok(growthBytes.median < 200, `${growthBytes.median} bytes each`);
  });
});
