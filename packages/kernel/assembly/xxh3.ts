import { foldProduct } from "./multiply";

const PRIME32_1: u64 = 0x9e3779b1;
const PRIME32_2: u64 = 0x85ebca77;
const PRIME32_3: u64 = 0xc2b2ae3d;
const PRIME64_1: u64 = 0x9e3779b185ebca87;
const PRIME64_2: u64 = 0xc2b2ae3d27d4eb4f;
const PRIME64_3: u64 = 0x165667b19e3779f9;
const PRIME64_4: u64 = 0x85ebca77c2b2ae63;
const PRIME64_5: u64 = 0x27d4eb2f165667c5;
const PRIME_MIX_1: u64 = 0x165667919e3779f9;
const PRIME_MIX_2: u64 = 0x9fb21c651e98df25;

// biome-ignore format: sixteen bytes a line
const SECRET: usize = memory.data<u8>([
  0xb8, 0xfe, 0x6c, 0x39, 0x23, 0xa4, 0x4b, 0xbe, 0x7c, 0x01, 0x81, 0x2c, 0xf7, 0x21, 0xad, 0x1c,
  0xde, 0xd4, 0x6d, 0xe9, 0x83, 0x90, 0x97, 0xdb, 0x72, 0x40, 0xa4, 0xa4, 0xb7, 0xb3, 0x67, 0x1f,
  0xcb, 0x79, 0xe6, 0x4e, 0xcc, 0xc0, 0xe5, 0x78, 0x82, 0x5a, 0xd0, 0x7d, 0xcc, 0xff, 0x72, 0x21,
  0xb8, 0x08, 0x46, 0x74, 0xf7, 0x43, 0x24, 0x8e, 0xe0, 0x35, 0x90, 0xe6, 0x81, 0x3a, 0x26, 0x4c,
  0x3c, 0x28, 0x52, 0xbb, 0x91, 0xc3, 0x00, 0xcb, 0x88, 0xd0, 0x65, 0x8b, 0x1b, 0x53, 0x2e, 0xa3,
  0x71, 0x64, 0x48, 0x97, 0xa2, 0x0d, 0xf9, 0x4e, 0x38, 0x19, 0xef, 0x46, 0xa9, 0xde, 0xac, 0xd8,
  0xa8, 0xfa, 0x76, 0x3f, 0xe3, 0x9c, 0x34, 0x3f, 0xf9, 0xdc, 0xbb, 0xc7, 0xc7, 0x0b, 0x4f, 0x1d,
  0x8a, 0x51, 0xe0, 0x4b, 0xcd, 0xb4, 0x59, 0x31, 0xc8, 0x9f, 0x7e, 0xc9, 0xd9, 0x78, 0x73, 0x64,
  0xea, 0xc5, 0xac, 0x83, 0x34, 0xd3, 0xeb, 0xc3, 0xc5, 0x81, 0xa0, 0xff, 0xfa, 0x13, 0x63, 0xeb,
  0x17, 0x0d, 0xdd, 0x51, 0xb7, 0xf0, 0xda, 0x49, 0xd3, 0x16, 0x55, 0x26, 0x29, 0xd4, 0x68, 0x9e,
  0x2b, 0x16, 0xbe, 0x58, 0x7d, 0x47, 0xa1, 0xfc, 0x8f, 0xf8, 0xb8, 0xd1, 0x7a, 0xd0, 0x31, 0xce,
  0x45, 0xcb, 0x3a, 0x8f, 0x95, 0x16, 0x04, 0x28, 0xaf, 0xd7, 0xfb, 0xca, 0xbb, 0x4b, 0x40, 0x7e,
], 16);

/** Secret bytes that the rounds of the short and long forms start from. */
const MIDDLE_END_SECRET: usize = 136 - 17;
const SCRAMBLE_SECRET: usize = 192 - 64;
const LAST_STRIPE_SECRET: usize = 192 - 64 - 7;
const MERGE_SECRET: usize = 11;

const STRIPE_BYTES: usize = 64;
const STRIPES_PER_BLOCK: usize = 16;

/** XXH3-64 with seed 0 of `size` bytes at `from`. */
export function digest(from: usize, size: usize): u64 {
  if (size <= 16) return digestShort(from, size);
  if (size <= 128) return digestUpTo128(from, size);
  if (size <= 240) return digestUpTo240(from, size);
  return digestLong(from, size);
}

function digestShort(from: usize, size: usize): u64 {
  if (size > 8) {
    const low = load<u64>(from) ^ load<u64>(SECRET, 24) ^ load<u64>(SECRET, 32);
    const high = load<u64>(from + size - 8) ^ load<u64>(SECRET, 40) ^ load<u64>(SECRET, 48);
    return avalanche(<u64>size + bswap<u64>(low) + high + foldProduct(low, high));
  }
  if (size >= 4) {
    const input = <u64>load<u32>(from + size - 4) + ((<u64>load<u32>(from)) << 32);
    return mixShort(input ^ load<u64>(SECRET, 8) ^ load<u64>(SECRET, 16), size);
  }
  if (size === 0) return avalancheXxh64(load<u64>(SECRET, 56) ^ load<u64>(SECRET, 64));
  const first: u32 = load<u8>(from);
  const middle: u32 = load<u8>(from + (size >> 1));
  const last: u32 = load<u8>(from + size - 1);
  const bytes = (first << 16) | (middle << 24) | last | ((<u32>size) << 8);
  return avalancheXxh64(<u64>bytes ^ <u64>(load<u32>(SECRET) ^ load<u32>(SECRET, 4)));
}

