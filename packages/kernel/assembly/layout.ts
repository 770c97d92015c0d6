// Where everything lies. The memory never grows and nothing in it moves, so views of it stay valid for the life of the process.

/** Most bytes of content, and of payload. */
export const MAX_BYTES: u32 = 1 << 20;

/** Bytes of a frame before its payload. */
export const HEADER_BYTES: u32 = 18;

// The compiler's static data lies from 1 to 4 KiB; page zero has nothing else below the table.
/** Where digests are written that belong to no frame. */
export const DIGEST_START: usize = 8 * 1024;

/** One entry for each hash of the LZ4 compressor. */
export const TABLE_START: usize = 16 * 1024;

// Copies go in steps of up to 32 bytes and may run over the end of a region by less than that; reads likewise. Between and behind
// the regions there is always that much.

/** Content, with room for a header before it: a stored frame is complete without moving a byte. */
export const CONTENT_START: usize = 64 * 1024;

// Not at a multiple of 4 KiB from the content: loads from one region would wait for stores to the other.
/** Payload, with room for its header before it. */
export const PAYLOAD_START: usize = CONTENT_START + (1 << 20) + 4096 + 2048;
