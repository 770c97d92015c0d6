// Values shared with .NET programs that use Respire: the same bytes, written by either side.
import assert from "node:assert/strict";
import { lz4, withValueCodec } from "@tightwire/ioredis";
import { Redis } from "ioredis";

const url = process.env["REDIS_URL"] ?? "redis://127.0.0.1:6379";
const bare = new Redis(url);
const redis = withValueCodec(new Redis(url), {
  prefixes: {
    "interop:v1:": { compressor: lz4(), frameVersion: 1, minCompressBytes: 1024, minFrameBytes: 0, numbers: "framed" },
    "interop:v2:": { compressor: lz4(), frameVersion: 2, minCompressBytes: 1024, minFrameBytes: 0, numbers: "framed" },
  },
});

// Frames as Respire publishes them: "abc" and the empty value, stored, in both versions of the header.
const written = [
  { key: "interop:v1:text", value: "abc", frame: "525643000100" + "03000000" + "ba7816bf8f01cfea" + "616263" },
  { key: "interop:v2:text", value: "abc", frame: "525643000200" + "03000000" + "50392f89945faf78" + "616263" },
  { key: "interop:v1:empty", value: "", frame: "525643000100" + "00000000" + "e3b0c44298fc1c14" },
  { key: "interop:v2:empty", value: "", frame: "525643000200" + "00000000" + "c294d3380580062d" },
];

try {
  for (const { key, value, frame } of written) {
    await redis.set(key, value);
    assert.equal((await bare.getBuffer(key))?.toString("hex"), frame);
    console.log(`${key} holds ${frame}, as Respire writes it`);
  }

  // What a Respire writer leaves behind is read whatever it was compressed with: the frame says so itself.
  await bare.set("interop:v2:text", Buffer.from(written[0]?.frame ?? "", "hex"));
  assert.equal(await redis.get("interop:v2:text"), "abc");
  console.log("a frame of version 1 under a prefix that writes version 2 is read as well");

  // Numbers are framed too, since Respire frames every value: such a prefix cannot be counted with INCR.
  await redis.set("interop:v2:number", "42");
  await assert.rejects(redis.incr("interop:v2:number"), /not an integer/);
  assert.equal(await redis.get("interop:v2:number"), "42");
  console.log("a number is a value like any other here: GET gives 42, INCR is refused by Redis");
} finally {
  await bare.del(...written.map(({ key }) => key), "interop:v2:number");
  await Promise.all([redis.quit(), bare.quit()]);
}
