import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { lazily } from "../lazily.ts";
import type { ValueSet } from "./corpus.ts";

const require = createRequire(import.meta.url);

/** Values of one kind: about as long as what services cache under that name. */
interface Kind {
  readonly name: string;
  readonly minBytes: number;
  readonly maxBytes: number;
  /** At most so many, evenly from all there are: enough variety, and a pass stays short. */
  readonly maxValues: number;
}

const SESSIONS: Kind = { name: "sessions", minBytes: 150, maxBytes: 1_536, maxValues: 200 };
const DOCUMENTS: Kind = { name: "documents", minBytes: 1_537, maxBytes: 16_384, maxValues: 60 };
const FEEDS: Kind = { name: "feeds", minBytes: 16_385, maxBytes: 262_144, maxValues: 6 };

type Json = { readonly [key: string]: unknown };

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, "utf8"));
}

/** Version of an installed package of data; such packages do not all export their package.json. */
export function readPackageVersion(packageName: string): string {
  const { version } = readJson(join(dirname(require.resolve(MAIN_FILES[packageName] ?? packageName)), "package.json")) as Json;
  return String(version);
}

const MAIN_FILES: Readonly<Record<string, string>> = {
  "mime-db": "mime-db/db.json",
  "@mdn/browser-compat-data": "@mdn/browser-compat-data",
  "world-countries": "world-countries/countries.json",
};

/** Data of a package: parsed once, since one is of 20 MB. */
function loadPackage<T>(packageName: string): () => T {
  return lazily(() => readJson(require.resolve(MAIN_FILES[packageName] ?? packageName)) as T);
}

const loadMediaTypes = loadPackage<Readonly<Record<string, Json>>>("mime-db");
const loadCompatibility = loadPackage<Json>("@mdn/browser-compat-data");
const loadCountries = loadPackage<readonly Json[]>("world-countries");

/** Lists of media types, each as long as its limit allows: what a service caches of a table it looks up. */
function listMediaTypes(maxBytes: number): string[] {
  const lists: string[][] = [[]];
  let length = 2;
  for (const [type, facts] of Object.entries(loadMediaTypes())) {
    const record = JSON.stringify({ type, ...facts });
    if (length + record.length > maxBytes) {
      lists.push([]);
      length = 2;
    }
    lists.at(-1)?.push(record);
    length += record.length + 1;
  }
  return lists.map((records) => `[${records.join(",")}]`);
}

/** Everything the tree says of one feature: where it is specified, its status, which browser has it from when. */
function* listFeatures(node: Json): Generator<unknown> {
  for (const [name, child] of Object.entries(node)) {
    if (name === "__compat") yield child;
    if (name !== "__compat" && isObject(child)) yield* listFeatures(child);
  }
}

function listInterfaces(): unknown[] {
  return Object.values(loadCompatibility()["api"] as Json);
}

const PROFILE_FIELDS = [
  "cca2",
  "cca3",
  "capital",
  "region",
  "subregion",
  "currencies",
  "idd",
  "tld",
  "languages",
  "latlng",
  "area",
];

function createCountryProfile(country: Json): Json {
  const { common } = country["name"] as { common: string };
  return { name: common, ...Object.fromEntries(PROFILE_FIELDS.map((field) => [field, country[field]])) };
}

/** All countries of each region. */
function listRegions(): (readonly Json[])[] {
  const regions = new Map<unknown, Json[]>();
  for (const country of loadCountries()) {
    const region = country["region"];
    regions.set(region, [...(regions.get(region) ?? []), country]);
  }
  return [...regions.values()];
}

function stringifyAll(values: Iterable<unknown>): string[] {
  return Array.from(values, (value) => JSON.stringify(value));
}

/** Those of a kind's length, thinned evenly. */
function choose(values: readonly string[], { minBytes, maxBytes, maxValues }: Kind): string[] {
  const fitting = values.filter((value) => {
    const size = Buffer.byteLength(value);
    return size >= minBytes && size <= maxBytes;
  });
  const count = Math.min(maxValues, fitting.length);
  return Array.from({ length: count }, (_, i) => fitting[Math.floor((i * fitting.length) / count)] as string);
}

function defineSet(prefix: string, packageName: string, kind: Kind, what: string, list: () => readonly string[]): ValueSet {
  return {
    name: `${prefix}-${kind.name}`,
    description: `${what} (${packageName})`,
    packageName,
    createValues: lazily(() => choose(list(), kind)),
  };
}

const mimeSet = (kind: Kind, maxBytes: number): ValueSet =>
  defineSet("mime-db", "mime-db", kind, `lists of media types of up to ${maxBytes} bytes`, () => listMediaTypes(maxBytes));

const compatibilitySet = (kind: Kind, what: string, list: () => Iterable<unknown>): ValueSet =>
  defineSet("browser-compat", "@mdn/browser-compat-data", kind, what, () => stringifyAll(list()));

const countrySet = (kind: Kind, what: string, list: () => Iterable<unknown>): ValueSet =>
  defineSet("world-countries", "world-countries", kind, what, () => stringifyAll(list()));

/** Real data from packages made of data, nothing fetched at run time: values as long as sessions, documents and feeds. */
export const REAL_DATA: readonly ValueSet[] = [
  mimeSet(SESSIONS, 1_024),
  mimeSet(DOCUMENTS, 10_240),
  mimeSet(FEEDS, 65_536),
  compatibilitySet(SESSIONS, "one feature of the web platform each", () => listFeatures(loadCompatibility()["api"] as Json)),
  compatibilitySet(DOCUMENTS, "one small interface of the web platform each", listInterfaces),
  compatibilitySet(FEEDS, "one large interface of the web platform each", listInterfaces),
  countrySet(SESSIONS, "the profile of one country each", () => loadCountries().map(createCountryProfile)),
  countrySet(DOCUMENTS, "everything about one country each, in many scripts", loadCountries),
  countrySet(FEEDS, "all countries of one region each", listRegions),
];
