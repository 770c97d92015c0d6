// Values that travel: messages of channels, and entries of a stream that a group of consumers works through.
import assert from "node:assert/strict";
import { isCodecError, json, lz4, withValueCodec } from "@tightwire/ioredis";
import { Redis } from "ioredis";

interface Measurement {
  readonly station: string;
  readonly values: readonly number[];
}

const url = process.env["REDIS_URL"] ?? "redis://127.0.0.1:6379";
const measurements = { compressor: lz4(), serializer: json<Measurement>() };
const rules = {
  prefixes: { "measurements:": measurements },
  channels: { "live.": measurements },
};

const bare = new Redis(url);
const redis = withValueCodec(new Redis(url), rules);
const subscriber = redis.duplicate();
// A damaged message is dropped and reported here; without a listener it is printed, and the process lives on.
subscriber.on("error", (error: Error) => console.log(`dropped: ${isCodecError(error) ? error.code : error.message}`));

const stream = "measurements:stream";
const measure = (station: string): Measurement => ({
  station,
  values: Array.from({ length: 200 }, (_, hour) => 20 + (hour % 24) / 10),
});

try {
  // Channels: an object in, the same object out, a frame on the wire.
  await subscriber.subscribe("live.north");
  const heard = new Promise<[channel: string, message: unknown]>((resolve) => {
    subscriber.once("message", (...args: [string, unknown]) => resolve(args));
  });
  await bare.publish("live.north", "not JSON");
  await redis.publish("live.north", measure("north"));
  const [channel, message] = await heard;
  assert.deepEqual(message, measure("north"));
  console.log(`${channel}: a measurement of ${(message as Measurement).values.length} values`);

  // Streams: each field's value is encoded by itself; ids and field names stay as they are.
  await bare.xgroup("CREATE", stream, "workers", "0", "MKSTREAM");
  await redis.xadd(stream, "*", "measurement", measure("north"));
  await bare.xadd(stream, "*", "measurement", "{ damaged");
  await redis.xadd(stream, "*", "measurement", measure("south"));

  // One bad entry neither hides the good ones nor comes back for ever: the error carries the whole reply, and the entry's id.
  const worker = ["GROUP", "workers", "one", "COUNT", 10, "STREAMS", stream, ">"] as const;
  const error = await redis.xreadgroup(...worker).then(
    () => assert.fail("one entry is damaged"),
    (reason: unknown) => reason,
  );
  assert.ok(isCodecError(error));
  const [[, entries]] = error.reply as [[string, [id: string, fields: [string, unknown]][]]];
  for (const [id, [, value]] of entries) {
    if (isCodecError(value)) console.log(`${value.code}: acknowledged and left out`);
    else console.log(`${(value as Measurement).station}: processed`);
    assert.equal(await redis.xack(stream, "workers", id), 1);
  }
  assert.equal(entries.length, 3);
} finally {
  await bare.del(stream);
  subscriber.disconnect();
  await Promise.all([redis.quit(), bare.quit()]);
}
