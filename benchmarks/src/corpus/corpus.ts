/** Content of any size, the same bytes each time and on every machine. */
export interface SizedCorpus {
  /** As in case names: `record-text`. */
  readonly name: string;
  /** What it is and where it comes from, for reports. */
  readonly description: string;
  /** The content, cut or made to exactly this size. */
  create(sizeBytes: number): Buffer;
}

/** Values of real data, each a JSON text. */
export interface ValueSet {
  /** As in case names: `browser-compat-documents`. */
  readonly name: string;
  readonly description: string;
  /** The package that the data is from. */
  readonly packageName: string;
  /** In one order; the same for one version of the package. */
  createValues(): readonly string[];
}
