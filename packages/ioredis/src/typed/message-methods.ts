import type { Callback, ChainHolder, Reply } from "./replies.ts";
import type { ReadValue, RuleOf, WrittenValue } from "./value-of.ts";

// The rule of a channel covers messages, which have no data type.
type Write<Channels, Name> = WrittenValue<RuleOf<Channels, Name>, "string">;
type Message<Channels> = ReadValue<RuleOf<Channels, string>, "string">;

/** The commands that send messages. */
export interface MessageMethods<Channels, Chain extends ChainHolder> {
  publish<N extends string | Buffer>(channel: N, message: Write<Channels, N>, callback?: Callback<number>): Reply<number, Chain>;
  spublish<N extends string | Buffer>(channel: N, message: Write<Channels, N>, callback?: Callback<number>): Reply<number, Chain>;
}

/** How listeners are added: those of messages hear values, and bytes from the events whose name ends in `Buffer`. */
export interface AddListener<Channels, Client> {
  (event: "message" | "smessage", listener: (channel: string, message: Message<Channels>) => void): Client;
  (event: "messageBuffer" | "smessageBuffer", listener: (channel: Buffer, message: Buffer) => void): Client;
  (event: "pmessage", listener: (pattern: string, channel: string, message: Message<Channels>) => void): Client;
  (event: "pmessageBuffer", listener: (pattern: string, channel: Buffer, message: Buffer) => void): Client;
  (event: "error", listener: (error: Error) => void): Client;
}
