const PACKAGES = { "6": "ioredis", "5": "ioredis-5", "5.4": "ioredis-5.4" } as const;

/** The releases of ioredis that are tested: the current one, the last of 5, and the oldest that is supported. */
export type IoredisVersion = keyof typeof PACKAGES;

/** The ioredis under test, `TIGHTWIRE_IOREDIS`; 6 by default. */
export const ioredisVersion: IoredisVersion = readVersion(process.env["TIGHTWIRE_IOREDIS"] ?? "6");

// Typed as the current release: what the tests use exists in all of them, and a test of a newer command skips by version.
const ioredis = (await import(PACKAGES[ioredisVersion])) as typeof import("ioredis");

/** `Redis` of the ioredis under test. */
export const Redis: typeof import("ioredis").Redis = ioredis.Redis;
export type Redis = import("ioredis").Redis;

/** `Cluster` of the ioredis under test. */
export const Cluster: typeof import("ioredis").Cluster = ioredis.Cluster;
export type Cluster = import("ioredis").Cluster;

function readVersion(value: string): IoredisVersion {
  if (Object.hasOwn(PACKAGES, value)) return value as IoredisVersion;
  throw new RangeError(`TIGHTWIRE_IOREDIS is one of ${Object.keys(PACKAGES).join(", ")}, not ${value}`);
}
