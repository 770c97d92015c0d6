import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { inspect } from "node:util";
import {
  CodecError,
  createValueCodec,
  defineCompressor,
  deflate,
  FRAME_HEADER_BYTES,
  isDamagedFrame,
  isFrame,
  lz4,
  readFrameHeader,
  stored,
  zstd,
} from "@tightwire/codec-core";
import fc from "fast-check";
import { decodeValue } from "../src/decode-value.ts";
import { encodeValue, type Held, isHeldRaw as willBeHeldRaw } from "../src/encode-value.ts";
import { createRule, type Rule } from "../src/rules.ts";
import { Stats } from "../src/stats.ts";
import { locateError } from "../src/value-errors.ts";

const codec = createValueCodec({ compressor: deflate(), minCompressBytes: 64 });
const storing = createValueCodec({ compressor: stored() });
const everything = { compressor: stored(), minFrameBytes: 0, numbers: "framed" } as const;

const encode = (rule: Rule, value: Held) => encodeValue(rule, new Stats().of(rule.prefix), value);
const decode = (rule: Rule, held: Held) =>
  decodeValue(rule, new Stats().of(rule.prefix), Buffer.from(held as Buffer), "buffer") as Buffer;
const damageMagic = (frame: Buffer) => change(frame, 0, 0x58);

/** A frame of ASCII bytes alone, so that a string can hold it. */
function findAsciiFrame(): Buffer {
  for (let i = 0; ; i++) {
    const frame = storing.encode(Buffer.from(`content ${i}`));
    if (frame.every((byte) => byte < 0x80)) return frame;
  }
}
const asciiFrame = findAsciiFrame();

const compressors = { stored: stored(), deflate: deflate(), lz4: lz4(), zstd: zstd() };
const anyRule: fc.Arbitrary<Rule> = fc
  .record({
    compressor: fc.constantFrom(...Object.values(compressors)),
    frameVersion: fc.constantFrom(1 as const, 2 as const),
    minCompressBytes: fc.constantFrom(0, 16, 256),
    frame: fc.constantFrom("always" as const, "when-smaller" as const, "never" as const),
    numbers: fc.constantFrom("raw" as const, "framed" as const),
    minFrameBytes: fc.constantFrom(0, 1, 19, 65),
    unframed: fc.constantFrom("accept" as const, "reject" as const),
  })
  .map((settings) => {
    const framesEverything = settings.frame === "always" && settings.numbers === "framed" && settings.minFrameBytes === 0;
    return createRule("a:", { ...settings, unframed: framesEverything ? settings.unframed : "accept" });
  });

const anyBytes = fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes));
const compressible = fc.tuple(anyBytes, fc.integer({ min: 1, max: 8 })).map(([bytes, times]) => {
  return Buffer.concat(Array.from({ length: times }, () => bytes));
});
const anyContent: fc.Arbitrary<Held> = fc.oneof(
  anyBytes,
  compressible,
  fc.string({ unit: "binary", maxLength: 200 }),
  fc.string({ unit: fc.constantFrom(..."0123456789.-"), maxLength: 20 }),
  anyBytes.map((bytes) => codec.encode(bytes)),
  anyBytes.map((bytes) => storing.encode(bytes)),
  anyBytes.map((bytes) => damageMagic(codec.encode(bytes))),
  anyBytes.map((bytes) => Buffer.concat([Buffer.from("RVC\0"), bytes])),
  anyBytes.map((bytes) => Buffer.concat([Buffer.from([0xc1]), bytes])),
  fc.string({ maxLength: 30 }).map((text) => `RVC\0${text}`),
  fc.string({ unit: fc.constantFrom("\x01", "\x02", "\0", "a", "é", "😀"), maxLength: 40 }),
  fc.constantFrom(asciiFrame.toString(), damageMagic(asciiFrame).toString(), `😀${asciiFrame.subarray(4)}`, "", "RVC\0"),
);

/** What the design says of a value, written without the source's help. */
function isHeldRaw(rule: Rule, value: Held): boolean {
  const bytes = Buffer.from(value as Buffer);
  if (isFrame(bytes) || isDamagedFrame(bytes) || bytes[0] === 0xc1) return false;
  if (rule.frame === "never") return true;
  const text = bytes.toString("latin1");
  const integer = /^(0|-?[1-9]\d{0,17})$/.test(text);
  const decimal = /^-?(0|[1-9]\d*)\.\d{0,16}[1-9]$/.test(text);
  if (rule.numbers === "raw" && (integer || decimal)) return true;
  if (bytes.length < rule.minFrameBytes) return true;
  return rule.frame === "when-smaller" && rule.codec.encode(bytes).length >= bytes.length;
}

