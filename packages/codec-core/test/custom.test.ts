import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import { type CompressorDefinition, defineCompressor } from "../src/compressors/custom.ts";
import { CodecError } from "../src/errors.ts";
import { createValueCodec } from "../src/value-codec.ts";
import { assertCode, frameOf, records } from "./support/frames.ts";

const base = {
  id: 16,
  name: "custom",
  compress: (content: Uint8Array): Uint8Array => deflateRawSync(content),
  decompress: (payload: Uint8Array, contentSize: number): Uint8Array => inflateRawSync(payload, { maxOutputLength: contentSize }),
};

// Untyped, as a caller in JavaScript is.
function define(changes: object): ReturnType<typeof defineCompressor> {
  return defineCompressor({ ...base, ...changes } as CompressorDefinition);
}

function defineInto(changes: object): ReturnType<typeof defineCompressor> {
  return define({ compress: undefined, decompress: undefined, ...changes });
}

suite("defineCompressor()", () => {
  test("takes ids from 16 to 255", () => {
    assert.equal(define({ id: 16 }).id, 16);
    assert.equal(define({ id: 255 }).id, 255);
  });

  test("throws RangeError for ids of the built-in and reserved range and beyond a byte", () => {
    for (let id = 0; id < 16; id++) assert.throws(() => define({ id }), RangeError);
    for (const id of [-1, 256, 16.5, Number.NaN]) assert.throws(() => define({ id }), RangeError);
  });

  test("throws TypeError for a definition that is none", () => {
    const changes = [
      { id: "16" },
      { name: 7 },
      { options: 3 },
      { options: null },
      { options: { level: "3" } },
      { compress: undefined },
      { decompress: undefined },
      { compress: "gzip" },
      { load: true },
      { level: 3 },
    ];
    for (const change of changes) assert.throws(() => define(change), TypeError, JSON.stringify(change));
    assert.throws(() => defineCompressor(undefined as never), TypeError);
  });

  test("calls functions as methods of the definition", () => {
    const compressor = define({
      compress(this: { name: string }, content: Uint8Array) {
        return deflateRawSync(content, { dictionary: Buffer.from(this.name) });
      },
      decompress(this: { name: string }, payload: Uint8Array) {
        return inflateRawSync(payload, { dictionary: Buffer.from(this.name) });
      },
    });
    const codec = createValueCodec({ compressor });
    assert.ok(codec.decode(codec.encode(records(2000))).equals(records(2000)));
  });
});

suite("load() of a custom compressor", () => {
  test("runs once, when a codec that writes with it is constructed", () => {
    let loads = 0;
    const compressor = define({ load: () => loads++ });
    assert.equal(loads, 0);
    createValueCodec({ compressor });
    createValueCodec({ compressor });
    assert.equal(loads, 1);
  });

  test("runs at the first frame where the codec only reads with it", () => {
    let loads = 0;
    const codec = createValueCodec({ accept: [define({ load: () => loads++ })] });
    assert.equal(loads, 0);
    const frame = frameOf({ codecId: 16, contentSize: 500, payload: deflateRawSync(records(500)) });
    assert.ok(codec.decode(frame).equals(records(500)));
    assert.equal(loads, 1);
  });

  test("runs again after it failed, and its error arrives as it is", () => {
    const failures = [new CodecError("CODEC_UNAVAILABLE", "not here", { packageName: "snappy" })];
    const compressor = define({
      load: () => {
        const failure = failures.pop();
        if (failure !== undefined) throw failure;
      },
    });
    assertCode(() => createValueCodec({ compressor }), "CODEC_UNAVAILABLE", { packageName: "snappy" });
    createValueCodec({ compressor });
  });
});

