import type { SizedCorpus } from "./corpus.ts";
import { createDotnetRandom, type DotnetRandom } from "./dotnet-random.ts";

const SEED = 20_260;
const MIN_BYTES = 48;
const EMPTY_LIST_BYTES = '{"items":[],"note":""}'.length;
// Records differ in length: where one no longer fits, another may.
const MAX_REFUSED = 8;

const NAMES =
  "Amara Bjorn Chioma Dmitri Elif Farid Greta Hiroshi Ines Jonas Kavya Liam Mei Noor Olga Pedro Quinn Rosa Sven Tariq".split(" ");
const CITIES = "Lagos Oslo Pune Lima Kyoto Graz Porto Accra Tallinn Quito Hanoi Leeds Turin Perth Cusco Malmo".split(" ");
const ADJECTIVES = "light quiet compact heavy matte folding woven ceramic northern spare narrow brushed".split(" ");
const NOUNS = "lamp kettle rucksack chair notebook filter bracket jacket speaker carafe tripod blanket".split(" ");
const PATHS = "/ /cart /orders /search /account /help /items /checkout".split(" ");
const WORDS =
  "and the of a to for with from that this is was are more than before after while between over under about each other when first last same new old small large".split(
    " ",
  );

/** Sessions and products as services cache them: fixed field names, varied values, made from a seed. */
export const jsonDocuments: SizedCorpus = {
  name: "json-documents",
  description: `JSON of sessions and products with varied values (seed ${SEED})`,
  create: createDocument,
};

/**
 * One JSON text of exactly so many bytes: as many records as fit, then a note that fills the rest.
 *
 * @throws RangeError below 48 bytes, where there is no room for any
 */
function createDocument(sizeBytes: number): Buffer {
  if (sizeBytes < MIN_BYTES) throw new RangeError(`a JSON document takes ${MIN_BYTES} bytes or more, got ${sizeBytes}`);
  const random = createDotnetRandom(SEED);
  const records = createRecords(random, sizeBytes - EMPTY_LIST_BYTES);
  const head = records.length === 0 ? createShortHead(random) : `"items":[${records.join(",")}]`;
  const note = createNote(random, sizeBytes - `{${head},"note":""}`.length);
  return Buffer.from(`{${head},"note":"${note}"}`, "latin1");
}

function createRecords(random: DotnetRandom, maxBytes: number): string[] {
  const records: string[] = [];
  let left = maxBytes;
  for (let refused = 0; refused < MAX_REFUSED; ) {
    const record = JSON.stringify(random.next() % 2 === 0 ? createSession(random) : createProduct(random));
    if (record.length + 1 > left) {
      refused++;
      continue;
    }
    records.push(record);
    left -= record.length + 1;
  }
  return records;
}

function createShortHead(random: DotnetRandom): string {
  return `"user":${1_000_000 + (random.next() % 9_000_000)},"role":"customer"`;
}

function pick(random: DotnetRandom, choices: readonly string[]): string {
  return choices[random.next() % choices.length] as string;
}

/** Hexadecimal digits, as in ids and tokens. */
function createHex(random: DotnetRandom, digits: number): string {
  let hex = "";
  while (hex.length < digits) hex += (random.next() & 0xff_ffff).toString(16).padStart(6, "0");
  return hex.slice(0, digits);
}

function createDate(random: DotnetRandom): string {
  return new Date(Date.UTC(2026, 0, 1) + (random.next() % 31_536_000) * 1_000).toISOString();
}

function createWords(random: DotnetRandom, count: number): string {
  return Array.from({ length: count }, () => pick(random, random.next() % 3 === 0 ? NOUNS : WORDS)).join(" ");
}

function createSession(random: DotnetRandom): object {
  const name = pick(random, NAMES);
  return {
    id: createHex(random, 32),
    user: { id: random.next() % 10_000_000, name, email: `${name.toLowerCase()}.${random.next() % 1_000}@example.com` },
    roles: random.next() % 4 === 0 ? ["customer", "editor"] : ["customer"],
    city: pick(random, CITIES),
    createdAt: createDate(random),
    lastSeenAt: createDate(random),
    address: `10.${random.next() % 256}.${random.next() % 256}.${random.next() % 256}`,
    cart: Array.from({ length: random.next() % 4 }, () => ({ sku: createHex(random, 10), quantity: 1 + (random.next() % 5) })),
    visited: Array.from({ length: 1 + (random.next() % 5) }, () => pick(random, PATHS)),
    csrf: createHex(random, 24),
  };
}

function createProduct(random: DotnetRandom): object {
  const kind = pick(random, NOUNS);
  return {
    sku: createHex(random, 10),
    title: `${pick(random, ADJECTIVES)} ${pick(random, ADJECTIVES)} ${kind}`,
    kind,
    price: { amount: (100 + (random.next() % 50_000)) / 100, currency: random.next() % 3 === 0 ? "USD" : "EUR" },
    stock: Object.fromEntries(Array.from({ length: 3 }, () => [pick(random, CITIES), random.next() % 200])),
    rating: random.next() % 5 === 0 ? null : (random.next() % 50) / 10,
    inStock: random.next() % 6 !== 0,
    description: createWords(random, 8 + (random.next() % 24)),
    updatedAt: createDate(random),
  };
}

/** Words, cut to exactly so many characters. */
function createNote(random: DotnetRandom, length: number): string {
  let note = "";
  while (note.length < length) note += `${createWords(random, 4)}. `;
  return note.slice(0, length);
}
