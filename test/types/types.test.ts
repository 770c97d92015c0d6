import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, suite, test } from "node:test";
import { checkStatements } from "./support/documented.ts";
import { listCalls } from "./support/ioredis-calls.ts";
import { writeManyPrefixes } from "./support/many-prefixes.ts";
import { COMPILERS, type Compiler, createProject, type Project, RELEASES, type Release, ROOT } from "./support/projects.ts";

const FOLDER = join(ROOT, "test/types");
const DOCUMENT = join(ROOT, "docs/typed-values.md");
// Commands and settings that a release does not have.
const TOO_NEW: Readonly<Record<Release, readonly string[]>> = {
  ioredis: [],
  "ioredis-5": ["ioredis-6.ts"],
  "ioredis-5.4": ["ioredis-6.ts", "newer-commands.ts"],
};
// Both compilers need 161,000, well under a second. Time differs by machine and load, this does not.
const MOST_INSTANTIATIONS = 200_000;
// ioredis 5.4 declares 2,400, ioredis 6 more than 4,000.
const LEAST_CALLS = 2_000;

for (const [name, release] of Object.entries(RELEASES)) {
  suite(`the types with ${name}`, () => {
    let project: Project;
    before(() => {
      project = createProject(release);
    });
    after(() => project?.remove());

    const compile = (compiler: Compiler, files: readonly string[]): void => {
      const { status, stdout, stderr } = project.compile(compiler, files);
      assert.equal(status, 0, `${stdout}\n${stderr}`);
      assert.match(stdout, new RegExp(`/node_modules/${release}/built/index\\.d\\.ts$`, "m"));
    };

    for (const [title, compiler] of Object.entries(COMPILERS)) {
      test(`are what the sources of this folder and docs/typed-values.md state, in ${title}`, () => {
        const documented = checkStatements(readFileSync(DOCUMENT, "utf8"), "#assert-types");
        compile(compiler, [...listSources(TOO_NEW[release]), project.write("documented.mts", documented)]);
      });
    }

    test("take every call that ioredis takes, on a client and on a pipeline", () => {
      const commands = listCalls(project.write("commands.mts", BARE_PIPELINE), project.resolution);
      assert.ok(commands.length > LEAST_CALLS, `${commands.length} calls`);
      const calls = commands.flatMap((call) => [`client.${call}`, `pipeline.${call}`]);
      compile(COMPILERS["TypeScript 7"], [project.write("calls.mts", [TYPED_CLIENT, ...calls].join("\n"))]);
    });
  });
}

const BARE_PIPELINE = `
import type { Redis } from "ioredis";
export declare const pipeline: ReturnType<Redis["pipeline"]>;
`;
const TYPED_CLIENT = `
import { json, withValueCodec } from "@tightwire/ioredis";
import { Redis } from "ioredis";
const client = withValueCodec(new Redis(), { prefixes: { "session:": { serializer: json<{ user: string }>() } } });
const pipeline = client.pipeline();
`;

for (const [title, compiler] of Object.entries(COMPILERS)) {
  test(`50 prefixes and 200 calls cost ${title} little`, () => {
    const project = createProject("ioredis");
    try {
      const { status, stdout } = project.compile(compiler, [project.write("many.mts", writeManyPrefixes(50, 200))]);
      assert.equal(status, 0, stdout);
      const instantiations = Number(/^Instantiations:\s+(\d+)/m.exec(stdout)?.[1]);
      assert.ok(instantiations < MOST_INSTANTIATIONS, `${instantiations} instantiations`);
    } finally {
      project.remove();
    }
  });
}

function listSources(without: readonly string[]): string[] {
  const names = readdirSync(FOLDER).filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"));
  return names.filter((name) => !without.includes(name)).map((name) => join(FOLDER, name));
}
