import assert from "node:assert/strict";
import { suite, test } from "node:test";
import fc from "fast-check";
import { matchesChecksum, writeChecksum } from "../src/checksum.ts";
import { checksumOf } from "./support/frames.ts";

function checksum(version: 1 | 2, payload: Uint8Array): string {
  const target = Buffer.alloc(12, 0xee);
  writeChecksum(version, payload, target, 2);
  assert.equal(target.toString("hex", 0, 2) + target.toString("hex", 10), "eeeeeeee");
  return target.toString("hex", 2, 10);
}

suite("writeChecksum()", () => {
  test("gives the published vectors", () => {
    assert.equal(checksum(1, Buffer.from("abc")), "ba7816bf8f01cfea");
    assert.equal(checksum(2, Buffer.from("abc")), "50392f89945faf78");
    assert.equal(checksum(1, Buffer.alloc(0)), "e3b0c44298fc1c14");
    assert.equal(checksum(2, Buffer.alloc(0)), "c294d3380580062d");
  });

  test("agrees with independent calls for any bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 600 }), (payload) => {
        for (const version of [1, 2] as const)
          assert.equal(checksum(version, payload), checksumOf(version, payload).toString("hex"));
      }),
    );
  });
});

suite("matchesChecksum()", () => {
  test("holds for the right eight bytes alone", () => {
    const payload = Buffer.from("payload");
    for (const version of [1, 2] as const) {
      const source = Buffer.concat([Buffer.alloc(3), checksumOf(version, payload)]);
      assert.ok(matchesChecksum(version, payload, source, 3));
      for (let index = 3; index < 11; index++) {
        const damaged = Buffer.from(source);
        damaged[index] = (damaged[index] as number) ^ 0x80;
        assert.equal(matchesChecksum(version, payload, damaged, 3), false);
      }
    }
  });
});
