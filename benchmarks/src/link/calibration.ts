import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { median } from "../statistics.ts";

/** What a way to a Redis server carries, as measured. */
export interface Calibration {
  readonly toServerBitsPerSecond: number;
  readonly toClientBitsPerSecond: number;
  /** The median of PING. */
  readonly roundTripUs: number;
}

/** How many bytes a measurement moves in each direction, and how many round trips it makes. */
export interface CalibrationSize {
  readonly bytes: number;
  readonly pings: number;
}

const KEY = "calibration";
const PONG_BYTES = "+PONG\r\n".length;
const OK_BYTES = "+OK\r\n".length;

/** Measures the way to a server on a port of 127.0.0.1, by a bare connection: one large SET, one large GET, and many PINGs. */
export async function calibrate(port: number, { bytes, pings }: CalibrationSize): Promise<Calibration> {
  const socket = connect({ port, host: "127.0.0.1", noDelay: true });
  await once(socket, "connect");
  const exchange = createExchange(socket);
  try {
    const times: number[] = [];
    for (let i = 0; i < pings; i++) times.push(await exchange(["PING\r\n"], PONG_BYTES));
    const value = Buffer.alloc(bytes, "x");
    const head = `*3\r\n$3\r\nSET\r\n$${KEY.length}\r\n${KEY}\r\n$${bytes}\r\n`;
    const setMs = await exchange([head, value, "\r\n"], OK_BYTES);
    const getMs = await exchange([`GET ${KEY}\r\n`], bytes + String(bytes).length + 5);
    await exchange([`DEL ${KEY}\r\n`], ":1\r\n".length);
    const roundTripMs = median(times);
    return {
      toServerBitsPerSecond: bitsPerSecond(bytes, setMs - roundTripMs),
      toClientBitsPerSecond: bitsPerSecond(bytes, getMs - roundTripMs),
      roundTripUs: roundTripMs * 1_000,
    };
  } finally {
    socket.destroy();
  }
}

function bitsPerSecond(bytes: number, ms: number): number {
  return (bytes * 8 * 1_000) / ms;
}

/** Sends some bytes and waits for a number of others; resolves to the milliseconds between. */
function createExchange(socket: Socket): (parts: readonly (string | Buffer)[], replyBytes: number) => Promise<number> {
  let missing = 0;
  let resolve: () => void = () => {};
  let reject: (error: Error) => void = () => {};
  socket.on("data", (chunk) => {
    missing -= chunk.length;
    if (missing <= 0) resolve();
  });
  socket.on("error", (error) => reject(error));
  socket.on("close", () => reject(new Error("the connection was closed")));
  return async (parts, replyBytes) => {
    missing = replyBytes;
    const done = new Promise<void>((...settle) => ([resolve, reject] = settle));
    const begin = performance.now();
    socket.cork();
    for (const part of parts) socket.write(part);
    socket.uncork();
    await done;
    return performance.now() - begin;
  };
}
