import { createRequire } from "node:module";

// CommonJS in both builds: ES modules would need `import.meta`, which the CommonJS build cannot contain. `createRequire`
// rather than the local `require`, because loaders that transpile on the fly hand out one that cannot load native addons.
const requireFromHere: NodeJS.Require = createRequire(__filename);

/** Loads an installed package as this package sees it; throws what `require` throws. */
export function loadPackage(name: string): unknown {
  return requireFromHere(name);
}
