import type { CodecError } from "@tightwire/codec-core";
import type { KeySpace } from "../../src/keys.ts";
import type { ChannelRule, PrefixRule } from "../../src/options.ts";
import type { Rule } from "../../src/rules.ts";
import type { ScriptOptions } from "../../src/scripts.ts";
import { createShared as makeShared, type Shared } from "../../src/shared.ts";

export type Prefixes = Readonly<Record<string, PrefixRule>>;

export interface SharedOptions extends Partial<Pick<Shared, "maxReplyBytes" | "onError">> {
  readonly channels?: Readonly<Record<string, ChannelRule>>;
  readonly scripts?: Readonly<Record<string, ScriptOptions>>;
}

export function createShared(prefixes: Prefixes, { channels = {}, scripts = {}, ...options }: SharedOptions = {}): Shared {
  return { ...makeShared({ prefixes, channels, scripts }), ...options };
}

/** A key space with these rules; `cluster`: that of a cluster's node. */
export function createSpace(
  prefixes: Prefixes,
  keyPrefix?: string | Buffer,
  cluster?: "node",
  options: SharedOptions = {},
): KeySpace {
  return { shared: createShared(prefixes, options), keyPrefix, prefixed: cluster === "node" };
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
