import { types } from "node:util";
import { assertBytes, copyOf } from "../bytes.ts";
import { CodecError } from "../errors.ts";
import { createSerializer, type Serializer } from "./serializer.ts";

const BYTES: Serializer<Buffer> = createSerializer<Buffer>({
  name: "bytes",
  serialize: viewBytes,
  deserialize: copyOf,
});

/**
 * Bytes as they are.
 *
 * | value | comes back |
 * |---|---|
 * | Buffer | equal |
 * | Uint8Array, ArrayBuffer, DataView | a Buffer of the same bytes |
 * | other typed arrays | refused: their bytes depend on the machine |
 * | anything else | refused |
 *
 * Writing copies nothing; what is read is an owned copy. Writing throws a CodecError with `CODEC_SERIALIZE`.
 *
 * @example
 * import { bytes } from "@tightwire/codec-core";
 *
 * bytes().deserialize(bytes().serialize(Buffer.of(1, 2))); // <Buffer 01 02>
 */
export function bytes(): Serializer<Buffer> {
  return BYTES;
}

function viewBytes(value: unknown): Uint8Array {
  if (types.isUint8Array(value)) {
    assertBytes("value", value);
    return value;
  }
  if (types.isAnyArrayBuffer(value)) return new Uint8Array(value);
  if (types.isDataView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  throw new CodecError("CODEC_SERIALIZE", `bytes() writes a Uint8Array, ArrayBuffer or DataView, got ${typeof value}`);
}
