import { type SpawnSyncReturns, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The repository. */
export const ROOT: string = fileURLToPath(new URL("../../..", import.meta.url));

/** The compilers that the types must work with, by the folder of their package. */
export const COMPILERS = { "TypeScript 7": "typescript", "TypeScript 5.9": "typescript-5" } as const;

// The declarations of ioredis and of Node are not what is tested here; those of the packages are, by test/package.
const SETTINGS = {
  composite: false,
  isolatedDeclarations: false,
  emitDeclarationOnly: true,
  allowImportingTsExtensions: true,
  rootDir: "/",
  skipLibCheck: true,
  noUnusedLocals: false,
};

/** The releases of ioredis that the types must work with, by the folder of their package. */
export const RELEASES = { "ioredis 6": "ioredis", "ioredis 5": "ioredis-5", "ioredis 5.4": "ioredis-5.4" } as const;

export type Compiler = (typeof COMPILERS)[keyof typeof COMPILERS];
export type Release = (typeof RELEASES)[keyof typeof RELEASES];

/** Where a compiler finds packages. */
export interface Resolution {
  readonly typeRoots: string[];
  readonly paths: Record<string, string[]>;
}

/** A folder of its own for the runs of compilers. */
export interface Project {
  readonly resolution: Resolution;
  /** Writes a source into the project and gives its path. */
  write(name: string, text: string): string;
  /** Compiles files, and writes their declarations into the project: what is exported must have types that can be named. */
  compile(compiler: Compiler, files: readonly string[]): SpawnSyncReturns<string>;
  remove(): void;
}

/** A project in which `ioredis` is one of its releases. */
export function createProject(release: Release): Project {
  const folder = mkdtempSync(join(tmpdir(), "tightwire-types-"));
  const resolution: Resolution = {
    typeRoots: [join(ROOT, "node_modules/@types")],
    paths: {
      ioredis: [join(ROOT, "node_modules", release, "built/index.d.ts")],
      "#assert-types": [join(ROOT, "test/types/support/assert-types.ts")],
      "@tightwire/ioredis": [join(ROOT, "packages/ioredis/dist/esm/index.d.ts")],
    },
  };
  const write = (name: string, text: string): string => {
    const path = join(folder, name);
    writeFileSync(path, text);
    return path;
  };
  return {
    resolution,
    write,
    compile: (compiler, files) => {
      const compilerOptions = { ...SETTINGS, ...resolution, outDir: join(folder, "out") };
      const project = write(
        "tsconfig.json",
        JSON.stringify({ extends: join(ROOT, "tsconfig.base.json"), compilerOptions, files }),
      );
      const tsc = join(ROOT, "node_modules", compiler, "bin/tsc");
      return spawnSync(process.execPath, [tsc, "-p", project, "--extendedDiagnostics", "--listFiles"], {
        encoding: "utf8",
        cwd: ROOT,
      });
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
