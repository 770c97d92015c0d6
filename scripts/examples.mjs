import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { bootstrap } from "./bootstrap.mjs";
import { startRedis } from "./redis-server.mjs";
import { ROOT } from "./run-command.mjs";

const FOLDER = join(ROOT, "examples");

/**
 * Runs one example against a server, a throw-away one unless `url` names another. The process exits with the example's code.
 *
 * @param {string} file @param {string} [url]
 */
export async function runExample(file, url) {
  const server = url === undefined ? await startRedis() : undefined;
  const environment = { ...process.env, REDIS_URL: url ?? server?.url };
  const child = spawn(process.execPath, ["--import", "tsx", join(FOLDER, file)], {
    cwd: ROOT,
    stdio: "inherit",
    env: environment,
  });
  const [code] = await once(child, "exit");
  await server?.stop();
  if (code !== 0) process.exit(code ?? 1);
}

async function runExamples() {
  await bootstrap();
  for (const file of readdirSync(FOLDER).filter((name) => /\.(?:ts|cjs)$/.test(name))) {
    console.log(`\n— examples/${file}`);
    await runExample(file);
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) await runExamples();
