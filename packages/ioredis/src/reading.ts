import type { NumberMode, UnframedMode } from "./options.ts";

/** What {@link readUnframed} needs to know of bytes that do not begin as a frame does. */
export interface HeldTraits {
  /** They are a frame whose magic alone is damaged. */
  readonly damaged: boolean;
  /** They are a number as Redis writes one. */
  readonly number: boolean;
}

/** The settings of a rule that decide how bytes are read. */
export interface ReadingSettings {
  /** Whether the reader wants values: there is a serializer, and the reply is not one of bytes. */
  readonly typed: boolean;
  readonly numbers: NumberMode;
  readonly unframed: UnframedMode;
}

/**
 * `damaged`: refuse as a damaged frame; `reject`: refuse as unframed; `number`: as that number;
 * `deserialize`: give to the serializer; `raw`: return as they are.
 */
export type Reading = "damaged" | "reject" | "number" | "deserialize" | "raw";

/** How bytes that are no frame are read; the first line that applies decides. */
export function readUnframed(traits: HeldTraits, settings: ReadingSettings): Reading {
  if (traits.damaged) return "damaged";
  if (settings.unframed === "reject") return "reject";
  if (!settings.typed) return "raw";
  if (traits.number && settings.numbers === "raw") return "number";
  return settings.unframed === "deserialize" ? "deserialize" : "raw";
}
