import { isSerializer, type Serializer } from "./serializers/serializer.ts";
import type { ValueCodec } from "./value-codec.ts";

/** A value codec for values of one type: see {@link withSerializer}. */
export interface SerializedCodec<T> {
  /**
   * The frame of `value`, in memory of its own.
   *
   * @throws CodecError `CODEC_SERIALIZE` if the value cannot be serialized, `CODEC_SIZE_LIMIT` if it is too large
   */
  encode(value: T): Buffer;
  /**
   * The value in `frame`.
   *
   * @throws CodecError of the codec if the frame is refused, `CODEC_DESERIALIZE` if its content holds no such value
   */
  decode(frame: Uint8Array): T;
}

/**
 * Joins a serializer to a value codec: values to frames and back.
 *
 * @throws TypeError if `codec` or `serializer` is something else
 *
 * @example
 * import { createValueCodec, json, lz4, withSerializer } from "@tightwire/codec-core";
 *
 * const pages = withSerializer(createValueCodec({ compressor: lz4() }), json<{ html: string }>());
 * pages.decode(pages.encode({ html: "<p>" })); // { html: "<p>" }
 */
export function withSerializer<T>(codec: Pick<ValueCodec, "encode" | "decode">, serializer: Serializer<T>): SerializedCodec<T> {
  if (typeof codec?.encode !== "function" || typeof codec.decode !== "function")
    throw new TypeError("codec must be a value codec");
  if (!isSerializer(serializer))
    throw new TypeError("serializer must be made by json(), msgpack(), utf8(), bytes() or defineSerializer()");
  return Object.freeze({
    encode: (value: T): Buffer => codec.encode(serializer.serialize(value)),
    decode: (frame: Uint8Array): T => serializer.deserialize(codec.decode(frame)),
  });
}
