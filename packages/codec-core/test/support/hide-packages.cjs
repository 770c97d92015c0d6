// Preloaded by child processes: makes what HIDE names look absent. "node:zlib" means its zstd. What BREAK names is there, but this
// system cannot load its native part: the loader's own words for a C library that is too old.
const Module = require("node:module");

const listNames = (variable) => (process.env[variable] ?? "").split(",").filter((name) => name !== "");
const hidden = listNames("HIDE");
const broken = listNames("BREAK");
const names = (list, request) => list.some((name) => request === name || request.startsWith(`${name}/`));
const resolveFilename = Module._resolveFilename;

Module._resolveFilename = function resolveUnlessHidden(request, ...rest) {
  if (names(broken, request)) {
    const message = "/lib/x86_64-linux-gnu/libc.so.6: version `GLIBC_2.34' not found";
    throw Object.assign(new Error(message), { code: "ERR_DLOPEN_FAILED" });
  }
  if (names(hidden, request)) {
    throw Object.assign(new Error(`Cannot find module '${request}'`), { code: "MODULE_NOT_FOUND" });
  }
  return resolveFilename.call(this, request, ...rest);
};

if (hidden.includes("node:zlib")) {
  const zlib = require("node:zlib");
  delete zlib.zstdCompressSync;
  Module.syncBuiltinESMExports();
}
