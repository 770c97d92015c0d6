import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { deflateRawSync, gunzipSync, gzipSync, inflateRawSync } from "node:zlib";
import { brotli } from "../src/compressors/brotli.ts";
import { type CompressorDefinition, defineCompressor } from "../src/compressors/custom.ts";
import { deflate } from "../src/compressors/deflate.ts";
import { lz4 } from "../src/compressors/lz4.ts";
import { zstd } from "../src/compressors/zstd.ts";
import { testCompressor } from "../src/testing.ts";

function gunzip(payload: Uint8Array, contentSize: number): Buffer {
  const result: unknown = gunzipSync(payload, { maxOutputLength: contentSize, info: true });
  const { buffer, engine } = result as { buffer: Buffer; engine: { bytesWritten: number } };
  if (engine.bytesWritten !== payload.length) throw new Error("bytes after the end");
  return buffer;
}

const GZIP = { id: 16, name: "gzip", compress: (content: Uint8Array) => gzipSync(content), decompress: gunzip };

const compressors = [
  ["brotli()", brotli()],
  ["brotli() of quality 11", brotli({ quality: 11 })],
  ["deflate()", deflate()],
  ["lz4()", lz4()],
  ["zstd()", zstd()],
  ["zstd() of level -7", zstd({ level: -7 })],
  ["zstd() of level 22", zstd({ level: 22 })],
  ["a custom compressor in simple form", defineCompressor(GZIP)],
  ["a custom compressor in target form", defineCompressor(toTargetForm(GZIP))],
] as const;

for (const [title, compressor] of compressors)
  suite(`testCompressor() with ${title}`, () => testCompressor({ compressor, test }));

function toTargetForm({ id, name }: { id: number; name: string }): CompressorDefinition {
  return {
    id,
    name,
    compressInto: (content, target) => {
      const payload = gzipSync(content);
      if (payload.length > target.length) return -1;
      target.set(payload);
      return payload.length;
    },
    decompressInto: (payload, target) => {
      const content = gunzip(payload, target.length);
      target.set(content);
      return content.length;
    },
  };
}

/** Titles of the checks that a definition fails. */
function failuresOf(definition: CompressorDefinition): string[] {
  const failures: string[] = [];
  const run = (title: string, check: () => void): void => {
    try {
      check();
    } catch {
      failures.push(title);
    }
  };
  testCompressor({ compressor: defineCompressor(definition), test: run });
  return failures;
}

suite("testCompressor() finds a compressor that", () => {
  const base = { id: 200, name: "broken", compress: GZIP.compress, decompress: GZIP.decompress };

  test("is not broken", () => {
    assert.deepEqual(failuresOf(base), []);
  });

  test("ignores bytes behind a payload", () => {
    const decompress = (payload: Uint8Array, contentSize: number): Buffer =>
      gunzipSync(payload, { maxOutputLength: contentSize });
    assert.deepEqual(failuresOf({ ...base, decompress }), ["refuses bytes behind a payload"]);
  });

  test("fills what is missing", () => {
    const decompress = (payload: Uint8Array, contentSize: number): Buffer =>
      Buffer.concat([inflateRawSync(payload, { maxOutputLength: contentSize })], contentSize);
    const failures = failuresOf({ ...base, compress: (content) => deflateRawSync(content), decompress });
    assert.ok(failures.includes("refuses a content size that is not the payload's"));
  });

  test("changes its input", () => {
    const compress = (content: Uint8Array): Buffer => {
      const payload = gzipSync(content);
      content[0] = 0;
      return payload;
    };
    assert.ok(failuresOf({ ...base, compress }).includes("leaves its input as it is"));
  });

  test("loses the last byte", () => {
    const decompress = (payload: Uint8Array, contentSize: number): Buffer =>
      gunzip(payload, contentSize).fill(0, contentSize - 1);
    assert.ok(failuresOf({ ...base, decompress }).includes("restores content of every size and kind"));
  });

  test("writes outside its target", () => {
    const { compressInto, decompressInto } = toTargetForm(base) as Required<ReturnType<typeof toTargetForm>> & TargetForm;
    const writeBehind = (payload: Uint8Array, target: Uint8Array): number => {
      const size = decompressInto(payload, target);
      const all = new Uint8Array(target.buffer);
      if (target.byteOffset + size < all.length) all[target.byteOffset + size] = 0;
      return size;
    };
    const failures = failuresOf({ id: 200, name: "broken", compressInto, decompressInto: writeBehind });
    assert.deepEqual(failures, ["stays inside the bytes that it is given"]);
  });

  test("never works again after a failure", () => {
    let hasFailed = false;
    const decompress = (payload: Uint8Array, contentSize: number): Buffer => {
      if (hasFailed) throw new Error("not authorized at current stage");
      hasFailed = true;
      const content = gunzip(payload, contentSize);
      hasFailed = false;
      return content;
    };
    assert.ok(failuresOf({ ...base, decompress }).includes("works after a failure"));
  });

  test("claims more than fits", () => {
    const { decompress } = base;
    const failures = failuresOf({ id: 200, name: "broken", compressInto: (_content, target) => target.length + 1, decompress });
    assert.ok(failures.includes("says so if a payload does not fit"));
  });

  test("compresses nothing", () => {
    const copy = (bytes: Uint8Array): Uint8Array => bytes;
    assert.ok(failuresOf({ ...base, compress: copy, decompress: copy }).includes("makes repeating content smaller"));
  });
});

interface TargetForm {
  compressInto(content: Uint8Array, target: Uint8Array): number;
  decompressInto(payload: Uint8Array, target: Uint8Array): number;
}
