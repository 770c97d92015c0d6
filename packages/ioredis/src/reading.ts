import type { UnframedMode } from "./options.ts";

/** What {@link readValue} needs to know of the bytes that Redis holds. */
export interface HeldTraits {
  /** They begin with the magic of a frame. */
  readonly framed: boolean;
  /** They are a frame whose magic alone is damaged. */
  readonly damaged: boolean;
}

/** The settings of a rule that decide how bytes are read. */
export interface ReadingSettings {
  readonly unframed: UnframedMode;
}

/** `decode`: as a frame; `damaged`: refuse as a damaged frame; `reject`: refuse as unframed; `raw`: return as they are. */
export type Reading = "decode" | "damaged" | "reject" | "raw";

/** How bytes that Redis holds are read; the first line that applies decides. */
export function readValue(traits: HeldTraits, settings: ReadingSettings): Reading {
  if (traits.framed) return "decode";
  if (traits.damaged) return "damaged";
  return settings.unframed === "reject" ? "reject" : "raw";
}
