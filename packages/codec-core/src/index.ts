export { CodecError, CodecErrorCode, type CodecErrorFacts, isCodecError } from "./errors.ts";
