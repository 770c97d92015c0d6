import { useRedis } from "./support/clients.ts";
import { PLAIN_FORM, UNRULED_FORM } from "./support/typed-comparison.ts";
import { LIST_VALUES } from "./support/typed-scripts.ts";
import { COMPARABLE_SERVER, testInAllStyles } from "./support/typed-suites.ts";

testInAllStyles("lists", {
  redis: useRedis({ args: COMPARABLE_SERVER }),
  rules: { prefixes: { "ruled:": { comparands: "encode" }, "ruled:raw:": "raw", "hashes:": { types: ["hash"] } } },
  forms: { "ruled:": PLAIN_FORM, "ruled:raw:": UNRULED_FORM, "hashes:": UNRULED_FORM, "other:": UNRULED_FORM },
  scriptsFor: () => [LIST_VALUES],
});
