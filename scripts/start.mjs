import { bootstrap } from "./bootstrap.mjs";
import { runExample } from "./examples.mjs";

// REDIS_URL: the reader's own server. The quickstart stays under a key prefix of its own there, and removes it.
const url = process.env["REDIS_URL"];
await bootstrap({ needsRedis: url === undefined });
await runExample("quickstart.ts", url);
