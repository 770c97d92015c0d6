/** The largest byte: below 0x80 the text is ASCII, up to 0xc3 it has no character that Latin-1 lacks. */
export function findLargestByte(from: usize, size: usize): u32 {
  let largest = i8x16.splat(0);
  const end = from + size;
  let at = from;
  for (; at + 64 <= end; at += 64) {
    const first = i8x16.max_u(v128.load(at), v128.load(at, 16));
    const second = i8x16.max_u(v128.load(at, 32), v128.load(at, 48));
    largest = i8x16.max_u(largest, i8x16.max_u(first, second));
  }
  for (; at + 16 <= end; at += 16) largest = i8x16.max_u(largest, v128.load(at));
  // The other half of the lanes, twice over, until one is left.
  largest = i8x16.max_u(largest, v128.shuffle<i64>(largest, largest, 1, 0));
  let lanes = i64x2.extract_lane(largest, 0);
  let found: u32 = 0;
  for (let lane = 0; lane < 8; lane++) {
    found = max(found, <u32>(lanes & 0xff));
    lanes >>= 8;
  }
  for (; at < end; at++) found = max(found, <u32>load<u8>(at));
  return found;
}

/**
 * Writes UTF-8 whose largest byte is 0xc3 at most as Latin-1.
 *
 * @returns number of characters, or −1 if it is no UTF-8
 */
export function toLatin1(from: usize, size: usize, to: usize): i32 {
  const end = from + size;
  let at = from;
  let out = to;
  while (at < end) {
    const bytes = v128.load(at);
    const beyond = i8x16.bitmask(bytes) | 0x10000;
    // What is behind the ASCII characters is overwritten by what follows them.
    v128.store(out, bytes);
    const ascii = min<usize>(ctz(beyond), end - at);
    at += ascii;
    out += ascii;
    if (ascii === 16 || at >= end) continue;
    const lead: u32 = load<u8>(at);
    const trail: u32 = load<u8>(at, 1);
    if (lead < 0xc2 || at + 2 > end || trail >> 6 !== 2) return -1;
    store<u8>(out++, <u8>((lead << 6) | (trail & 0x3f)));
    at += 2;
  }
  return <i32>(out - to);
}

/**
 * Writes UTF-8 as UTF-16.
 *
 * @returns number of code units, or −1 if it is no UTF-8
 */
export function toUtf16(from: usize, size: usize, to: usize): i32 {
  const end = from + size;
  let at = from;
  let out = to;
  while (at < end) {
    const lead: u32 = load<u8>(at);
    if (lead < 0x80) {
      const bytes = v128.load(at);
      v128.store(out, i16x8.extend_low_i8x16_u(bytes));
      v128.store(out, i16x8.extend_high_i8x16_u(bytes), 16);
      const ascii = min<usize>(ctz(i8x16.bitmask(bytes) | 0x10000), end - at);
      at += ascii;
      out += ascii << 1;
      continue;
    }
    const length: usize = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    if (at + length > end) return -1;
    const point = length === 2 ? pointOf2(at, lead) : length === 3 ? pointOf3(at, lead) : pointOf4(at, lead);
    if (point === 0) return -1;
    if (point < 0x10000) {
      store<u16>(out, <u16>point);
      out += 2;
    } else {
      store<u16>(out, <u16>(0xd7c0 + (point >> 10)));
      store<u16>(out, <u16>(0xdc00 | (point & 0x3ff)), 2);
      out += 4;
    }
    at += length;
  }
  return <i32>((out - to) >> 1);
}

// Each gives 0 for what is no UTF-8: wrong bytes behind the first, a longer form than needed, a surrogate, or beyond U+10FFFF.

function pointOf2(at: usize, lead: u32): u32 {
  const trail: u32 = load<u8>(at, 1);
  return lead >= 0xc2 && trail >> 6 === 2 ? ((lead & 0x1f) << 6) | (trail & 0x3f) : 0;
}

function pointOf3(at: usize, lead: u32): u32 {
  const trails: u32 = load<u16>(at, 1);
  if ((trails & 0xc0c0) !== 0x8080) return 0;
  const point = ((lead & 0x0f) << 12) | ((trails & 0x3f) << 6) | ((trails >> 8) & 0x3f);
  return point >= 0x800 && point >> 11 !== 0x1b ? point : 0;
}

function pointOf4(at: usize, lead: u32): u32 {
  const bytes = load<u32>(at);
  if ((bytes & 0xc0c0c000) !== 0x80808000 || lead > 0xf4) return 0;
  const point = ((lead & 7) << 18) | (((bytes >> 8) & 0x3f) << 12) | (((bytes >> 16) & 0x3f) << 6) | ((bytes >> 24) & 0x3f);
  return point >= 0x10000 && point <= 0x10ffff ? point : 0;
}
