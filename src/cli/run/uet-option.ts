/** Which runs are of uet-htsim: `--reference-argv`, and `--reference` with a JSON file, as ns-3's configs are none. */

/** The options that say so. */
export interface UetFlags {
  readonly reference: readonly string[];
  readonly referenceArgv?: string;
}

export function isUetFile(file: string): boolean {
  return /\.json$/i.test(file);
}

export function isUetRun({ reference, referenceArgv }: UetFlags): boolean {
  return referenceArgv !== undefined || reference.some(isUetFile);
}
