import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { suite, test } from "node:test";
import { CodecErrorCode } from "../src/errors.ts";
import * as core from "../src/index.ts";

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), "utf8");

suite("docs/errors.md", () => {
  test("has one heading for every code, and for nothing else", () => {
    const headings = Array.from(read("../../../docs/errors.md").matchAll(/^## (.+)$/gm), ([, heading]) => heading);
    assert.deepEqual(headings.sort(), Object.values(CodecErrorCode).sort());
  });

  test("says of each when it comes and what to do", () => {
    const sections = read("../../../docs/errors.md").split(/^## /m).slice(1);
    for (const section of sections) assert.match(section, /\*\*When:\*\*[\s\S]+\*\*What to do:\*\*/);
  });
});

suite("README.md", () => {
  test("names every export", () => {
    const text = read("../README.md");
    for (const name of Object.keys(core)) assert.ok(text.includes(name.startsWith("DEFAULT_") ? "DEFAULT_*" : name), name);
  });

  test("gives the defaults as they are", () => {
    const text = read("../README.md");
    assert.ok(text.includes(`| \`minCompressBytes\` | \`${core.DEFAULT_MIN_COMPRESS_BYTES}\` |`));
    assert.ok(text.includes(`| \`maxContentBytes\` | ${core.DEFAULT_MAX_CONTENT_BYTES / 1024 / 1024} MiB |`));
    assert.ok(text.includes(`| \`frameVersion\` | \`${core.DEFAULT_FRAME_VERSION}\` |`));
  });
});
