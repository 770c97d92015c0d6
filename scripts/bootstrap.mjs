import { pathToFileURL } from "node:url";
import { build } from "./build.mjs";
import { ensureInstallation } from "./installation.mjs";
import { ensureRedisBinary } from "./redis-binary.mjs";

/**
 * Makes a fresh clone ready with nothing but Node and npm: packages, build, Redis server. Each step is skipped where its
 * result is current. Ends the process with a line that says what to do where that is up to a person.
 *
 * @param {{ needsRedis?: boolean }} [options]
 */
export async function bootstrap({ needsRedis = true } = {}) {
  assertNodeVersion(process.versions.node);
  ensureInstallation();
  build();
  if (!needsRedis) return;
  try {
    await ensureRedisBinary();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  }
}

/** @param {string} version the same range as `engines` in package.json */
function assertNodeVersion(version) {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  if ((major === 20 && minor >= 19) || (major === 22 && minor >= 12) || major > 22) return;
  console.error(`Node ${version} is too old: this project needs 20.19, 22.12 or newer`);
  process.exit(1);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) await bootstrap();
