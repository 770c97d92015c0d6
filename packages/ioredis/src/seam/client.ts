import type { Shared } from "../shared.ts";
import { Attachment, attachmentOf, setAttachment } from "./attachment.ts";
import { isCodecClass } from "./codec-classes.ts";
import { emit } from "./events.ts";
import { addOwner, type ClientLike, defineMethod, inheritedMethod, type PipelineLike } from "./ioredis.ts";
import { addedMethodsOf, ownMethodsOf } from "./methods.ts";
import { attachPipeline, attachTransaction } from "./pipelines.ts";
import { defineCommand, SCRIPT_METHODS, wrapDefined } from "./script-methods.ts";
import { createSendCommand } from "./send.ts";

type Method = (this: ClientLike, ...args: unknown[]) => unknown;

/** Puts the wrapper's own methods on a client; its class and its identity stay. */
export function attachClient(client: ClientLike, shared: Shared, cluster?: ClientLike): void {
  if (typeof client.sendCommand !== "function") {
    attachInertly(client, shared);
    return;
  }
  const base = Object.getPrototypeOf(client);
  const own = [
    ...ownMethodsOf(base),
    ...addedMethodsOf(client, base),
    ...[...SCRIPT_METHODS, ...CLIENT_METHODS].filter(([name]) => name in client),
  ];
  addOwner(client);
  const names = [...own.map(([name]) => name), "sendCommand"].filter((name) => Object.hasOwn(client, name));
  const previous = new Map<string, unknown>(names.map((name) => [name, Reflect.get(client, name)]));
  const attachment = new Attachment(client, shared, cluster, previous);
  setAttachment(client, attachment);
  for (const [name, value] of own) defineMethod(client, name, value);
  defineMethod(client, "sendCommand", createSendCommand(attachment));
  for (const name of Object.keys(client.scriptsSet ?? {})) wrapDefined(client, name);
  if (client.isCluster === true) attachNodes(client, shared);
}

/** A stand-in for ioredis (ioredis-mock) carries commands out by itself: nothing that is put on it would be called. */
function attachInertly(client: ClientLike, shared: Shared): void {
  setAttachment(client, new Attachment(client, shared, undefined, new Map()));
  process.emitWarning(`${client.constructor.name || "the client"} has no sendCommand: values are neither encoded nor decoded`, {
    type: "TightwireWarning",
    code: "TIGHTWIRE_INERT",
    detail:
      "Clients such as ioredis-mock do not send commands: a serializer's values become text such as [object Object]. Test against a real server, or without withValueCodec().",
  });
}

/** The nodes of a cluster are clients of their own, which programs may use directly. */
function attachNodes(cluster: ClientLike, shared: Shared): void {
  const attachNode = (node: unknown): void => {
    if (attachmentOf(node as ClientLike) === undefined) attachClient(node as ClientLike, shared, cluster);
  };
  for (const node of cluster.nodes?.("all") ?? []) attachNode(node);
  cluster.on("+node", attachNode);
}

function inherited(client: ClientLike, name: string): Method {
  return inheritedMethod(client, attachmentOf(client)?.previous, name) as Method;
}

const duplicate: Method = function (...args) {
  const copy = inherited(this, "duplicate").apply(this, args) as ClientLike;
  const attachment = attachmentOf(this);
  if (attachment === undefined || attachmentOf(copy) !== undefined) return copy;
  // ioredis makes a duplicate of its own class; that of a codec class, which adds no state of its own, is one too.
  const prototype = Object.getPrototypeOf(attachment.client);
  if (isCodecClass(prototype)) Object.setPrototypeOf(copy, prototype);
  attachClient(copy, attachment.shared, attachment.cluster);
  return copy;
};

// It puts ioredis' method on the client, in the place of the wrapper's if there is one.
const addBuiltinCommand: Method = function (...args) {
  const result = inherited(this, "addBuiltinCommand").apply(this, args);
  const attachment = attachmentOf(this);
  if (attachment === undefined) return result;
  const base = Object.getPrototypeOf(attachment.client);
  const own = new Map([...ownMethodsOf(base), ...addedMethodsOf(this, base)]);
  for (const name of [String(args[0]), `${args[0]}Buffer`]) {
    const method = own.get(name);
    if (method === undefined) continue;
    attachment.previous.set(name, Reflect.get(this, name));
    defineMethod(this, name, method);
  }
  return result;
};

const pipeline: Method = function (batch) {
  const maker = inherited(this, "pipeline");
  const made = maker.call(this) as PipelineLike;
  const attachment = attachmentOf(this);
  return addBatch(attachment === undefined ? made : attachPipeline(attachment, made, maker), batch);
};

const multi: Method = function (batch, options) {
  const settings = Array.isArray(batch) ? options : (options ?? batch);
  const made = inherited(this, "multi").call(this, ...(settings === undefined ? [] : [settings])) as PipelineLike;
  const attachment = attachmentOf(this);
  if (made?.isPipeline !== true || attachment === undefined) return made;
  return addBatch(attachTransaction(attachment, made), batch);
};

const CLIENT_METHODS: readonly (readonly [string, Method])[] = [
  ["duplicate", duplicate],
  ["pipeline", pipeline],
  ["multi", multi],
  ["emit", emit as Method],
  ["defineCommand", defineCommand as Method],
  ["addBuiltinCommand", addBuiltinCommand],
];

function addBatch(made: PipelineLike, batch: unknown): PipelineLike {
  if (Array.isArray(batch)) made.addBatch(batch);
  return made;
}
