import { Command } from "ioredis";
import type { CommandArgument, CommandLike } from "../../src/seam/ioredis.ts";

/** ioredis' own Command, as the seam and its tests see it: key positions, flattening and conversions are ioredis' business. */
export interface StubCommand extends CommandLike {
  /** What a connection does with the raw reply. */
  resolve(reply: unknown): void;
  /** What a pipeline does that a cluster redirected. */
  initPromise(): void;
  toWritable(socket: object): string | Buffer;
}

export interface StubCommandOptions {
  readonly keyPrefix?: string | Buffer;
  /** Absent: the method without `Buffer` in its name. */
  readonly replyEncoding?: null;
}

/** A command as a method of ioredis makes it. */
export function createCommand(name: string, args: readonly unknown[] = [], options: StubCommandOptions = {}): StubCommand {
  const made = new Command(name, [...args] as CommandArgument[], { replyEncoding: "utf8", ...options } as object);
  // Tests look at what became of it when they choose to; Node would end the process before.
  made.promise.catch(() => {});
  return made as unknown as StubCommand;
}
