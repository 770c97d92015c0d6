import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { assertSingleFrame } from "../src/compressors/zstd-frame.ts";
import { loadPackage } from "../src/load-package.cts";
import { assertCode, codeOf, cutsOf, noise, records } from "./support/frames.ts";

const MAGIC = "28b52ffd";

/** 64 × "A" as one RLE block in a single segment: the published vector. */
const VECTOR = hex(`${MAGIC} 20 40 030200 41`);

function hex(digits: string): Buffer {
  return Buffer.from(digits.replaceAll(" ", ""), "hex");
}

interface Writer {
  setParameters(parameters: object): void;
  loadDictionary(dictionary: Buffer): void;
  compress(content: Buffer): Buffer;
}

/** What a foreign writer with these parameters makes. */
function foreignFrame(content: Buffer, parameters: object, dictionary?: Buffer): Buffer {
  const { Compressor } = loadPackage("zstd-napi") as { Compressor: new () => Writer };
  const writer = new Compressor();
  writer.setParameters(parameters);
  if (dictionary !== undefined) writer.loadDictionary(dictionary);
  return writer.compress(content);
}

suite("assertSingleFrame()", () => {
  test("accepts the published vector", () => {
    assertSingleFrame(VECTOR, 64);
  });

  test("accepts what writers make: any size, with and without content size and checksum", () => {
    for (const size of [1, 255, 256, 257, 65_535, 65_536, 65_791, 65_792, 300_000]) {
      for (const contentSizeFlag of [true, false]) {
        for (const checksumFlag of [true, false]) {
          const parameters = { contentSizeFlag, checksumFlag };
          assertSingleFrame(foreignFrame(records(size), parameters), size);
          assertSingleFrame(foreignFrame(noise(size), parameters), size);
        }
      }
    }
  });

  test("refuses what is behind the frame", () => {
    for (const suffix of [`${MAGIC} 20 00 01 00 00`, "50 2a 4d 18 00 00 00 00", "00", "6a 75 6e 6b"]) {
      const payload = Buffer.concat([VECTOR, hex(suffix)]);
      assertCode(() => assertSingleFrame(payload, 64), "CODEC_PAYLOAD_CORRUPT", { codecId: 4, payloadSize: payload.length });
    }
    assertCode(() => assertSingleFrame(Buffer.concat([VECTOR, VECTOR]), 128), "CODEC_PAYLOAD_CORRUPT");
  });

  test("refuses what does not begin with an ordinary frame", () => {
    const beginnings = ["", "28", MAGIC, "50 2a 4d 18 00 00 00 00", "25 b5 2f fd 20 40 03 02 00 41", "00 00 00 00 00 00 00"];
    for (const beginning of beginnings) assertCode(() => assertSingleFrame(hex(beginning), 64), "CODEC_PAYLOAD_CORRUPT");
    const behindSkippable = Buffer.concat([hex("50 2a 4d 18 00 00 00 00"), VECTOR]);
    assertCode(() => assertSingleFrame(behindSkippable, 64), "CODEC_PAYLOAD_CORRUPT");
  });

  test("refuses every cut, also of frames without content size", () => {
    for (const contentSizeFlag of [true, false]) {
      const frame = foreignFrame(records(1000), { contentSizeFlag, checksumFlag: true });
      for (const cut of cutsOf(frame))
        assertCode(() => assertSingleFrame(cut, 1000), "CODEC_PAYLOAD_CORRUPT", { contentSize: 1000 });
    }
  });

  test("refuses a content size that differs from the frame's", () => {
    for (const size of [1, 63, 65, 2 ** 32 - 1]) assertCode(() => assertSingleFrame(VECTOR, size), "CODEC_PAYLOAD_CORRUPT");
  });

  test("refuses absurd content sizes: sentinels, more than 32 bits, more than 53", () => {
    for (const size of [
      "ffffff7f00000000",
      "ffffffff00000000",
      "0000000002000000",
      "0000000000000080",
      "feffffffffffffff",
      "ffffffffffffffff",
    ]) {
      assertCode(() => assertSingleFrame(hex(`${MAGIC} e0 ${size} 010000`), 1000), "CODEC_PAYLOAD_CORRUPT");
    }
  });

  test("refuses a claim that the blocks cannot hold", () => {
    const blocks = [
      ["420000 41", 8],
      ["080000 41", 1],
      ["440000 4141414141414141", 128 * 1024],
      ["420000 41 080000 41", 9],
    ] as const;
    for (const [block, bound] of blocks) {
      const frame = hex(`${MAGIC} 00 58 ${block} 010000`);
      assertSingleFrame(frame, bound);
      assertCode(() => assertSingleFrame(frame, bound + 1), "CODEC_PAYLOAD_CORRUPT", { contentSize: bound + 1 });
    }
  });

  test("refuses a block of the reserved type and one over 128 KiB", () => {
    assertCode(() => assertSingleFrame(hex(`${MAGIC} 20 40 070200 41`), 64), "CODEC_PAYLOAD_CORRUPT");
    const tooLong = Buffer.alloc(3);
    tooLong.writeUIntLE(((128 * 1024 + 1) << 3) | 3, 0, 3);
    const frame = Buffer.concat([hex(`${MAGIC} 00 58`), tooLong, hex("41")]);
    assertCode(() => assertSingleFrame(frame, 128 * 1024 + 1), "CODEC_PAYLOAD_CORRUPT");
  });

  test("refuses a header whose reserved bit is set", () => {
    assertCode(() => assertSingleFrame(hex(`${MAGIC} 28 40 030200 41`), 64), "CODEC_PAYLOAD_CORRUPT");
  });

  test("accepts windows up to 128 MiB and refuses larger ones", () => {
    for (const [descriptor, isAccepted] of [
      ["00", true],
      ["88", true],
      ["89", false],
      ["90", false],
      ["ff", false],
    ] as const) {
      const frame = hex(`${MAGIC} 00 ${descriptor} 030200 41`);
      const code = isAccepted ? undefined : "CODEC_PAYLOAD_CORRUPT";
      assert.equal(
        codeOf(() => assertSingleFrame(frame, 64)),
        code,
        descriptor,
      );
    }
  });

  test("names a dictionary that the frame needs", () => {
    for (const [descriptor, id] of [
      ["21", "07"],
      ["22", "0700"],
      ["23", "07000000"],
    ] as const) {
      const frame = hex(`${MAGIC} ${descriptor} ${id} 40 030200 41`);
      assertCode(() => assertSingleFrame(frame, 64), "CODEC_DICTIONARY_MISSING", { codecId: 4, contentSize: 64 });
    }
  });

  test("looks at no byte behind a payload that lies at the beginning of more", () => {
    for (const contentSizeFlag of [true, false]) {
      const frame = foreignFrame(records(1000), { contentSizeFlag, checksumFlag: true });
      const more = Buffer.concat([frame, noise(100)]);
      assertSingleFrame(more, 1000, frame.length);
      for (let size = 0; size < more.length; size++) {
        const expected = codeOf(() => assertSingleFrame(more.subarray(0, size), 1000));
        assert.equal(
          codeOf(() => assertSingleFrame(more, 1000, size)),
          expected,
        );
        assert.equal(expected === undefined, size === frame.length);
      }
    }
  });

  test("takes dictionary id 0 for none, as the format does", () => {
    assertSingleFrame(hex(`${MAGIC} 21 00 40 030200 41`), 64);
  });
});