suite("encodeValue() and decodeValue()", () => {
  test("give back every value under every rule, byte for byte", () => {
    fc.assert(
      fc.property(anyRule, anyContent, (rule, value) => {
        assert.deepEqual(decode(rule, encode(rule, value)), Buffer.from(value as Buffer));
      }),
      { numRuns: 2000 },
    );
  });

  test("give back a value that has been encoded any number of times, one layer for each", () => {
    fc.assert(
      fc.property(anyRule, anyContent, fc.integer({ min: 2, max: 4 }), (rule, value, times) => {
        const layers = [Buffer.from(value as Buffer)];
        for (let i = 0; i < times; i++) layers.push(Buffer.from(encode(rule, layers.at(-1) as Buffer) as Buffer));
        for (let i = times; i > 0; i--) assert.deepEqual(decode(rule, layers[i] as Buffer), layers[i - 1]);
      }),
      { numRuns: 300 },
    );
  });

  test("hold a value raw or as one frame of it, exactly as the placement says", () => {
    fc.assert(
      fc.property(anyRule, anyContent, (rule, value) => {
        const held = encode(rule, value);
        if (isHeldRaw(rule, value)) {
          assert.deepEqual(held, value);
          return;
        }
        assert.ok(held instanceof Buffer);
        assert.equal(readFrameHeader(held)?.version, rule.codec.frameVersion);
        assert.deepEqual(rule.codec.decode(held), Buffer.from(value as Buffer));
      }),
      { numRuns: 2000 },
    );
  });

  test("hold raw what isHeldRaw() says, which leaves open what compression decides", () => {
    fc.assert(
      fc.property(anyRule, anyContent, (rule, value) => {
        const raw = willBeHeldRaw(rule, value);
        if (raw) assert.deepEqual(encode(rule, value), value);
        else if (rule.frame !== "when-smaller") assert.ok(isFrame(encode(rule, value) as Buffer));
      }),
      { numRuns: 1000 },
    );
  });

  test("hold a string and its bytes alike", () => {
    fc.assert(
      fc.property(anyRule, fc.string({ unit: "binary", maxLength: 200 }), (rule, text) => {
        assert.deepEqual(Buffer.from(encode(rule, text) as Buffer), Buffer.from(encode(rule, Buffer.from(text)) as Buffer));
      }),
      { numRuns: 500 },
    );
  });
});

