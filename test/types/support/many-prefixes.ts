/**
 * A program with so many prefixes and calls, of every kind that works out a key's type.
 *
 * @param prefixes how many, each with a type of its own
 * @param calls how many
 */
export function writeManyPrefixes(prefixes: number, calls: number): string {
  const each = Array.from({ length: prefixes }, (_, index) => index);
  return [
    'import { json, withValueCodec } from "@tightwire/ioredis";',
    'import { Redis } from "ioredis";',
    ...each.map((index) => `interface Value${index} { n${index}: number; tags: { tag: string }[] }`),
    "export const redis = withValueCodec(new Redis(), { prefixes: {",
    ...each.map((index) => `  "prefix${index}:": { serializer: json<Value${index}>() },`),
    "} });",
    "declare const id: string;",
    ...Array.from({ length: calls }, (_, index) => writeCall(index, index % prefixes)),
    "",
  ].join("\n");
}

function writeCall(index: number, prefix: number): string {
  const key = `prefix${prefix}:${index}`;
  const value = `{ n${prefix}: 1, tags: [{ tag: "a" }] }`;
  const kinds = [
    `redis.get("${key}").then((value) => value?.n${prefix});`,
    `redis.get(\`prefix${prefix}:\${id}:${index}\`);`,
    `redis.mget("${key}", "other:${index}");`,
    `redis.set("${key}", ${value}, "EX", 10);`,
    `redis.mset("${key}", ${value}, "${key}:more", ${value});`,
    `redis.hset("${key}", "field", ${value});`,
    `redis.lpush("${key}", ${value});`,
    `redis.pipeline().set("${key}", ${value}).expire("${key}", 1).get("${key}").exec();`,
  ];
  return kinds[index % kinds.length] ?? "";
}
