import assert from "node:assert/strict";
import { suite, test } from "node:test";
import fc from "fast-check";
import * as frames from "../src/frame.ts";
import { assertCode, codeOf, flipsOf, frameOf, noise } from "./support/frames.ts";

suite("isFrame()", () => {
  test("looks at the four bytes of the magic and nothing else", () => {
    assert.ok(frames.isFrame(frameOf({})));
    assert.ok(frames.isFrame(Buffer.from("RVC\0")));
    for (const bytes of ["", "R", "RVC", "RVC1", "rvc\0", " RVC\0"]) assert.equal(frames.isFrame(Buffer.from(bytes)), false);
  });
});

suite("readFrameHeader()", () => {
  test("reads every field without judging it", () => {
    const frame = frameOf({ version: 9, codecId: 77, contentSize: 0xffff_fffe, payload: Buffer.from("abc") });
    const checksum = frame.subarray(10, 18);
    const expected = { version: 9, codecId: 77, contentSize: 0xffff_fffe, payloadSize: 3, checksum };
    assert.deepEqual(frames.readFrameHeader(frame), expected);
  });

  test("copies the checksum", () => {
    const frame = frameOf({});
    const header = frames.readFrameHeader(frame);
    frame.fill(0);
    assert.equal(header?.checksum.toString("hex"), "50392f89945faf78");
    assert.ok(Object.isFrozen(header));
  });

  test("copies it from bytes whose class makes something else of a part of them", () => {
    class Packet extends Uint8Array {
      constructor(from: number | ArrayBuffer) {
        super(typeof from === "number" ? from : 30);
      }
    }
    const packet = new Packet(21);
    packet.set(frameOf({}));
    assert.deepEqual(frames.readFrameHeader(packet), frames.readFrameHeader(frameOf({})));
  });

  test("gives undefined without magic or without 18 bytes", () => {
    assert.equal(frames.readFrameHeader(frameOf({}).subarray(1)), undefined);
    assert.equal(frames.readFrameHeader(frameOf({}).subarray(0, 17)), undefined);
    assert.equal(frames.readFrameHeader(Buffer.alloc(0)), undefined);
  });
});

test("codecIdOf() and contentSizeOf() say what readFrameHeader() says", () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 14, maxLength: 40 }), (rest) => {
      const frame = Buffer.concat([Buffer.from("RVC\0"), rest]);
      const header = frames.readFrameHeader(frame);
      assert.equal(frames.codecIdOf(frame), header?.codecId);
      assert.equal(frames.contentSizeOf(frame), header?.contentSize);
    }),
  );
});

suite("sealFrame()", () => {
  test("writes the published vectors", () => {
    const target = Buffer.alloc(23, 0xee);
    target.write("abc", 19);
    assert.equal(frames.sealFrame(target, 1, 1, 0, 3, 3), 21);
    assert.equal(target.toString("hex"), "ee5256430001 0003000000 ba7816bf8f01cfea616263ee".replaceAll(" ", ""));
    assert.equal(frames.sealFrame(target, 1, 2, 0, 3, 3), 21);
    assert.equal(target.toString("hex"), "ee5256430002 0003000000 50392f89945faf78616263ee".replaceAll(" ", ""));
  });

  test("writes what an independent writer does", () => {
    const anyFrame = fc.record({
      version: fc.constantFrom(1 as const, 2 as const),
      codecId: fc.integer({ min: 0, max: 255 }),
      contentSize: fc.integer({ min: 0, max: 0xffff_ffff }),
      payload: fc.uint8Array({ maxLength: 100 }),
    });
    fc.assert(
      fc.property(anyFrame, ({ version, codecId, contentSize, payload }) => {
        const target = Buffer.alloc(18 + payload.length);
        target.set(payload, 18);
        frames.sealFrame(target, 0, version, codecId, contentSize, payload.length);
        assert.deepEqual(target, frameOf({ version, codecId, contentSize, payload }));
      }),
    );
  });
});

suite("assertFrame()", () => {
  test("refuses bytes without the magic, however few", () => {
    for (const bytes of [Buffer.alloc(0), Buffer.from("RVC"), Buffer.from("123"), noise(100)]) {
      assertCode(() => frames.assertFrame(bytes), "CODEC_FRAME_INVALID", { frameSize: bytes.length });
    }
  });

  test("refuses a header that was cut", () => {
    const frame = frameOf({});
    for (let size = 4; size < 18; size++) {
      assertCode(() => frames.assertFrame(frame.subarray(0, size)), "CODEC_FRAME_TRUNCATED", { frameSize: size });
    }
  });

  test("refuses a version that is neither 1 nor 2", () => {
    for (const version of [0, 3, 0xff]) {
      assertCode(() => frames.assertFrame(frameOf({ version })), "CODEC_FRAME_VERSION", { version });
    }
  });
});

