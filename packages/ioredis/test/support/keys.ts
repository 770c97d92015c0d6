import type { CodecError } from "@tightwire/codec-core";
import type { KeySpace } from "../../src/keys.ts";
import { type PrefixRule, resolveClientOptions } from "../../src/options.ts";
import { createRuleSet, type Rule } from "../../src/rules.ts";
import type { Shared } from "../../src/shared.ts";
import { Stats } from "../../src/stats.ts";

export type Prefixes = Readonly<Record<string, PrefixRule>>;

export function createShared(prefixes: Prefixes, options: Partial<Pick<Shared, "maxReplyBytes" | "onError">> = {}): Shared {
  const { prefixes: pairs, maxReplyBytes } = resolveClientOptions({ prefixes });
  return { rules: createRuleSet(pairs), stats: new Stats(), maxReplyBytes, onError: undefined, ...options };
}

/** A key space with these rules; `cluster`: that of a cluster's node. */
export function createSpace(prefixes: Prefixes, keyPrefix?: string | Buffer, cluster?: "node"): KeySpace {
  return { shared: createShared(prefixes), keyPrefix, prefixed: cluster === "node" };
}

/** The rule of a prefix that a test has just made. */
export function ruleOf(shared: Shared, prefix: string): Rule {
  const rule = shared.rules.rules.get(prefix);
  if (rule === undefined) throw new Error(`no rule for ${JSON.stringify(prefix)}`);
  return rule;
}

/** Collects what `onError` is called with. */
export function collectErrors(): { errors: CodecError[]; onError: (error: CodecError) => void } {
  const errors: CodecError[] = [];
  return { errors, onError: (error) => errors.push(error) };
}
