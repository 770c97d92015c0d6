import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { isCodecError, withValueCodec } from "@tightwire/ioredis";
import type { ClusterOptions } from "ioredis";
import { type ClusterNode, type Cluster as ServerCluster, startCluster } from "../support/cluster.ts";
import { Cluster, ioredisVersion, type Redis } from "../support/ioredis-versions.ts";
import { type Call, type Outcome, STYLES, type Style } from "./support/calls.ts";
import { MODES } from "./support/clients.ts";
import { RULES } from "./support/comparison.ts";
import { rejectionOf } from "./support/failures.ts";
import { assertSameContents } from "./support/held.ts";
import { hashCalls, LONG, stringCalls } from "./support/scripts.ts";
import { countErrors } from "./support/topology-cuts.ts";

// ioredis 5.4 finds no key in a command that is spelt in capitals, and sends it to any node: such commands come in any order.
const OUT_OF_ORDER: RegExp = ioredisVersion === "5.4" ? /call\("N|callBuffer|\.call/ : /^$/;
/** The styles that a cluster has: it knows no transaction without a pipeline. */
const CLUSTER_STYLES: readonly (readonly [string, Style])[] = Object.entries(STYLES).filter(
  ([name]) => !name.startsWith("multi({") && !OUT_OF_ORDER.test(name),
);
/** Auto-pipelining changes only what is called on the client; in plain ioredis `callBuffer` then loses the command's name. */
const AUTO_STYLES = CLUSTER_STYLES.filter(([name]) => !/pipeline|multi|callBuffer|one call/.test(name));
// A node that imports a slot answers TRYAGAIN to a command, or a transaction, with several keys of which it has some only.
const SEVERAL_KEYS: ReadonlySet<string> = new Set(["mset", "msetnx", "mget", "rename", "renamenx", "copy", "exists"]);

/** Makes a cluster client answer MOVED. */
function misdirect(client: Cluster, slot: number, node: ClusterNode): void {
  (client as unknown as { slots: string[][] }).slots[slot] = [`127.0.0.1:${node.port}`];
}

// A command that never settles must not hold up all the others.
const LIMIT = { timeout: 20_000 };

let servers: ServerCluster;
let bare: Cluster;
const clients: Cluster[] = [];
let runs = 0;

before(async () => {
  servers = await startCluster({ nodes: 3 });
  bare = open();
});
after(async () => {
  for (const client of clients) client.disconnect();
  await servers?.stop();
});

function open(options: ClusterOptions = {}): Cluster {
  // Without a refresh of its own, a client keeps a wrong idea of a slot until it is told.
  const settings = { ...options, slotsRefreshInterval: 0 } as ConstructorParameters<typeof Cluster>[1];
  const client = new Cluster([...servers.startupNodes], settings);
  clients.push(client);
  return client;
}

/** Runs calls through a client that is redirected, and says how. */
type Redirect = (client: Cluster, slot: number, run: () => Promise<Outcome[]>) => Promise<Outcome[]>;

const byMoved: Redirect = async (client, slot, run) => {
  const stranger = await servers.strangerTo(slot);
  misdirect(client, slot, stranger);
  const before = await countErrors(stranger, "MOVED");
  const outcomes = await run();
  assert.ok((await countErrors(stranger, "MOVED")) > before, "the client was redirected");
  return outcomes;
};

const byAsk: Redirect = async (_client, slot, run) => {
  const owner = await servers.ownerOf(slot);
  const before = await countErrors(owner, "ASK");
  const outcomes = await run();
  assert.ok((await countErrors(owner, "ASK")) > before, "the client was redirected");
  return outcomes;
};

interface Case {
  readonly redirect: Redirect;
  /** What can be sent in transactions, and what otherwise. */
  readonly calls: (k: KeyMaker, inTransaction: boolean) => Call[];
  /** What surrounds all runs: for ASK the slot is on its way. */
  readonly around: (slot: number, run: () => Promise<void>) => Promise<void>;
}

type KeyMaker = (name: string) => string;

const allCalls = (k: KeyMaker): Call[] => [...stringCalls((name) => k(`s:${name}`)), ...hashCalls((name) => k(`h:${name}`))];

const CASES: Readonly<Record<string, Case>> = {
  MOVED: { redirect: byMoved, calls: allCalls, around: (_slot, run) => run() },
  ASK: {
    redirect: byAsk,
    calls: (k, inTransaction) => {
      const calls = inTransaction ? stringCalls(() => k("one")) : allCalls(k);
      return calls.filter(([command]) => !SEVERAL_KEYS.has(command));
    },
    around: async (slot, run) => {
      const target = await servers.strangerTo(slot);
      await servers.beginMove(slot, target);
      try {
        await run();
      } finally {
        await servers.finishMove(slot, target);
      }
    },
  },
};

const PERIOD = 5;

/** With `command` on the same key after every fifth call. */
function interleave(calls: readonly Call[], command: string, ...args: unknown[]): Call[] {
  return calls.flatMap((call, i) => (i % PERIOD === 0 ? [call, [command, call[1], ...args]] : [call]));
}

/** Makes of each refusal what a bare client replies to TYPE in its place. */
function forgiveRefusals(outcomes: readonly Outcome[], calls: readonly Call[], expected: readonly Outcome[]): Outcome[] {
  return outcomes.map((outcome, i) => {
    if (calls[i]?.[0] !== "append") return outcome;
    assert.ok("error" in outcome && outcome.error.startsWith("CodecError"), "append is refused");
    return expected[i] ?? outcome;
  });
}

/** The wrapped client must reply what the bare one does, and Redis must hold the same contents, each framed once. */
async function compareRedirected(name: string, style: Style, code: string, options: ClusterOptions): Promise<void> {
  const { redirect, calls, around } = CASES[code] ?? assert.fail();
  const inTransaction = name.startsWith("multi");
  const tag = `t${++runs}`;
  const slot = await servers.slotOf(tag);
  const [plain, wrapped] = [open(options), withValueCodec(open(options), RULES)];
  await Promise.all([plain.get("warm"), wrapped.get("warm")]);
  const callsOn = (prefix: string): Call[] => calls((name) => `${prefix}{${tag}}${name}`, inTransaction);
  const send = (client: Cluster, sent: readonly Call[]): Promise<Outcome[]> =>
    redirect(client, slot, () => style(client as unknown as Redis, sent));
  await around(slot, async () => {
    const expected = await send(plain, interleave(callsOn("plain:"), "type"));
    assert.ok(
      expected.some((outcome) => "reply" in outcome && String(outcome.reply) === LONG),
      "the bare client reads values",
    );
    assert.deepStrictEqual(await send(wrapped, interleave(callsOn("other:"), "type")), expected, "replies under no rule");
    const ruled = inTransaction ? interleave(callsOn("ruled:"), "type") : interleave(callsOn("ruled:"), "append", "x");
    assert.deepStrictEqual(forgiveRefusals(await send(wrapped, ruled), ruled, expected), expected, "replies under a rule");
  });
  for (const name of new Set(calls((name) => name, inTransaction).map(([, key]) => String(key)))) {
    await assertSameContents(bare as unknown as Redis, `ruled:{${tag}}${name}`, `plain:{${tag}}${name}`);
  }
  plain.disconnect();
  wrapped.disconnect();
}

for (const code of Object.keys(CASES)) {
  for (const { name: mode, options } of MODES) {
    suite(`redirected by ${code}, in ${mode}: replies, refusals and contents are as with a bare client`, () => {
      for (const [name, style] of CLUSTER_STYLES) {
        test(name, LIMIT, () => compareRedirected(name, style, code, { redisOptions: options }));
      }
      for (const [name, style] of AUTO_STYLES) {
        test(`${name} with auto-pipelining`, LIMIT, () =>
          compareRedirected(name, style, code, { redisOptions: options, enableAutoPipelining: true }),
        );
      }
    });
  }
}

suite("a refused command in a transaction that is redirected", () => {
  for (const code of Object.keys(CASES)) {
    test(`by ${code} aborts it, and nothing is written`, LIMIT, async () => {
      const { redirect, around } = CASES[code] ?? assert.fail();
      const key = `ruled:{t${++runs}}`;
      const slot = await servers.slotOf(key);
      const wrapped = withValueCodec(open(), RULES);
      await wrapped.get("warm");
      await around(slot, async () => {
        await redirect(wrapped, slot, async () => {
          const error = await rejectionOf(wrapped.multi().set(key, LONG).append(key, "x").get(key).exec());
          assert.match(String(error), /EXECABORT/);
          const { previousErrors } = error as { previousErrors: unknown[] };
          assert.ok(previousErrors.some((one) => isCodecError(one) && one.code === "CODEC_COMMAND_UNSAFE"));
          return [];
        });
        assert.equal(await wrapped.get(key), null);
        assert.deepStrictEqual(await wrapped.multi().set(key, LONG).get(key).exec(), [
          [null, "OK"],
          [null, LONG],
        ]);
      });
      wrapped.disconnect();
    });
  }
});
