import { waitFor } from "../../support/wait.ts";

/** An event that a client emitted: its name and its arguments. */
export type Heard = readonly [event: string, ...args: unknown[]];

interface Emitter {
  on(event: string, listener: (...args: unknown[]) => void): unknown;
}

/** What a client hears, in order. */
export interface Ear {
  readonly heard: readonly Heard[];
  /** Waits until that many events have come. */
  count(count: number): Promise<readonly Heard[]>;
}

export const TEXT_EVENTS: readonly string[] = ["message", "pmessage", "smessage"];
export const MESSAGE_EVENTS: readonly string[] = TEXT_EVENTS.flatMap((name) => [name, `${name}Buffer`]);

export function listenTo(client: Emitter, events: readonly string[] = MESSAGE_EVENTS): Ear {
  const heard: Heard[] = [];
  for (const event of events) client.on(event, (...args) => heard.push([event, ...args]));
  return {
    heard,
    async count(count) {
      await waitFor(`${count} events are heard`, () => heard.length >= count);
      // One turn more, so that an event too many is heard as well.
      await new Promise((resolve) => setTimeout(resolve, 20));
      return heard;
    },
  };
}
