import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import { createNodeBackend } from "../src/compressors/zstd-node.ts";
import { nodeZstd } from "../src/platform.ts";
import { assertCode, noise, records } from "./support/frames.ts";

// Deflate in place of zstd: what is tested is how node:zlib is called, which is the same for both.
const standIn = createNodeBackend({
  constants: { ZSTD_c_compressionLevel: 100 },
  zstdCompressSync: (content, options) => {
    const { params, chunkSize } = options as { params: Record<number, number>; chunkSize: number };
    return deflateRawSync(content, { level: params[100] ?? 0, chunkSize });
  },
  zstdDecompressSync: (payload, options) => inflateRawSync(payload, options),
});

const skip = nodeZstd === undefined && "this Node has no zstd in node:zlib";

for (const [title, backend, options] of [
  ["a stand-in", standIn, {}],
  ["Node's own zstd", nodeZstd && createNodeBackend(nodeZstd), { skip }],
] as const) {
  suite(`createNodeBackend() with ${title}`, options, () => {
    const { compressInto, decompress, decompressInto } = backend ?? standIn;

    function compress(content: Buffer, level: number): Buffer {
      const target = Buffer.alloc(content.length + 1000);
      return target.subarray(0, compressInto(content, target, level));
    }

    test("restores content of any size", () => {
      for (const size of [1, 63, 64, 65, 5000, 65_536, 1_048_576, 3_000_000]) {
        for (const content of [records(size), noise(size)]) {
          const payload = compress(content, 3);
          assert.ok(decompress(payload, size).equals(content), `${size} bytes`);
          const target = Buffer.alloc(size);
          decompressInto(payload, target);
          assert.ok(target.equals(content), `${size} bytes, into a target`);
        }
      }
    });

    test("takes the level", () => {
      const content = Buffer.concat([noise(5000), records(5000), noise(5000)]);
      const sizes = [1, 9].map((level) => compress(Buffer.concat([content, noise(3000, 7), content]), level).length);
      assert.notEqual(sizes[0], sizes[1]);
    });

    test("says so if a payload does not fit", () => {
      for (const size of [100, 1000, 100_000]) assert.equal(compressInto(noise(size), Buffer.alloc(size - 1), 3), -1);
    });

    test("refuses any other content size, and bytes behind", () => {
      const payload = compress(records(2000), 3);
      for (const size of [1, 1999, 2001, 1_000_000]) {
        assertCode(() => decompress(payload, size), "CODEC_PAYLOAD_CORRUPT", { codecId: 4, contentSize: size });
      }
      assertCode(() => decompress(Buffer.concat([payload, Buffer.from("junk")]), 2000), "CODEC_PAYLOAD_CORRUPT");
    });
  });
}