function digestUpTo128(from: usize, size: usize): u64 {
  const end = from + size;
  let sum = <u64>size * PRIME64_1 + mix16(from, SECRET) + mix16(end - 16, SECRET + 16);
  if (size > 32) {
    sum += mix16(from + 16, SECRET + 32) + mix16(end - 32, SECRET + 48);
    if (size > 64) {
      sum += mix16(from + 32, SECRET + 64) + mix16(end - 48, SECRET + 80);
      if (size > 96) sum += mix16(from + 48, SECRET + 96) + mix16(end - 64, SECRET + 112);
    }
  }
  return avalanche(sum);
}

function digestUpTo240(from: usize, size: usize): u64 {
  let sum = <u64>size * PRIME64_1;
  for (let at: usize = 0; at < 128; at += 16) sum += mix16(from + at, SECRET + at);
  sum = avalanche(sum) + mix16(from + size - 16, SECRET + MIDDLE_END_SECRET);
  const rounds = size & ~15;
  for (let at: usize = 128; at < rounds; at += 16) sum += mix16(from + at, SECRET + at - 128 + 3);
  return avalanche(sum);
}

// In one piece: the eight sums stay in four registers from the first stripe to the last.
function digestLong(from: usize, size: usize): u64 {
  let sum0 = i64x2(<i64>PRIME32_3, <i64>PRIME64_1);
  let sum1 = i64x2(<i64>PRIME64_2, <i64>PRIME64_3);
  let sum2 = i64x2(<i64>PRIME64_4, <i64>PRIME32_2);
  let sum3 = i64x2(<i64>PRIME64_5, <i64>PRIME32_1);

  // The last 1 to 64 bytes are no stripe of these, but the last 64 bytes are one more.
  let left = (size - 1) / STRIPE_BYTES;
  let at = from;
  while (true) {
    const stripes = min(left, STRIPES_PER_BLOCK);
    const secretEnd = SECRET + stripes * 8;
    for (let secret = SECRET; secret < secretEnd; secret += 8) {
      sum0 = addStripe(sum0, v128.load(at), v128.load(secret));
      sum1 = addStripe(sum1, v128.load(at, 16), v128.load(secret, 16));
      sum2 = addStripe(sum2, v128.load(at, 32), v128.load(secret, 32));
      sum3 = addStripe(sum3, v128.load(at, 48), v128.load(secret, 48));
      at += STRIPE_BYTES;
    }
    left -= stripes;
    if (stripes < STRIPES_PER_BLOCK) break;
    sum0 = scramble(sum0, v128.load(SECRET + SCRAMBLE_SECRET));
    sum1 = scramble(sum1, v128.load(SECRET + SCRAMBLE_SECRET, 16));
    sum2 = scramble(sum2, v128.load(SECRET + SCRAMBLE_SECRET, 32));
    sum3 = scramble(sum3, v128.load(SECRET + SCRAMBLE_SECRET, 48));
  }

  const last = from + size - STRIPE_BYTES;
  sum0 = addStripe(sum0, v128.load(last), v128.load(SECRET + LAST_STRIPE_SECRET));
  sum1 = addStripe(sum1, v128.load(last, 16), v128.load(SECRET + LAST_STRIPE_SECRET, 16));
  sum2 = addStripe(sum2, v128.load(last, 32), v128.load(SECRET + LAST_STRIPE_SECRET, 32));
  sum3 = addStripe(sum3, v128.load(last, 48), v128.load(SECRET + LAST_STRIPE_SECRET, 48));
  const merged = merge(sum0, 0) + merge(sum1, 16) + merge(sum2, 32) + merge(sum3, 48);
  return avalanche(<u64>size * PRIME64_1 + merged);
}

/** Adds the product of the halves of each keyed lane, and the other lane's bytes. */
function addStripe(sum: v128, bytes: v128, secret: v128): v128 {
  const keyed = v128.xor(bytes, secret);
  const product = i64x2.extmul_low_i32x4_u(
    v128.shuffle<i32>(keyed, keyed, 0, 2, 0, 2),
    v128.shuffle<i32>(keyed, keyed, 1, 3, 1, 3),
  );
  return i64x2.add(product, i64x2.add(sum, v128.shuffle<i64>(bytes, bytes, 1, 0)));
}

function scramble(sum: v128, secret: v128): v128 {
  const keyed = v128.xor(v128.xor(sum, i64x2.shr_u(sum, 47)), secret);
  return i64x2.mul(keyed, i64x2.splat(<i64>PRIME32_1));
}

function merge(sum: v128, secretOffset: usize): u64 {
  const secret = SECRET + MERGE_SECRET + secretOffset;
  return foldProduct(i64x2.extract_lane(sum, 0) ^ load<u64>(secret), i64x2.extract_lane(sum, 1) ^ load<u64>(secret, 8));
}

function mix16(from: usize, secret: usize): u64 {
  return foldProduct(load<u64>(from) ^ load<u64>(secret), load<u64>(from, 8) ^ load<u64>(secret, 8));
}

function mixShort(input: u64, size: usize): u64 {
  let hash = input;
  hash ^= rotl<u64>(hash, 49) ^ rotl<u64>(hash, 24);
  hash *= PRIME_MIX_2;
  hash ^= (hash >> 35) + <u64>size;
  hash *= PRIME_MIX_2;
  return hash ^ (hash >> 28);
}

function avalanche(sum: u64): u64 {
  let hash = sum;
  hash ^= hash >> 37;
  hash *= PRIME_MIX_1;
  return hash ^ (hash >> 32);
}

function avalancheXxh64(sum: u64): u64 {
  let hash = sum;
  hash ^= hash >> 33;
  hash *= PRIME64_2;
  hash ^= hash >> 29;
  hash *= PRIME64_3;
  return hash ^ (hash >> 32);
}
