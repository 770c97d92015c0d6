import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { type CodecError, isFrame } from "@tightwire/codec-core";
import type { ReplyShape } from "../src/commands.ts";
import { damage, entry, frame, raw, read } from "./support/replies.ts";

const SHAPES: readonly ReplyShape[] = [
  "value",
  "values",
  "byKey",
  "fields",
  "scan",
  "keyed",
  "entries",
  "claimed",
  "streams",
  "streamInfo",
];

type Place = Partial<Record<"key" | "index" | "field" | "id", unknown>>;

/** Where an error says that its value stood, as text. */
function placeOf({ key, index, field, id }: CodecError): Place {
  return {
    key: key?.toString(),
    ...(index !== undefined && { index }),
    ...(field !== undefined && { field: isFrame(Buffer.from(field)) ? "f" : field.toString() }),
    ...(id !== undefined && { id }),
  };
}

suite("shapes of replies", () => {
  const shapes: readonly (readonly [name: string, shape: ReplyShape, reply: unknown, decoded: unknown])[] = [
    ["one value", "value", frame("x"), raw("x")],
    ["one raw value", "value", raw("x"), raw("x")],
    ["no value", "value", null, null],
    ["a status", "value", "OK", "OK"],
    ["a list", "values", [frame("x"), null, raw("y")], [raw("x"), null, raw("y")]],
    ["an empty list", "values", [], []],
    ["no list", "values", null, null],
    ["values by key", "byKey", [frame("x"), frame("y"), frame("z")], [raw("x"), raw("y"), frame("z")]],
    ["fields and values, flat", "fields", [raw("f"), frame("x"), raw("g"), null], [raw("f"), raw("x"), raw("g"), null]],
    ["fields that are frames", "fields", [frame("f"), frame("x")], [frame("f"), raw("x")]],
    ["fields and values, in pairs", "fields", [[frame("f"), frame("x")]], [[frame("f"), raw("x")]]],
    ["no fields", "fields", [], []],
    ["a field without a value", "fields", [raw("f")], [raw("f")]],
    ["a hash that is not there", "fields", null, null],
    ["fields of an object", "fields", { f: frame("x"), g: raw("y") }, { f: raw("x"), g: raw("y") }],
    ["a status instead of fields", "fields", "QUEUED", "QUEUED"],
    ["bytes instead of fields", "fields", frame("x"), frame("x")],
    ["a page of a scan", "scan", [raw("0"), [raw("f"), frame("x")]], [raw("0"), [raw("f"), raw("x")]]],
    ["an empty page", "scan", [raw("0"), []], [raw("0"), []]],
    ["half a page", "scan", [frame("0")], [frame("0")]],
    ["no page", "scan", null, null],
    ["values in the place of one", "value", [frame("x"), null, raw("y")], [raw("x"), null, raw("y")]],
    ["a key and a value", "keyed", [raw("a:1"), frame("x")], [raw("a:1"), raw("x")]],
    ["a key and values", "keyed", [raw("a:1"), [frame("x"), raw("y")]], [raw("a:1"), [raw("x"), raw("y")]]],
    ["a key that is text and a value", "keyed", ["a:1", frame("x")], ["a:1", raw("x")]],
    ["a key under no rule and a value", "keyed", [raw("x:1"), frame("x")], [raw("x:1"), frame("x")]],
    ["a key and no value", "keyed", [raw("a:1"), null], [raw("a:1"), null]],
    ["no key in time", "keyed", null, null],
    ["entries", "entries", [entry("1-1", frame("x")), entry("2-1", raw("y"))], [entry("1-1", raw("x")), entry("2-1", raw("y"))]],
    [
      "an entry whose field and id are frames",
      "entries",
      [[frame("1-1"), [frame("f"), frame("x")]]],
      [[frame("1-1"), [frame("f"), raw("x")]]],
    ],
    ["entries that were deleted", "entries", [[raw("1-1"), null], null], [[raw("1-1"), null], null]],
    ["ids of entries", "entries", [frame("1-1"), raw("2-1")], [frame("1-1"), raw("2-1")]],
    ["no entries", "entries", [], []],
    ["a stream that is not there", "entries", null, null],
    [
      "claimed entries",
      "claimed",
      [raw("0-0"), [entry("1-1", frame("x")), null], [raw("2-1")]],
      [raw("0-0"), [entry("1-1", raw("x")), null], [raw("2-1")]],
    ],
    ["claimed ids", "claimed", [raw("0-0"), [raw("1-1")], []], [raw("0-0"), [raw("1-1")], []]],
    ["nothing that could be claimed", "claimed", null, null],
    [
      "streams in pairs",
      "streams",
      [
        [raw("a:1"), [entry("1-1", frame("x"))]],
        [raw("x:1"), [entry("1-1", frame("y"))]],
      ],
      [
        [raw("a:1"), [entry("1-1", raw("x"))]],
        [raw("x:1"), [entry("1-1", frame("y"))]],
      ],
    ],
    [
      "streams, flat",
      "streams",
      [raw("x:1"), [entry("1-1", frame("x"))], raw("a:1"), [entry("1-1", frame("y"))]],
      [raw("x:1"), [entry("1-1", frame("x"))], raw("a:1"), [entry("1-1", raw("y"))]],
    ],
    [
      "streams by key",
      "streams",
      { "a:1": [entry("1-1", frame("x"))], "x:1": [entry("1-1", frame("y"))] },
      { "a:1": [entry("1-1", raw("x"))], "x:1": [entry("1-1", frame("y"))] },
    ],
    ["streams with deleted entries", "streams", [[raw("a:1"), [[raw("1-1"), null]]]], [[raw("a:1"), [[raw("1-1"), null]]]]],
    ["no streams", "streams", null, null],
    ["a stream without entries", "streams", [raw("a:1")], [raw("a:1")]],
    ["no streams in pairs", "streams", [], []],
    [
      "the description of a stream, flat",
      "streamInfo",
      [
        raw("length"),
        2,
        raw("first-entry"),
        entry("1-1", frame("x")),
        raw("last-entry"),
        entry("2-1", frame("y")),
        raw("groups"),
        frame("z"),
      ],
      [
        raw("length"),
        2,
        raw("first-entry"),
        entry("1-1", raw("x")),
        raw("last-entry"),
        entry("2-1", raw("y")),
        raw("groups"),
        frame("z"),
      ],
    ],
    [
      "the description of a stream by name",
      "streamInfo",
      { "first-entry": entry("1-1", frame("x")), "last-entry": null, "recorded-first-entry-id": frame("z") },
      { "first-entry": entry("1-1", raw("x")), "last-entry": null, "recorded-first-entry-id": frame("z") },
    ],
    [
      "the full description of a stream, flat",
      "streamInfo",
      [raw("entries"), [entry("1-1", frame("x")), entry("2-1", frame("y"))], raw("groups"), [[raw("name"), frame("g")]]],
      [raw("entries"), [entry("1-1", raw("x")), entry("2-1", raw("y"))], raw("groups"), [[raw("name"), frame("g")]]],
    ],
    [
      "the full description of a stream by name",
      "streamInfo",
      { entries: [entry("1-1", frame("x"))], groups: [{ name: frame("g") }] },
      { entries: [entry("1-1", raw("x"))], groups: [{ name: frame("g") }] },
    ],
    ["no description", "streamInfo", null, null],
  ];
  for (const [name, shape, reply, decoded] of shapes) {
    test(`decodes ${name}`, () => {
      assert.deepEqual(read(shape, reply), { reply: decoded, failures: [] });
    });
  }

  test("returns an error among the replies as it is", () => {
    const error = Object.assign(new Error("WRONGTYPE"), { command: { name: "hgetall" } });
    for (const shape of SHAPES) {
      assert.equal(read(shape, error).reply, error);
      assert.deepEqual(error.command, { name: "hgetall" });
    }
    assert.deepEqual(read("values", [error, frame("x")]).reply, [error, raw("x")]);
  });

  test("says where a bad value stands in every shape", () => {
    const bad = () => damage("y");
    const spots: readonly (readonly [shape: ReplyShape, reply: unknown, place: Place])[] = [
      ["value", bad(), { key: "a:1" }],
      ["value", [frame("x"), bad()], { key: "a:1", index: 1 }],
      ["values", [bad()], { key: "a:1", index: 0 }],
      ["byKey", [frame("x"), bad()], { key: "a:1", index: 1 }],
      ["fields", { f: bad() }, { key: "a:1", field: "f" }],
      ["scan", [raw("0"), [raw("f"), bad()]], { key: "a:1", field: "f" }],
      ["keyed", [raw("a:7"), bad()], { key: "a:7" }],
      ["keyed", [raw("a:7"), [frame("x"), bad()]], { key: "a:7", index: 1 }],
      ["entries", [entry("1-1", bad())], { key: "a:1", field: "f", id: "1-1" }],
      ["entries", [[raw("1-1"), [[raw("f"), bad()]]]], { key: "a:1", field: "f", id: "1-1" }],
      ["claimed", [raw("0-0"), [entry("1-1", bad())], []], { key: "a:1", field: "f", id: "1-1" }],
      ["streams", [[raw("a:7"), [entry("1-1", bad())]]], { key: "a:7", field: "f", id: "1-1" }],
      ["streams", [raw("a:7"), [entry("1-1", bad())]], { key: "a:7", field: "f", id: "1-1" }],
      ["streams", { "a:7": [entry("1-1", bad())] }, { key: "a:7", field: "f", id: "1-1" }],
      ["streamInfo", { "last-entry": entry("9-1", bad()) }, { key: "a:1", field: "f", id: "9-1" }],
      ["streamInfo", [raw("entries"), [entry("9-1", bad())]], { key: "a:1", field: "f", id: "9-1" }],
    ];
    for (const [shape, reply, place] of spots) {
      assert.deepEqual(read(shape, reply).failures.map(placeOf), [place], shape);
    }
  });
});
