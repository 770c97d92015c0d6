import assert from "node:assert/strict";
import { suite, test } from "node:test";
import {
  createKnownContent,
  createKnownValues,
  describeValueSet,
  dotnetRandom,
  halfCompressible,
  jsonDocuments,
  recordText,
  sha256,
  VALUE_SETS,
  WEIGHTS,
} from "../src/corpus/corpora.ts";
import type { SizedCorpus, ValueSet } from "../src/corpus/corpus.ts";
import { SIZED_DIGESTS, VALUE_SET_DIGESTS } from "../src/corpus/digests.ts";
import { readPackageVersion } from "../src/corpus/real-data.ts";

const SIZED: readonly SizedCorpus[] = [recordText, dotnetRandom, jsonDocuments, halfCompressible];

suite("sized corpora", () => {
  for (const corpus of SIZED) {
    test(`${corpus.name} has every size it is asked for`, () => {
      for (const size of [48, 64, 100, 255, 256, 257, 1_024, 5_000]) assert.equal(corpus.create(size).length, size);
    });

    test(`${corpus.name} is the same each time, in memory of its own`, () => {
      const first = corpus.create(1_000);
      const second = corpus.create(1_000);
      assert.deepEqual(first, second);
      first.fill(0);
      assert.deepEqual(corpus.create(1_000), second);
    });

    test(`${corpus.name} has the recorded digests`, () => {
      const recorded = Object.keys(SIZED_DIGESTS).filter((key) => key.startsWith(`${corpus.name}/`));
      assert.ok(recorded.length >= 3);
      for (const key of recorded) {
        const size = Number(key.split("/")[1]);
        assert.equal(sha256(createKnownContent(corpus, size)), SIZED_DIGESTS[key], key);
      }
    });
  }

  test("a corpus that changed is refused", () => {
    const changed: SizedCorpus = { ...recordText, create: (size) => recordText.create(size).fill("x", 0, 1) };
    assert.throws(() => createKnownContent(changed, 64), /record-text/);
  });

  test("half-compressible content is one letter, then printable ASCII", () => {
    const content = halfCompressible.create(WEIGHTS.heavy);
    const middle = content.length / 2;
    assert.ok(content.subarray(0, middle).every((byte) => byte === 0x61));
    assert.ok(content.subarray(middle).every((byte) => byte >= 32 && byte <= 126));
    assert.equal(new Set(content.subarray(middle)).size, 95);
  });
});

suite("JSON documents", () => {
  test("are JSON at every size", () => {
    for (let size = 48; size < 3_000; size += 7) {
      const document: unknown = JSON.parse(jsonDocuments.create(size).toString());
      assert.ok(typeof document === "object" && document !== null && "note" in document);
    }
  });

  test("hold records that all differ", () => {
    const { items } = JSON.parse(jsonDocuments.create(65_536).toString()) as { items: object[] };
    assert.ok(items.length > 100);
    assert.equal(new Set(items.map((item) => JSON.stringify(item))).size, items.length);
    assert.ok(items.some((item) => "csrf" in item) && items.some((item) => "price" in item));
  });

  test("are refused where there is no room for one", () => {
    assert.throws(() => jsonDocuments.create(47), RangeError);
  });
});

suite("real data", () => {
  for (const set of VALUE_SETS) {
    test(`${set.name} is what is recorded for ${set.packageName}@${readPackageVersion(set.packageName)}`, () => {
      const values = createKnownValues(set);
      for (const value of values) assert.equal(typeof JSON.parse(value), "object");
      const known = VALUE_SET_DIGESTS[`${set.packageName}@${readPackageVersion(set.packageName)}`]?.[set.name];
      assert.deepEqual(describeValueSet(values), known);
    });
  }

  test("feeds are longer than documents, and documents than sessions", () => {
    const lengths = (kind: string): number[] =>
      VALUE_SETS.filter(({ name }) => name.endsWith(kind)).flatMap((set) =>
        set.createValues().map((value) => Buffer.byteLength(value)),
      );
    assert.ok(Math.max(...lengths("-sessions")) < Math.min(...lengths("-documents")));
    assert.ok(Math.max(...lengths("-documents")) < Math.min(...lengths("-feeds")));
  });

  test("a set that changed is refused", () => {
    const [set] = VALUE_SETS;
    assert.ok(set !== undefined);
    const changed: ValueSet = { ...set, createValues: () => set.createValues().slice(1) };
    assert.throws(() => createKnownValues(changed), new RegExp(set.name));
  });

  test("a digest tells where one value ends and the next begins", () => {
    assert.notEqual(describeValueSet(["ab", "c"]).sha256, describeValueSet(["a", "bc"]).sha256);
  });
});
