import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { suite, test } from "node:test";
import ts from "typescript-5";
import * as exported from "../src/index.ts";

const SOURCES = new URL("../src/", import.meta.url);
const README = readFileSync(new URL("../README.md", import.meta.url), "utf8");

/** The `@example` blocks of a source file, without the comment around them. */
function examplesIn(file: string): string[] {
  const blocks = readFileSync(new URL(file, SOURCES), "utf8").matchAll(/^( *)\* @example\n((?:\1\*.*\n)*?)\1\*(?:\/| @)/gm);
  return Array.from(blocks, ([, , block = ""]) => block.replace(/^ *\* ?/gm, ""));
}

/** An example as a function's body: a literal in a comment behind an expression is what it must give. */
function toBody(example: string): string {
  const body = example
    .replace(/^import \{(.*)\} from "@tightwire\/kernel";$/gm, "const {$1} = exported;")
    .replace(/^( *)(?!const )(\S.*); \/\/ (true|false|\d+|"[^"]*")$/gm, "$1compare($2, $3);");
  return ts.transpile(body, { target: ts.ScriptTarget.ES2022 });
}

suite("the examples of the documentation", () => {
  test("run, and give what they say", () => {
    const inReadme = Array.from(README.matchAll(/```ts\n([\s\S]*?)```/g), ([, code = ""]) => code);
    const examples = [...readdirSync(SOURCES).flatMap(examplesIn), ...inReadme];
    let compared = 0;
    const compare = (actual: unknown, expected: unknown): void => {
      assert.deepEqual(actual, expected);
      compared++;
    };
    for (const example of examples) new Function("exported", "compare", toBody(example))(exported, compare);
    assert.ok(examples.length >= 3 && compared >= 8, `${examples.length} examples, ${compared} values`);
  });
});

suite("README.md", () => {
  test("names every export and every member of the kernel", () => {
    const kernel = exported.loadKernel();
    assert.ok(kernel);
    const members = [...Object.keys(kernel), ...Object.getOwnPropertyNames(Object.getPrototypeOf(kernel))];
    for (const name of [...Object.keys(exported), ...members]) {
      if (name !== "constructor") assert.ok(README.includes(`\`${name}`), name);
    }
  });
});
