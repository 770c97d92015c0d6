import assert from "node:assert/strict";
import { suite, test } from "node:test";
import fc from "fast-check";
import { KernelStatus } from "../src/status.ts";
import { flipsOf, noise, patchwork, records } from "./support/contents.ts";
import { compress, decode, encode, kernel } from "./support/kernel.ts";
import { digestOf } from "./support/oracles.ts";

const MAX_BYTES = 1024 * 1024;

interface FrameParts {
  readonly version?: number;
  readonly codecId?: number;
  readonly contentSize?: number;
  readonly payload?: Uint8Array;
}

/** A frame with a right checksum, written field by field and not with the code under test. */
function frameOf({ version = 2, codecId = 0, payload = Buffer.from("abc"), contentSize = payload.length }: FrameParts): Buffer {
  const header = Buffer.from("52564300000000000000", "hex");
  header[4] = version;
  header[5] = codecId;
  header.writeUInt32LE(contentSize, 6);
  return Buffer.concat([header, digestOf(payload), payload]);
}

function check(frame: Uint8Array, maxContentBytes = MAX_BYTES): number {
  kernel.putFrame(frame);
  return kernel.checkFrame(maxContentBytes);
}

suite("encodeStored()", () => {
  test("writes the published vectors", () => {
    assert.equal(encode("encodeStored", Buffer.from("abc")).toString("hex"), "5256430002000300000050392f89945faf78616263");
    assert.equal(encode("encodeStored", Buffer.alloc(0)).toString("hex"), "52564300020000000000c294d3380580062d");
  });

  test("writes header and content of every length", () => {
    for (let size = 0; size <= 2100; size++) {
      assert.deepEqual(encode("encodeStored", noise(size)), frameOf({ payload: noise(size) }));
    }
    const largest = noise(MAX_BYTES);
    assert.ok(encode("encodeStored", largest).equals(frameOf({ payload: largest })));
  });
});

suite("encodeLz4()", () => {
  test("writes the published vector", () => {
    const frame = encode("encodeLz4", Buffer.alloc(32, "A"));
    assert.equal(frame.toString("hex", 0, 10), "52564300020320000000");
    assert.equal(frame.toString("hex", 18), "1f41010007504141414141");
  });

  test("compresses what becomes smaller and stores the rest", () => {
    for (let size = 0; size <= 300; size++) {
      for (const content of [records(size), noise(size), patchwork(size), Buffer.alloc(size)]) {
        const block = compress(content);
        const isSmaller = block.length < size;
        const expected = isSmaller ? frameOf({ codecId: 3, payload: block, contentSize: size }) : frameOf({ payload: content });
        assert.deepEqual(encode("encodeLz4", content), expected);
      }
    }
  });

  test("takes content of the limit", () => {
    for (const content of [noise(MAX_BYTES), records(MAX_BYTES)]) {
      const decoded = decode(encode("encodeLz4", content));
      assert.ok(Buffer.isBuffer(decoded) && decoded.equals(content));
    }
  });
});

suite("encodePayload()", () => {
  test("frames what another compressor wrote", () => {
    for (const size of [0, 1, 40, 3000]) {
      const payload = noise(size);
      kernel.payload.set(payload);
      const frame = Buffer.alloc(kernel.encodePayload(size, 200, 4_000_000_000));
      kernel.copyFrame(frame, 0);
      assert.deepEqual(frame, frameOf({ codecId: 200, payload, contentSize: 4_000_000_000 }));
    }
  });

  test("refuses a payload over the limit", () => {
    for (const size of [-1, MAX_BYTES + 1, Number.NaN]) assert.throws(() => kernel.encodePayload(size, 4, 5), RangeError);
  });
});

suite("putText()", () => {
  test("frames any text as its UTF-8", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 300 }), (text) => {
        const content = Buffer.from(text);
        assert.equal(kernel.putText(text), content.length);
        const frame = Buffer.alloc(kernel.encodeStored());
        kernel.copyFrame(frame, 0);
        assert.deepEqual(frame, frameOf({ payload: content }));
      }),
    );
  });

  test("puts a replacement in the place of half a character", () => {
    assert.equal(kernel.putText("a\ud800b"), 5);
    assert.equal(kernel.content.toString("hex", 0, 5), "61efbfbd62");
  });

  test("takes as much text as always fits, and no more", () => {
    assert.equal(kernel.putText("値".repeat(349_525)), 1_048_575);
    kernel.putContent(Buffer.from("before"));
    assert.equal(kernel.putText("a".repeat(349_526)), -1);
    assert.deepEqual(kernel.content.toString("latin1", 0, 6), "before");
  });
});

