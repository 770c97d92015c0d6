import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { createCodecClasses, valueCodecOf, withValueCodec } from "@tightwire/ioredis";
import Mock from "ioredis-mock";
import { assertHeldRaw } from "./support/held.ts";

const RULES = { prefixes: { "": { minFrameBytes: 0 } }, channels: { "": {} } };
const PAGE = "<li>the same line</li>\n".repeat(100);

interface Warning extends Error {
  readonly code?: string;
}

/** What is wrapped, and the warning that comes of it. */
async function warningOf<C>(make: () => C): Promise<[C, Warning]> {
  const warned = once(process, "warning") as Promise<[Warning]>;
  const made = make();
  const [warning] = await warned;
  return [made, warning];
}

const WAYS = {
  "a wrapped client": () => withValueCodec(new Mock(), RULES),
  "a codec class": () => new (createCodecClasses({ Redis: Mock }, RULES).Redis)(),
};

for (const [name, make] of Object.entries(WAYS)) {
  test(`${name} of ioredis-mock warns that it is inert, and holds values raw`, async (t) => {
    const [made, warning] = await warningOf(make);
    const client = made as unknown as InstanceType<typeof Mock>;
    t.after(() => client.disconnect());
    assert.equal(warning.code, "TIGHTWIRE_INERT");
    assert.equal(warning.name, "TightwireWarning");
    await client.set("page", PAGE);
    await client.hset("hash", { body: PAGE });
    assertHeldRaw(await client.getBuffer("page"));
    assert.equal(await client.get("page"), PAGE);
    assert.deepEqual(await client.hgetall("hash"), { body: PAGE });
    assert.deepEqual(await client.multi().get("page").append("page", "!").exec(), [
      [null, PAGE],
      [null, PAGE.length + 1],
    ]);
    assert.deepEqual([valueCodecOf(client).stats()[""]?.encoded, valueCodecOf(client).stats()[""]?.raw], [0, 0]);
  });
}

test("a Cluster of ioredis-mock warns too", async (t) => {
  const [cluster, warning] = await warningOf(() => withValueCodec(new Mock.Cluster([{ host: "localhost", port: 7001 }]), RULES));
  t.after(() => (cluster as unknown as InstanceType<typeof Mock>).disconnect());
  assert.equal(warning.code, "TIGHTWIRE_INERT");
});
