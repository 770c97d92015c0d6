import assert from "node:assert/strict";
import type { Model } from "./topology-model.ts";
import { KINDS, type Kind, pick, type Random, Value } from "./topology-values.ts";

/** One command, and what its reply or its loss means for the model. */
export interface Step {
  readonly command: string;
  readonly args: readonly unknown[];
  readonly keys: readonly string[];
  /** What it writes. */
  readonly values: readonly Value[];
  /** It changes nothing. */
  readonly reads?: true;
  /** It is a list and changes: one such change is told from its own repetition, two are not. */
  readonly changesList?: true;
  /** Fails if the reply is wrong. */
  readonly acknowledge: (reply: unknown) => void;
  /** The connection was lost: it may have been carried out or not. */
  readonly doubt: () => void;
  /** The wrapper must refuse it. */
  readonly refused?: true;
}

/** A part of the keys, used by one worker alone; in a cluster they share a slot. */
export interface Share {
  readonly tag: string;
  readonly random: Random;
  readonly model: Model;
  readonly nextSerial: () => number;
  /** Whether the commands may be sent twice and so push twice: then lists are left out where writes may be lost as well. */
  readonly lists: boolean;
  readonly deletes: boolean;
}

const STRINGS = ["s0", "s1"];
const HASH = "h";
const LIST = "l";
const FIELDS = ["a", "b", "__proto__"];
const LONG_LIST = 12;

export function stringKeys({ tag }: Share, { prefix }: Kind): string[] {
  return STRINGS.map((name) => `${prefix}{${tag}}${name}`);
}

export function hashKey({ tag }: Share, { prefix }: Kind): string {
  return `${prefix}{${tag}}${HASH}`;
}

export function listKey({ tag }: Share, { prefix }: Kind): string {
  return `${prefix}{${tag}}${LIST}`;
}

/** The register of a field. */
export function registersOf(key: string): readonly (readonly [field: string, register: string])[] {
  return FIELDS.map((field) => [field, `${key}.${field}`]);
}

function nextValue({ random, nextSerial }: Share, { make, prefix }: Kind): Value {
  return new Value(make(random, nextSerial()), prefix);
}

function assertReply(command: string, reply: unknown, expected: unknown): void {
  assert.deepStrictEqual(reply, expected, `the reply of ${command}`);
}

function write(share: Share, command: string, args: unknown[], written: Map<string, Value>, expected: unknown): Step {
  const apply = (known: boolean): void => {
    for (const [register, value] of written) share.model.write(register, value, known);
  };
  const acknowledge = (reply: unknown): void => {
    if (expected !== undefined) assertReply(command, reply, expected);
    apply(true);
  };
  const keys = command === "mset" ? [...written.keys()] : [String(args[0])];
  return { command, args, keys, values: [...written.values()], acknowledge, doubt: () => apply(false) };
}

function read(command: string, args: unknown[], acknowledge: (reply: unknown) => void): Step {
  const keys = command === "mget" ? args.flat().map(String) : [String(args[0])];
  return { command, args, keys, values: [], reads: true, acknowledge, doubt: () => undefined };
}

function stringKeyOf(share: Share, kind: Kind): string {
  return pick(share.random, stringKeys(share, kind));
}

function set(share: Share, kind: Kind, key: string = stringKeyOf(share, kind)): Step {
  const value = nextValue(share, kind);
  if (share.random() < 0.8) return write(share, "set", [key, value.input], new Map([[key, value]]), "OK");
  return write(share, "setex", [key, 1_000, value.input], new Map([[key, value]]), "OK");
}

/** Keys under different rules, and under none, in one command. */
function setMany(share: Share): Step {
  const written = new Map(KINDS.map((kind) => [stringKeyOf(share, kind), nextValue(share, kind)]));
  const record = Object.fromEntries([...written].map(([key, value]) => [key, value.input]));
  return write(share, "mset", [record], written, "OK");
}

function get(share: Share, kind: Kind, key: string = stringKeyOf(share, kind)): Step {
  const command = kind.typed || share.random() < 0.5 ? "get" : "getBuffer";
  return read(command, [key], (reply) => share.model.read(key, reply));
}

function getMany(share: Share): Step {
  const keys = KINDS.map((kind) => stringKeyOf(share, kind));
  return read("mget", [keys], (reply) => {
    assert.ok(Array.isArray(reply) && reply.length === keys.length, "mget replies with one element for each key");
    for (const [i, key] of keys.entries()) share.model.read(key, reply[i]);
  });
}

export function setHash(share: Share, kind: Kind): Step {
  const key = hashKey(share, kind);
  const chosen = registersOf(key).filter(() => share.random() < 0.6);
  const fields = chosen.length === 0 ? registersOf(key) : chosen;
  const values = fields.map(([field, register]) => ({ field, register, value: nextValue(share, kind) }));
  const args = values.flatMap(({ field, value }) => [field, value.input]);
  return write(share, "hset", [key, ...args], new Map(values.map(({ register, value }) => [register, value])), undefined);
}

