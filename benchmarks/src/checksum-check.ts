import type { CaseResult, ResultsFile } from "./results.ts";

/** Cases of the suite: two sizes, two versions of the frame, each way. */
export const CHECKSUM_CASES: readonly string[] = ["encode", "decode"].flatMap((operation) =>
  ["64", "16k"].flatMap((size) => [1, 2].map((version) => `checksum/${operation}/random-981-${size}/version-${version}`)),
);

const FRAME_HEADER_BYTES = 18;

/** What is wrong with results of the suite checksum, one line a fault; none: they can be published. */
export function findChecksumFaults(file: ResultsFile, launches: number): readonly string[] {
  const settled = [...file.cases, ...file.failed, ...file.skipped].map(({ name }) => name);
  return [
    ...(file.suite === "checksum" ? [] : [`results of the suite ${file.suite}, not of checksum`]),
    ...(file.launches === launches ? [] : [`${file.launches} fresh processes where ${launches} were to run`]),
    ...(file.status === "complete" || file.failed.length > 0 ? [] : ["the run is partial"]),
    ...CHECKSUM_CASES.filter((name) => !settled.includes(name)).map((name) => `${name}: missing`),
    ...settled.filter((name) => !CHECKSUM_CASES.includes(name)).map((name) => `${name}: not expected`),
    ...settled.filter((name, i) => settled.indexOf(name) !== i).map((name) => `${name}: more than once`),
    ...file.failed.map(({ name, error }) => `${name}: failed: ${error}`),
    ...file.skipped.map(({ name, reason }) => `${name}: skipped: ${reason}`),
    ...file.cases.flatMap(findCaseFaults),
  ];
}

function findCaseFaults({ name, parameters, metrics, facts, launchFacts = [facts] }: CaseResult): readonly string[] {
  const faults: string[] = [];
  const [, operation, , version] = name.split("/");
  if (parameters["operation"] !== operation) faults.push(`${name}: measured ${parameters["operation"]}`);
  if (`version-${parameters["frameVersion"]}` !== version) faults.push(`${name}: version ${parameters["frameVersion"]}`);
  const { mean = Number.NaN, deviation = Number.NaN } = metrics["ns"] ?? {};
  if (!(mean > 0 && Number.isFinite(mean) && Number.isFinite(deviation))) faults.push(`${name}: no statistics of ns`);
  if (!((metrics["heapBytes"]?.mean ?? -1) >= 0)) faults.push(`${name}: no statistics of heapBytes`);
  if (Number(facts["heldBytes"]) !== Number(parameters["sizeBytes"]) + FRAME_HEADER_BYTES) {
    faults.push(`${name}: holds ${facts["heldBytes"]} bytes`);
  }
  if (launchFacts.some((own) => own["sha256"] !== facts["sha256"])) faults.push(`${name}: the digest differs between processes`);
  return faults;
}
