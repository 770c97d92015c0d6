import type { SizedCorpus } from "./corpus.ts";

const RECORD = "tenant=demo;type=event;status=active;value=12345;\n";

export const recordText: SizedCorpus = {
  name: "record-text",
  description: `very compressible: one record of ${RECORD.length} bytes, repeated and cut`,
  create: (sizeBytes) => Buffer.alloc(sizeBytes, RECORD, "latin1"),
};