suite("assertFrameSizes()", () => {
  test("accepts content up to the limit, to the byte", () => {
    frames.assertFrameSizes(frameOf({ payload: Buffer.alloc(10) }), 10);
    const facts = { contentSize: 10, limit: 9, codecId: 0, version: 2, payloadSize: 10, frameSize: 28 };
    assertCode(() => frames.assertFrameSizes(frameOf({ payload: Buffer.alloc(10) }), 9), "CODEC_SIZE_LIMIT", facts);
  });

  test("reads the content size as unsigned", () => {
    const frame = frameOf({ codecId: 4, contentSize: 0xffff_ffff });
    assertCode(() => frames.assertFrameSizes(frame, 8_388_608), "CODEC_SIZE_LIMIT", { contentSize: 0xffff_ffff });
  });

  test("wants a stored payload to be exactly as long as its content", () => {
    for (const contentSize of [0, 2, 4]) {
      assertCode(() => frames.assertFrameSizes(frameOf({ contentSize }), 100), "CODEC_SIZE_MISMATCH", {
        contentSize,
        payloadSize: 3,
      });
    }
  });

  test("wants a compressed payload to be shorter than its content", () => {
    for (const contentSize of [0, 1, 2, 3]) {
      assertCode(() => frames.assertFrameSizes(frameOf({ codecId: 3, contentSize }), 100), "CODEC_SIZE_MISMATCH");
    }
    frames.assertFrameSizes(frameOf({ codecId: 3, contentSize: 4 }), 100);
  });
});

suite("assertFrameChecksum()", () => {
  test("refuses every flipped bit of checksum and payload", () => {
    for (const version of [1, 2]) {
      const frame = frameOf({ version });
      frames.assertFrameChecksum(frame);
      for (const damaged of flipsOf(frame.subarray(10))) {
        const whole = Buffer.concat([frame.subarray(0, 10), damaged]);
        assertCode(() => frames.assertFrameChecksum(whole), "CODEC_CHECKSUM_MISMATCH", { version });
      }
    }
  });

  test("refuses the other version's checksum", () => {
    for (const version of [1, 2]) {
      const frame = frameOf({ version });
      frame[4] = 3 - version;
      assert.equal(
        codeOf(() => frames.assertFrameChecksum(frame)),
        "CODEC_CHECKSUM_MISMATCH",
      );
    }
  });
});

suite("isDamagedFrame()", () => {
  const healthy = [
    frameOf({ version: 1 }),
    frameOf({ version: 2 }),
    frameOf({ payload: Buffer.alloc(0) }),
    frameOf({ codecId: 4, contentSize: 4000, payload: noise(40) }),
    frameOf({ codecId: 16, contentSize: 4000, payload: noise(40) }),
    frameOf({ codecId: 255, contentSize: 4000, payload: noise(40) }),
  ];

  test("recognises a frame whose magic alone is damaged", () => {
    for (const frame of healthy) {
      assert.equal(frames.isDamagedFrame(frame), false);
      for (const magic of flipsOf(frame.subarray(0, 4)))
        assert.ok(frames.isDamagedFrame(Buffer.concat([magic, frame.subarray(4)])));
      assert.ok(frames.isDamagedFrame(Buffer.concat([Buffer.from("\xef\xbf\xbdV", "latin1"), frame.subarray(4)])));
    }
  });

  test("needs a header that could be one", () => {
    const unlikely = [
      frameOf({ version: 0 }),
      frameOf({ version: 3 }),
      frameOf({ codecId: 5, contentSize: 100 }),
      frameOf({ codecId: 15, contentSize: 100 }),
      frameOf({ contentSize: 4 }),
      frameOf({ codecId: 1, contentSize: 3 }),
    ];
    for (const frame of unlikely) {
      frame[0] = 0;
      assert.equal(frames.isDamagedFrame(frame), false);
    }
  });

  test("needs the checksum to match", () => {
    for (const frame of healthy) {
      const damaged = Buffer.from(frame);
      damaged[0] = 0;
      damaged[12] = (damaged[12] as number) ^ 1;
      assert.equal(frames.isDamagedFrame(damaged), false);
    }
  });

  test("never throws", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => frames.isDamagedFrame(bytes) === false || bytes.length >= 18),
    );
    const detached = new Uint8Array(40);
    structuredClone(detached.buffer, { transfer: [detached.buffer] });
    assert.equal(frames.isDamagedFrame(detached), false);
  });
});

suite("isReservedContent()", () => {
  test("is true of whatever begins with the magic, whole or not", () => {
    for (const bytes of [frameOf({}), Buffer.from("RVC\0"), Buffer.from("RVC\0 but no frame")])
      assert.ok(frames.isReservedContent(bytes));
  });

  test("is true of whatever begins with c1", () => {
    assert.ok(frames.isReservedContent(Buffer.from([0xc1])));
    assert.ok(frames.isReservedContent(Buffer.from([0xc1, 0x02, 0x03])));
  });

  test("is true of what a reader would take for a damaged frame", () => {
    const damaged = frameOf({});
    damaged[2] = 0;
    assert.ok(frames.isReservedContent(damaged));
  });

  test("is false of everything else", () => {
    const others = ["", "R", "RVC", "123", '{"a":1}', "é", "x".repeat(100)].map((text) => Buffer.from(text));
    for (const bytes of [...others, Buffer.from([0xc0, 0xc1]), noise(64)]) assert.equal(frames.isReservedContent(bytes), false);
  });

  test("is false of any text that does not begin with the magic", () => {
    const anyText = fc.string({ unit: "binary" }).filter((text) => !text.startsWith("RVC\0"));
    fc.assert(fc.property(anyText, (text) => !frames.isReservedContent(Buffer.from(text))));
  });
});

suite("factsOf()", () => {
  test("tells numbers alone", () => {
    const facts = frames.factsOf(frameOf({ version: 1, codecId: 3, contentSize: 9, payload: Buffer.from("secret") }));
    assert.deepEqual(facts, { version: 1, codecId: 3, frameSize: 24, contentSize: 9, payloadSize: 6 });
  });
});
