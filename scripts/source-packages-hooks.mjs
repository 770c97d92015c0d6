import { existsSync } from "node:fs";

const PACKAGES = new URL("../packages/", import.meta.url);

/** @type {import("node:module").ResolveHook} */
export function resolve(specifier, context, nextResolve) {
  const [, name, entry = "index"] = /^@tightwire\/([^/]+)(?:\/(.+))?$/.exec(specifier) ?? [];
  if (name === undefined) return nextResolve(specifier, context);
  const source = new URL(`${name}/src/${entry}.ts`, PACKAGES);
  return nextResolve(existsSync(source) ? source.href : specifier, context);
}
