import type { FrameMode, NumberMode } from "./options.ts";

/** What {@link placeValue} needs to know of a content. */
export interface ContentTraits {
  /** It begins like a frame: it could not be told from one if it were held raw. */
  readonly reserved: boolean;
  /** It is a number as Redis writes one. */
  readonly number: boolean;
  /** Length in bytes. */
  readonly size: number;
}

/** The settings of a rule that decide where a value goes. */
export interface PlacementSettings {
  readonly frame: FrameMode;
  readonly numbers: NumberMode;
  readonly minFrameBytes: number;
}

/** `framed`: as a frame; `raw`: the content itself; `smaller`: as a frame if that is smaller than the content, else raw. */
export type Placement = "framed" | "raw" | "smaller";

/** How a value is written; the first line that applies decides. */
export function placeValue(traits: ContentTraits, settings: PlacementSettings): Placement {
  if (traits.reserved) return "framed";
  if (settings.frame === "never") return "raw";
  if (traits.number && settings.numbers === "raw") return "raw";
  if (traits.size < settings.minFrameBytes) return "raw";
  return settings.frame === "when-smaller" ? "smaller" : "framed";
}
