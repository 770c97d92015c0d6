import { isUtf8 } from "node:buffer";
import { CodecError } from "../errors.ts";

// Taken once: the global Buffer is an accessor, which costs 6 ns each time.
const { from, isBuffer } = Buffer;

const REPLACEMENT_CHARACTER = "\uFFFD";

/** Whether UTF-8 can carry the text: it has no lone surrogate, which would come back as U+FFFD. */
export function isWellFormed(text: string): boolean {
  // In every supported Node, but not yet in the ES2023 library types.
  return (text as string & { isWellFormed(): boolean }).isWellFormed();
}

/**
 * The text that `bytes` hold from `start` to `end`, a byte order mark included.
 *
 * @throws CodecError `CODEC_DESERIALIZE` if they are not valid UTF-8
 */
export function decodeUtf8(bytes: Buffer, start: number, end: number): string {
  const text = bytes.toString("utf8", start, end);
  // Node puts U+FFFD in place of what is invalid, so only text that has one needs the second look.
  if (text.includes(REPLACEMENT_CHARACTER) && !isUtf8(bytes.subarray(start, end))) {
    throw new CodecError("CODEC_DESERIALIZE", `these ${end - start} bytes are not valid UTF-8`);
  }
  return text;
}

/** Text as UTF-8. */
export function encodeUtf8(text: string): Buffer {
  return from(text, "utf8");
}

/** A Buffer over the same memory: the same one, if it is one. */
export function asBuffer(bytes: Uint8Array): Buffer {
  return isBuffer(bytes) ? bytes : from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
