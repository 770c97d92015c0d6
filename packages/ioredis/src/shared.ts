import type { CodecError } from "@tightwire/codec-core";
import type { RuleSet } from "./rules.ts";
import type { ScriptRule } from "./scripts.ts";
import type { Stats } from "./stats.ts";

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
