import { deserialize, serialize } from "node:v8";
import { defineSerializer, json, msgpack, type Serializer } from "@tightwire/codec-core";
import type { HashEntries } from "../corpus/hash-entries.ts";
import { readInspectText, writeInspectText } from "./hash-study-inspect-text.ts";

export const STUDY_SERIALIZERS: Readonly<Record<SerializerName, Serializer<HashEntries>>> = Object.freeze({
  "inspect-text": defineSerializer<HashEntries>({
    name: "inspect-text",
    serialize: (entries) => Buffer.from(writeInspectText(entries)),
    deserialize: (bytes) => readInspectText(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString()),
  }),
  json: json<HashEntries>(),
  v8: defineSerializer<HashEntries>({
    name: "v8",
    serialize: (entries) => serialize(entries),
    deserialize: (bytes) => deserialize(bytes) as HashEntries,
  }),
  messagepack: msgpack<HashEntries>(),
});

export const SERIALIZER_NAMES = Object.freeze(["inspect-text", "json", "v8", "messagepack"] as const);
export type SerializerName = (typeof SERIALIZER_NAMES)[number];
