// A line `await redis.get("session:1"); // Session | null` says what the call returns.
const STATED = /^(\s*)(?:const \w+ = )?((?:await )?\w+\..*); \/\/ (.+)$/;
const REFUSED = /^(\s*)\/\/ does not compile.*$/;

/**
 * The examples of a document as one source in which the compiler checks what they state: types behind calls, and what does not
 * compile.
 *
 * @param document Markdown with blocks of TypeScript that build on each other
 * @param helper the module with `assertType()`
 */
export function checkStatements(document: string, helper: string): string {
  const blocks = [...document.matchAll(/^```ts\n(.*?)^```/gms)].map(([, block = ""]) => block);
  const lines = blocks.join("\n").split("\n").map(checkLine);
  return [`import { assertType } from "${helper}";`, ...lines, ""].join("\n");
}

function checkLine(line: string): string {
  const [, indent, call, type] = STATED.exec(line) ?? [];
  if (call !== undefined) return `${indent}assertType<${type}>()(${call});`;
  return line.replace(REFUSED, "$1// @ts-expect-error");
}
