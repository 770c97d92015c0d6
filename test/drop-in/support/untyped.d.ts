// What the tests use of libraries that come without types.

declare module "redlock" {
  interface Lock {
    readonly resource: string | readonly string[];
    readonly value: string;
    extend(ttlMs: number): Promise<Lock>;
    unlock(): Promise<void>;
  }
  class Redlock {
    constructor(clients: readonly object[], options?: { retryCount?: number; retryDelay?: number });
    lock(resource: string | readonly string[], ttlMs: number): Promise<Lock>;
    static readonly LockError: new (
      message: string,
    ) => Error;
  }
  export = Redlock;
}

declare module "express-session" {
  import type { EventEmitter } from "node:events";
  import type { IncomingMessage, ServerResponse } from "node:http";

  namespace session {
    interface SessionData {
      cookie: { originalMaxAge: number | null; expires?: string | Date | null };
      [name: string]: unknown;
    }
    abstract class Store extends EventEmitter {}
    interface Session extends SessionData {
      readonly id: string;
      destroy(done: (error?: unknown) => void): void;
      regenerate(done: (error?: unknown) => void): void;
    }
  }
  function session(options: {
    store: session.Store;
    secret: string;
    resave: boolean;
    saveUninitialized: boolean;
    cookie?: { maxAge: number };
  }): (request: IncomingMessage, response: ServerResponse, next: (error?: unknown) => void) => void;
  export = session;
}
