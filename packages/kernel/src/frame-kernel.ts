import { lengthOf } from "./bytes.ts";
import { copyOut, createRegion, type Region } from "./copy.ts";
import type { Engine } from "./engine.ts";
import type { Kernel } from "./kernel.ts";
import { assertFits, MAX_KERNEL_BYTES, MAX_TEXT_UNITS } from "./limits.ts";
import { readUtf8, writeUtf8 } from "./text.ts";

const HEADER_BYTES = 18;
const CODEC_ID_OFFSET = 5;
const STORED_ID = 0;
const CHECKSUM_BYTES = 8;
// Sizes and failures share one signed integer.
const MAX_CLAIM_BYTES = 2 ** 31 - 1;

/** The kernel on one engine. Its state is where the last step left its result. */
export class FrameKernel implements Kernel {
  readonly content: Buffer;
  readonly payload: Buffer;
  readonly frame: Buffer;
  readonly #engine: Engine;
  readonly #memory: Buffer;
  readonly #contentStart: number;
  readonly #payloadStart: number;
  readonly #digestStart: number;
  readonly #contentRegion: Region;
  readonly #payloadRegion: Region;
  readonly #storedFrame: Region;
  readonly #compressedFrame: Region;
  #contentSize = 0;
  #frame: Region;
  #frameSize = 0;
  #received = 0;
  #opened: Region;
  #openedSize = 0;
  #blockSize = 0;

  constructor(engine: Engine) {
    this.#engine = engine;
    this.#memory = Buffer.from(engine.memory.buffer);
    this.#contentStart = engine.CONTENT_START.value;
    this.#payloadStart = engine.PAYLOAD_START.value;
    this.#digestStart = engine.DIGEST_START.value;
    this.#contentRegion = createRegion(this.#memory, this.#contentStart, MAX_KERNEL_BYTES);
    this.#payloadRegion = createRegion(this.#memory, this.#payloadStart, MAX_KERNEL_BYTES);
    this.#storedFrame = createRegion(this.#memory, this.#contentStart - HEADER_BYTES, HEADER_BYTES + MAX_KERNEL_BYTES);
    this.#compressedFrame = createRegion(this.#memory, this.#payloadStart - HEADER_BYTES, HEADER_BYTES + MAX_KERNEL_BYTES);
    this.content = this.#contentRegion.bytes;
    this.payload = this.#payloadRegion.bytes;
    this.frame = this.#compressedFrame.bytes;
    this.#frame = this.#storedFrame;
    this.#opened = this.#contentRegion;
  }

  putContent(content: Uint8Array): void {
    const size = lengthOf(content);
    assertFits("content", size);
    this.#memory.set(content, this.#contentStart);
    this.#contentSize = size;
  }

  putText(text: string): number {
    if (text.length > MAX_TEXT_UNITS) return -1;
    this.#contentSize = writeUtf8(this.#memory, text, this.#contentStart);
    return this.#contentSize;
  }

  encodeStored(): number {
    const size = this.#contentSize;
    this.#engine.seal(this.#contentStart, size, STORED_ID, size);
    this.#frame = this.#storedFrame;
    this.#frameSize = HEADER_BYTES + size;
    return this.#frameSize;
  }

  encodeLz4(): number {
    const payloadSize = this.#engine.encodeLz4(this.#contentSize);
    this.#frame = payloadSize === this.#contentSize ? this.#storedFrame : this.#compressedFrame;
    this.#frameSize = HEADER_BYTES + payloadSize;
    return this.#frameSize;
  }

  encodePayload(payloadSize: number, codecId: number, contentSize: number): number {
    assertFits("payload", payloadSize);
    this.#engine.seal(this.#payloadStart, payloadSize, codecId, contentSize);
    this.#frame = this.#compressedFrame;
    this.#frameSize = HEADER_BYTES + payloadSize;
    return this.#frameSize;
  }

  copyFrame(target: Uint8Array, offset: number): number {
    copyOut(this.#frame, this.#frameSize, target, offset);
    return this.#frameSize;
  }

  putFrame(frame: Uint8Array): number {
    const size = lengthOf(frame);
    if (size > HEADER_BYTES) assertFits("payload", size - HEADER_BYTES);
    this.#memory.set(frame, this.#payloadStart - HEADER_BYTES);
    this.#received = size;
    return size;
  }

  checkFrame(maxContentBytes: number): number {
    return this.#engine.check(this.#received, Math.min(maxContentBytes, MAX_CLAIM_BYTES));
  }

  decodeFrame(maxContentBytes: number): number {
    const contentSize = this.#engine.decode(this.#received, Math.min(maxContentBytes, MAX_KERNEL_BYTES));
    const isStored = this.frame[CODEC_ID_OFFSET] === STORED_ID;
    this.#opened = isStored ? this.#payloadRegion : this.#contentRegion;
    this.#openedSize = Math.max(contentSize, 0);
    return contentSize;
  }

  openContent(contentSize: number): void {
    assertFits("content", contentSize);
    this.#opened = this.#contentRegion;
    this.#openedSize = contentSize;
  }

  copyContent(target: Uint8Array, offset: number): number {
    copyOut(this.#opened, this.#openedSize, target, offset);
    return this.#openedSize;
  }

  readText(): string {
    const isPayload = this.#opened === this.#payloadRegion;
    const start = isPayload ? this.#payloadStart : this.#contentStart;
    const other = isPayload ? this.#contentStart : this.#payloadStart;
    const room = 2 * this.#openedSize <= MAX_KERNEL_BYTES ? other : undefined;
    return readUtf8(this.#engine, this.#memory, start, this.#openedSize, room);
  }

  compress(capacity: number): number {
    assertFits("block", capacity);
    this.#blockSize = this.#engine.compressBlock(this.#contentStart, this.#contentSize, this.#payloadStart, capacity);
    return this.#blockSize;
  }

  copyPayload(target: Uint8Array, offset: number): number {
    copyOut(this.#payloadRegion, this.#blockSize, target, offset);
    return this.#blockSize;
  }

  decompress(payload: Uint8Array, contentSize: number): boolean {
    const size = lengthOf(payload);
    assertFits("payload", size);
    assertFits("content", contentSize);
    this.#memory.set(payload, this.#payloadStart);
    const isSound = this.#engine.decompressBlock(this.#payloadStart, size, this.#contentStart, contentSize) === 1;
    this.#opened = this.#contentRegion;
    this.#openedSize = isSound ? contentSize : 0;
    return isSound;
  }

  writeDigest(bytes: Uint8Array, target: Uint8Array, offset: number): void {
    if (!(offset >= 0 && offset + CHECKSUM_BYTES <= lengthOf(target))) throw new RangeError("target has no room for a digest");
    this.#digest(bytes);
    for (let index = 0; index < CHECKSUM_BYTES; index++) {
      target[offset + index] = this.#memory[this.#digestStart + index] as number;
    }
  }

  matchesDigest(bytes: Uint8Array, source: Uint8Array, offset: number): boolean {
    this.#digest(bytes);
    for (let index = 0; index < CHECKSUM_BYTES; index++) {
      if (source[offset + index] !== this.#memory[this.#digestStart + index]) return false;
    }
    return true;
  }

  #digest(bytes: Uint8Array): void {
    const size = lengthOf(bytes);
    assertFits("input", size);
    this.#memory.set(bytes, this.#payloadStart);
    this.#engine.writeDigest(this.#payloadStart, size);
  }
}