suite("a custom compressor that breaks its contract", () => {
  const content = records(2000);

  function encodeWith(compressor: ReturnType<typeof defineCompressor>): () => Buffer {
    return () => createValueCodec({ compressor }).encode(content);
  }

  function decodeWith(compressor: ReturnType<typeof defineCompressor>): () => Buffer {
    const frame = frameOf({ codecId: 16, contentSize: 2000, payload: deflateRawSync(content) });
    return () => createValueCodec({ compressor }).decode(frame);
  }

  test("by a wrong kind of result fails to compress", () => {
    for (const result of [undefined, null, "text", [1, 2], 7, new ArrayBuffer(3)]) {
      assertCode(encodeWith(define({ compress: () => result })), "CODEC_PAYLOAD_CORRUPT", { codecId: 16 });
    }
  });

  test("by an empty payload fails to compress", () => {
    assertCode(encodeWith(define({ compress: () => new Uint8Array(0) })), "CODEC_PAYLOAD_CORRUPT");
  });

  test("by a wrong length fails to compress", () => {
    const lengths = [undefined, null, "3", 0, -2, 1.5, Number.NaN, Infinity, 2000, 3n];
    for (const length of lengths) {
      const compressor = defineInto({ compressInto: () => length, decompress: base.decompress });
      assertCode(encodeWith(compressor), "CODEC_PAYLOAD_CORRUPT", { codecId: 16, contentSize: 2000 });
    }
  });

  test("by throwing fails to compress, with its error as the cause", () => {
    const cause = new Error("native");
    const fail = (): never => {
      throw cause;
    };
    for (const compressor of [define({ compress: fail }), defineInto({ compressInto: fail, decompress: base.decompress })]) {
      assertCode(encodeWith(compressor), "CODEC_PAYLOAD_CORRUPT");
      assert.throws(encodeWith(compressor), (error: Error) => error.cause === cause);
    }
  });

  test("by a wrong kind or length of result fails to decompress", () => {
    for (const result of [undefined, null, "text", 2000, Buffer.alloc(1999), Buffer.alloc(2001), Buffer.alloc(0)]) {
      assertCode(decodeWith(define({ decompress: () => result })), "CODEC_PAYLOAD_CORRUPT", { codecId: 16 });
    }
    for (const length of [undefined, 0, 1999, 2001, "2000", Number.NaN]) {
      const compressor = defineInto({ compress: base.compress, decompressInto: () => length });
      assertCode(decodeWith(compressor), "CODEC_PAYLOAD_CORRUPT", { codecId: 16, contentSize: 2000 });
    }
  });

  test("by throwing fails to decompress, with its error as the cause", () => {
    const cause = new Error("native");
    const fail = (): never => {
      throw cause;
    };
    for (const compressor of [define({ decompress: fail }), defineInto({ compress: base.compress, decompressInto: fail })]) {
      assertCode(decodeWith(compressor), "CODEC_PAYLOAD_CORRUPT");
      assert.throws(decodeWith(compressor), (error: Error) => error.cause === cause);
    }
  });

  test("may throw a CodecError of its own choice", () => {
    const refuse = (): never => {
      throw new CodecError("CODEC_DICTIONARY_MISSING", "dictionary 7");
    };
    assertCode(decodeWith(define({ decompress: refuse })), "CODEC_DICTIONARY_MISSING");
    assertCode(encodeWith(define({ compress: refuse })), "CODEC_DICTIONARY_MISSING");
  });

  test("is never asked for an empty payload", () => {
    const frame = frameOf({ codecId: 16, contentSize: 2000, payload: Buffer.alloc(0) });
    let calls = 0;
    const count = (_payload: Uint8Array, size: number | Uint8Array): unknown => {
      calls++;
      return typeof size === "number" ? Buffer.alloc(size) : size.length;
    };
    for (const compressor of [define({ decompress: count }), defineInto({ compress: base.compress, decompressInto: count })]) {
      assertCode(() => createValueCodec({ compressor }).decode(frame), "CODEC_PAYLOAD_CORRUPT", { payloadSize: 0 });
    }
    assert.equal(calls, 0);
  });
});

suite("a custom compressor", () => {
  test("may hand out its own memory or its input: results are copies", () => {
    const reused = Buffer.alloc(2000);
    const compressor = define({
      decompress: (payload: Uint8Array) => {
        inflateRawSync(payload).copy(reused);
        return reused;
      },
    });
    const codec = createValueCodec({ compressor });
    const frame = codec.encode(records(2000));
    const first = codec.decode(frame);
    reused.fill(0);
    assert.ok(first.equals(records(2000)));
  });

  test("may use a codec itself", () => {
    const inner = createValueCodec({ minCompressBytes: 0 });
    const compressor = defineInto({
      compressInto: (content: Uint8Array, target: Uint8Array) => {
        target.fill(0xee);
        const frame = inner.encode(content);
        if (frame.length > target.length) return -1;
        target.set(frame);
        return frame.length;
      },
      decompressInto: (payload: Uint8Array, target: Uint8Array) => inner.decodeInto(payload, target),
    });
    const codec = createValueCodec({ compressor });
    for (const size of [1024, 5000, 100_000]) assert.ok(codec.decode(codec.encode(records(size))).equals(records(size)));
  });

  test("is given no memory that held other content", () => {
    const secret = Buffer.alloc(5000, "secret");
    createValueCodec().encode(secret);
    let seen = "";
    const compressor = defineInto({
      compressInto: (_content: Uint8Array, target: Uint8Array) => {
        seen = Buffer.from(target.buffer).toString("latin1");
        return -1;
      },
      decompress: base.decompress,
    });
    createValueCodec({ compressor }).encode(Buffer.alloc(5000));
    assert.equal(seen.length, 5018);
    assert.equal(seen.includes("secret"), false);
  });
});
