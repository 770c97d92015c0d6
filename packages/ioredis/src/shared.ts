import type { CodecError } from "@tightwire/codec-core";
import { resolveClientOptions } from "./options.ts";
import { createRuleSet, type RuleSet } from "./rules.ts";
import type { ScriptRule } from "./scripts.ts";
import { Stats } from "./stats.ts";

/** What a client shares with its duplicates, its pipelines and its cluster nodes. */
export interface Shared {
  /** By key prefix. */
  rules: RuleSet;
  /** By channel prefix. */
  channels: RuleSet;
  /** By name or SHA-1. */
  scripts: ReadonlyMap<string, ScriptRule>;
  readonly stats: Stats;
  maxReplyBytes: number;
  onError: ((error: CodecError) => void) | undefined;
}

/**
 * Checks a client's options and makes its rules.
 *
 * @throws TypeError, RangeError, CodecError `CODEC_UNAVAILABLE`, as `withValueCodec()`
 */
export function createShared(options: unknown): Shared {
  const { prefixes, channels, scripts, maxReplyBytes, onError } = resolveClientOptions(options);
  return {
    rules: createRuleSet(prefixes),
    channels: createRuleSet(channels, true),
    scripts,
    stats: new Stats(),
    maxReplyBytes,
    onError,
  };
}

/** Puts new rules in the place of those in force; the counters go on. */
export function replaceShared(shared: Shared, options: unknown): void {
  const { stats: _unused, ...fresh } = createShared(options);
  Object.assign(shared, fresh);
}

/** Whether two clients have the same rules. */
export function equalShared(a: Shared, b: Shared): boolean {
  return a.maxReplyBytes === b.maxReplyBytes && a.rules.equals(b.rules) && a.channels.equals(b.channels) && equalScripts(a, b);
}

function equalScripts(a: Shared, b: Shared): boolean {
  return JSON.stringify([...a.scripts].sort()) === JSON.stringify([...b.scripts].sort());
}

/** Tells `onError`; what it throws becomes a warning, because the reply or the message is not to suffer for it. */
export function report(shared: Shared, error: CodecError): void {
  try {
    shared.onError?.(error);
  } catch (thrown) {
    process.emitWarning(thrown instanceof Error ? thrown : String(thrown), "TightwireWarning");
  }
}
