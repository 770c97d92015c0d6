import { TABLE_START } from "./layout";

const MIN_MATCH_BYTES: usize = 4;
// The format's rules for the end of a block: these bytes are literals, and no match starts closer to the end than that.
const LAST_LITERALS: usize = 5;
const MATCH_START_LIMIT: usize = 12;
const MAX_DISTANCE: usize = 65535;

const HASH_BITS: u32 = 12;
const TABLE_BYTES: usize = 4 << HASH_BITS;
// After so many misses the search goes in steps of two, then of three, and so on: incompressible content costs little.
const SKIP_SHIFT: u32 = 6;

// Entries are positions plus a bias that grows by the size of every content, so that those of earlier calls are below all valid
// ones and the table need not be cleared for each call.
const MAX_EPOCH: u32 = 1 << 30;
let epoch: u32 = 1;

/**
 * Compresses `size` bytes at `from` to one block at `to`, whose slack of 32 bytes it may overwrite.
 *
 * @returns length of the block; 0 if it would exceed `capacity`
 */
// One function: the search and the writing share nine registers.
export function compressBlock(from: usize, size: usize, to: usize, capacity: usize): usize {
  const end = from + size;
  const toEnd = to + capacity;
  let out = to;
  let anchor = from;
  if (size > MATCH_START_LIMIT) {
    const bias = takeEpoch(size) - <u32>from;
    const lastStart = end - MATCH_START_LIMIT;
    const matchEnd = end - LAST_LITERALS;
    let at = from;
    putPosition(hashAt(at), at, bias);
    at++;
    let nextHash = hashAt(at);

    while (at <= lastStart) {
      let match: usize = 0;
      let next = at;
      let step: usize = 1;
      let misses: usize = 1 << SKIP_SHIFT;
      let isFound = false;
      while (next + step <= lastStart + 1) {
        const hash = nextHash;
        at = next;
        next += step;
        step = misses++ >> SKIP_SHIFT;
        nextHash = hashAt(next);
        match = takePosition(hash, at, bias);
        isFound = isMatch(match, at, from);
        if (isFound) break;
      }
      if (!isFound) break;

      while (at > anchor && match > from && load<u8>(at - 1) === load<u8>(match - 1)) {
        at--;
        match--;
      }

      const literals = at - anchor;
      let token = out++;
      if (out + literals + literals / 255 + (2 + 1 + LAST_LITERALS) > toEnd) return 0;
      out = writeLiterals(token, out, anchor, literals);

      do {
        isFound = false;
        store<u16>(out, <u16>(at - match));
        out += 2;
        const more = countEqual(at + MIN_MATCH_BYTES, match + MIN_MATCH_BYTES, matchEnd);
        at += more + MIN_MATCH_BYTES;
        if (out + (1 + LAST_LITERALS) + (more + 240) / 255 > toEnd) return 0;
        out = writeMatchLength(token, out, more);
        anchor = at;
        if (at > lastStart) break;
        putPosition(hashAt(at - 2), at - 2, bias);
        match = takePosition(hashAt(at), at, bias);
        isFound = isMatch(match, at, from);
        token = out;
        if (isFound) store<u8>(out++, 0);
      } while (isFound);
      at++;
      nextHash = hashAt(at);
    }
  }
  const literals = end - anchor;
  if (out + literals + 1 + (literals + 240) / 255 > toEnd) return 0;
  return writeLastLiterals(out, anchor, literals) - to;
}

function takeEpoch(size: usize): u32 {
  if (epoch > MAX_EPOCH) {
    memory.fill(TABLE_START, 0, TABLE_BYTES);
    epoch = 1;
  }
  const taken = epoch;
  epoch += <u32>size;
  return taken;
}

function hashAt(at: usize): usize {
  return (<usize>(((load<u64>(at) << 24) * 889523592379) >> (64 - HASH_BITS))) << 2;
}

function putPosition(hash: usize, at: usize, bias: u32): void {
  store<u32>(hash, <u32>at + bias, TABLE_START);
}

/** The last position of this hash, which is before the content if it is from an earlier one. */
function takePosition(hash: usize, at: usize, bias: u32): usize {
  const position = load<u32>(hash, TABLE_START) - bias;
  store<u32>(hash, <u32>at + bias, TABLE_START);
  return position;
}

function isMatch(match: usize, at: usize, from: usize): bool {
  return <i32>match >= <i32>from && load<u32>(match) === load<u32>(at) && at - match <= MAX_DISTANCE;
}

/** How many bytes are equal from `a` and `b` on, the former before `end`. May read, but does not count, 16 bytes behind it. */
function countEqual(a: usize, b: usize, end: usize): usize {
  const start = a;
  while (a < end) {
    const differing = ~i8x16.bitmask(i8x16.eq(v128.load(a), v128.load(b))) & 0xffff;
    if (differing !== 0) return min(a + ctz(differing), end) - start;
    a += 16;
    b += 16;
  }
  return end - start;
}

function writeLiterals(token: usize, out: usize, from: usize, count: usize): usize {
  if (count < 15) {
    store<u8>(token, <u8>(count << 4));
    v128.store(out, v128.load(from));
    return out + count;
  }
  store<u8>(token, 15 << 4);
  const at = writeLength(out, count - 15);
  copyLiterals(at, from, count);
  return at + count;
}

// Not the same function: called from one place, the other becomes part of the loop.
function writeLastLiterals(token: usize, from: usize, count: usize): usize {
  store<u8>(token, <u8>(min<usize>(count, 15) << 4));
  const at = count < 15 ? token + 1 : writeLength(token + 1, count - 15);
  copyLiterals(at, from, count);
  return at + count;
}

function copyLiterals(to: usize, from: usize, count: usize): void {
  for (let done: usize = 0; done < count; done += 32) {
    v128.store(to + done, v128.load(from + done));
    v128.store(to + done, v128.load(from + done, 16), 16);
  }
}

function writeMatchLength(token: usize, out: usize, more: usize): usize {
  const low = load<u8>(token);
  if (more < 15) {
    store<u8>(token, low | <u8>more);
    return out;
  }
  store<u8>(token, low | 15);
  return writeLength(out, more - 15);
}

function writeLength(out: usize, length: usize): usize {
  let at = out;
  let left = length;
  while (left >= 255) {
    store<u8>(at++, 255);
    left -= 255;
  }
  store<u8>(at, <u8>left);
  return at + 1;
}
