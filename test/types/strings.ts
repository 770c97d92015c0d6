import { assertReply, assertType } from "./support/assert-types.ts";
import {
  type AdminSession,
  admin,
  id,
  key,
  keyBytes,
  type Open,
  point,
  redis,
  type Session,
  session,
} from "./support/clients.ts";

// Reading
assertReply<Session | null>()(redis.getdel("session:1"));
assertReply<Session | null>()(redis.getex("session:1"));
assertReply<Session | null>()(redis.getex("session:1", "EX", 10));
assertReply<Session | null>()(redis.getex("session:1", "PERSIST"));
assertReply<[Session | null, AdminSession | null, string | null]>()(redis.mget("session:1", "session:admin:1", "page:1"));
assertReply<[Session | null, string | null]>()(redis.mget(["session:1", "page:1"]));
assertReply<(Open | null)[]>()(redis.mget(...([key, key] as string[])));
assertReply<(Open | null)[]>()(redis.mget([key, keyBytes] as (string | Buffer)[]));
assertReply<(AdminSession | null)[]>()(redis.mget([id, id].map((one) => `session:admin:${one}` as const)));

// Callbacks
redis.get("session:1", (error, value) => {
  assertType<Error | null | undefined>()(error);
  assertType<Session | null | undefined>()(value);
});
redis.getex("session:1", "PX", 10, (_error, value) => assertType<Session | null | undefined>()(value));
redis.mget("session:1", "page:1", (_error, values) => assertType<[Session | null, string | null] | undefined>()(values));
redis.mget(["session:1"], (_error, values) => assertType<[Session | null] | undefined>()(values));
redis.set("session:1", session, (_error, reply) => assertType<"OK" | undefined>()(reply));
redis.set("session:1", session, "EX", 10, "NX", "GET", (_error, old) => assertType<Session | null | undefined>()(old));
redis.setnx("session:1", session, (_error, count) => assertType<number | undefined>()(count));
redis.mset("session:1", session, "page:1", "text", (_error, reply) => assertType<"OK" | undefined>()(reply));
redis.mset({ "session:1": session }, (_error, reply) => assertType<"OK" | undefined>()(reply));

// SET by its options
assertReply<"OK">()(redis.set("session:1", session));
assertReply<"OK">()(redis.set("session:1", session, "EX", 10));
assertReply<"OK">()(redis.set("session:1", session, "KEEPTTL"));
assertReply<"OK" | null>()(redis.set("session:1", session, "NX"));
assertReply<"OK" | null>()(redis.set("session:1", session, "PX", 10, "XX"));
assertReply<"OK" | null>()(redis.set("session:1", session, "IFEQ", session));
assertReply<"OK" | null>()(redis.set("text:1", "new", "IFEQ", "GET"));
assertReply<Session | null>()(redis.set("session:1", session, "GET"));
assertReply<Session | null>()(redis.set("session:1", session, "EX", 10, "IFNE", session, "GET"));
assertReply<string | null>()(redis.set("page:1", "text", "GET"));
assertReply<Buffer | null>()(redis.setBuffer("session:1", session, "GET"));

// Other writes
assertReply<"OK">()(redis.setex("session:1", 10, session));
assertReply<"OK">()(redis.psetex("session:1", 10, session));
assertReply<number>()(redis.setnx("session:1", session));
assertReply<Session | null>()(redis.getset("session:1", session));
assertReply<Buffer | null>()(redis.getsetBuffer("session:1", session));
assertReply<"OK">()(redis.mset("session:1", session, "session:admin:1", admin, "page:1", "text", "other:1", 1));
assertReply<"OK">()(redis.mset("session:1", { user: "ada", roles: ["editor"] }, "page:1", "text"));
assertReply<"OK">()(redis.mset(["session:1", session, "page:1", "text"]));
assertReply<"OK">()(redis.mset({ "session:1": { user: "ada", roles: ["editor"] }, "page:1": "text", other: 1 }));
assertReply<"OK">()(redis.mset(new Map([["session:1", session]])));
assertReply<"OK">()(redis.mset(new Map([["session:1" as const, session]])));
assertReply<"OK">()(redis.mset(...([key, "text"] as string[])));
assertReply<number>()(redis.msetnx({ "session:1": session }));

// Bytes of every kind, under a rule without a serializer and under one that returns a Buffer
redis.set("page:1", new Uint8Array(1));
redis.set("page:1", new DataView(new ArrayBuffer(1)));
redis.set("blob:1", new Uint8Array(1));
redis.set("blob:1", Buffer.alloc(1));

// An open key takes what any key may take.
redis.set(key, session);
redis.set(key, "text");
redis.set(keyBytes, 1);
redis.mset(key, session, key, "text");

// An array is a value where a value stands.
redis.set("path:1", [point]);
redis.mset("path:1", [point], "path:2", [point]);
redis.mset({ "path:1": [point] });

// @ts-expect-error a text is no session
redis.set("session:1", "text");
// @ts-expect-error neither is a number
redis.set("session:1", 1);
// @ts-expect-error nor a Buffer
redis.set("session:1", Buffer.alloc(1));
// @ts-expect-error a property is missing
redis.set("session:1", { user: "ada" });
// @ts-expect-error a property is too many
redis.set("session:1", { user: "ada", roles: [], age: 1 });
// @ts-expect-error a session of the longer prefix is another
redis.set("session:admin:1", session);
// @ts-expect-error with options too
redis.set("session:1", "text", "EX", 10);
// @ts-expect-error there is no such option
redis.set("session:1", session, "EXX", 10);
// @ts-expect-error an expiry needs its time
redis.set("session:1", session, "EX");
// @ts-expect-error what is compared is a session too
redis.set("session:1", session, "IFEQ", "text");
// @ts-expect-error an object needs a serializer
redis.set("page:1", session);
// @ts-expect-error ioredis would make text of bytes that are no Buffer
redis.set("other:1", new Uint8Array(1));
// @ts-expect-error setBuffer() is for GET
redis.setBuffer("session:1", session);
// @ts-expect-error
redis.setex("session:1", 10, "text");
// @ts-expect-error
redis.setnx("session:1", "text");
// @ts-expect-error
redis.getset("session:1", "text");
// @ts-expect-error the second value
redis.mset("page:1", "text", "session:1", "text");
// @ts-expect-error a property is too many
redis.mset("session:1", { user: "ada", roles: [], age: 1 });
// @ts-expect-error a key without a value
redis.mset("session:1", session, "page:1", (): void => {}, 1);
// @ts-expect-error in an array
redis.mset(["session:1", "text"]);
// @ts-expect-error in an object
redis.mset({ "session:1": "text" });
// @ts-expect-error in a Map
redis.mset(new Map([["session:1" as const, "text"]]));
// @ts-expect-error nothing takes this
redis.set(key, true);
// @ts-expect-error a key is a string or a Buffer
redis.get(1);
