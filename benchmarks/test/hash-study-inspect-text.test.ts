import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { readInspectText, writeInspectText } from "../src/cases/hash-study-inspect-text.ts";
import { createHashEntries } from "../src/corpus/hash-entries.ts";

suite("inspect text", () => {
  test("is what Ruby's Hash#inspect wrote", () => {
    assert.equal(writeInspectText({}), "{}");
    assert.equal(writeInspectText({ a: "1", "2b": "" }), '{"a"=>"1", "2b"=>""}');
  });

  test("takes 68 bytes an entry and gives the entries back", () => {
    const entries = createHashEntries(1_000);
    const text = writeInspectText(entries);
    assert.equal(text.length, 68_000);
    assert.deepEqual(readInspectText(text), entries);
    assert.deepEqual(readInspectText("{}"), {});
  });

  test("is not written of what Ruby may escape", () => {
    for (const text of ['"', "\\", "#{x}", "é", "\n"]) {
      assert.throws(() => writeInspectText({ [text]: "a" }), RangeError);
      assert.throws(() => writeInspectText({ a: text }), RangeError);
    }
  });

  test("is not read of another form", () => {
    for (const text of ["", "{", '{"a"}', '{"a"=>"1"', '{"a"=>"1","b"=>"2"}', '{"a"=>"1", "b"}', '{a: "1"}', '{"a" => "1"}']) {
      assert.throws(() => readInspectText(text), SyntaxError, text);
    }
  });
});
