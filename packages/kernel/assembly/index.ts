export { check, decode, encodeLz4, seal, writeDigest } from "./frame";
export { CONTENT_START, DIGEST_START, MAX_BYTES, PAYLOAD_START } from "./layout";
export { compressBlock } from "./lz4-compress";
export { decompressBlock } from "./lz4-decompress";
export { findLargestByte, toLatin1, toUtf16 } from "./text";
