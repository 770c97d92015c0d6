import assert from "node:assert/strict";
import { createValueCodec, isFrame, msgpack } from "@tightwire/codec-core";
import type { Redis } from "../../support/ioredis-versions.ts";
import type { Outcome, Style } from "./calls.ts";
import type { TestRedis } from "./clients.ts";
import { isHeldRaw } from "./held.ts";
import { PLAIN_SAMPLES, type Samples, TYPED_SAMPLES, type ValueScript } from "./typed-scripts.ts";

/**
 * How the values of a rule are compared with a bare client, which is given text in their place that no reply of Redis begins
 * with. Each form is written anew here, so that the wrapper is not measured by itself.
 */
export interface ValueForm {
  readonly samples: Samples;
  /** What the rule holds raw. */
  readonly isRaw: (value: unknown, content: Buffer) => boolean;
  /** The bytes of a value, as a `*Buffer` method returns them. */
  readonly contentOf: (value: unknown) => Buffer;
  /** Whether values are anything but strings and bytes. */
  readonly typed: boolean;
}

const MARK = "\u0001value:";
const codec = createValueCodec();
const packer = msgpack();

function plainContent(value: unknown): Buffer {
  return value instanceof Buffer ? value : Buffer.from(String(value));
}

const isNumber = (value: unknown): boolean => typeof value === "number";
const isShortText = (value: unknown): boolean => typeof value === "string" && Buffer.byteLength(value) < 65;
const isDigits = (value: unknown): boolean => typeof value === "string" && /^\d+$/.test(value);

export const PLAIN_FORM: ValueForm = {
  samples: PLAIN_SAMPLES,
  isRaw: (_value, content) => isHeldRaw(content),
  contentOf: plainContent,
  typed: false,
};

/** Keys under no rule, under a raw one, or of a type that the rule does not cover. */
export const UNRULED_FORM: ValueForm = { ...PLAIN_FORM, isRaw: () => true };

export const JSON_FORM: ValueForm = {
  samples: TYPED_SAMPLES,
  isRaw: isNumber,
  contentOf: (value) => Buffer.from(JSON.stringify(value)),
  typed: true,
};

/** Short text is held raw, because msgpack() does not take charge of values that were there before. */
export const MSGPACK_FORM: ValueForm = {
  samples: TYPED_SAMPLES,
  isRaw: (value) => isNumber(value) || (isShortText(value) && !isDigits(value)),
  contentOf: (value) =>
    Buffer.from(isNumber(value) || (isShortText(value) && !isDigits(value)) ? String(value) : packer.serialize(value)),
  typed: true,
};

/** What stands on the bare client in the place of a sample; numbers too, so that they can be told from other numbers. */
function markSamples({ samples, typed }: ValueForm): Samples {
  if (!typed) return samples;
  return Object.fromEntries(
    Object.entries(samples).map(([name, value]) => [name, MARK + JSON.stringify(value)]),
  ) as unknown as Samples;
}

/** A reply of the bare client as the wrapped one must give it: with values for marks and its own keys. */
class Translation {
  readonly #form: ValueForm;
  readonly #from: string;
  readonly #to: string;

  constructor(form: ValueForm, from: string, to: string) {
    this.#form = form;
    this.#from = from;
    this.#to = to;
  }

  of(reply: unknown): unknown {
    if (typeof reply === "string") return this.#text(reply);
    if (reply instanceof Buffer) return this.#bytes(reply);
    if (Array.isArray(reply)) return reply.map((element) => this.of(element));
    if (typeof reply !== "object" || reply === null || reply instanceof Error) return reply;
    const translated = Object.create(Object.getPrototypeOf(reply));
    for (const [name, value] of Object.entries(reply)) {
      const options = { value: this.of(value), enumerable: true, configurable: true, writable: true };
      Object.defineProperty(translated, this.#key(name), options);
    }
    return translated;
  }

  #key(name: string): string {
    return name.startsWith(this.#from) ? this.#to + name.slice(this.#from.length) : name;
  }

  #text(text: string): unknown {
    return this.#form.typed && text.startsWith(MARK) ? JSON.parse(text.slice(MARK.length)) : this.#key(text);
  }

  #bytes(bytes: Buffer): Buffer {
    const text = bytes.toString();
    if (this.#form.typed && text.startsWith(MARK)) return this.#form.contentOf(JSON.parse(text.slice(MARK.length)));
    return text.startsWith(this.#from) ? Buffer.from(this.#key(text)) : bytes;
  }
}

let runs = 0;

/**
 * Runs a script through a bare client and through a wrapped one: both must reply the same but for values and keys, and Redis
 * must hold what the rule says.
 *
 * @param prefix the prefix of the rule
 */
export async function compareValues(
  redis: TestRedis,
  style: Style,
  wrapped: Redis,
  plain: Redis,
  script: ValueScript,
  form: ValueForm,
  prefix: string,
): Promise<void> {
  const [from, to] = [`plain:${++runs}:`, `${prefix}${runs}:`];
  const expected = await style(
    plain,
    script.calls((name) => from + name, markSamples(form)),
  );
  assert.ok(expected.filter((outcome) => "reply" in outcome).length > expected.length / 2, "the bare client replies");
  const actual = await style(
    wrapped,
    script.calls((name) => to + name, form.samples),
  );
  const translation = new Translation(form, from, to);
  assert.deepStrictEqual(
    actual,
    expected.map((outcome): Outcome => ("reply" in outcome ? { reply: translation.of(outcome.reply) } : outcome)),
  );
  for (const key of script.keys) await assertHeldUnder(redis.bare, to + key, from + key, form);
}

/** What a key of any type holds, value by value, each with a name for messages. */
async function readValues(bare: Redis, key: string): Promise<(readonly [name: string, held: Buffer])[]> {
  const type = await bare.type(key);
  if (type === "string") return [[key, (await bare.getBuffer(key)) ?? Buffer.alloc(0)]];
  if (type === "list") return (await bare.lrangeBuffer(key, 0, -1)).map((held, i) => [`${key}[${i}]`, held]);
  if (type === "hash") {
    const fields = await bare.hgetallBuffer(key);
    return Object.keys(fields)
      .sort()
      .map((field) => [`${key}.${field}`, fields[field] ?? Buffer.alloc(0)]);
  }
  assert.equal(type, "stream", `${key} holds values`);
  const entries = await bare.xrangeBuffer(key, "-", "+");
  return entries.flatMap(([id, fields]) =>
    fields.flatMap((held, i) => (i % 2 === 1 ? [[`${key} ${id} ${fields[i - 1]}`, held] as const] : [])),
  );
}

async function assertHeldUnder(bare: Redis, key: string, plainKey: string, form: ValueForm): Promise<void> {
  const [held, contents] = await Promise.all([readValues(bare, key), readValues(bare, plainKey)]);
  assert.equal(held.length, contents.length, `${key}: as many values as ${plainKey}`);
  assert.ok(held.length > 0, `${key} holds something`);
  for (const [i, [name, bytes]] of held.entries()) {
    const content = contents[i]?.[1] ?? Buffer.alloc(0);
    const value: unknown = form.typed ? JSON.parse(content.toString().slice(MARK.length)) : content;
    const wanted = form.typed ? form.contentOf(value) : content;
    assert.equal(isFrame(bytes), !form.isRaw(value, wanted), `${name}: ${isFrame(bytes) ? "a frame" : "raw"}`);
    assert.deepStrictEqual(isFrame(bytes) ? codec.decode(bytes) : bytes, wanted, name);
  }
}
