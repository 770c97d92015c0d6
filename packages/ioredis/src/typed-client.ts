import type { ChannelRuleOptions, RuleOptions, ValueCodecClientOptions } from "./options.ts";
import type { ChainedMethod } from "./typed/chained-method.ts";
import type { ConstructorsOf } from "./typed/constructors.ts";
import type { CounterMethods } from "./typed/counter-methods.ts";
import type { HashMethods } from "./typed/hash-methods.ts";
import type { ListMethods } from "./typed/list-methods.ts";
import type { AddListener, MessageMethods } from "./typed/message-methods.ts";
import type { Callback, ChainHolder, Reply } from "./typed/replies.ts";
import type { HasSerializer, PrefixTable } from "./typed/rule-types.ts";
import type { StreamMethods } from "./typed/stream-methods.ts";
import type { StringMethods } from "./typed/string-methods.ts";

/** Rules by key prefix, in any form that `withValueCodec()` takes. */
export type PrefixRules = ValueCodecClientOptions["prefixes"];

/** Rules by channel prefix, in any form that `withValueCodec()` takes. */
export type ChannelRules = NonNullable<ValueCodecClientOptions["channels"]>;

/** The options of `withValueCodec()`, with the types of their rules. */
export interface TypedClientOptions<Prefixes, Channels> extends Omit<ValueCodecClientOptions, "prefixes" | "channels"> {
  prefixes: Prefixes & RefuseUnknown<Prefixes, keyof RuleOptions>;
  channels?: Channels & RefuseUnknown<Channels, keyof ChannelRuleOptions>;
}

// What is inferred is compared with no interface, so an option that does not exist would pass.
type RefuseUnknown<Rules, Known> =
  Rules extends Iterable<unknown> ? unknown : { readonly [Prefix in keyof Rules]: OnlyKnown<Rules[Prefix], Known> };
type OnlyKnown<Rule, Known> = Rule extends string ? unknown : { readonly [Name in Exclude<keyof Rule, Known | "~types">]: never };

/** What of a client's options its type follows. */
export interface RulesOfClient {
  readonly prefixes: object;
  readonly channels?: object;
}

type ChannelsOf<Options> = Options extends { readonly channels?: infer Channels } ? Channels & object : object;

/**
 * A client whose methods take and return the values of each key's prefix: our methods first, then the client's own. Without a
 * serializer in the options it is the client's own type.
 *
 * @typeParam Client a `Redis` or `Cluster` of ioredis
 * @typeParam Options the type of the options
 *
 * @example
 * const options = { prefixes: { "session:": { serializer: json<Session>() } } };
 *
 * class Sessions {
 *   constructor(readonly redis: TypedClient<Redis, typeof options>) {}
 *   find(id: string) {
 *     return this.redis.get(`session:${id}`); // Promise<Session | null>
 *   }
 * }
 */
export type TypedClient<Client, Options extends RulesOfClient> = ClientOfTables<
  Client,
  PrefixTable<Options["prefixes"]>,
  PrefixTable<ChannelsOf<Options>>
>;

/** What `pipeline()` and `multi()` of a {@link TypedClient} return. */
export type TypedPipeline<Client, Options extends RulesOfClient> =
  TypedClient<Client, Options> extends { pipeline(...args: never[]): infer Pipeline } ? Pipeline : never;

/** The classes that `createCodecClasses()` returns. */
export type TypedClasses<Classes, Options extends RulesOfClient> =
  IsTyped<PrefixTable<Options["prefixes"]>, PrefixTable<ChannelsOf<Options>>> extends true
    ? { readonly [Name in keyof Classes]: TypedClass<Classes[Name], Options> }
    : Classes;

type TypedClass<Class, Options extends RulesOfClient> = Class extends { readonly prototype: infer Client }
  ? TypedStatics<Class, Options, TypedClient<Client, Options>> & ConstructorsOf<Class, TypedClient<Client, Options>>
  : Class;

// ioredis' Redis names its Cluster, and has a factory.
type TypedStatics<Class, Options extends RulesOfClient, Instance> = {
  [Name in Exclude<keyof Class, "prototype">]: Name extends "Cluster"
    ? TypedClass<Class[Name], Options>
    : Name extends "createClient"
      ? (...args: ArgumentsOf<Class, Name>) => Instance
      : Class[Name];
};

type IsTyped<Table, Channels> = true extends HasSerializer<Table> | HasSerializer<Channels> ? true : false;

type ClientOfTables<Client, Table, Channels> =
  IsTyped<Table, Channels> extends true ? ClientWithValues<Client, Table, Channels> : Client;

/**
 * A {@link TypedClient} as the compiler shows it and writes it into declarations.
 *
 * @typeParam Table the types of the rules by key prefix
 * @typeParam Channels the types of the rules by channel prefix
 */
