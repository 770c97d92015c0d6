import { isPlain, lengthOf, setBytes } from "./bytes.ts";

/** Bytes in the kernel's memory from a fixed position on, to be copied out. */
export interface Region {
  /** Everything from that position on. */
  readonly bytes: Buffer;
  /** Views of 0, 16, 32, … of those bytes, each made when it is first needed. */
  readonly views: Buffer[];
  /** Views of greater lengths that came twice in a row among those with their remainder. */
  readonly frequent: (Buffer | undefined)[];
  /** The last such length with each remainder. */
  readonly recent: Uint32Array;
}

const VIEW_STEP_BYTES = 16;
// limit/*/record-text-64/stored: up to here two short steps (13 to 20 ns) beat one native call (45 ns); at most 80 views are kept.
const MAX_VIEWED_BYTES = 1280;

// limit/*/*-16k/stored: native code takes 183 ns for 16 KiB, a view that is there 115. Values of one kind have few lengths.
const FREQUENT_PLACES = 64;

const fill: (this: Uint8Array, value: Uint8Array, start: number, end: number) => unknown = Buffer.prototype.fill;

export function createRegion(memory: Buffer, start: number, size: number): Region {
  return {
    bytes: memory.subarray(start, start + size),
    views: [],
    frequent: new Array(FREQUENT_PLACES).fill(undefined),
    recent: new Uint32Array(FREQUENT_PLACES),
  };
}

/**
 * Copies the first `size` bytes of a region. Allocates nothing: a view made for the call (30–45 ns) would be garbage.
 *
 * @throws RangeError if there is no room for them
 */
export function copyOut(region: Region, size: number, target: Uint8Array, offset: number): void {
  const room = lengthOf(target) - offset;
  // A fraction would be cut by what copies most of the bytes, and leave out those that are set one by one.
  if (!(offset >= 0 && size <= room && Number.isInteger(offset))) {
    throw new RangeError(`target has room for ${room} bytes at offset ${offset}, needs ${size}`);
  }
  if (size > MAX_VIEWED_BYTES) copyLong(region, size, target, offset);
  else copyShort(region, size, target, offset);
}

function copyShort({ bytes, views }: Region, size: number, target: Uint8Array, offset: number): void {
  const step = Math.trunc(size / VIEW_STEP_BYTES);
  const viewed = step * VIEW_STEP_BYTES;
  if (step > 0) {
    views[step] ??= bytes.subarray(0, viewed);
    setBytes(target, views[step], offset);
  }
  for (let index = viewed; index < size; index++) target[offset + index] = bytes[index] as number;
}

function copyLong(region: Region, size: number, target: Uint8Array, offset: number): void {
  const view = findFrequent(region, size);
  if (view !== undefined) setBytes(target, view, offset);
  // It copies no more of the region than there is between start and end, but asks the target how long it is.
  else if (isPlain(target)) fill.call(target, region.bytes, offset, offset + size);
  else setBytes(target, region.bytes.subarray(0, size), offset);
}

// A length that comes once makes no view: lengths that are all different would make garbage, and push out those that come often.
function findFrequent({ bytes, frequent, recent }: Region, size: number): Buffer | undefined {
  const place = size % FREQUENT_PLACES;
  const known = frequent[place];
  if (known !== undefined && known.length === size) return known;
  if (recent[place] === size) frequent[place] = bytes.subarray(0, size);
  recent[place] = size;
  return frequent[place]?.length === size ? frequent[place] : undefined;
}