suite("encodeValue()", () => {
  const never = createRule("a:", { compressor: stored(), frame: "never" });

  const reserved: readonly (readonly [name: string, value: Held])[] = [
    ["a frame", codec.encode(Buffer.from("abc"))],
    ["a string that is a frame", asciiFrame.toString()],
    ["the magic alone", "RVC\0"],
    ["the magic and anything", Buffer.from("RVC\0xyz")],
    ["the byte of later frames", Buffer.from([0xc1])],
    ["a frame with a damaged magic", damageMagic(codec.encode(Buffer.from("abc")))],
    ["a string that is a frame with a damaged magic", damageMagic(asciiFrame).toString()],
    ["a string whose first character hides the magic", `😀${asciiFrame.subarray(4)}`],
    ["a string of two characters in the magic's place", `éé${asciiFrame.subarray(4)}`],
  ];
  for (const [name, value] of reserved) {
    test(`frames ${name} also where nothing else is framed`, () => {
      const held = encode(never, value);
      assert.ok(held instanceof Buffer && isFrame(held));
      assert.deepEqual(decode(never, held), Buffer.from(value as Buffer));
    });
  }

  const free: readonly (readonly [name: string, value: Held])[] = [
    ["less than the magic", "RVC"],
    ["the magic but for its last byte", "RVC1 and more than a header of text"],
    ["a version in the place of one, and nothing that fits it", `abcd\x02${"\0".repeat(20)}`],
    ["the magic further inside", " RVC\0"],
    ["the character of the byte of later frames", "Á"],
  ];
  for (const [name, value] of free) {
    test(`does not frame ${name} for its looks`, () => {
      assert.deepEqual(encode(never, value), value);
    });
  }

  test("does not give back the caller's Buffer, nor change it", () => {
    for (const rule of [createRule("a:", { compressor: stored() }), createRule("a:", everything), never]) {
      for (const size of [0, 10, 100, 5000]) {
        const value = Buffer.alloc(size, "v");
        const held = encode(rule, value);
        const before = Buffer.from(held as Buffer);
        value.fill("w");
        assert.deepEqual(held, before);
        (held as Buffer).fill("x");
        assert.deepEqual(value, Buffer.alloc(size, "w"));
      }
    }
  });

  test("refuses content over the limit of its rule", () => {
    const rule = createRule("a:", { ...everything, maxContentBytes: 10 });
    assert.ok(encode(rule, "0123456789") instanceof Buffer);
    assert.throws(() => encode(rule, "0123456789a"), { code: "CODEC_SIZE_LIMIT" });
    assert.throws(() => encode(rule, "éééééé"), { code: "CODEC_SIZE_LIMIT" });
  });

  test("counts what it held raw and what it framed", () => {
    const rule = createRule("a:", { compressor: stored(), minFrameBytes: 10 });
    const counters = new Stats().of("a:");
    encodeValue(rule, counters, "é".repeat(10));
    encodeValue(rule, counters, Buffer.from("short"));
    encodeValue(rule, counters, "1234567890123");
    assert.deepEqual(counters, {
      encoded: 1,
      decoded: 0,
      raw: 2,
      unframed: 0,
      contentBytes: 20 + 5 + 13,
      heldBytes: 38 + 5 + 13,
      errors: {},
    });
  });

  test("counts a frame that was no smaller as raw", () => {
    const rule = createRule("a:", { compressor: deflate(), frame: "when-smaller", minCompressBytes: 0, minFrameBytes: 0 });
    const counters = new Stats().of("a:");
    encodeValue(rule, counters, "abcdefgh");
    encodeValue(rule, counters, "a".repeat(1000));
    assert.equal(counters.raw, 1);
    assert.equal(counters.encoded, 1);
    assert.equal(counters.contentBytes, 1008);
    assert.ok(counters.heldBytes < 100);
  });

  test("holds a value raw whose frame is exactly as long", () => {
    const savesHeader = defineCompressor({
      id: 201,
      name: "saves-header",
      compress: (content) => content.subarray(FRAME_HEADER_BYTES),
      decompress: (payload, contentSize) => Buffer.alloc(contentSize, payload),
    });
    const rule = createRule("a:", { compressor: savesHeader, frame: "when-smaller", minCompressBytes: 0, minFrameBytes: 0 });
    assert.equal(rule.codec.encode(Buffer.alloc(30, "v")).length, 30);
    assert.equal(encode(rule, "v".repeat(30)), "v".repeat(30));
  });
});

suite("decodeValue()", () => {
  const rule = createRule("a:", { compressor: stored() });
  const rejecting = createRule("a:", { ...everything, unframed: "reject" });

  test("returns what is no frame as it is", () => {
    for (const held of [Buffer.alloc(0), Buffer.from("RVC"), Buffer.from("plain"), Buffer.from([0xc1, 1, 2])]) {
      assert.equal(decodeValue(rule, new Stats().of("a:"), held, "buffer"), held);
    }
  });

  test("gives content in memory of its own", () => {
    const frame = storing.encode(Buffer.from("content"));
    const content = decode(rule, frame);
    frame.fill(0);
    assert.equal(content.toString(), "content");
  });

  const damaged: readonly (readonly [name: string, held: Buffer, code: string])[] = [
    ["a cut header", asciiFrame.subarray(0, 17), "CODEC_FRAME_TRUNCATED"],
    ["an unknown version", change(asciiFrame, 4, 3), "CODEC_FRAME_VERSION"],
    ["an unknown codec", change(asciiFrame, 5, 9), "CODEC_UNKNOWN_ID"],
    ["a cut payload", asciiFrame.subarray(0, -1), "CODEC_SIZE_MISMATCH"],
    ["a changed payload", change(asciiFrame, 18, 0), "CODEC_CHECKSUM_MISMATCH"],
    ["a changed magic", damageMagic(asciiFrame), "CODEC_FRAME_INVALID"],
  ];
  for (const [name, held, code] of damaged) {
    test(`refuses ${name}, whether or not unframed values are accepted`, () => {
      const counters = new Stats().of("a:");
      assert.throws(() => decodeValue(rule, counters, held, "buffer"), { code });
      assert.throws(() => decodeValue(rejecting, counters, held, "buffer"), { code });
      assert.equal(counters.decoded, 0);
    });
  }

  test("refuses what is no frame where only frames may be", () => {
    for (const held of [Buffer.alloc(0), Buffer.from("plain"), Buffer.from("12")]) {
      assert.throws(() => decode(rejecting, held), { code: "CODEC_UNFRAMED", frameSize: held.length });
    }
  });

  test("counts the frames it decoded", () => {
    const counters = new Stats().of("a:");
    decodeValue(rule, counters, Buffer.from(asciiFrame), "buffer");
    decodeValue(rule, counters, Buffer.from("raw"), "bytes");
    assert.equal(counters.decoded, 1);
    assert.equal(counters.unframed, 1);
  });
});

