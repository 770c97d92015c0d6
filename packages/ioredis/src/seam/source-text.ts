// By the text, then by the function.
const answers = new Map<string, WeakMap<object, boolean>>();

/**
 * Whether a function is the one that is written so. Nothing else tells a function of ioredis from one of somebody who patched it:
 * patches take over name and length. One that was minified is not recognized, which costs time alone.
 *
 * @param text the function's source without white space
 */
export function isWrittenAs(candidate: object, text: string): boolean {
  const known = answers.get(text)?.get(candidate);
  if (known !== undefined) return known;
  const answer = Function.prototype.toString.call(candidate).replace(/\s+/g, "") === text;
  const sameText = answers.get(text) ?? new WeakMap<object, boolean>();
  answers.set(text, sameText.set(candidate, answer));
  return answer;
}

const mentions = new WeakMap<object, boolean>();

/**
 * Whether a function writes the protocol's line ends and decides by `bufferMode`, a property that minifiers leave alone: what only
 * calls such a function does not, though it may look at that property itself.
 */
export function writesByBufferMode(candidate: object): boolean {
  const known = mentions.get(candidate);
  if (known !== undefined) return known;
  const text = Function.prototype.toString.call(candidate);
  const answer = text.includes("bufferMode") && text.includes("\\r");
  mentions.set(candidate, answer);
  return answer;
}
