import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ROOT, runNode } from "./run-command.mjs";

const SOURCES = join(ROOT, "packages/kernel/assembly");
const BINARY = join(ROOT, ".cache/kernel.wasm");
const MODULE = join(ROOT, "packages/kernel/src/wasm-module.ts");
const COMPILER = join(ROOT, "node_modules/assemblyscript");

// 64 KiB each: what assembly/layout.ts lays out. Equal, so that the memory never grows.
const PAGES = 35;
const STATIC_DATA_START = 1024;

const FLAGS = [
  ...["-O3", "--converge", "--noAssert", "--enable", "simd"],
  // Nothing is allocated: of the language's runtime nothing is left in the output.
  ...["--runtime", "stub"],
  ...["--initialMemory", `${PAGES}`, "--maximumMemory", `${PAGES}`, "--memoryBase", `${STATIC_DATA_START}`],
];

/** Compiles the kernel's AssemblyScript to a module of its bytes, unless the one that is there has the same sources. */
export function buildKernel() {
  const mark = `// ${hashSources()}`;
  if (existsSync(MODULE) && readFileSync(MODULE, "utf8").startsWith(mark)) return;
  mkdirSync(dirname(BINARY), { recursive: true });
  runNode([join(COMPILER, "bin/asc.js"), join(SOURCES, "index.ts"), "-o", BINARY, ...FLAGS]);
  const bytes = readFileSync(BINARY).toString("base64");
  // As text in a module of its own, so that every bundler and both module systems load it without a file or an await.
  writeFileSync(
    MODULE,
    `${mark}\n\n/** The kernel, compiled from assembly/. */\nexport const WASM_BASE64: string =\n  "${bytes}";\n`,
  );
}

function hashSources() {
  const hash = createHash("sha256");
  hash.update(readFileSync(join(COMPILER, "package.json")));
  hash.update(JSON.stringify(FLAGS));
  for (const name of readdirSync(SOURCES).sort()) hash.update(`\0${name}\0`).update(readFileSync(join(SOURCES, name)));
  return hash.digest("hex");
}
