// Values of the kinds that fill a Redis: the same ones in every run.
import { createHash } from "node:crypto";

/** A session as JSON. */
export function makeSession(index: number): string {
  const cart = Array.from({ length: 1 + (index % 7) }, (_, item) => ({
    sku: `SKU-${(index * 31 + item) % 9973}`,
    quantity: 1 + (item % 3),
    price: 4.5 + item,
  }));
  return JSON.stringify({
    userId: 100_000 + index,
    roles: ["reader", "customer"],
    locale: "en-GB",
    // Tokens are random, and no compressor makes them smaller than their entropy.
    csrf: createHash("sha256").update(`session ${index}`).digest("hex"),
    cart,
  });
}

/** A rendered page. */
export function makePage(index: number): string {
  const rows = Array.from(
    { length: 40 + (index % 60) },
    (_, row) => `<tr><td class="name">Item ${row}</td><td class="price">${(row * index) % 997} kr</td></tr>`,
  );
  return `<!doctype html><title>List ${index}</title><table>${rows.join("\n")}</table>`;
}

/** A counter as Redis holds it. */
export function makeCounter(index: number): string {
  return String(index * 37);
}
