import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { ProxySettings, ProxyTotals } from "./shaping-proxy.ts";

/** What a proxy has done until now. */
export interface ProxyUsage extends ProxyTotals {
  /** Microseconds of processor time of its process. */
  readonly cpuUs: number;
}

/** A question to the process of a proxy. */
export interface ProxyRequest {
  readonly id: number;
}

/** A link to a server, simulated by a process of its own. */
export interface LinkProxy {
  /** On 127.0.0.1. */
  readonly port: number;
  readUsage(): Promise<ProxyUsage>;
  stop(): Promise<void>;
}

/** Starts a proxy; it ends with this process, however that ends. */
export async function startLinkProxy(settings: ProxySettings): Promise<LinkProxy> {
  const child = fork(fileURLToPath(new URL("./proxy-process.ts", import.meta.url)), [JSON.stringify(settings)], {
    execArgv: ["--import", import.meta.resolve("tsx")],
  });
  // One that dies must not leave anyone waiting.
  const end = once(child, "exit").then(([code, signal]) => {
    throw new Error(`the proxy ended (${signal ?? code})`);
  });
  end.catch(() => {});
  const receive = async (): Promise<Record<string, unknown>> => {
    const [message] = await Promise.race([once(child, "message"), end]);
    return message;
  };
  const { port } = await receive();
  let id = 0;
  return {
    port: port as number,
    async readUsage() {
      child.send({ id: id++ } satisfies ProxyRequest);
      return (await receive())["usage"] as ProxyUsage;
    },
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, "exit");
      child.kill();
      await exited;
    },
  };
}