export type ClientWithValues<Client, Table, Channels> = Available<
  CommandMethods<Table, Channels, never, MapsReplies<Client>> &
    ClientMethods<Client, Table, Channels> &
    ListenerMethods<Client, Table, Channels>,
  Client
> &
  Omit<Client, TypedName>;

/**
 * A {@link TypedPipeline} as the compiler shows it and writes it into declarations.
 *
 * @typeParam Base ioredis' own type of it
 * @typeParam Table the types of the rules by key prefix
 * @typeParam Channels the types of the rules by channel prefix
 * @typeParam Mapped whether ioredis gives replies the shapes of RESP3
 */
export type PipelineWithValues<Base, Table, Channels, Mapped> = Available<
  CommandMethods<Table, Channels, PipelineHolder<Base, Table, Channels, Mapped>, Mapped>,
  Base
> & {
  [Name in Exclude<keyof Base, CommandName>]: ChainedMethod<Base[Name], Base, PipelineWithValues<Base, Table, Channels, Mapped>>;
};

// An older ioredis has fewer commands.
type Available<Methods, Client> = Pick<Methods, keyof Methods & keyof Client>;

interface CommandMethods<Table, Channels, Chain extends ChainHolder, Mapped>
  extends StringMethods<Table, Chain>,
    CounterMethods<Table, Chain>,
    HashMethods<Table, Chain, Mapped>,
    ListMethods<Table, Chain>,
    StreamMethods<Table, Chain, Mapped>,
    MessageMethods<Channels, Chain> {
  /** Any command; neither its arguments nor its reply are typed. */
  call(command: string, callback?: Callback<unknown>): Reply<unknown, Chain>;
  call(command: string, args: readonly unknown[], callback?: Callback<unknown>): Reply<unknown, Chain>;
  call(command: string, ...args: [...args: unknown[], callback: Callback<unknown>]): Reply<unknown, Chain>;
  call(command: string, ...args: unknown[]): Reply<unknown, Chain>;
  callBuffer(command: string, callback?: Callback<unknown>): Reply<unknown, Chain>;
  callBuffer(command: string, args: readonly unknown[], callback?: Callback<unknown>): Reply<unknown, Chain>;
  callBuffer(command: string, ...args: [...args: unknown[], callback: Callback<unknown>]): Reply<unknown, Chain>;
  callBuffer(command: string, ...args: unknown[]): Reply<unknown, Chain>;
}

interface PipelineHolder<Base, Table, Channels, Mapped> extends ChainHolder {
  readonly chain: PipelineWithValues<Base, Table, Channels, Mapped>;
}

type PipelineOf<Client, Table, Channels> = Client extends { pipeline(...args: never[]): infer Base }
  ? PipelineWithValues<Base, Table, Channels, MapsReplies<Client>>
  : never;

interface ClientMethods<Client, Table, Channels> {
  pipeline(commands?: unknown[][]): PipelineOf<Client, Table, Channels>;
  multi(options: { pipeline: false }): Promise<"OK">;
  multi(options: { pipeline: true }): PipelineOf<Client, Table, Channels>;
  multi(commands?: unknown[][]): PipelineOf<Client, Table, Channels>;
  duplicate(...args: ArgumentsOf<Client, "duplicate">): ClientWithValues<Client, Table, Channels>;
  /** The nodes of a cluster. */
  nodes(...args: ArgumentsOf<Client, "nodes">): ClientWithValues<NodeOf<Client>, Table, Channels>[];
}

type AddingName = "on" | "once" | "addListener" | "prependListener" | "prependOnceListener";
type EmitterName = AddingName | "off" | "removeListener" | "removeAllListeners" | "setMaxListeners";

// ioredis' own return its own type.
type ListenerMethods<Client, Table, Channels> = {
  [Name in EmitterName]: (Name extends AddingName ? AddListener<Channels, ClientWithValues<Client, Table, Channels>> : unknown) &
    ((...args: ArgumentsOf<Client, Name>) => ClientWithValues<Client, Table, Channels>);
};

type ArgumentsOf<Client, Name extends string> = Client extends { readonly [N in Name]: (...args: infer A) => unknown }
  ? A
  : never;
type NodeOf<Client> = Client extends { nodes(...args: never[]): (infer Node)[] } ? Node : never;

type CommandName = keyof CommandMethods<unknown, unknown, never, unknown>;
type TypedName = CommandName | keyof ClientMethods<unknown, unknown, unknown> | EmitterName;

/** Whether ioredis gives replies the shapes of RESP3: streams are then an object. */
type MapsReplies<Client> = Client extends { xread(...args: never[]): Promise<infer Streams> }
  ? [Extract<Streams, readonly unknown[]>] extends [never]
    ? true
    : false
  : false;
