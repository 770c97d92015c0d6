import type { FrameMode, NumberMode, UnframedMode } from "./options.ts";

/** What {@link placeContent} needs to know of a content. */
export interface ContentTraits {
  /** It begins like a frame: it could not be told from one if it were held raw. */
  readonly reserved: boolean;
  /** It is a number as Redis writes one. */
  readonly number: boolean;
  /** Length in bytes. */
  readonly size: number;
}

/** What {@link placeTyped} needs to know of a value. */
export interface TypedTraits {
  /** It is text or bytes that begin like a frame. */
  readonly reserved: boolean;
  /** It is a JavaScript number that Redis would write the same way. */
  readonly number: boolean;
  /** It is a string that is no such number. */
  readonly text: boolean;
  /** Length of a string in bytes; 0 for anything else. */
  readonly size: number;
}

/** The settings of a rule that decide where a value goes. */
export interface PlacementSettings {
  readonly frame: FrameMode;
  readonly numbers: NumberMode;
  readonly minFrameBytes: number;
  readonly unframed: UnframedMode;
}

/** `framed`: as a frame; `raw`: the content itself; `smaller`: as a frame if that is smaller than the content, else raw. */
export type Placement = "framed" | "raw" | "smaller";

/** How a string or bytes are written under a rule without a serializer; the first line that applies decides. */
export function placeContent(traits: ContentTraits, settings: PlacementSettings): Placement {
  if (traits.reserved) return "framed";
  if (settings.frame === "never") return "raw";
  if (traits.number && settings.numbers === "raw") return "raw";
  if (traits.size < settings.minFrameBytes) return "raw";
  return settings.frame === "when-smaller" ? "smaller" : "framed";
}

/** How a value is written under a rule with a serializer: as its own text, or serialized; the first line that applies decides. */
export function placeTyped(traits: TypedTraits, settings: PlacementSettings): "raw" | "serialized" {
  if (traits.reserved) return "serialized";
  if (traits.number && settings.numbers === "raw") return "raw";
  if (traits.text && settings.unframed === "accept" && traits.size < settings.minFrameBytes) return "raw";
  return "serialized";
}

/** How serialized content is written: raw only where it could be taken for nothing else. */
export function placeSerialized(traits: ContentTraits, settings: PlacementSettings): Placement {
  if (traits.reserved || settings.frame !== "never") return "framed";
  return traits.number && settings.numbers === "raw" ? "framed" : "raw";
}
