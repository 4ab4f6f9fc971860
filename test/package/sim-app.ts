/**
 * The smallest application of `roce-cc/sim`: scenarios in, the hashes of their results out. Run by Node, and by a browser after each
 * bundler; all must give the same hashes.
 */

import { RoceError } from 'roce-cc';
import { runScenario, runScenarioSync, validateScenario, type ScenarioSpec, type SimResult } from 'roce-cc/sim';

export function hashesOf(scenarios: readonly ScenarioSpec[]): string {
  return scenarios.map((scenario) => runScenarioSync(scenario).hash).join(' ');
}

export function resultOf(scenario: ScenarioSpec): Promise<SimResult> {
  return runScenario(scenario).result;
}

/** The code of the error that a bad scenario gives; empty if that is not the library's own RoceError. */
export function codeOfRejection(): string {
  try {
    validateScenario({ name: 'no network' });
    return '';
  } catch (error) {
    return error instanceof RoceError ? error.code : '';
  }
}
