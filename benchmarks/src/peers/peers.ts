import { glidePeers } from "./glide.ts";
import { rawAgainPeer, rawPeer, tightwirePeers } from "./ioredis.ts";
import { keyvPeers } from "./keyv.ts";
import { type Peer, type PeerConnection, PeerUnavailableError } from "./peer.ts";

/** Every peer, raw ioredis first. */
export const PEERS: readonly Peer[] = [rawPeer, rawAgainPeer, ...tightwirePeers, ...glidePeers, ...keyvPeers];

/** A peer with its connection and the keys that are its own. */
export interface OpenPeer {
  readonly peer: Peer;
  readonly connection: PeerConnection;
  readonly prefix: string;
}

/** Connected peers, and why the others are not. */
export interface OpenPeers {
  readonly open: readonly OpenPeer[];
  /** Those that this machine cannot run, with the reason. */
  readonly unavailable: ReadonlyMap<Peer, string>;
  /** Those that did not connect. */
  readonly failed: ReadonlyMap<Peer, unknown>;
  close(): Promise<void>;
}

/** Connects peers to a server on 127.0.0.1. The prefixes of their keys are equally long, so all send equally long keys. */
export async function openPeers(peers: readonly Peer[], port: number): Promise<OpenPeers> {
  const open: OpenPeer[] = [];
  const unavailable = new Map<Peer, string>();
  const failed = new Map<Peer, unknown>();
  for (const [index, peer] of peers.entries()) {
    const prefix = `p${String(index).padStart(2, "0")}:`;
    try {
      open.push({ peer, prefix, connection: await peer.connect({ port, prefix }) });
    } catch (error) {
      if (error instanceof PeerUnavailableError) unavailable.set(peer, error.message);
      else failed.set(peer, error);
    }
  }
  const close = async (): Promise<void> => {
    await Promise.all(open.map(({ connection }) => connection.close()));
  };
  return { open, unavailable, failed, close };
}
