import { CodecError } from "../errors.ts";
import { createSerializer, type Serializer } from "./serializer.ts";
import { asBuffer, decodeUtf8, encodeUtf8, isWellFormed } from "./text.ts";

const UTF8: Serializer<string> = createSerializer<string>({ name: "utf8", serialize: encodeText, deserialize: decodeText });

/**
 * Strings as their UTF-8 bytes, exactly: a byte order mark stays, nothing is normalised.
 *
 * | value | comes back |
 * |---|---|
 * | a string | equal |
 * | a string with a lone surrogate | refused: UTF-8 has no bytes for it |
 * | anything else | refused |
 * | bytes that are not UTF-8 | refused on reading |
 *
 * Its methods throw a CodecError with `CODEC_SERIALIZE` or `CODEC_DESERIALIZE`.
 *
 * @example
 * import { utf8 } from "@tightwire/codec-core";
 *
 * utf8().serialize("naïve"); // <Buffer 6e 61 c3 af 76 65>
 */
export function utf8(): Serializer<string> {
  return UTF8;
}

function encodeText(value: unknown): Buffer {
  if (typeof value !== "string") throw new CodecError("CODEC_SERIALIZE", `utf8() writes strings, got ${typeof value}`);
  if (isWellFormed(value)) return encodeUtf8(value);
  throw new CodecError("CODEC_SERIALIZE", "utf8() cannot write a string with a lone surrogate");
}

function decodeText(bytes: Uint8Array): string {
  return decodeUtf8(asBuffer(bytes), 0, bytes.length);
}
