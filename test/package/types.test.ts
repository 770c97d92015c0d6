import { join } from "node:path";
import { after, before, suite, test } from "node:test";
import { assertSuccess, type Consumer, createConsumer, ROOT } from "./consumer.ts";

const USAGE = `
import { codecIdOf, type Compressor, contentSizeOf, createValueCodec, defineCompressor, isCodecError, readFrameHeader, type ValueCodec } from "@tightwire/codec-core";
import { json, lz4, valueCodecOf, withValueCodec, zstd } from "@tightwire/ioredis";
import { Cluster, Redis } from "ioredis";

const custom: Compressor = defineCompressor({ id: 16, name: "copy", compress: (content) => content, decompress: (payload) => payload });
const codec: ValueCodec = createValueCodec({ compressor: custom, accept: [custom, lz4()] });
const frame: Buffer = codec.encode(new Uint8Array(8));
const size: number | undefined = readFrameHeader(frame)?.contentSize;
export const facts: number[] = [codecIdOf(frame), contentSizeOf(frame)];
const target = new Uint8Array(codec.maxEncodedBytes(3));
const frameSize: number = codec.encodeTextInto("abc", target, 0);
export const text: string = codec.decodeText(target.subarray(0, frameSize));
// @ts-expect-error bytes are for encodeInto()
codec.encodeTextInto(target, target);

const redis: Redis = withValueCodec(new Redis({ lazyConnect: true }), { prefixes: { "page:": { compressor: zstd({ level: 3 }) }, "hits:": "raw" } });
const cluster: Cluster = withValueCodec(new Cluster([], { lazyConnect: true }), { prefixes: { "": {} } });
export const page: Promise<string | null> = redis.get("page:1");
export const bytes: Promise<Buffer | null> = cluster.getBuffer("page:1");
const typed = withValueCodec(new Redis({ lazyConnect: true }), { prefixes: { "session:": { serializer: json<{ user: string }>() } } });
export const user: Promise<string | undefined> = typed.get("session:1").then((session) => session?.user);
// @ts-expect-error the rule says what the value is
typed.set("session:1", { name: "ada" });
export const held: Buffer = valueCodecOf(redis).encode("page:1", "content");
export function describe(error: unknown): string {
  return isCodecError(error) ? error.code : String(size);
}

// @ts-expect-error the level is a number
zstd({ level: "high" });
// @ts-expect-error there is no such option
withValueCodec(redis, { prefixes: {}, prefix: "page:" });
`;

const TESTING = `
import * as testing from "@tightwire/codec-core/testing";
export const names: string[] = Object.keys(testing);
`;

interface Resolution {
  readonly name: string;
  readonly options: object;
  readonly files: readonly string[];
}

// Without "types": TypeScript 7 takes no @types package by itself, so the packages must ask for what they need.
const STRICT = { strict: true, skipLibCheck: false, noEmit: true, target: "es2022" };
const COMPILERS = { "TypeScript 7": "typescript", "TypeScript 5.9": "typescript-5" };
const RESOLUTIONS: readonly Resolution[] = [
  { name: "nodenext", options: { module: "nodenext" }, files: ["usage.mts", "usage.cts", "testing.mts", "testing.cts"] },
  { name: "node16", options: { module: "node16" }, files: ["usage.mts", "usage.cts", "testing.mts", "testing.cts"] },
  { name: "bundler", options: { module: "esnext", moduleResolution: "bundler" }, files: ["usage.ts", "testing.ts"] },
  {
    name: "bundler for CommonJS",
    options: { module: "preserve", moduleResolution: "bundler" },
    files: ["usage.cts", "testing.cts"],
  },
];
// The resolution of old compilers knows "main" and "types" only, and TypeScript 7 has dropped it.
const OLD_RESOLUTION: Resolution = {
  name: "node10",
  options: { module: "commonjs", moduleResolution: "node10" },
  files: ["usage.ts"],
};

suite("the published types", () => {
  let consumer: Consumer;
  before(() => {
    consumer = createConsumer(["--ignore-scripts"]);
    for (const extension of ["ts", "mts", "cts"]) {
      consumer.write(`usage.${extension}`, USAGE);
      consumer.write(`testing.${extension}`, TESTING);
    }
  });
  after(() => consumer?.remove());

  const check = (compiler: string, { name, options, files }: Resolution): void => {
    const project = consumer.write("tsconfig.json", JSON.stringify({ compilerOptions: { ...STRICT, ...options }, files }));
    const tsc = join(ROOT, "node_modules", compiler, "bin/tsc");
    assertSuccess(consumer.runNode([tsc, "-p", project]), `${compiler} with ${name}`);
  };

  for (const [title, compiler] of Object.entries(COMPILERS)) {
    for (const resolution of RESOLUTIONS) {
      test(`compile with ${title}, ${resolution.name}`, () => check(compiler, resolution));
    }
  }
  test(`compile with TypeScript 5.9, ${OLD_RESOLUTION.name}`, () => check("typescript-5", OLD_RESOLUTION));
});
