import assert from "node:assert/strict";
import type { Value } from "./topology-values.ts";

/** What a register (a string key, or a field of a hash) may hold; undefined: nothing. */
type Register = Set<Value | undefined>;
/** What a list may hold. */
type Lists = readonly (readonly Value[])[];

const NO_LIST: Lists = [[]];
// A command is sent again after each loss of the connection until it is answered.
const MOST_SENDINGS = 6;

/** Whether nothing that was acknowledged may be lost; or writes of late, as when a replica takes over; or everything. */
export type Durability = "kept" | "late writes may be lost" | "everything may be lost";

/**
 * What Redis must hold after the commands that a test has sent. A command whose connection was lost may have been carried out or
 * not, so each register has a set of possible values: a reply must be one of them, and settles which.
 */
export class Model {
  readonly #registers = new Map<string, Register>();
  readonly #lists = new Map<string, Lists>();
  #durability: Durability = "kept";

  get durability(): Durability {
    return this.#durability;
  }

  set durability(durability: Durability) {
    if (this.#durability === "everything may be lost") for (const possible of this.#registers.values()) possible.add(undefined);
    this.#durability = durability;
  }

  /** @param known whether the write was acknowledged */
  write(register: string, value: Value | undefined, known: boolean): void {
    if (known && this.#durability === "kept") this.#registers.set(register, new Set([value]));
    else this.#registers.set(register, new Set(this.#possible(register)).add(value));
  }

  /** A reply was read; fails if it is nothing that the register may hold. */
  read(register: string, reply: unknown): void {
    const possible = this.#possible(register);
    for (const value of possible) {
      if (!isReply(value, reply)) continue;
      if (this.#durability === "kept") this.#registers.set(register, new Set([value]));
      return;
    }
    if (this.#durability === "everything may be lost" && reply == null) return;
    assert.fail(`${register} may hold ${show([...possible])}, but ${showReply(reply)} was read`);
  }

  /** @param length what the server answered; undefined if nothing is known */
  push(key: string, group: readonly Value[], left: boolean, length: number | undefined): void {
    const before = this.#lists.get(key) ?? NO_LIST;
    const first = length === undefined ? 0 : 1;
    const sendings = Array.from({ length: MOST_SENDINGS }, (_, times) => times + first);
    const after = before.flatMap((list) => sendings.map((times) => pushTimes(list, group, left, times)));
    const possible = length === undefined ? after : after.filter((list) => list.length === length);
    if (possible.length === 0) assert.fail(`${key} may hold ${show(before)}, but has ${length} elements after a push`);
    this.#lists.set(key, distinct(possible));
  }

  clearList(key: string, known: boolean): void {
    const before = known ? [] : (this.#lists.get(key) ?? NO_LIST);
    this.#lists.set(key, [...before, []]);
  }

  readList(key: string, reply: readonly unknown[]): void {
    const lists = this.#lists.get(key) ?? NO_LIST;
    const read = lists.find((list) => list.length === reply.length && list.every((value, i) => value.equals(reply[i])));
    if (read === undefined) assert.fail(`${key} may hold ${show(lists)}, but ${reply.map(showReply)} was read`);
    this.#lists.set(key, [read]);
  }

  /** Whether it is known what a list holds. */
  isListSettled(key: string): boolean {
    return (this.#lists.get(key) ?? NO_LIST).length === 1;
  }

  /** What a register holds, once a read has settled it. */
  settled(register: string): Value | undefined {
    const possible = this.#possible(register);
    const [value] = possible;
    assert.equal(possible.size, 1, `${register} is settled`);
    return value;
  }

  settledList(key: string): readonly Value[] {
    const [list = [], ...others] = this.#lists.get(key) ?? NO_LIST;
    assert.equal(others.length, 0, `${key} is settled`);
    return list;
  }

  #possible(register: string): Register {
    return this.#registers.get(register) ?? new Set([undefined]);
  }
}

function isReply(value: Value | undefined, reply: unknown): boolean {
  return value === undefined ? reply == null : reply != null && value.equals(reply);
}

/** LPUSH puts the last of a group first. */
function pushTimes(list: readonly Value[], group: readonly Value[], left: boolean, times: number): readonly Value[] {
  const pushed = Array.from({ length: times }, () => group).flat();
  return left ? [...pushed.reverse(), ...list] : [...list, ...pushed];
}

function distinct(lists: Lists): Lists {
  return lists.filter((list, i) => !lists.slice(0, i).some((other) => isSame(list, other)));
}

function isSame(a: readonly Value[], b: readonly Value[]): boolean {
  return a.length === b.length && a.every((value, i) => value === b[i]);
}

const SHOWN = 40;

function show(possible: readonly (Value | undefined | readonly Value[])[]): string {
  return possible
    .slice(0, SHOWN)
    .map((one) => (Array.isArray(one) ? `[${one.map((value) => showReply(value.input))}]` : showReply((one as Value)?.input)))
    .join(" or ");
}

/** The beginning is enough: every value begins with its own number. */
function showReply(reply: unknown): string {
  if (reply == null) return "nothing";
  const text = reply instanceof Buffer ? reply.toString("latin1") : typeof reply === "string" ? reply : JSON.stringify(reply);
  return `${typeof reply} ${JSON.stringify(text.slice(0, SHOWN))} of ${text.length}`;
}