export function getHash(share: Share, kind: Kind): Step {
  const key = hashKey(share, kind);
  return read("hgetall", [key], (reply) => {
    const hash = fieldsOf(reply);
    for (const field of hash.keys()) assert.ok(FIELDS.includes(field), `${key} has no field ${field}`);
    for (const [field, register] of registersOf(key)) share.model.read(register, hash.get(field));
  });
}

/** An object; in what EXEC replies outside a pipeline, where ioredis converts nothing, a list. */
function fieldsOf(reply: unknown): Map<string, unknown> {
  assert.ok(typeof reply === "object" && reply !== null, "hgetall replies with an object");
  if (!Array.isArray(reply)) return new Map(Object.entries(reply));
  const fields = reply.filter((_, i) => i % 2 === 0);
  return new Map(fields.map((field, i) => [String(field), reply[2 * i + 1]]));
}

function getField(share: Share, kind: Kind): Step {
  const key = hashKey(share, kind);
  const [field, register] = pick(share.random, registersOf(key));
  return read("hget", [key, field], (reply) => share.model.read(register, reply));
}

function push(share: Share, kind: Kind): Step {
  const { model, random } = share;
  const key = listKey(share, kind);
  const left = random() < 0.5;
  const group = Array.from({ length: random() < 0.7 ? 1 : 2 }, () => nextValue(share, kind));
  return {
    command: left ? "lpush" : "rpush",
    args: [key, ...group.map((value) => value.input)],
    keys: [key],
    values: group,
    changesList: true,
    acknowledge: (reply) => model.push(key, group, left, Number(reply)),
    doubt: () => model.push(key, group, left, undefined),
  };
}

function clearList(share: Share, kind: Kind): Step {
  const key = listKey(share, kind);
  return {
    command: "del",
    args: [key],
    keys: [key],
    values: [],
    changesList: true,
    acknowledge: () => share.model.clearList(key, true),
    doubt: () => share.model.clearList(key, false),
  };
}

export function getList(share: Share, kind: Kind): Step {
  const key = listKey(share, kind);
  return read("lrange", [key, 0, -1], (reply) => {
    assert.ok(Array.isArray(reply), "lrange replies with a list");
    share.model.readList(key, reply);
  });
}

function changeList(share: Share, kind: Kind): Step {
  const key = listKey(share, kind);
  if (!share.lists || !share.model.isListSettled(key)) return share.lists ? getList(share, kind) : set(share, kind);
  return share.model.settledList(key).length >= LONG_LIST ? clearList(share, kind) : push(share, kind);
}

function remove(share: Share, kind: Kind): Step {
  if (!share.deletes) return set(share, kind);
  const key = stringKeyOf(share, kind);
  const apply = (known: boolean): void => share.model.write(key, undefined, known);
  return { command: "del", args: [key], keys: [key], values: [], acknowledge: () => apply(true), doubt: () => apply(false) };
}

/** What the wrapper refuses, on a key under a rule. */
export function refuse(share: Share): Step {
  const [kind] = KINDS;
  if (kind === undefined) throw new RangeError("there is no rule");
  const acknowledge = (): void => assert.fail("append is refused");
  const key = stringKeyOf(share, kind);
  return { command: "append", args: [key, "x"], keys: [key], values: [], acknowledge, doubt: () => undefined, refused: true };
}

const MAKERS: readonly (readonly [weight: number, make: (share: Share, kind: Kind) => Step])[] = [
  [22, set],
  [26, get],
  [4, setMany],
  [6, getMany],
  [10, setHash],
  [8, getHash],
  [6, getField],
  [7, changeList],
  [4, (share, kind) => (share.lists ? getList(share, kind) : get(share, kind))],
  [3, remove],
];

const WEIGHTED: readonly ((share: Share, kind: Kind) => Step)[] = MAKERS.flatMap(([weight, make]) => Array(weight).fill(make));

/** A command at random on one of a worker's keys. */
export function makeStep(share: Share): Step {
  return pick(share.random, WEIGHTED)(share, pick(share.random, KINDS));
}

/** Commands that give every key a value. */
export function fillShare(share: Share): Step[] {
  const strings = KINDS.flatMap((kind) => stringKeys(share, kind).map((key) => set(share, kind, key)));
  return [...strings, ...KINDS.map((kind) => setHash(share, kind))];
}

/** Commands that read every key. */
export function readShare(share: Share): Step[] {
  const strings = KINDS.flatMap((kind) => stringKeys(share, kind).map((key) => get(share, kind, key)));
  const lists = share.lists ? KINDS.map((kind) => getList(share, kind)) : [];
  return [...strings, ...KINDS.map((kind) => getHash(share, kind)), ...lists];
}
