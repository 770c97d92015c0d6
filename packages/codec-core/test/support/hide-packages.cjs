// Preloaded by child processes: makes what HIDE names look absent. "node:zlib" means its zstd.
const Module = require("node:module");

const hidden = (process.env.HIDE ?? "").split(",").filter((name) => name !== "");
const resolveFilename = Module._resolveFilename;

Module._resolveFilename = function resolveUnlessHidden(request, ...rest) {
  if (hidden.some((name) => request === name || request.startsWith(`${name}/`))) {
    throw Object.assign(new Error(`Cannot find module '${request}'`), { code: "MODULE_NOT_FOUND" });
  }
  return resolveFilename.call(this, request, ...rest);
};

if (hidden.includes("node:zlib")) {
  const zlib = require("node:zlib");
  delete zlib.zstdCompressSync;
  Module.syncBuiltinESMExports();
}
