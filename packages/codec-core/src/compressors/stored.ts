import { copyOf } from "../bytes.ts";
import { brandCompressor, CodecId, type Compressor, DOES_NOT_FIT, payloadCorrupt } from "../compressor.ts";
import { assertOptions } from "../limits.ts";

/**
 * No compression: values are framed and checksummed only.
 *
 * @throws TypeError for options; it has none
 * @example
 * const codec = createValueCodec({ compressor: stored() });
 */
export function stored(options: Record<string, never> = {}): Compressor {
  assertOptions("stored()", options, []);
  return brandCompressor({
    id: CodecId.STORED,
    name: "stored",
    options: {},
    load: () => {},
    compressInto: () => DOES_NOT_FIT,
    decompress: (payload, contentSize) => {
      assertSize(payload, contentSize);
      return copyOf(payload);
    },
    decompressInto: (payload, target) => {
      assertSize(payload, target.length);
      target.set(payload);
    },
  });
}

function assertSize(payload: Uint8Array, contentSize: number): void {
  if (payload.length === contentSize) return;
  throw payloadCorrupt("stored", CodecId.STORED, `payload of ${payload.length} bytes, expected ${contentSize}`);
}
