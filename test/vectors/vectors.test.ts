import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { suite, test } from "node:test";
import {
  brotli,
  type Compressor,
  createValueCodec,
  deflate,
  isCodecError,
  lz4,
  readFrameHeader,
  stored,
  zstd,
} from "@tightwire/codec-core";
import {
  acceptedVectors,
  contentOf,
  digestOf,
  frameOf,
  type RefusedVector,
  readManifest,
  readVectors,
  refusedVectors,
  vectorFiles,
} from "./vectors.ts";

const compressors: Record<string, () => Compressor> = { stored, brotli, deflate, lz4, zstd };
const versions = [1, 2] as const;
const codecIds = [0, 1, 2, 3, 4];

function hasZstd(): boolean {
  try {
    createValueCodec({ compressor: zstd() });
    return true;
  } catch (error) {
    assert.ok(isCodecError(error));
    return false;
  }
}

function hasPackage(name: string): boolean {
  try {
    createRequire(import.meta.url)(name);
    return true;
  } catch {
    return false;
  }
}

const skip = hasZstd() ? false : "neither zstd-napi nor a node:zlib with zstd is here";
const skipReader = hasPackage("zstd-napi") ? false : "no zstd-napi, with which the independent reader reads zstd";

function readerOf({ options = {} }: RefusedVector): ReturnType<typeof createValueCodec> {
  const { accept, ...limits } = options;
  const named = accept?.map((name) => compressors[name]?.() ?? assert.fail(name));
  return createValueCodec({ compressor: stored(), ...limits, ...(named === undefined ? {} : { accept: named }) });
}

suite("vectors", { skip }, () => {
  test("every frame decodes to its content", () => {
    const codec = createValueCodec({ compressor: stored() });
    for (const vector of acceptedVectors) {
      const frame = frameOf(vector);
      const { version, codecId, contentSize } = readFrameHeader(frame) ?? assert.fail(vector.id);
      assert.deepStrictEqual(
        { version, codecId, contentSize },
        { version: vector.version, codecId: vector.codec, contentSize: contentOf(vector).length },
      );
      assert.ok(codec.decode(frame).equals(contentOf(vector)), vector.id);
    }
  });

  test("every frame to refuse is refused with its code", () => {
    for (const vector of refusedVectors) {
      assert.throws(() => readerOf(vector).decode(Buffer.from(vector.frame, "hex")), { code: vector.code }, vector.id);
    }
  });

  test("every frame to refuse leaves the codec able to decode the next", () => {
    const codec = createValueCodec({ compressor: stored() });
    const healthy = acceptedVectors.filter(({ id }) => id.endsWith("/json/v2"));
    assert.equal(healthy.length, 4);
    for (const vector of refusedVectors) {
      assert.throws(() => readerOf(vector).decode(Buffer.from(vector.frame, "hex")));
      for (const next of healthy) assert.ok(codec.decode(frameOf(next)).equals(contentOf(next)), vector.id);
    }
  });

  test("a reader written from docs/frame-format.md alone decodes every frame", { skip: skipReader }, async () => {
    const { readFrame } = await import("./independent-reader.ts");
    for (const vector of acceptedVectors) assert.ok(readFrame(frameOf(vector)).equals(contentOf(vector)), vector.id);
  });

  test("that reader refuses every frame to refuse, except by a list of accepted compressors, which it has not", {
    skip: skipReader,
  }, async () => {
    const { readFrame } = await import("./independent-reader.ts");
    for (const { id, frame, options } of refusedVectors) {
      if (options?.accept === undefined) assert.throws(() => readFrame(Buffer.from(frame, "hex"), options?.maxContentBytes), id);
    }
  });

  test("that reader decodes what the codec encodes", { skip: skipReader }, async () => {
    const { readFrame } = await import("./independent-reader.ts");
    for (const vector of acceptedVectors.filter(({ version }) => version === 2)) {
      for (const compressor of Object.values(compressors)) {
        for (const frameVersion of versions) {
          const content = contentOf(vector);
          const frame = createValueCodec({ compressor: compressor(), frameVersion, minCompressBytes: 0 }).encode(content);
          assert.ok(readFrame(frame).equals(content), `${vector.id} ${compressor.name}`);
        }
      }
    }
  });

  test("content that no compressor shortens is written as the stored vectors are, in both versions", () => {
    const incompressible = acceptedVectors.filter(({ id }) => /^stored\/(empty|one-byte|abc|random-)/.test(id));
    assert.ok(incompressible.length > 50);
    for (const vector of incompressible) {
      for (const compressor of Object.values(compressors)) {
        const codec = createValueCodec({ compressor: compressor(), frameVersion: vector.version, minCompressBytes: 0 });
        assert.ok(codec.encode(contentOf(vector)).equals(frameOf(vector)), `${vector.id} ${compressor.name}`);
      }
    }
  });
});

