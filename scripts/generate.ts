// npm run generate — writes the tables between markers in README.md and docs/benchmarks.md, from the code and from the committed
// results of the benchmarks, and the page and summary of the latter.
import { readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { createValueCodec, lz4, zstd } from "@tightwire/codec-core";
import { replaceBetween } from "../benchmarks/src/report/markdown.ts";
import { updateReports } from "../benchmarks/src/report.ts";
import { makeCounter, makePage, makeSession } from "../examples/support/sample-values.ts";
import { PASSED_COMMANDS } from "../packages/ioredis/src/command-classes.ts";
import { COMMANDS, type CommandRow } from "../packages/ioredis/src/commands.ts";
import { ROOT } from "./run-command.mjs";

const FILE = join(ROOT, "README.md");

function tableRow(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [tableRow(head), `|${head.map(() => "---").join("|")}|`, ...rows.map(tableRow)].join("\n");
}

function measure(name: string, prefix: string, count: number, makeValue: (index: number) => string): string[] {
  const values = Array.from({ length: count }, (_, index) => Buffer.from(makeValue(index)));
  const before = values.reduce((sum, value) => sum + value.length, 0);
  const held = [zstd(), lz4()].map((compressor) => {
    const codec = createValueCodec({ compressor, minCompressBytes: 256 });
    const bytes = values.reduce((sum, value) => sum + (prefix === "hits:" ? value.length : codec.encode(value).length), 0);
    return `${bytes.toLocaleString("en-US")} (${(before / bytes).toFixed(2)} ×)`;
  });
  return [name, String(count), before.toLocaleString("en-US"), ...held];
}

/** Sizes are the same on every machine: the compressors' versions are pinned by the lock file. */
function sizes(): string {
  const rows = [
    measure("sessions, JSON", "session:", 500, makeSession),
    measure("pages, HTML", "page:", 100, makePage),
    measure("counters, held raw", "hits:", 200, makeCounter),
  ];
  return `${table(["values of the quickstart", "values", "bytes before", "held with `zstd()`", "held with `lz4()`"], rows)}\n\nFrames included. Made by \`npm run generate\`.`;
}

function names(accepts: (row: CommandRow) => boolean): string {
  const found = [...COMMANDS].filter(([, row]) => accepts(row)).map(([name]) => name.toUpperCase());
  return found.map((name) => `\`${name}\``).join(" ");
}

function commands(): string {
  const { numeric, metadata, member, opaque, array } = PASSED_COMMANDS;
  const code = (list: readonly string[]): string => list.map((name) => `\`${name.toUpperCase()}\``).join(" ");
  return table(
    ["", "commands"],
    [
      ["values encoded in the arguments", names((row) => row.values !== undefined)],
      ["values decoded in the reply", names((row) => row.reply !== undefined)],
      ["refused on keys under a rule (`unsafe`)", names((row) => row.unsafe !== undefined)],
      [
        'refused unless the rule says `comparands: "encode"`',
        `${names((row) => row.comparands !== undefined)} (\`SET\` with \`IFEQ\`, \`IFNE\`)`,
      ],
      ["refused if the target's rule could not read the value", names((row) => row.moves !== undefined)],
      ["pass: they work on numbers, which are held raw", code(numeric)],
      ["pass: they speak of the frame", code(metadata)],
      [
        "pass: members and field names are identities",
        `${member.length} commands, among them \`SADD\` \`ZADD\` \`HDEL\` \`HEXISTS\``,
      ],
      [
        "pass: the server alone knows what the arguments mean",
        `${opaque.length} commands, among them \`EVAL\` \`FCALL\` \`DUMP\` \`RESTORE\`; see \`scripts\``,
      ],
      ["pass: arrays of Redis 8.8, which no rule covers", `${array.length} commands`],
      ["pass: no values", `${PASSED_COMMANDS.none.length + PASSED_COMMANDS.sameKey.length} commands`],
    ],
  );
}

const readme = readFileSync(FILE, "utf8");
writeFileSync(FILE, replaceBetween(replaceBetween(readme, "sizes", sizes()), "commands", commands()));
console.log("README.md: tables sizes and commands");
// Of the committed results: no run is made here, and the same results give the same text.
for (const path of updateReports()) console.log(`${relative(ROOT, path)}: results of the benchmarks`);
