// Values of the kinds that fill a Redis: the same ones in every run.
import { createHash } from "node:crypto";

/** A session as JSON: 0.7 to 1.6 kB. */
export function makeSession(index: number): string {
  const cart = Array.from({ length: 1 + (index % 9) }, (_, item) => ({
    sku: `SKU-${(index * 31 + item) % 9973}`,
    title: `Article ${(index * 17 + item) % 500}`,
    quantity: 1 + (item % 3),
    unitPrice: { amount: 450 + item * 25, currency: "SEK" },
  }));
  return JSON.stringify({
    userId: 100_000 + index,
    // Random, so no compressor makes it smaller than its entropy.
    csrfToken: createHash("sha256").update(`session ${index}`).digest("hex"),
    createdAt: new Date(1_700_000_000_000 + index * 61_000).toISOString(),
    lastSeenAt: new Date(1_700_000_500_000 + index * 67_000).toISOString(),
    roles: ["reader", "customer"],
    preferences: { locale: "sv-SE", currency: "SEK", theme: index % 2 ? "dark" : "light", newsletter: false, itemsPerPage: 50 },
    recentlyViewed: cart.map(({ sku }) => `/articles/${sku}?from=recommendations`),
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