suite("openContent()", () => {
  test("gives out what another decompressor wrote", () => {
    for (const size of [0, 1, 40, 3000]) {
      decode(encode("encodeStored", records(500)));
      kernel.content.set(records(size));
      kernel.openContent(size);
      const target = Buffer.alloc(size);
      assert.equal(kernel.copyContent(target, 0), size);
      assert.deepEqual(target, records(size));
      assert.equal(kernel.readText(), records(size).toString());
    }
  });

  test("refuses content over the limit", () => {
    for (const size of [-1, MAX_BYTES + 1, Number.NaN]) assert.throws(() => kernel.openContent(size), RangeError);
  });
});

suite("frame", () => {
  test("is what was put in, where its payload is", () => {
    const frame = frameOf({ codecId: 4, payload: noise(100), contentSize: 200 });
    assert.equal(kernel.putFrame(frame), 118);
    frame.fill(0);
    assert.deepEqual(kernel.frame.subarray(0, 118), frameOf({ codecId: 4, payload: noise(100), contentSize: 200 }));
    assert.deepEqual(kernel.payload.subarray(0, 100), noise(100));
  });
});

suite("copyFrame(), copyContent(), copyPayload()", () => {
  test("write their bytes and no others, in the middle of any Uint8Array", () => {
    for (const size of [0, 1, 15, 16, 17, 40, 600, 1261, 1262, 1263, 1280, 1281, 5000]) {
      const content = noise(size);
      const frame = frameOf({ payload: content });
      for (const target of [new Uint8Array(size + 100), Buffer.alloc(size + 100)]) {
        target.fill(0xee);
        kernel.putContent(content);
        assert.equal(kernel.encodeStored(), size + 18);
        assert.equal(kernel.copyFrame(target, 7), size + 18);
        assert.deepEqual(Buffer.from(target), Buffer.concat([Buffer.alloc(7, 0xee), frame, Buffer.alloc(75, 0xee)]));
        target.fill(0xee);
        kernel.putFrame(frame);
        assert.equal(kernel.decodeFrame(MAX_BYTES), size);
        assert.equal(kernel.copyContent(target, 7), size);
        assert.deepEqual(Buffer.from(target), Buffer.concat([Buffer.alloc(7, 0xee), content, Buffer.alloc(93, 0xee)]));
      }
    }
  });

  test("refuse a target without room, and change nothing there", () => {
    for (const size of [3, 100, 2000]) {
      const block = compress(records(size));
      const frame = encode("encodeStored", records(size));
      kernel.putFrame(frame);
      kernel.decodeFrame(MAX_BYTES);
      const target = Buffer.alloc(size + 18, 0xee);
      for (const offset of [-1, Number.NaN, size + 19]) assert.throws(() => kernel.copyFrame(target, offset), RangeError);
      assert.throws(() => kernel.copyFrame(target, 1), RangeError);
      assert.throws(() => kernel.copyContent(target, 19), RangeError);
      assert.throws(() => kernel.copyPayload(target, target.length - block.length + 1), RangeError);
      assert.ok(target.every((byte) => byte === 0xee));
    }
  });
});

