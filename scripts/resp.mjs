import { connect } from "node:net";

/** @typedef {string | number | null | Error | Reply[]} Reply a RESP2 reply; an error reply inside an array stays an `Error` value */

const REPLY_TIMEOUT_MS = 5_000;

/**
 * Sends one command on its own connection and gives its reply: control for scripts and tests that must not depend on the
 * client under test, nor on installed packages.
 *
 * @param {number} port on 127.0.0.1
 * @param {readonly (string | number)[]} command
 * @param {number} [timeoutMs]
 * @returns {Promise<Reply>} rejects with the server's error reply
 */
export function sendRedisCommand(port, command, timeoutMs = REPLY_TIMEOUT_MS) {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () => socket.write(formatCommand(command)));
    let received = Buffer.alloc(0);
    socket.setTimeout(timeoutMs, () => socket.destroy(new Error(`no reply from port ${port} to ${command[0]}`)));
    socket.on("error", reject);
    socket.on("close", () => reject(new Error(`port ${port} closed the connection before replying to ${command[0]}`)));
    socket.on("data", (chunk) => {
      received = Buffer.concat([received, chunk]);
      const parsed = parseReply(received, 0);
      if (parsed === undefined) return;
      if (parsed.reply instanceof Error) reject(parsed.reply);
      else resolve(parsed.reply);
      socket.destroy();
    });
  });
}

/** @param {readonly (string | number)[]} command */
function formatCommand(command) {
  const bulks = command.map((argument) => `$${Buffer.byteLength(String(argument))}\r\n${argument}\r\n`);
  return `*${command.length}\r\n${bulks.join("")}`;
}

/**
 * @param {Buffer} bytes
 * @param {number} start
 * @returns {{ reply: Reply, end: number } | undefined} undefined while the reply is incomplete
 */
export function parseReply(bytes, start) {
  const lineEnd = bytes.indexOf("\r\n", start);
  if (lineEnd < 0) return undefined;
  const line = bytes.toString("utf8", start + 1, lineEnd);
  const next = lineEnd + 2;
  switch (String.fromCharCode(bytes[start] ?? 0)) {
    case "+":
      return { reply: line, end: next };
    case "-":
      return { reply: new Error(line), end: next };
    case ":":
      return { reply: Number(line), end: next };
    case "$":
      return parseBulk(bytes, next, Number(line));
    case "*":
      return parseArray(bytes, next, Number(line));
    default:
      throw new Error(`not a RESP2 reply: it begins with byte ${bytes[start]}`);
  }
}

/** @type {(bytes: Buffer, start: number, length: number) => ReturnType<typeof parseReply>} */
function parseBulk(bytes, start, length) {
  if (length < 0) return { reply: null, end: start };
  const end = start + length + 2;
  return bytes.length < end ? undefined : { reply: bytes.toString("utf8", start, start + length), end };
}

/** @type {(bytes: Buffer, start: number, length: number) => ReturnType<typeof parseReply>} */
function parseArray(bytes, start, length) {
  if (length < 0) return { reply: null, end: start };
  const replies = [];
  let end = start;
  for (let index = 0; index < length; index++) {
    const parsed = parseReply(bytes, end);
    if (parsed === undefined) return undefined;
    replies.push(parsed.reply);
    end = parsed.end;
  }
  return { reply: replies, end };
}
