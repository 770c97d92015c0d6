import { json, msgpack } from "@tightwire/ioredis";
import { useRedis } from "./support/clients.ts";
import { JSON_FORM, MSGPACK_FORM } from "./support/typed-comparison.ts";
import { valueScriptsFor } from "./support/typed-scripts.ts";
import { COMPARABLE_SERVER, testInAllStyles } from "./support/typed-suites.ts";

testInAllStyles("values of any kind", {
  redis: useRedis({ args: COMPARABLE_SERVER }),
  rules: {
    prefixes: {
      "json:": { serializer: json(), comparands: "encode" },
      "msgpack:": { serializer: msgpack(), comparands: "encode" },
    },
  },
  forms: { "json:": JSON_FORM, "msgpack:": MSGPACK_FORM },
  scriptsFor: valueScriptsFor,
});
