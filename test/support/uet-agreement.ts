/** The kernel of runs of uet-htsim against the readable model. */
import { RoceError } from '../../src/errors.js';
import { runUetReference, type UetImplementation, type UetResult } from '../../src/uet/index.js';
import type { UetRandomRun } from './uet-networks.js';

/** What a run gives: its results, or the words of its rejection. */
export function outcomeOf({ argv, read }: UetRandomRun, implementation: UetImplementation): UetResult | string {
  try {
    return runUetReference(argv, read, { implementation });
  } catch (error) {
    if (error instanceof RoceError) return `${error.code}: ${error.message}`;
    throw error;
  }
}

/** The first numbers that differ, by name; empty: none does. */
export function differencesOf(kernel: UetResult | string, model: UetResult | string): string[] {
  if (typeof kernel === 'string' || typeof model === 'string') {
    return kernel === model ?
      [] :
      [`${typeof kernel === 'string' ? kernel : 'a result'}, model ${typeof model === 'string' ? model : 'a result'}`];
  }
  return [
    ...rowDifferences('flow', kernel.flows, model.flows),
    ...rowDifferences('message', kernel.messages, model.messages),
    ...rowDifferences('totals', [kernel.totals], [model.totals]),
    ...rowDifferences('packets', [kernel.packets], [model.packets]),
  ];
}

function rowDifferences(name: string, kernel: readonly object[], model: readonly object[]): string[] {
  if (kernel.length !== model.length) return [`${kernel.length} rows of ${name}, model ${model.length}`];
  return model.flatMap((row, at) =>
    Object.entries(row).filter(([column, value]) => !Object.is(value, (kernel[at] as Record<string, unknown>)[column]))
      .map(([column, value]) =>
        `${name} ${at} ${column} ${String((kernel[at] as Record<string, unknown>)[column])}, model ${String(value)}`
      )
  ).slice(0, 8);
}
