import type { HashEntries } from "../corpus/hash-entries.ts";

// What Ruby's Hash#inspect wrote up to Ruby 3.3: {"key"=>"value", "key"=>"value"}.
const BETWEEN_KEY_AND_VALUE = '"=>"';
const BETWEEN_ENTRIES = '", "';

// Ruby would escape everything else, and # before some characters.
const PLAIN = /^[0-9A-Za-z]*$/;

function assertPlain(text: string): void {
  if (!PLAIN.test(text)) throw new RangeError("inspect text is written of letters and digits alone");
}

/**
 * Entries as Ruby shows them.
 *
 * @throws RangeError for a string that Ruby may have to escape
 */
export function writeInspectText(entries: HashEntries): string {
  const parts: string[] = [];
  for (const key in entries) {
    const value = entries[key] ?? "";
    assertPlain(key);
    assertPlain(value);
    parts.push(key + BETWEEN_KEY_AND_VALUE + value);
  }
  return parts.length === 0 ? "{}" : `{"${parts.join(BETWEEN_ENTRIES)}"}`;
}

/**
 * Entries that {@link writeInspectText} wrote.
 *
 * @throws SyntaxError for any other text
 */
export function readInspectText(text: string): HashEntries {
  if (text === "{}") return {};
  if (!text.startsWith('{"') || !text.endsWith('"}')) throw new SyntaxError('inspect text begins with {" and ends with "}');
  const entries: Record<string, string> = {};
  for (const part of text.slice(2, -2).split(BETWEEN_ENTRIES)) {
    const at = part.indexOf(BETWEEN_KEY_AND_VALUE);
    const [key, value] = [part.slice(0, at), part.slice(at + BETWEEN_KEY_AND_VALUE.length)];
    if (at < 0 || !PLAIN.test(key) || !PLAIN.test(value)) throw new SyntaxError("inspect text has an entry of another form");
    entries[key] = value;
  }
  return entries;
}
