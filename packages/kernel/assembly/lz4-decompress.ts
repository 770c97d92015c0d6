// For each distance below 16, which byte of the last that many is the first, second, … of the next sixteen.
// biome-ignore format: one distance a line
const PATTERNS: usize = memory.data<u8>([
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
  0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1,
  0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0,
  0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3,
  0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 0,
  0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5, 0, 1, 2, 3,
  0, 1, 2, 3, 4, 5, 6, 0, 1, 2, 3, 4, 5, 6, 0, 1,
  0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7,
  0, 1, 2, 3, 4, 5, 6, 7, 8, 0, 1, 2, 3, 4, 5, 6,
  0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2, 3, 4, 5,
  0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 0, 1, 2, 3, 4,
  0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 0, 1, 2, 3,
  0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 0, 1, 2,
  0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 0, 1,
  0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 0,
], 16);

// And how many of those sixteen are whole repetitions.
const PATTERN_BYTES: usize = memory.data<u8>([0, 16, 16, 15, 16, 15, 12, 14, 16, 9, 10, 11, 12, 13, 14, 15]);

const MIN_MATCH_BYTES: usize = 4;
/** A length of four bits that says that more bytes of length follow. */
const LONG_LENGTH: usize = 15;
/** A load waits for a store that is closer than this and only partly covers it. */
const FAR_BYTES: usize = 256;

/**
 * Restores exactly `contentSize` bytes at `to`, whose slack of 32 bytes it may overwrite, from the block of `size` bytes at `from`.
 *
 * @returns whether the block is sound, holds exactly that much, and is all of those `size` bytes
 */
// One function without calls, memory.copy included: both ends and both positions stay in registers.
export function decompressBlock(from: usize, size: usize, to: usize, contentSize: usize): bool {
  const end = from + size;
  const toEnd = to + contentSize;
  let at = from;
  let out = to;
  while (at < end) {
    const token: usize = load<u8>(at++);
    let length = token >> 4;
    if (length === LONG_LENGTH) {
      let more: usize;
      do {
        if (at >= end) return false;
        more = load<u8>(at++);
        length += more;
      } while (more === 255);
      if (length > end - at || length > toEnd - out) return false;
      copyFar(out, at, length);
    } else {
      if (length > end - at || length > toEnd - out) return false;
      v128.store(out, v128.load(at));
    }
    at += length;
    out += length;
    if (at === end) return out === toEnd;

    if (end - at < 2) return false;
    const distance: usize = load<u16>(at);
    at += 2;
    // 0 wraps around to more than there is.
    if (distance - 1 >= out - to) return false;
    length = token & 15;
    if (length === LONG_LENGTH) {
      let more: usize;
      do {
        if (at >= end) return false;
        more = load<u8>(at++);
        length += more;
      } while (more === 255);
    }
    length += MIN_MATCH_BYTES;
    if (length > toEnd - out) return false;
    if (distance < 16) repeatPattern(out, distance, length);
    else if (distance < FAR_BYTES && length >= 2 * FAR_BYTES) repeatLong(out, distance, length);
    else copyFar(out, out - distance, length);
    out += length;
  }
  return false;
}

/** `to` is at least 16 bytes behind `from`, or the two do not overlap. */
function copyFar(to: usize, from: usize, length: usize): void {
  let done: usize = 0;
  do {
    v128.store(to + done, v128.load(from + done));
    done += 16;
  } while (done < length);
}

/** Repeats the last bytes until they are far enough behind, then copies whole numbers of repetitions. */
function repeatLong(to: usize, distance: usize, length: usize): void {
  const far = ((FAR_BYTES + distance - 1) / distance) * distance;
  copyFar(to, to - distance, far);
  copyFar(to + far, to, length - far);
}

function repeatPattern(to: usize, distance: usize, length: usize): void {
  const pattern = i8x16.swizzle(v128.load(to - distance), v128.load(PATTERNS + (distance << 4)));
  const step: usize = load<u8>(PATTERN_BYTES + distance);
  let done: usize = 0;
  do {
    v128.store(to + done, pattern);
    done += step;
  } while (done < length);
}
