import assert from "node:assert/strict";
import { decode as decodeMessagePack } from "@msgpack/msgpack";
import { createValueCodec, isFrame } from "@tightwire/codec-core";
import { brotli, deflate, json, lz4, msgpack, type PrefixRule, zstd } from "@tightwire/ioredis";
import { assertHeld, isHeldRaw } from "./held.ts";

/** Numbers from 0 to 1, the same for the same seed. */
export type Random = () => number;

export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  // mulberry32
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function pick<T>(random: Random, items: readonly T[]): T {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new RangeError("there is nothing to pick from");
  return item;
}

/** A value that a test writes, and what its readers must get. */
export class Value {
  readonly input: unknown;
  readonly prefix: string;
  #text: string | undefined;
  #content: Buffer | undefined;

  constructor(input: unknown, prefix: string) {
    this.input = input;
    this.prefix = prefix;
  }

  /** What a reader of strings gets; of an object its JSON. */
  get text(): string {
    this.#text ??= toText(this.input);
    return this.#text;
  }

  get content(): Buffer {
    this.#content ??= this.input instanceof Buffer ? this.input : Buffer.from(this.text);
    return this.#content;
  }

  equals(reply: unknown): boolean {
    if (reply instanceof Buffer) return reply.equals(this.content);
    return typeof reply === "object" ? JSON.stringify(reply) === this.text : reply === this.text;
  }
}

function toText(input: unknown): string {
  if (typeof input === "string") return input;
  return input instanceof Buffer ? input.toString() : JSON.stringify(input);
}

/** A key prefix: its rule, its values, and how Redis must hold them. */
export interface Kind {
  readonly prefix: string;
  /** It has a serializer: its `*Buffer` replies are serialized content. */
  readonly typed: boolean;
  readonly rule: PrefixRule | undefined;
  readonly make: (random: Random, serial: number) => unknown;
  readonly assertHeld: (held: Buffer, value: Value, what: string) => void;
}

const MIN_BYTES = 10;
const MAX_BYTES = 20 * 1024;

/** From 10 B to 20 KiB, small ones as often as large ones by order of magnitude. */
function pickSize(random: Random): number {
  return Math.floor(MIN_BYTES * (MAX_BYTES / MIN_BYTES) ** random());
}

// No character of two UTF-16 units: it could be cut in half.
const TEXT: string = JSON.stringify(
  Array.from({ length: 900 }, (_, id) => ({ id, name: `Åsa №${id * 7919}`, mood: "日本", score: (id * 37) % 101 })),
);
const seeded: Random = createRandom(7);
const BYTES: Buffer = Buffer.from(Array.from({ length: 2 * MAX_BYTES }, () => Math.floor(seeded() * 256)));
const MAGIC: Buffer = Buffer.from("52564300", "hex");

function makeText(random: Random, serial: number): string {
  const start = Math.floor(random() * (TEXT.length - MAX_BYTES));
  return `${serial} ${TEXT.slice(start, start + pickSize(random))}`;
}

function makeBytes(random: Random, serial: number): Buffer {
  const start = Math.floor(random() * MAX_BYTES);
  const bytes = Buffer.from(BYTES.subarray(start, start + pickSize(random)));
  bytes.writeUInt32LE(serial, 0);
  return bytes;
}

function makeFrameLike(random: Random, serial: number): Buffer {
  return Buffer.concat([MAGIC, makeBytes(random, serial)]);
}

/** Text, bytes, numbers, and now and then what looks like a frame. */
function makePlain(random: Random, serial: number): string | number | Buffer {
  const share = random();
  if (share < 0.6) return makeText(random, serial);
  if (share < 0.85) return makeBytes(random, serial);
  return share < 0.95 ? serial : makeFrameLike(random, serial);
}

function makeObject(random: Random, serial: number): object {
  return { serial, text: makeText(random, serial), tags: ["a", serial % 10, null, true], none: {} };
}

const codec = createValueCodec();

function assertFramed(held: Buffer, content: (decoded: Buffer) => Buffer, value: Value, what: string): void {
  assert.ok(isFrame(held), `${what}: held as a frame`);
  assert.ok(content(codec.decode(held)).equals(value.content), `${what}: the frame's content`);
}

function assertAsItIs(held: Buffer, value: Value, what: string): void {
  assert.ok(held.equals(value.content), `${what}: held as it is`);
}

function assertSmaller(held: Buffer, value: Value, what: string): void {
  const { content } = value;
  if (isHeldRaw(content) || !isFrame(held)) {
    assertAsItIs(held, value, what);
    return;
  }
  const reserved = isFrame(content) || content[0] === 0xc1;
  assert.ok(held.length < content.length || reserved, `${what}: the frame is smaller`);
  assertFramed(held, (decoded) => decoded, value, what);
}

/** Rules that differ in everything that decides what Redis holds, a prefix that is raw, and one without a rule. */
export const KINDS: readonly Kind[] = [
  {
    prefix: "page:",
    typed: false,
    rule: { compressor: lz4() },
    make: makePlain,
    assertHeld: (held, value, what) => assertHeld(held, value.content, what),
  },
  {
    prefix: "feed:",
    typed: false,
    rule: { compressor: brotli({ quality: 1 }), frameVersion: 1, minFrameBytes: 0, numbers: "framed" },
    make: makePlain,
    assertHeld: (held, value, what) => assertFramed(held, (decoded) => decoded, value, what),
  },
  {
    prefix: "small:",
    typed: false,
    rule: { compressor: deflate(), frame: "when-smaller" },
    make: makePlain,
    assertHeld: assertSmaller,
  },
  {
    prefix: "doc:",
    typed: true,
    rule: { compressor: zstd(), serializer: json() },
    make: makeObject,
    assertHeld: (held, value, what) => assertFramed(held, (decoded) => decoded, value, what),
  },
  {
    prefix: "pack:",
    typed: true,
    rule: { compressor: zstd({ level: 1 }), serializer: msgpack() },
    make: makeObject,
    assertHeld: (held, value, what) =>
      assertFramed(held, (decoded) => Buffer.from(JSON.stringify(decodeMessagePack(decoded))), value, what),
  },
  { prefix: "page:raw:", typed: false, rule: "raw", make: makePlain, assertHeld: assertAsItIs },
  { prefix: "other:", typed: false, rule: undefined, make: makePlain, assertHeld: assertAsItIs },
];

export const KIND_RULES: { readonly prefixes: Readonly<Record<string, PrefixRule>> } = {
  prefixes: Object.fromEntries(KINDS.flatMap(({ prefix, rule }) => (rule === undefined ? [] : [[prefix, rule] as const]))),
};
