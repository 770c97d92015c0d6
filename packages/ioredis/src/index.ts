// Published types speak of Buffer: TypeScript 7 includes no types by itself.
/// <reference types="node" preserve="true" />

// For users: one call wraps a client.
export {
  brotli,
  bytes,
  CodecError,
  CodecErrorCode,
  type Compressor,
  type CompressorDefinition,
  defineCompressor,
  defineSerializer,
  deflate,
  isCodecError,
  isFrame,
  json,
  lz4,
  msgpack,
  type Serializer,
  type SerializerDefinition,
  stored,
  utf8,
  zstd,
} from "@tightwire/codec-core";
export { type ClientClasses, createCodecClasses } from "./classes.ts";
export {
  type ChannelRule,
  type ChannelRuleOptions,
  type ComparandMode,
  DEFAULT_MAX_REPLY_BYTES,
  DEFAULT_MIN_FRAME_BYTES,
  DEFAULT_RULE_MIN_COMPRESS_BYTES,
  type DecodeErrorMode,
  type FrameMode,
  type NumberMode,
  type PrefixRule,
  type RuleOptions,
  type UnframedMode,
  type UnsafeMode,
  type ValueCodecClientOptions,
  type ValueType,
} from "./options.ts";
export type { Rule } from "./rules.ts";
export type { ScriptOptions } from "./scripts.ts";
export type { PrefixStats } from "./stats.ts";
export type { PlainValues, TypedValues } from "./typed/rule-types.ts";
export type { StreamEntry } from "./typed/stream-methods.ts";
export type { ValueOf } from "./typed/value-of.ts";
export type {
  ClientWithValues,
  PipelineWithValues,
  TypedClasses,
  TypedClient,
  TypedClientOptions,
  TypedPipeline,
} from "./typed-client.ts";
export { rule, type TypedRule, type TypedRuleOptions } from "./typed-rule.ts";
export { type ClientValueCodec, type ValueCodecClient, valueCodecOf, withValueCodec } from "./with-value-codec.ts";
