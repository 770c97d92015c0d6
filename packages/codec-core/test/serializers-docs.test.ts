import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { suite, test } from "node:test";
import { runInThisContext } from "node:vm";
import { bytes } from "../src/serializers/bytes.ts";
import { json } from "../src/serializers/json.ts";
import { msgpack } from "../src/serializers/msgpack.ts";
import type { Serializer } from "../src/serializers/serializer.ts";
import { utf8 } from "../src/serializers/utf8.ts";

const text = readFileSync(new URL("../../../docs/serializers.md", import.meta.url), "utf8");

const serializers = {
  "json()": json(),
  "json({ strict: true })": json({ strict: true }),
  "msgpack()": msgpack(),
  "utf8()": utf8(),
  "bytes()": bytes(),
};

function tableNamed(name: string): { header: string[]; rows: string[][] } {
  const [, table = ""] = new RegExp(`<!-- table:${name} -->\\n([^]*?)<!-- /table:${name} -->`).exec(text) ?? [];
  const [header = [], , ...rows] = table
    .trim()
    .split("\n")
    .map((line) => line.slice(1, -1).split("|").map((cell) => cell.trim())); // biome-ignore format: one step
  return { header, rows };
}

function codeOf(cell: string): string {
  assert.match(cell, /^`.*`$/);
  return cell.slice(1, -1);
}

function evaluate(code: string): unknown {
  return runInThisContext(`(${code})`);
}

function serializerOf(cell: string): Serializer<unknown> {
  const serializer = serializers[codeOf(cell) as keyof typeof serializers];
  assert.ok(serializer);
  return serializer as Serializer<unknown>;
}

suite("docs/serializers.md", () => {
  test("says of every value what comes back", () => {
    const { header, rows } = tableNamed("values");
    assert.deepStrictEqual(header.slice(1).map(codeOf), Object.keys(serializers));
    assert.ok(rows.length > 40);
    for (const [first = "", ...outcomes] of rows) {
      assert.equal(outcomes.length, header.length - 1, first);
      for (const [column, outcome] of outcomes.entries()) {
        const serializer = serializerOf(header[column + 1] ?? "");
        const value = evaluate(codeOf(first));
        if (outcome === "refused") {
          assert.throws(() => serializer.serialize(value), { code: "CODEC_SERIALIZE" }, `${first} ${serializer.name}`);
          continue;
        }
        const expected = outcome === "equal" ? value : evaluate(codeOf(outcome));
        assert.deepStrictEqual(serializer.deserialize(serializer.serialize(value)), expected, `${first} ${serializer.name}`);
      }
    }
  });

  test("says of every content what is read", () => {
    const { header, rows } = tableNamed("content");
    assert.ok(rows.length > 15);
    for (const [first = "", hex = "", ...outcomes] of rows) {
      const content = Buffer.from(codeOf(hex), "hex");
      for (const [column, outcome] of outcomes.entries()) {
        const serializer = serializerOf(header[column + 2] ?? "");
        const read = (): unknown => serializer.deserialize(content);
        if (outcome === "refused") assert.throws(read, { code: "CODEC_DESERIALIZE" }, `${first} ${serializer.name}`);
        else assert.deepStrictEqual(read(), evaluate(codeOf(outcome)), `${first} ${serializer.name}`);
      }
    }
  });
});
