import type { Redis } from "../../support/ioredis-versions.ts";

/** A command as a test writes it down: the method and its arguments. */
export type Call = readonly [name: string, ...args: unknown[]];

/** A promise's outcome that deepStrictEqual can compare between two clients. */
export type Outcome = { readonly reply: unknown } | { readonly error: string };

export type Style = (client: Redis, calls: readonly Call[]) => Promise<Outcome[]>;

export function describeError(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}

/** Calls a method that the types do not know by a literal name. */
export function invoke(target: object, name: string, args: readonly unknown[]): unknown {
  const method: unknown = Reflect.get(target, name);
  if (typeof method !== "function") throw new TypeError(`no method ${name}`);
  return Reflect.apply(method, target, args);
}

async function settle(promises: readonly unknown[]): Promise<Outcome[]> {
  const settled = await Promise.allSettled(promises);
  return settled.map((one) => (one.status === "fulfilled" ? { reply: one.value } : { error: describeError(one.reason) }));
}

const asText = (name: string): string => name;
const asBuffer = (name: string): string => `${name}Buffer`;
const mixCase = (name: string): string => [...name].map((char, i) => (i % 2 === 0 ? char.toUpperCase() : char)).join("");

function direct(form: (name: string) => string): Style {
  return (client, calls) => settle(calls.map(([name, ...args]) => invoke(client, form(name), args)));
}

const oneByOne: Style = async (client, calls) => {
  const outcomes: Outcome[] = [];
  for (const [name, ...args] of calls) outcomes.push(...(await settle([invoke(client, name, args)])));
  return outcomes;
};

function callback(form: (name: string) => string): Style {
  return (client, calls) =>
    settle(
      calls.map(
        ([name, ...args]) =>
          new Promise((resolve, reject) => {
            const done = (error: unknown, reply: unknown): void => (error ? reject(error) : resolve(reply));
            invoke(client, form(name), [...args, done]);
          }),
      ),
    );
}

function generic(method: "call" | "callBuffer" | "send_command", spell: (name: string) => string): Style {
  return (client, calls) => settle(calls.map(([name, ...args]) => invoke(client, method, [spell(name), ...args])));
}

function toOutcomes(results: readonly (readonly [error: unknown, reply?: unknown])[] | null): Outcome[] {
  return (results ?? []).map(([error, reply]) => (error ? { error: describeError(error) } : { reply }));
}

function pipeline(open: "pipeline" | "multi", form: (name: string) => string): Style {
  return async (client, calls) => {
    const queue = client[open]();
    for (const [name, ...args] of calls) invoke(queue, form(name), args);
    return toOutcomes(await queue.exec());
  };
}

function batch(open: "pipeline" | "multi"): Style {
  return async (client, calls) => toOutcomes(await client[open](calls.map((call) => [...call])).exec());
}

function genericPipeline(open: "pipeline" | "multi", method: "call" | "callBuffer"): Style {
  return async (client, calls) => {
    const queue = client[open]();
    for (const [name, ...args] of calls) invoke(queue, method, [name.toUpperCase(), ...args]);
    return toOutcomes(await queue.exec());
  };
}

const MULTI_LENGTH = 1;

function openTransaction(exec: "exec" | "execBuffer", form: (name: string) => string): Style {
  return async (client, calls) => {
    const sent = [client.multi({ pipeline: false }), ...calls.map(([name, ...args]) => invoke(client, form(name), args))];
    const [queued, replies] = await Promise.all([settle(sent), settle([invoke(client, exec, [])])]);
    return [...queued.slice(MULTI_LENGTH), ...replies];
  };
}

/** Every way of ioredis to send commands, by name. */
export const STYLES: Readonly<Record<string, Style>> = {
  "direct calls": direct(asText),
  "one call after the other": oneByOne,
  "*Buffer methods": direct(asBuffer),
  callbacks: callback(asText),
  "callbacks of *Buffer methods": callback(asBuffer),
  'call("NAME")': generic("call", (name) => name.toUpperCase()),
  'call("name")': generic("call", asText),
  'call("NaMe")': generic("call", mixCase),
  send_command: generic("send_command", asText),
  callBuffer: generic("callBuffer", (name) => name.toUpperCase()),
  pipeline: pipeline("pipeline", asText),
  "pipeline of *Buffer methods": pipeline("pipeline", asBuffer),
  "pipeline([...])": batch("pipeline"),
  "pipeline().call": genericPipeline("pipeline", "call"),
  "pipeline().callBuffer": genericPipeline("pipeline", "callBuffer"),
  multi: pipeline("multi", asText),
  "multi of *Buffer methods": pipeline("multi", asBuffer),
  "multi([...])": batch("multi"),
  "multi().call": genericPipeline("multi", "call"),
  "multi({ pipeline: false })": openTransaction("exec", asText),
  "multi({ pipeline: false }) of *Buffer methods": openTransaction("exec", asBuffer),
  "multi({ pipeline: false }) and execBuffer": openTransaction("execBuffer", asText),
};

/**
 * The styles that work with auto-pipelining. In plain ioredis `multi({ pipeline: false })` then gives MULTI's replies to other
 * commands, and `callBuffer` loses the command's name.
 */
export const AUTO_PIPELINED: Readonly<Record<string, Style>> = Object.fromEntries(
  Object.entries(STYLES).filter(([name]) => !name.startsWith("multi({") && name !== "callBuffer"),
);
