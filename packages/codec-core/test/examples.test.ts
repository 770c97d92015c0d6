import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { suite, test } from "node:test";
import ts from "typescript-5";
import { runWithout } from "./support/run-child.ts";

const SOURCES = new URL("../src/", import.meta.url);
const README = new URL("../README.md", import.meta.url);

/** The `@example` blocks of a source file, without the comment around them. */
function examplesIn(file: URL): string[] {
  const blocks = readFileSync(file, "utf8").matchAll(/^( *)\* @example\n((?:\1\*.*\n)*?)\1\*(?:\/| @)/gm);
  return Array.from(blocks, ([, , block = ""]) => block.replace(/^ *\* ?/gm, ""));
}

function codeIn(markdown: URL): string[] {
  return Array.from(readFileSync(markdown, "utf8").matchAll(/```ts\n([\s\S]*?)```/g), ([, code = ""]) => code);
}

/** An example as a function: imports become dynamic, and a literal in a comment behind an expression is what it must give. */
function toFunction(example: string): string {
  const body = example
    .replace(/^import \{(.*)\} from "(.*)";$/gm, (_line, names: string, from: string) => {
      const source = from === "@tightwire/codec-core" ? "./src/index.ts" : from;
      return `const {${names.replaceAll(" as ", ": ")}} = await import("${source}");`;
    })
    .replace(/^( *)(?!const )(\S.*); \/\/ (true|false|\d+|"[^"]*")$/gm, "$1compare($2, $3);");
  return `async () => { ${body} }`;
}

const files = readdirSync(SOURCES, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));
// The one that declares tests cannot run inside another program; the suite that it shows runs in testing.test.ts.
const examples = [...files.flatMap((file) => examplesIn(new URL(file, SOURCES))), ...codeIn(README)].filter(
  (example) => !example.includes('from "node:test"'),
);

suite("the examples of the documentation", () => {
  test("run, and give what they say", () => {
    const source = `
      import assert from "node:assert/strict";
      let compared = 0;
      const compare = (actual, expected) => {
        assert.deepStrictEqual(actual, expected);
        compared++;
      };
      for (const example of [${examples.map(toFunction).join(",\n")}]) await example();
      console.log(compared);
    `;
    const options = { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext };
    const compared = Number(runWithout([], ts.transpile(source, options)));
    assert.ok(examples.length > 15 && compared > 20, `${examples.length} examples, ${compared} values`);
  });
});