suite("locateError()", () => {
  const cause = new Error("underneath");
  const error = new CodecError("CODEC_CHECKSUM_MISMATCH", "differs", { codecId: 4, frameSize: 30, cause });

  test("adds the place and keeps code, facts and cause", () => {
    const located = locateError(error, { key: "a:1", command: "hgetall", field: "f" });
    assert.ok(located instanceof CodecError);
    const { name, code, codecId, frameSize, key, command, field } = located;
    assert.deepEqual(
      { name, code, codecId, frameSize, key, command, field, cause: located.cause },
      { name: "CodecError", code: error.code, codecId: 4, frameSize: 30, key: "a:1", command: "hgetall", field: "f", cause },
    );
    assert.equal("index" in located, false);
  });

  test("leaves the error it was given as it was", () => {
    locateError(error, { key: "a:1", command: "get" });
    assert.equal(error.key, undefined);
  });

  test("has no cause where there was none", () => {
    const located = locateError(new CodecError("CODEC_UNFRAMED", "none"), { key: "a:1", command: "get" });
    assert.equal(Object.hasOwn(located as object, "cause"), false);
  });

  test("keeps the frame where logs do not look", () => {
    const frame = Buffer.from("secret bytes of a frame");
    const located = locateError(error, { key: "a:1", command: "get" }, frame) as CodecError;
    assert.equal(located.frame, frame);
    assert.equal(Object.keys(located).includes("frame"), false);
    assert.equal(JSON.stringify(located).includes('frame"'), false);
    assert.equal(inspect(located).includes("secret"), false);
  });

  test("returns anything else as it is", () => {
    const other = new RangeError("other");
    assert.equal(locateError(other, { key: "a:1", command: "get" }), other);
    assert.equal(locateError(undefined, { key: "a:1", command: "get" }), undefined);
  });

  test("never begins its message like a redirection, whatever the key", () => {
    for (const key of ["MOVED 1 127.0.0.1:1", "ASK 1 x:1", "CLUSTERDOWN", "", Buffer.from("TRYAGAIN")]) {
      const located = locateError(error, { key, command: "get" }) as CodecError;
      assert.match(located.message, /^[a-z]/);
      assert.notEqual(located.message, "Connection is closed.");
    }
  });

  test("keeps long keys out of its message, and whole among its facts", () => {
    const key = `a:${"k".repeat(100_000)}`;
    const located = locateError(error, { key, command: "get" }) as CodecError;
    assert.ok(located.message.length < 300);
    assert.equal(located.key, key);
  });

  test("shows control characters of a key escaped", () => {
    const located = locateError(error, { key: "a:\r\n\u001b[31m", command: "get" }) as CodecError;
    assert.equal(
      [...located.message].some((character) => character < " "),
      false,
    );
  });

  test("says nothing of the value's bytes", () => {
    const secret = "s3cr3t-v4lue";
    const frame = storing.encode(Buffer.from(secret.repeat(3)));
    const rule = createRule("a:", everything);
    for (const held of [change(frame, 20, 0), frame.subarray(0, -1), damageMagic(frame), Buffer.from(secret)]) {
      const reading = createRule("a:", { ...everything, unframed: "reject" });
      const thrown = catchError(() => decode(reading, held));
      const located = locateError(thrown, { key: "a:1", command: "get" }, held) as CodecError;
      assert.equal(located.message.includes(secret), false);
      assert.equal(inspect(located).includes(secret), false);
    }
    const thrown = catchError(() => encode(createRule("a:", { ...everything, maxContentBytes: 5 }), secret));
    assert.equal(inspect(locateError(thrown, { key: "a:1", command: "set" })).includes(secret), false);
    assert.ok(encode(rule, secret) instanceof Buffer);
  });
});

function change(frame: Buffer, index: number, byte: number): Buffer {
  const copy = Buffer.from(frame);
  copy[index] = byte;
  return copy;
}

function catchError(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  throw new Error("expected a failure");
}