suite("exchange with Respire", { skip }, () => {
  const fromRespire = acceptedVectors.filter(({ id }) => id.startsWith("respire/"));

  test("its frames decode", () => {
    assert.ok(fromRespire.length >= 11);
    const codec = createValueCodec({ compressor: stored() });
    for (const vector of fromRespire) assert.ok(codec.decode(frameOf(vector)).equals(contentOf(vector)), vector.id);
  });

  test("its stored frames are ours, byte for byte, under its rules: a threshold of 1,024 bytes, either version, any compressor", () => {
    const storedFrames = fromRespire.filter(({ codec }) => codec === 0);
    assert.ok(storedFrames.length >= 7);
    for (const vector of storedFrames) {
      for (const compressor of Object.values(compressors)) {
        const codec = createValueCodec({ compressor: compressor(), frameVersion: vector.version, minCompressBytes: 1024 });
        assert.deepEqual(codec.encode(contentOf(vector)), frameOf(vector), `${vector.id} ${compressor.name}`);
      }
    }
  });

  test("our frames carry its published sizes: 82 bytes for 64 below the threshold, 16,402 for 16 KiB at random", () => {
    const sizes = { "respire/text-64/v1": 82, "respire/random-64/v1": 82, "respire/random-16384/v1": 16402 };
    for (const [id, size] of Object.entries(sizes)) {
      const vector = fromRespire.find((candidate) => candidate.id === id) ?? assert.fail(id);
      for (const compressor of [brotli(), deflate(), lz4(), zstd()]) {
        assert.equal(createValueCodec({ compressor, minCompressBytes: 1024 }).encode(contentOf(vector)).length, size);
      }
    }
  });
});

suite("the set of vectors", () => {
  test("has every version with every codec, from implementations that are not ours", () => {
    const foreign = acceptedVectors.filter(({ origin }) => !origin.includes("@tightwire"));
    for (const version of versions) {
      for (const codec of codecIds) {
        assert.ok(foreign.some((vector) => vector.version === version && vector.codec === codec), `version ${version}, codec ${codec}`); // biome-ignore format: one row
      }
    }
  });

  test("has frames to refuse for every code that decoding gives, but for a missing package", () => {
    const codes = new Set(refusedVectors.map(({ code }) => code));
    const decoding = [
      "FRAME_INVALID",
      "FRAME_TRUNCATED",
      "FRAME_VERSION",
      "UNKNOWN_ID",
      "SIZE_LIMIT",
      "SIZE_MISMATCH",
      "CHECKSUM_MISMATCH",
      "PAYLOAD_CORRUPT",
      "DICTIONARY_MISSING",
    ];
    assert.deepStrictEqual(codes, new Set(decoding.map((code) => `CODEC_${code}`)));
  });

  test("names every entry once, says where it is from, and describes its content truly", () => {
    const all = [...acceptedVectors, ...refusedVectors];
    assert.equal(new Set(all.map(({ id }) => id)).size, all.length);
    for (const { id, origin } of all) assert.ok(origin.length > 10, id);
    for (const vector of acceptedVectors) assert.equal(contentOf(vector).length, frameOf(vector).readUInt32LE(6), vector.id);
  });

  test("only grows: every published entry is there, unchanged, and every entry is in manifest.txt", () => {
    const manifest = readManifest();
    const entries = new Map([...acceptedVectors, ...refusedVectors].map((vector) => [vector.id, digestOf(vector)]));
    for (const [id, digest] of manifest) assert.equal(entries.get(id), digest, `published vector ${id} was changed or removed`);
    const added = [...entries].filter(([id]) => !manifest.has(id)).map(([id, digest]) => `${digest}  ${id}`);
    assert.deepStrictEqual(added, [], "lines to append to manifest.txt");
  });

  test("is listed file by file in docs/frame-format.md", () => {
    const text = readFileSync(new URL("../../docs/frame-format.md", import.meta.url), "utf8");
    for (const file of vectorFiles) {
      assert.match(text, new RegExp(`\\| \`${file}\` +\\|`));
      assert.ok(readVectors(file).length > 0, file);
    }
  });
});

suite("case 83 (argoproj/argo-cd#19306, redis/RedisInsight#6451)", () => {
  const tools: [number, string, string[]][] = [
    [1, "brotli", ["-dc"]],
    [4, "zstd", ["-dc"]],
  ];
  for (const [codec, command, args] of tools) {
    const missing = spawnSync(command, ["--version"]).error === undefined ? false : `no ${command} on PATH`;
    test(`the payload of id ${codec} is a complete stream for ${command}`, { skip: missing }, () => {
      for (const vector of acceptedVectors.filter((candidate) => candidate.codec === codec && candidate.version === 2)) {
        const { stdout } = spawnSync(command, args, { input: frameOf(vector).subarray(18), maxBuffer: 1024 * 1024 });
        assert.ok(stdout.equals(contentOf(vector)), vector.id);
      }
    });
  }
});
