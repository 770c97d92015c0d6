/** Why a frame was refused, by the first check that fails. */
export const KernelStatus: {
  readonly INVALID: -1;
  readonly TRUNCATED: -2;
  readonly VERSION: -3;
  readonly UNKNOWN_ID: -4;
  readonly SIZE_LIMIT: -5;
  readonly SIZE_MISMATCH: -6;
  readonly CHECKSUM_MISMATCH: -7;
  readonly PAYLOAD_CORRUPT: -8;
} = Object.freeze({
  /** Does not begin with the magic. */
  INVALID: -1,
  /** Shorter than a header. */
  TRUNCATED: -2,
  /** Of another version than 2, the one that the kernel reads. */
  VERSION: -3,
  /** Neither stored nor LZ4. */
  UNKNOWN_ID: -4,
  /** Claims more content than the limit. */
  SIZE_LIMIT: -5,
  /** The payload is not as long as the content if stored, or not shorter if compressed. */
  SIZE_MISMATCH: -6,
  CHECKSUM_MISMATCH: -7,
  /** The LZ4 block is damaged or does not hold exactly the content. */
  PAYLOAD_CORRUPT: -8,
});

/** One of the values of {@link KernelStatus}. */
export type KernelStatus = (typeof KernelStatus)[keyof typeof KernelStatus];