suite("decodeFrame()", () => {
  test("restores any content that was encoded", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 3000 }), (bytes) => {
        for (const method of ["encodeStored", "encodeLz4"] as const) {
          assert.deepEqual(decode(encode(method, bytes)), Buffer.from(bytes));
        }
      }),
    );
  });

  test("names the first check that fails", () => {
    const good = frameOf({});
    const damaged = Buffer.from(good);
    damaged[17] = 0;
    const corrupt = frameOf({ codecId: 3, payload: Buffer.from("1041000050414141", "hex"), contentSize: 10 });
    const cases: readonly (readonly [Buffer, number, number])[] = [
      [Buffer.alloc(0), 100, KernelStatus.INVALID],
      [good.subarray(0, 3), 100, KernelStatus.INVALID],
      [Buffer.concat([Buffer.from("RVC1"), good.subarray(4)]), 100, KernelStatus.INVALID],
      [good.subarray(0, 4), 100, KernelStatus.TRUNCATED],
      [good.subarray(0, 17), 100, KernelStatus.TRUNCATED],
      [frameOf({ version: 1 }), 100, KernelStatus.VERSION],
      [frameOf({ version: 3 }), 0, KernelStatus.VERSION],
      [good, 2, KernelStatus.SIZE_LIMIT],
      [frameOf({ contentSize: 2 ** 32 - 1 }), Number.MAX_SAFE_INTEGER, KernelStatus.SIZE_LIMIT],
      [frameOf({ codecId: 3, contentSize: MAX_BYTES + 1 }), 2 ** 32, KernelStatus.SIZE_LIMIT],
      [frameOf({ contentSize: 4 }), 100, KernelStatus.SIZE_MISMATCH],
      [frameOf({ contentSize: 2 }), 100, KernelStatus.SIZE_MISMATCH],
      [frameOf({ codecId: 3 }), 100, KernelStatus.SIZE_MISMATCH],
      [damaged, 100, KernelStatus.CHECKSUM_MISMATCH],
      [frameOf({ codecId: 4, contentSize: 10 }), 100, KernelStatus.UNKNOWN_ID],
      [corrupt, 100, KernelStatus.PAYLOAD_CORRUPT],
    ];
    for (const [frame, limit, status] of cases) assert.equal(decode(frame, limit), status, frame.toString("hex"));
  });

  test("does not take what an earlier frame left for the rest of a shorter one", () => {
    const frame = encode("encodeLz4", records(500));
    for (let size = 0; size < frame.length; size++) {
      assert.ok(Buffer.isBuffer(decode(frame)));
      assert.ok(Number(decode(frame.subarray(0, size))) < 0);
    }
  });

  test("refuses every flipped bit of the payload and of the checksum", () => {
    for (const frame of [encode("encodeLz4", patchwork(300)), encode("encodeStored", noise(40))]) {
      for (const damaged of flipsOf(frame)) {
        const isSizeOrId = damaged.subarray(5, 10).compare(frame.subarray(5, 10)) !== 0;
        if (!isSizeOrId) assert.ok(Number(decode(damaged)) < 0);
      }
    }
  });

  test("restores the right content or refuses when bits of the header flip", () => {
    const content = patchwork(300);
    for (const damaged of flipsOf(encode("encodeLz4", content).subarray(0, 18))) {
      const frame = Buffer.concat([damaged, encode("encodeLz4", content).subarray(18)]);
      const result = decode(frame);
      assert.ok(Number(result) < 0);
    }
  });

  test("leaves no content to be copied after a refusal", () => {
    assert.ok(Buffer.isBuffer(decode(frameOf({}))));
    assert.equal(decode(frameOf({}), 2), KernelStatus.SIZE_LIMIT);
    assert.equal(kernel.copyContent(Buffer.alloc(0), 0), 0);
    assert.equal(kernel.readText(), "");
  });

  test("refuses a frame over the limit before it touches any memory", () => {
    assert.throws(() => kernel.putFrame(Buffer.alloc(MAX_BYTES + 19)), RangeError);
  });
});

suite("checkFrame()", () => {
  test("gives the content size, whatever the compressor", () => {
    assert.equal(check(frameOf({})), 3);
    for (const codecId of [1, 2, 3, 4, 77, 255]) assert.equal(check(frameOf({ codecId, contentSize: 10 })), 10);
    assert.equal(check(frameOf({ codecId: 4, contentSize: 2 ** 31 - 1 }), 2 ** 32), 2 ** 31 - 1);
    assert.equal(check(frameOf({ codecId: 4, contentSize: 2 ** 31 }), 2 ** 32), KernelStatus.SIZE_LIMIT);
  });

  test("names the first check that fails", () => {
    assert.equal(check(frameOf({ codecId: 4, contentSize: 3 })), KernelStatus.SIZE_MISMATCH);
    assert.equal(check(frameOf({ codecId: 4, contentSize: 10 }), 9), KernelStatus.SIZE_LIMIT);
    const damaged = frameOf({ codecId: 4, contentSize: 10 });
    damaged[18] = 0;
    assert.equal(check(damaged), KernelStatus.CHECKSUM_MISMATCH);
  });
});
