/**
 * A minimal application of `roce-cc/sim`: it runs scenarios, and outputs the hashes of their results. It runs in Node,
 * and in a browser after each bundler; the hashes must be the same.
 */

import { RoceError } from 'roce-cc';
import { runScenario, runScenarioSync, validateScenario, type ScenarioSpec, type SimResult } from 'roce-cc/sim';

export function hashesOf(scenarios: readonly ScenarioSpec[]): string {
  return scenarios.map((scenario) => runScenarioSync(scenario).hash).join(' ');
}

export function resultOf(scenario: ScenarioSpec): Promise<SimResult> {
  return runScenario(scenario).result;
}

/** The code of the error for an invalid scenario; empty if it is not the RoceError of the package. */
export function codeOfRejection(): string {
  try {
    validateScenario({ name: 'no network' });
    return '';
  } catch (error) {
    return error instanceof RoceError ? error.code : '';
  }
}
