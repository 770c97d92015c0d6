import type { AddressInfo } from "node:net";
import { sharpenSleep } from "./pacer.ts";
import type { ProxyRequest } from "./proxy.ts";
import { createShapingProxy, type ProxySettings, type ProxyTotals } from "./shaping-proxy.ts";

// The process of a proxy: its settings are its argument, in JSON. It ends with the process that started it, however that ends.

const settings: ProxySettings = JSON.parse(process.argv[2] ?? "{}");
const totals: ProxyTotals = { bytesToServer: 0, bytesToClient: 0, peakQueuedBytes: 0 };
const speed = settings.bitsPerSecond ?? Number.POSITIVE_INFINITY;
const proxy = createShapingProxy({ ...settings, bitsPerSecond: speed }, totals);

sharpenSleep();
process.on("disconnect", () => process.exit());
process.on("message", ({ id }: ProxyRequest) => {
  const { user, system } = process.cpuUsage();
  process.send?.({ id, usage: { ...totals, cpuUs: user + system } });
});
proxy.listen(0, "127.0.0.1", () => process.send?.({ port: (proxy.address() as AddressInfo).port }));
