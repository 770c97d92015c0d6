// A reporter of node:test for the end of a long run: every test that failed, with its file and its error. The runner's own output
// names them too, but thousands of lines earlier.

/** @param {{ data: any }} event @returns {string} */
function describeFailure({ data }) {
  const { name, file, line, details } = data;
  const error = details?.error?.cause ?? details?.error;
  const reason = error?.stack ?? String(error);
  return `\n✖ ${name}\n  ${file ?? "?"}:${line ?? "?"}\n${reason.replace(/^/gm, "  ")}\n`;
}

/** A suite fails with its tests, which are named themselves. @param {any} data */
function isOwnFailure(data) {
  return data.details?.error?.failureType !== "subtestsFailed";
}

/** @param {AsyncIterable<any>} source */
async function* reportFailures(source) {
  const failures = [];
  for await (const event of source) {
    if (event.type === "test:fail" && isOwnFailure(event.data)) failures.push(describeFailure(event));
  }
  if (failures.length > 0) yield `\n${failures.length} failed:\n${failures.join("")}`;
}

// biome-ignore lint/style/noDefaultExport: node:test takes a reporter as the default export of its module
export { reportFailures as default };
