import { register } from "node:module";

// `--import` this to make `@tightwire/*` mean the packages' sources, for coverage. The tests that are repeated with a second
// ioredis keep the built packages, so that a run with coverage tests both.
if (process.argv[1]?.includes("/.cache/") !== true) register("./source-packages-hooks.mjs", import.meta.url);
