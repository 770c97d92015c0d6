/** The two halves of the 128-bit product, xored. WebAssembly multiplies 64 bits at most: by the school's method, in halves. */
export function foldProduct(a: u64, b: u64): u64 {
  const aLow = a & 0xffffffff;
  const aHigh = a >> 32;
  const bLow = b & 0xffffffff;
  const bHigh = b >> 32;
  const crossed = aHigh * bLow;
  // Neither sum can exceed 64 bits.
  const middle = ((aLow * bLow) >> 32) + (crossed & 0xffffffff) + aLow * bHigh;
  return (a * b) ^ (aHigh * bHigh + (crossed >> 32) + (middle >> 32));
}
