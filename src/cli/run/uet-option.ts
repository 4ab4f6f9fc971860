/**
 * Recognises runs of uet-htsim: `--reference-argv`, `--reference` with a JSON file (configs of ns-3 are not JSON), and
 * scenarios of fidelity `reference-uet`.
 */
import type { UetReference } from '../../sim/index.js';

/** The options that select such runs. */
interface UetFlags {
  readonly reference: readonly string[];
  readonly referenceArgv?: string;
}

export function isUetFile(file: string): boolean {
  return /\.json$/i.test(file);
}

export function isUetRun({ reference, referenceArgv }: UetFlags): boolean {
  return referenceArgv !== undefined || reference.some(isUetFile);
}

/** Loads the simulator for these scenarios; undefined if none of them needs it. */
export async function uetReferenceFor(specs: readonly unknown[]): Promise<UetReference | undefined> {
  if (!specs.some(isUetSpec)) return undefined;
  return (await import('../../uet/run-uet-reference.js')).uetReference;
}

function isUetSpec(spec: unknown): boolean {
  return typeof spec === 'object' && spec !== null && 'fidelity' in spec && spec.fidelity === 'reference-uet';
}
