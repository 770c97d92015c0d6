import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";

/** How a vector describes its content; see docs/frame-format.md. */
export interface ContentForm {
  hex?: string;
  repeat?: string;
  random?: number;
  count?: number;
  dotnet?: number;
  bytes?: number;
  parts?: ContentForm[];
  sha256?: string;
}

export interface AcceptedVector {
  id: string;
  origin: string;
  version: 1 | 2;
  codec: number;
  content: ContentForm;
  frame: string | { header: string; payload: "content" };
}

export interface RefusedVector {
  id: string;
  origin: string;
  code: string;
  frame: string;
  options?: { maxContentBytes?: number; accept?: string[] };
}

const folder = new URL("./", import.meta.url);

export const vectorFiles: readonly string[] = readdirSync(folder)
  .filter((name) => name.endsWith(".json"))
  .sort();

export const refusedVectors: readonly RefusedVector[] = readVectors("refused.json") as RefusedVector[];

export const acceptedVectors: readonly AcceptedVector[] = vectorFiles
  .filter((name) => name !== "refused.json")
  .flatMap((name) => readVectors(name) as AcceptedVector[]);

export function readVectors(file: string): unknown[] {
  return JSON.parse(readFileSync(new URL(file, folder), "utf8")) as unknown[];
}

/** Digest and id of every entry that was ever published. */
export function readManifest(): Map<string, string> {
  const lines = readFileSync(new URL("manifest.txt", folder), "utf8").trim().split("\n");
  return new Map(lines.map((line) => [line.slice(66), line.slice(0, 64)]));
}

export function digestOf(vector: AcceptedVector | RefusedVector): string {
  return sha256(Buffer.from(JSON.stringify(vector)));
}

export function frameOf(vector: AcceptedVector): Buffer {
  if (typeof vector.frame === "string") return Buffer.from(vector.frame, "hex");
  return Buffer.concat([Buffer.from(vector.frame.header, "hex"), contentOf(vector)]);
}

export function contentOf({ id, content }: AcceptedVector): Buffer {
  const bytes = expand(content);
  if (content.sha256 !== undefined && sha256(bytes) !== content.sha256) throw new Error(`${id}: content has another SHA-256`);
  return bytes;
}

function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

function expand(form: ContentForm): Buffer {
  const { hex, repeat, random, count, dotnet, parts, bytes = 0 } = form;
  if (hex !== undefined) return Buffer.from(hex, "hex");
  if (repeat !== undefined) return Buffer.alloc(bytes, repeat, "hex");
  if (random !== undefined) return generateXorshift(random, bytes);
  if (count !== undefined) return countUp(count, bytes);
  if (dotnet !== undefined) return generateDotnet(dotnet, bytes);
  return Buffer.concat((parts ?? []).map(expand));
}

function generateXorshift(seed: number, size: number): Buffer {
  let state = seed;
  return Buffer.alloc(size).map(() => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state & 0xff;
  }) as Buffer;
}

function countUp(start: number, size: number): Buffer {
  let text = "";
  for (let number = start; text.length < size; number++) text += `${number}\n`;
  return Buffer.from(text.slice(0, size));
}

/** Knuth's subtractive generator, as .NET's seeded Random has it: 55 words, the second tap 21 behind. */
function generateDotnet(seed: number, size: number): Buffer {
  const modulus = 2 ** 31 - 1;
  const subtract = (a: number, b: number): number => (a - b < 0 ? a - b + modulus : a - b);
  const words = new Array<number>(56).fill(0);
  let [last, word] = [161803398 - seed, 1];
  words[55] = last;
  for (let i = 1; i < 55; i++) {
    words[(21 * i) % 55] = word;
    [last, word] = [word, subtract(last, word)];
  }
  for (let round = 0; round < 4; round++) {
    for (let i = 1; i < 56; i++) words[i] = subtract(Number(words[i]), Number(words[1 + ((i + 30) % 55)]));
  }
  let [at, tap] = [0, 21];
  return Buffer.alloc(size).map(() => {
    at = (at % 55) + 1;
    tap = (tap % 55) + 1;
    words[at] = subtract(Number(words[at]), Number(words[tap]));
    return Number(words[at]) & 0xff;
  }) as Buffer;
}
