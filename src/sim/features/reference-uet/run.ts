/** Runs a validated scenario of fidelity `reference-uet`. */
import { RoceError } from '../../../errors.js';
import type { uetReference } from '../../../uet/run-uet-reference.js';
import type { SimResult } from '../../result.js';
import { rejectScenario } from '../../scenario/scenario-error.js';
import type { ValidScenario } from '../../scenario/valid-scenario.js';
import { uetInputs, type UetScenario } from './inputs.js';
import { uetScenarioResult } from './result.js';

/** The type of `uetReference` of `roce-cc/uet`. */
export type UetReference = typeof uetReference;

export function isUetScenario(valid: ValidScenario): valid is UetScenario {
  return valid.uet !== null;
}

/**
 * @throws RoceError `invalid-scenario`: no `reference` was passed, or the program would abort or end early; `capacity`: not
 * enough memory.
 */
export function runUetScenario(valid: UetScenario, reference: UetReference | undefined): SimResult {
  if (reference === undefined) {
    return rejectScenario({
      what: 'the fidelity reference-uet',
      problem: 'needs the option uetReference',
      where: 'fidelity',
      hint: 'Pass uetReference of roce-cc/uet',
    });
  }
  const { argv, files } = uetInputs(valid);
  try {
    return uetScenarioResult(valid, reference(argv, (name) => files[name]));
  } catch (error) {
    throw error instanceof RoceError ? error.at(`uet-htsim${error.where === '' ? '' : `, ${error.where}`}`) : error;
  }
}
