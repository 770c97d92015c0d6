import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createRequire } from "node:module";
import { suite, test } from "node:test";
import { fileURLToPath } from "node:url";
import { decode, encode } from "@msgpack/msgpack";
import { isCodecError } from "../src/errors.ts";
import { bytes } from "../src/serializers/bytes.ts";
import { json } from "../src/serializers/json.ts";
import { msgpack } from "../src/serializers/msgpack.ts";
import type { Serializer } from "../src/serializers/serializer.ts";
import { utf8 } from "../src/serializers/utf8.ts";

const SERIALIZE = { code: "CODEC_SERIALIZE" };
const DESERIALIZE = { code: "CODEC_DESERIALIZE" };

function roundTrip(serializer: Serializer<unknown>, value: unknown): unknown {
  return serializer.deserialize(serializer.serialize(value));
}

function unhex(text: string): Buffer {
  return Buffer.from(text, "hex");
}

suite("serializer cases from public bug reports", () => {
  test("case 59 (HarperFast/harper#1348, kriszyp/msgpackr#189, #164): each value stands alone, whatever was written before it", () => {
    const first = msgpack().serialize({ a: 1, b: 2 });
    msgpack().serialize({ x: 3, y: 4 });
    const second = msgpack().serialize({ a: 1, b: 2 });
    assert.deepEqual(second, first);
    assert.deepStrictEqual(decode(second), { a: 1, b: 2 });
    // The record that the report's reader took for another one.
    assert.throws(() => msgpack().deserialize(unhex("400304")), DESERIALIZE);
  });

  test("case 60 (kriszyp/lmdb-js#55): documents of one serializer are refused by the others; single bytes cannot be told apart", () => {
    const value = { id: 7, tags: ["a"] };
    assert.throws(() => json().deserialize(msgpack().serialize(value)), DESERIALIZE);
    assert.throws(() => msgpack().deserialize(json().serialize(value)), DESERIALIZE);
    assert.throws(() => utf8().deserialize(msgpack().serialize(new Date(1e12))), DESERIALIZE);
    assert.equal(utf8().deserialize(json().serialize(value)), JSON.stringify(value));
    // Why another serializer needs another prefix: the content does not name the one that wrote it.
    assert.equal(msgpack().deserialize(json().serialize(5)), 0x35);
  });

  test("case 61 (pnpm/pacquet#251): other libraries read plain maps, and integers as integers", () => {
    const hex = (value: unknown): string => Buffer.from(msgpack().serialize(value)).toString("hex");
    assert.equal(hex({ a: 1 }), "81a16101");
    assert.equal(hex(1700000000000), "cf0000018bcfe56800");
    assert.equal(hex(4294967296), "cf0000000100000000");
    for (const value of [{ a: 1 }, 1700000000000, 4294967296]) assert.deepStrictEqual(decode(msgpack().serialize(value)), value);
  });

  test("case 62 (kriszyp/msgpackr#192, #159): a key named __proto__ is kept by json and msgpack alike, and nothing is polluted", () => {
    const value: unknown = JSON.parse('{"__proto__":{"x":1},"a":2}');
    for (const serializer of [json(), json({ strict: true }), msgpack()]) {
      const back = roundTrip(serializer, value) as object;
      assert.deepStrictEqual(back, value);
      assert.deepStrictEqual(Object.keys(back), ["__proto__", "a"]);
      assert.equal(Object.getPrototypeOf(back), Object.prototype);
    }
    const hostile = msgpack().deserialize(unhex("81a95f5f70726f746f5f5f81a8706f6c6c7574656401")) as object;
    assert.deepStrictEqual(Object.keys(hostile), ["__proto__"]);
    assert.equal((hostile as { polluted?: unknown }).polluted, undefined);
    assert.equal(({} as { polluted?: unknown }).polluted, undefined);
  });

  test("case 63 (kriszyp/msgpackr#200, streamich/json-joy#1045): headers that claim what is not there are refused in a heap of 64 MB", () => {
    const program = `
      import { msgpack } from ${JSON.stringify(new URL("../src/serializers/msgpack.ts", import.meta.url).href)};
      const inputs = [Buffer.from("dd04000000", "hex"), Buffer.from("ddffffffff", "hex"), Buffer.from("dcffff".repeat(24000), "hex")];
      for (const type of ["df", "db", "c6", "c9", "dd"]) inputs.push(Buffer.from(type + "ffffffff", "hex"));
      for (const type of ["dc", "de"]) inputs.push(Buffer.from((type + "0400").repeat(300000), "hex"));
      inputs.push(Buffer.from("dd000186a0".repeat(200000), "hex"), Buffer.from("df000186a0a161".repeat(200000), "hex"));
      const started = process.cpuUsage().user;
      const codes = inputs.map((input) => {
        try {
          return typeof msgpack().deserialize(input);
        } catch (error) {
          return error.code;
        }
      });
      console.log(JSON.stringify({ codes, ms: (process.cpuUsage().user - started) / 1000, next: msgpack().deserialize(Buffer.from("a161", "hex")) }));
    `;
    const output = execFileSync(
      process.execPath,
      ["--max-old-space-size=64", "--import", "tsx", "--input-type=module", "--eval", program],
      {
        cwd: fileURLToPath(new URL("..", import.meta.url)),
        encoding: "utf8",
      },
    );
    const { codes, ms, next } = JSON.parse(output) as { codes: string[]; ms: number; next: string };
    assert.deepStrictEqual(new Set(codes), new Set(["CODEC_DESERIALIZE"]));
    assert.ok(ms < 1000);
    assert.equal(next, "a");
  });

  test("case 64 (newrelic/opensource-website#1062, kriszyp/msgpackr#127): crafted and endless nesting is refused in under a second", () => {
    const hostile = [
      unhex("d47240929191c0a1610102"),
      unhex("8190a161"),
      unhex("91".repeat(1e6)),
      unhex("81".repeat(200_000)),
      unhex("81a161".repeat(200_000)),
    ];
    // Of this process' own time: others may be busy.
    const started = process.cpuUsage();
    for (const input of hostile) {
      assert.throws(() => msgpack().deserialize(input), DESERIALIZE);
      assert.deepStrictEqual(msgpack().deserialize(unhex("81a16101")), { a: 1 });
    }
    assert.ok(process.cpuUsage(started).user < 1_000_000);
    let deep: unknown = 1;
    for (let level = 0; level < 100_000; level++) deep = [deep];
    for (const serializer of [json(), json({ strict: true }), msgpack()])
      assert.throws(() => serializer.serialize(deep), SERIALIZE);
  });

  test("case 65 (kriszyp/msgpackr#48): Dates at every edge have a documented result", () => {
    for (const time of [0, -1, 8.64e15, -8.64e15]) {
      const value = new Date(time);
      assert.deepStrictEqual(roundTrip(msgpack(), value), value);
      assert.equal(roundTrip(json(), value), value.toISOString());
    }
    const invalid = new Date(Number.NaN);
    assert.throws(() => msgpack().serialize(invalid), SERIALIZE);
    assert.equal(roundTrip(json(), invalid), null);
    for (const value of [invalid, new Date(0)]) assert.throws(() => json({ strict: true }).serialize(value), SERIALIZE);
  });

  test("case 67 (platformatic/platformatic#5057, kriszyp/msgpackr#95): what is no plain data is converted without loss or refused", () => {
    class Point {
      x = 1;
    }
    const sparse = Object.assign(new Array(3), { 0: 1, 2: 3 });
    const record = new Map<string, unknown>([["k", { x: 1 }]]);
    assert.deepStrictEqual(roundTrip(msgpack(), record), { k: { x: 1 } });
    assert.deepStrictEqual(roundTrip(msgpack(), new Set([1, 2])), [1, 2]);
    assert.deepStrictEqual(roundTrip(msgpack(), new Point()), { x: 1 });
    assert.deepStrictEqual(roundTrip(msgpack(), sparse), [1, null, 3]);
    const lossy = [new Map<unknown, unknown>([[1, "a"], ["k", { x: 1 }]]), /x/g, new Error("x"), Float32Array.of(1)]; // biome-ignore format: one row
    for (const value of lossy) assert.throws(() => msgpack().serialize(value), SERIALIZE);
    for (const value of [...lossy, record, new Set([1, 2]), new Point(), sparse])
      assert.throws(() => json({ strict: true }).serialize(value), SERIALIZE);
  });

  test("case 68 (kriszyp/msgpackr#123): toJSON() has the same meaning for json and msgpack", () => {
    class Decimal {
      readonly digits: string;
      constructor(digits: string) {
        this.digits = digits;
      }
      toJSON(): string {
        return this.digits;
      }
    }
    for (const value of [
      { toJSON: () => 5, a: 1 },
      new URL("http://localhost/b"),
      new Decimal("0.1"),
      { price: new Decimal("2") },
    ]) {
      assert.deepStrictEqual(roundTrip(msgpack(), value), roundTrip(json(), value));
    }
  });

  test("case 69 (kriszyp/msgpackr#82): large arrays and objects come back whole", () => {
    const items = Array.from({ length: 10_001 }, (_, i) => ({ url: `http://localhost/${i}` }));
    const numbers = Array.from({ length: 70_000 }, (_, i) => i);
    const object = Object.fromEntries(numbers.map((i) => [`key${i}`, i]));
    for (const value of [{ output: items }, numbers, object]) {
      assert.deepStrictEqual(roundTrip(msgpack(), value), value);
      assert.deepStrictEqual(decode(msgpack().serialize(value)), value);
      assert.deepStrictEqual(msgpack().deserialize(encode(value)), value);
    }
  });

  test("case 70 (upstash/redis-js#699, #497, #37): digits in a string stay a string", () => {
    for (const text of ["106242075399214372653", "true", "null", "1e3", " 1", "9007199254740993"]) {
      for (const serializer of [json(), json({ strict: true }), msgpack(), utf8()])
        assert.equal(roundTrip(serializer as Serializer<unknown>, text), text);
    }
    assert.equal(roundTrip(msgpack(), 9007199254740993n), 9007199254740993n);
    assert.equal(msgpack().deserialize(encode(9007199254740993n, { useBigInt64: true })), 9007199254740993n);
  });

  test("case 73 (redis/ioredis#1658, redis/node-redis#529, #259): emoji, NUL and accents are exact in every text serializer", () => {
    for (const text of ["🙏", "é", "😀".repeat(70_000), "\u0000", "ÿ£µ", "a\u0000🙏"]) {
      for (const serializer of [json(), json({ strict: true }), msgpack(), utf8()])
        assert.equal(roundTrip(serializer as Serializer<unknown>, text), text);
    }
    assert.equal(utf8().serialize("🙏").length, 4);
  });

  test("case 74 (jumperexchange/jumper-exchange#2953): nested Buffers are documented for json and copied by msgpack", () => {
    const value = { b: Buffer.from("hi"), m: new Map() };
    assert.deepStrictEqual(roundTrip(json(), value), { b: { type: "Buffer", data: [104, 105] }, m: {} });
    assert.throws(() => json({ strict: true }).serialize(value), SERIALIZE);
    const source = Buffer.from(msgpack().serialize(value));
    const back = msgpack().deserialize(source);
    source.fill(0);
    assert.deepStrictEqual(back, { b: Buffer.from("hi"), m: {} });
  });

  test("case 75 (phpredis/phpredis#2352): objects with numeric keys come back equal", () => {
    for (const size of [10, 100, 1000, 10_000]) {
      const value = Object.fromEntries(Array.from({ length: size }, (_, i) => [String(i * 3), i]));
      for (const serializer of [json(), json({ strict: true }), msgpack()])
        assert.deepStrictEqual(roundTrip(serializer, value), value);
    }
  });

  test("case 76 (laravel/framework#54221, rails/rails#40412): text that is JSON already comes back as that text", () => {
    const text = JSON.stringify({ a: [1] });
    for (const serializer of [json(), msgpack(), utf8()]) assert.equal(roundTrip(serializer as Serializer<unknown>, text), text);
  });

  test("case 77 (microlinkhq/keyvhq#137): a missing value is refused as such, not read or written as text", () => {
    for (const serializer of [json(), msgpack(), utf8(), bytes()] as Serializer<unknown>[]) {
      assert.throws(() => serializer.serialize(undefined), SERIALIZE);
      for (const missing of [null, undefined]) assert.throws(() => serializer.deserialize(missing as never), TypeError);
    }
    for (const serializer of [json(), msgpack()]) assert.throws(() => serializer.deserialize(Buffer.alloc(0)), DESERIALIZE);
  });

  test("case 78 (mcollina/msgpack5#93, msgpack/msgpack#256): special numbers survive msgpack, become what JSON makes of them, or are refused", () => {
    for (const value of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, -0, { n: Number.NaN }]) {
      assert.deepStrictEqual(roundTrip(msgpack(), value), value);
      assert.deepStrictEqual(roundTrip(json(), value), JSON.parse(JSON.stringify(value)));
      assert.throws(() => json({ strict: true }).serialize(value), SERIALIZE);
    }
  });

  test("case 98 (kriszyp/msgpackr#7, kriszyp/msgpackr-extract#1): long latin1 and multi-byte strings come back in their thousands", () => {
    const value = Array.from({ length: 20_000 }, (_, i) => ({
      latin: "ÿ".repeat(i % 90),
      wide: "€😀".repeat(i % 40),
      ascii: "x".repeat(i % 70),
    }));
    assert.deepStrictEqual(roundTrip(msgpack(), value), value);
  });

  test("messages name kinds and sizes, never data", () => {
    const secret = "hunter2";
    const attempts = [
      () => json().serialize({ [secret]: 1n }),
      () => json({ strict: true }).serialize({ [secret]: { constructor: { name: secret }, [Symbol(secret)]: secret } }),
      () => msgpack().serialize({ [secret]: Symbol(secret) }),
      () => msgpack().serialize([`${secret}\ud800`]),
      () => utf8().serialize(`${secret}\ud800`),
      () => utf8().deserialize(Buffer.from(`${secret}\xff`, "latin1")),
      () => json().deserialize(Buffer.from(secret)),
      () => msgpack().deserialize(Buffer.from(`a${secret}`)),
    ];
    for (const attempt of attempts) {
      assert.throws(
        attempt,
        (error) =>
          isCodecError(error) &&
          !error.message.includes(secret) &&
          !String((error.cause as Error | undefined)?.message).includes(secret),
      );
    }
  });

  test("a third library reads what msgpack writes and is read by it", () => {
    const { Packr } = createRequire(import.meta.url)("msgpackr") as typeof import("msgpackr");
    const other = new Packr({
      useRecords: false,
      encodeUndefinedAsNil: true,
      variableMapSize: true,
      int64AsType: "auto",
      copyBuffers: true,
    } as object);
    const value = {
      id: 1,
      big: 2n ** 60n,
      at: new Date(1700000000123),
      list: [1.5, -3, null, true, "é"],
      bytes: Buffer.from("x"),
      time: 1700000000000,
    };
    assert.deepStrictEqual(msgpack().deserialize(other.pack(value)), value);
    assert.deepStrictEqual(other.unpack(Buffer.from(msgpack().serialize(value))), value);
  });
});
