const NANOSECONDS_PER_MILLISECOND = 1e6;
const MAX_NANOSECONDS = 999_999_999;
const MAX_UINT32 = 0xffff_ffff;
const MAX_UINT34 = 0x3_ffff_ffff;
const UINT32_RANGE = 0x1_0000_0000;
const MAX_DATE_MS = 8.64e15;

/** Type −1, which MessagePack reserves for timestamps, as the byte it is on the wire. */
export const TIMESTAMP_TYPE = 0xff;

/** A whole timestamp extension, header included, in the shortest of its three forms; `undefined` for an invalid Date. */
export function timestampOf(date: Date): Uint8Array | undefined {
  const time = date.getTime();
  if (Number.isNaN(time)) return undefined;
  const seconds = Math.floor(time / 1000);
  const nanoseconds = (time - seconds * 1000) * NANOSECONDS_PER_MILLISECOND;
  if (seconds < 0 || seconds > MAX_UINT34) return timestamp96(seconds, nanoseconds);
  return nanoseconds === 0 && seconds <= MAX_UINT32 ? timestamp32(seconds) : timestamp64(seconds, nanoseconds);
}

function timestamp32(seconds: number): Uint8Array {
  const bytes = Buffer.from([0xd6, TIMESTAMP_TYPE, 0, 0, 0, 0]);
  bytes.writeUInt32BE(seconds, 2);
  return bytes;
}

function timestamp64(seconds: number, nanoseconds: number): Uint8Array {
  const bytes = Buffer.from([0xd7, TIMESTAMP_TYPE, 0, 0, 0, 0, 0, 0, 0, 0]);
  // 30 bits of nanoseconds, then 34 bits of seconds.
  bytes.writeUInt32BE(nanoseconds * 4 + Math.floor(seconds / UINT32_RANGE), 2);
  bytes.writeUInt32BE(seconds % UINT32_RANGE, 6);
  return bytes;
}

function timestamp96(seconds: number, nanoseconds: number): Uint8Array {
  const bytes = Buffer.from([0xc7, 12, TIMESTAMP_TYPE, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
  bytes.writeUInt32BE(nanoseconds, 3);
  bytes.writeBigInt64BE(BigInt(seconds), 7);
  return bytes;
}

/**
 * The Date in the data of a timestamp extension, cut to the millisecond; `undefined` if the data have no valid form or lie
 * outside what a Date can hold.
 */
export function dateOf(data: Buffer): Date | undefined {
  switch (data.length) {
    case 4:
      return dateFrom(data.readUInt32BE(0), 0);
    case 8:
      return dateFrom((data.readUInt32BE(0) & 3) * UINT32_RANGE + data.readUInt32BE(4), data.readUInt32BE(0) >>> 2);
    case 12:
      return dateFrom(Number(data.readBigInt64BE(4)), data.readUInt32BE(0));
    default:
      return undefined;
  }
}

function dateFrom(seconds: number, nanoseconds: number): Date | undefined {
  const time = seconds * 1000 + Math.floor(nanoseconds / NANOSECONDS_PER_MILLISECOND);
  return nanoseconds <= MAX_NANOSECONDS && Math.abs(time) <= MAX_DATE_MS ? new Date(time) : undefined;
}
