import { bytes, json, lz4, msgpack, rule, utf8, withValueCodec } from "@tightwire/ioredis";
import { Cluster, Redis } from "ioredis";

export interface Session {
  user: string;
  roles: string[];
}

export interface AdminSession {
  admin: true;
}

export interface UserFields {
  name: string;
  visits: number;
  tags?: string[];
}

export interface Point {
  x: number;
}

/** Rules of every kind: overlapping prefixes, fields, counters, lists whose elements are arrays, bytes, texts, plain ones. */
export const options = {
  prefixes: {
    "session:": { serializer: json<Session>() },
    "session:admin:": { serializer: msgpack<AdminSession>() },
    "user:": rule<Session, UserFields>({ serializer: json() }),
    "counter:": { serializer: json<number | Point>() },
    "path:": { serializer: json<Point[]>() },
    "blob:": { serializer: bytes() },
    "text:": { serializer: utf8() },
    "page:": { compressor: lz4() },
    "hits:": "raw",
  },
  channels: { "feed.": { serializer: json<Point>() } },
} as const;

/** What an open key may hold. */
export type Open = string | Session | AdminSession | number | Point | Point[] | Buffer;

export const redis = withValueCodec(new Redis({ lazyConnect: true }), options);
export const cluster = withValueCodec(new Cluster([], { lazyConnect: true }), options);

export declare const session: Session;
export declare const admin: AdminSession;
export declare const point: Point;
export declare const id: string;
export declare const index: number;
export declare const key: string;
export declare const keyBytes: Buffer;
