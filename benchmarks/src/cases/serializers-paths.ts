import { json, msgpack, type Serializer } from "@tightwire/codec-core";
import type { SampleObject } from "./serializers-objects.ts";

/** One way from a value to what goes to Redis, and back. */
export interface SerializerPath {
  /** As in case names. */
  readonly name: string;
  /** What the serializer's format is called. */
  readonly serializer: "json" | "messagepack";
  /** What is handed over: a string, which the client turns into UTF-8 and back, or bytes. */
  readonly path: "string" | "bytes";
  /** Loads the path's package. */
  load(): Promise<PathCalls>;
}

/** The calls of a path. */
export interface PathCalls {
  serialize(value: SampleObject): string | Uint8Array;
  deserialize(held: string | Uint8Array): unknown;
}

function use<Held extends string | Uint8Array>(
  serialize: (value: SampleObject) => Held,
  deserialize: (held: Held) => unknown,
): PathCalls {
  // A path is only ever given what it made.
  return { serialize, deserialize: deserialize as PathCalls["deserialize"] };
}

function useSerializer({ serialize, deserialize }: Serializer<SampleObject>): PathCalls {
  return use(serialize, deserialize);
}

async function loadMsgpackr(): Promise<PathCalls> {
  const { Packr } = await import("msgpackr");
  const packr = new Packr({ useRecords: false });
  return use<Uint8Array>(
    (value) => packr.pack(value),
    (bytes) => packr.unpack(bytes),
  );
}

async function loadOtherMsgpack(): Promise<PathCalls> {
  const { decode, encode } = await import("@msgpack/msgpack");
  return use<Uint8Array>((value) => encode(value), decode);
}

function decodeText(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString();
}

/** The first is what the others are compared with. */
export const SERIALIZER_PATHS: readonly SerializerPath[] = Object.freeze([
  {
    name: "json-string",
    serializer: "json",
    path: "string",
    load: async () => use<string>(JSON.stringify, JSON.parse),
  },
  {
    // What a client does with that string before it is sent, and to get one from a reply.
    name: "json-string-sent",
    serializer: "json",
    path: "string",
    load: async () =>
      use<Uint8Array>(
        (value) => Buffer.from(JSON.stringify(value)),
        (bytes) => JSON.parse(decodeText(bytes)),
      ),
  },
  { name: "json-bytes", serializer: "json", path: "bytes", load: async () => useSerializer(json<SampleObject>()) },
  { name: "msgpack-bytes", serializer: "messagepack", path: "bytes", load: async () => useSerializer(msgpack<SampleObject>()) },
  { name: "msgpackr", serializer: "messagepack", path: "bytes", load: loadMsgpackr },
  { name: "msgpack-msgpack", serializer: "messagepack", path: "bytes", load: loadOtherMsgpack },
]);
