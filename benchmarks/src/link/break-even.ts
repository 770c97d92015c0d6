const NS_PER_SECOND = 1_000_000_000;
const BITS_PER_BYTE = 8;

/** What a codec does with a value, and how long that takes it. */
export interface CodecCost {
  /** The value as it is on the wire without a codec. */
  readonly rawBytes: number;
  /** The same with the codec. */
  readonly heldBytes: number;
  readonly encodeNs: number;
  readonly decodeNs: number;
}

/**
 * The speed of a link below which a codec saves time: 8 × (raw − held) ÷ (encode + decode). On a faster one, the time that the codec
 * takes is longer than the time that the saved bytes would have been on the link. 0 where the codec saves no bytes: then it never does.
 *
 * @throws RangeError if a time is not above 0, or a size below 0
 */
export function breakEvenBitsPerSecond({ rawBytes, heldBytes, encodeNs, decodeNs }: CodecCost): number {
  const totalNs = encodeNs + decodeNs;
  if (!(rawBytes >= 0 && heldBytes >= 0)) throw new RangeError("sizes must not be below 0");
  if (!(encodeNs > 0 && decodeNs > 0 && Number.isFinite(totalNs))) throw new RangeError("times must be above 0");
  return (BITS_PER_BYTE * Math.max(0, rawBytes - heldBytes) * NS_PER_SECOND) / totalNs;
}

/** What a write and a read of a value take by a link: the codec's time and that of the bytes, each way once. Without round trips. */
export function transferNs({ heldBytes, encodeNs, decodeNs }: CodecCost, bitsPerSecond: number): number {
  return encodeNs + decodeNs + (BITS_PER_BYTE * heldBytes * NS_PER_SECOND) / bitsPerSecond;
}
