// Run by memory.test.ts in a process of its own, with the name of a scenario and the bytes by which its address space may grow once
// it has warmed up. Prints how far memory grew. What is refused must be refused by a CodecError: anything else ends the process.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { brotliCompressSync, deflateRawSync } from "node:zlib";
import { isCodecError } from "../../src/errors.ts";
import { brotli, createValueCodec, deflate, lz4, MAX_CONTENT_BYTES, zstd } from "../../src/index.ts";
import { loadLz4 } from "../../src/platform.ts";
import { frameOf, noise, records } from "./frames.ts";

const MIB = 1024 * 1024;
const COMPRESSORS = [brotli(), deflate(), lz4(), zstd()];
const codecs = COMPRESSORS.map((compressor) => createValueCodec({ compressor }));
const unlimited = createValueCodec({ maxContentBytes: MAX_CONTENT_BYTES });

const counts: Record<string, number> = {};

function refuse(codec: typeof unlimited, frame: Buffer): void {
  try {
    codec.decode(frame);
  } catch (error) {
    if (!isCodecError(error)) throw error;
    counts[error.code] = (counts[error.code] ?? 0) + 1;
    return;
  }
  throw new Error("accepted");
}

function compressedPayload(id: number, content: Buffer): Buffer {
  if (id === 1) return brotliCompressSync(content);
  if (id === 2) return deflateRawSync(content);
  if (id === 3) return loadLz4().compressSync(content).subarray(4);
  const target = Buffer.allocUnsafe(content.length);
  return Buffer.from(target.subarray(0, zstd().compressInto(content, target)));
}

/** Lets the event loop turn, as a server does: what native code has given up is freed only then. */
async function yieldEvery(rounds: number, round: number): Promise<void> {
  if (round % rounds === 0) await new Promise((resolve) => setImmediate(resolve));
}

const SCENARIOS: Readonly<Record<string, () => Promise<void>>> = {
  /** Frames that claim up to 4 GiB around payloads of a few bytes, with the default limit and with none. */
  async claims() {
    const sizes = [2 ** 23 + 1, 2 ** 30, 2 ** 31 - 1, 2 ** 31, 2 ** 32 - 19, 2 ** 32 - 1];
    for (let round = 0; round < 200; round++) {
      await yieldEvery(10, round);
      for (const { id } of COMPRESSORS) {
        for (const contentSize of sizes) {
          const payload = round % 2 === 0 ? noise(20, round + 1) : compressedPayload(id, records(200));
          const frame = frameOf({ codecId: id, contentSize, payload });
          refuse(unlimited, frame);
          for (const codec of codecs) refuse(codec, frame);
        }
      }
    }
  },

  /** Payloads of 50 MiB of zeros, claimed truly and falsely. */
  async bombs() {
    const zeros = Buffer.alloc(50 * MIB);
    for (const { id } of COMPRESSORS) {
      const payload = compressedPayload(id, zeros);
      for (let round = 0; round < 20; round++) {
        await yieldEvery(1, round);
        for (const codec of codecs) {
          refuse(codec, frameOf({ codecId: id, contentSize: zeros.length, payload }));
          refuse(codec, frameOf({ codecId: id, contentSize: 8 * MIB, payload }));
        }
        refuse(unlimited, frameOf({ codecId: id, contentSize: zeros.length - 1, payload }));
      }
    }
  },

  /** The LZ4 payload of redisson/redisson#6574, over and over. */
  async nonsense() {
    const payload = Buffer.from("ffffff7f11223344", "hex");
    for (let round = 0; round < 10_000; round++) {
      await yieldEvery(100, round);
      refuse(unlimited, frameOf({ codecId: 3, contentSize: 9 + (round % 3000), payload }));
    }
  },

  /** 10,000 damaged reads: most fail by checksum; those whose checksum was made right again fail in the compressor. */
  async damage() {
    for (let round = 0; round < 2500; round++) {
      await yieldEvery(25, round);
      for (const [index, codec] of codecs.entries()) {
        const id = (COMPRESSORS[index] as (typeof COMPRESSORS)[number]).id;
        const frame = codec.encode(records(2000 + round));
        const at = 18 + (round % (frame.length - 18));
        frame[at] = (frame[at] as number) ^ 0x40;
        refuse(codec, frame);
        refuse(codec, frameOf({ codecId: id, contentSize: 1024, payload: noise(1000, round + 1) }));
      }
    }
  },

  /** A 2 MB value read over and over: antoniomuso/lz4-napi#678. */
  async reads() {
    const content = Buffer.concat([Buffer.alloc(1_000_000, "y"), Buffer.alloc(1_000_000, "x")]);
    for (const codec of codecs) {
      const frame = codec.encode(content);
      for (let round = 0; round < 500; round++) {
        await yieldEvery(10, round);
        if (codec.decode(frame).length !== content.length) throw new Error("short");
      }
    }
  },

  /** A sound frame of 1 GiB that all limits allow, and that there is no memory for. */
  async scarce() {
    const blocks = Buffer.alloc(8192 * 4, Buffer.from("02001061", "hex"));
    blocks[blocks.length - 4] = 0x03;
    const payload = Buffer.concat([Buffer.from("28b52ffda000000040", "hex"), blocks]);
    for (let round = 0; round < 100; round++) refuse(unlimited, frameOf({ codecId: 4, contentSize: 2 ** 30, payload }));
  },

  /** What must not happen: proof that the limit would end the process. */
  async overrun() {
    Buffer.alloc(1024 * MIB, 1);
  },

  /** Large values written at many levels in turn, without a turn of the event loop: contexts must not pile up. */
  async writes() {
    const large = Buffer.concat([noise(100_000), records(400_000)]);
    const writers = [1, 2, 3, 4, 5, 6].map((level) => createValueCodec({ compressor: zstd({ level }) }));
    for (let round = 0; round < 50; round++) for (const writer of writers) writer.encode(large);
  },
};

function warmUp(): void {
  for (const codec of codecs)
    for (const content of [records(3000), records(300_000), noise(3000)]) codec.decode(codec.encode(content));
}

function readStatus(field: string): number {
  const line = new RegExp(`^${field}:\\s+(\\d+) kB$`, "m").exec(readFileSync("/proc/self/status", "utf8"));
  return Number(line?.[1]) * 1024;
}

/** From here on, an allocation that would take the process further than this fails. */
function limitGrowth(bytes: number): void {
  execFileSync("prlimit", [`--pid=${process.pid}`, `--as=${readStatus("VmSize") + bytes}`]);
}

/** Waits until nothing else grows: loaders instantiate WebAssembly, which reserves GiB, some time after they are started. */
async function settle(): Promise<void> {
  let size = 0;
  while (size !== readStatus("VmSize")) {
    size = readStatus("VmSize");
    await new Promise((resolve) => setTimeout(resolve, 150));
  }
}

warmUp();
await settle();
const [name = "", allowanceBytes] = process.argv.slice(2);
const before = readStatus("VmRSS");
limitGrowth(Number(allowanceBytes));
await (SCENARIOS[name] as () => Promise<void>)();
console.log(JSON.stringify({ counts, growthBytes: readStatus("VmRSS") - before, peakGrowthBytes: readStatus("VmHWM") - before }));
