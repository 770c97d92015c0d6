import fc from "fast-check";

/** Every UTF-16 code unit by itself: most texts have lone surrogates. */
const anyUnits = fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 200 }).map((units) => String.fromCharCode(...units));
const surrogates = fc
  .array(fc.integer({ min: 0xd7ff, max: 0xe000 }), { maxLength: 50 })
  .map((units) => String.fromCharCode(...units));

/** Texts of every kind, some long enough and regular enough to be compressed. */
export const texts: fc.Arbitrary<string> = fc
  .tuple(
    fc.oneof(fc.string(), fc.string({ unit: "grapheme", maxLength: 100 }), anyUnits, surrogates),
    fc.integer({ min: 1, max: 60 }),
  )
  .map(([text, times]) => text.repeat(times));
