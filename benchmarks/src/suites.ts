import type { Suite } from "./suite.ts";
import { UsageError } from "./usage-error.ts";

/** Where the suites are, by name. One is loaded when it is used: what others measure is not in its process. */
export type SuiteRegistry = Readonly<Record<string, () => Promise<Suite>>>;

async function load(file: string, exported: string): Promise<Suite> {
  const module: Readonly<Record<string, unknown>> = await import(new URL(`./cases/${file}.ts`, import.meta.url).href);
  const suite = module[exported];
  if (suite === undefined) throw new Error(`cases/${file}.ts exports no ${exported}`);
  return suite as Suite;
}

/** In the order in which they run. */
export const SUITES: SuiteRegistry = {
  corpora: () => load("corpora", "corporaSuite"),
  "value-codec": () => load("value-codec", "valueCodecSuite"),
  checksum: () => load("checksum", "checksumSuite"),
  limit: () => load("limit", "limitSuite"),
  hostile: () => load("hostile", "hostileSuite"),
  serializers: () => load("serializers", "serializersSuite"),
  "hash-study": () => load("hash-study", "hashStudySuite"),
  overhead: () => load("overhead", "overheadSuite"),
  redis: () => load("redis", "redisSuite"),
  link: () => load("link", "linkSuite"),
};

/**
 * Loads the named suites, or all of them.
 *
 * @throws UsageError for a name that is none
 */
export async function loadSuites(registry: SuiteRegistry, names: readonly string[]): Promise<readonly Suite[]> {
  const unknown = names.find((name) => !Object.hasOwn(registry, name));
  if (unknown !== undefined) throw new UsageError(`no suite ${unknown}; there are ${Object.keys(registry).join(", ")}`);
  const chosen = Object.entries(registry).filter(([name]) => names.length === 0 || names.includes(name));
  return Promise.all(chosen.map(([, loadSuite]) => loadSuite()));
}
