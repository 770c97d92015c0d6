/**
 * XXH3-64, LZ4 blocks and frames of version 2 in memory of its own. Every step is one call on what lies there: put bytes in, run, copy
 * the result out. What a step leaves holds until the next one, so no other use of the kernel may come between them. Results
 * are copied out; only `content`, `payload` and `frame` are that memory itself, and must not be handed on.
 *
 * Nothing is allocated per call but texts. Views for copying are made once for each length up to 1,280 bytes in steps of 16.
 */
export interface Kernel {
  /** Where content is put, `MAX_KERNEL_BYTES` long. Holds what was decompressed, too; other decompressors may write here, for `openContent`. */
  readonly content: Buffer;
  /** Where payloads are put, `MAX_KERNEL_BYTES` long. Other compressors may write theirs here, for `encodePayload`. */
  readonly payload: Buffer;
  /** Where frames are put: `payload` with the 18 bytes of a header before it. What was put in is not the caller's, so it stays. */
  readonly frame: Buffer;
  /**
   * Puts content in.
   *
   * @throws RangeError if it is longer than `MAX_KERNEL_BYTES`
   */
  putContent(content: Uint8Array): void;
  /**
   * Puts text in as UTF-8 content, as `Buffer.from(text)` has it.
   *
   * @returns content size; −1, with nothing put in, if the text has more than 349,525 UTF-16 code units
   */
  putText(text: string): number;
  /**
   * Frames the content that was put in, uncompressed.
   *
   * @returns frame size
   */
  encodeStored(): number;
  /**
   * Frames the content that was put in: as an LZ4 block if that is smaller, else uncompressed.
   *
   * @returns frame size
   */
  encodeLz4(): number;
  /**
   * Frames what lies in `payload`.
   *
   * @returns frame size
   * @throws RangeError for a payload over `MAX_KERNEL_BYTES`
   */
  encodePayload(payloadSize: number, codecId: number, contentSize: number): number;
  /**
   * Copies the frame that was encoded to `target`; nothing else there changes.
   *
   * @returns frame size
   * @throws RangeError if there is no room for it
   */
  copyFrame(target: Uint8Array, offset: number): number;
  /**
   * Puts a frame in, to be checked or decoded.
   *
   * @returns frame size; asked later, shared memory may have grown
   * @throws RangeError if its payload is longer than `MAX_KERNEL_BYTES`
   */
  putFrame(frame: Uint8Array): number;
  /**
   * Makes every check of the frame that was put in but that of its codec id, short of decompressing it.
   *
   * @returns content size, or a negative `KernelStatus`; `SIZE_LIMIT` also for 2 GiB and more
   */
  checkFrame(maxContentBytes: number): number;
  /**
   * Checks and opens the frame that was put in, stored or LZ4.
   *
   * @returns content size, or a negative `KernelStatus`; `SIZE_LIMIT` also for more than `MAX_KERNEL_BYTES`
   */
  decodeFrame(maxContentBytes: number): number;
  /**
   * Takes what another decompressor has written to the beginning of `content` for the content that was decoded.
   *
   * @throws RangeError for more than `MAX_KERNEL_BYTES`
   */
  openContent(contentSize: number): void;
  /**
   * Copies the content that was decoded or decompressed to `target`; nothing else there changes.
   *
   * @returns content size
   * @throws RangeError if there is no room for it
   */
  copyContent(target: Uint8Array, offset: number): number;
  /** The content that was decoded or decompressed as text, exactly as `toString("utf8")` has it. */
  readText(): string;
  /**
   * Compresses the content that was put in to one LZ4 block.
   *
   * @returns payload size; 0 if it would exceed `capacity`
   * @throws RangeError for a capacity over `MAX_KERNEL_BYTES`
   */
  compress(capacity: number): number;
  /**
   * Copies the block that was compressed to `target`; nothing else there changes.
   *
   * @returns payload size
   * @throws RangeError if there is no room for it
   */
  copyPayload(target: Uint8Array, offset: number): number;
  /**
   * Decompresses one LZ4 block.
   *
   * @returns whether it is sound and holds exactly `contentSize` bytes
   * @throws RangeError for a payload or content over `MAX_KERNEL_BYTES`
   */
  decompress(payload: Uint8Array, contentSize: number): boolean;
  /**
   * Writes the XXH3-64 digest of `bytes`, seed 0, as eight little-endian bytes at `offset` of `target`.
   *
   * @throws RangeError if there is no room for it, or for more bytes than `MAX_KERNEL_BYTES`
   */
  writeDigest(bytes: Uint8Array, target: Uint8Array, offset: number): void;
  /**
   * Whether the eight bytes at `offset` of `source` are that digest of `bytes`.
   *
   * @throws RangeError for more bytes than `MAX_KERNEL_BYTES`
   */
  matchesDigest(bytes: Uint8Array, source: Uint8Array, offset: number): boolean;
}
