/** Golden runs of ConWeave's simulator: their files, the output of the library's reader for them, and their results. */
import { existsSync, readFileSync } from 'node:fs';
import { compileScenario } from '../../src/sim/compile/compile-scenario.js';
import type { NetworkPlan } from '../../src/sim/plan.js';
import { readReferenceExperiment } from '../../src/sim/reference-files/reference-scenario.js';
import { validateScenario } from '../../src/sim/scenario/validate.js';
import { GOLDEN_SYSTEM_LOSSY } from './golden.js';

const FOLDER = GOLDEN_SYSTEM_LOSSY;

type Numbers = Readonly<Record<string, number>>;

export interface LossyRun {
  readonly scenario: string;
  readonly variant: string;
  /** The row of summary.csv. */
  readonly totals: Numbers;
}

/** All runs, in the order of summary.csv. */
export function lossyRuns(): readonly LossyRun[] {
  return tableOf(readText(`${FOLDER}summary.csv`)).map((row) => ({
    scenario: row.scenario,
    variant: row.variant,
    totals: numbersOf(row),
  }));
}

export function lossyGoldenPlan({ scenario, variant }: LossyRun): NetworkPlan {
  const folder = `${FOLDER}${scenario}/`;
  const config = readText(`${folder}config_${variant}.txt`);
  const spec = readReferenceExperiment({ config, readFile: (name) => readText(`${folder}${name}`) });
  return compileScenario(validateScenario(spec)).plan;
}

/** One row per flow that ended. */
export function lossyFlows({ scenario, variant }: LossyRun): readonly Numbers[] {
  return tableOf(readText(`${FOLDER}${scenario}/fct_${variant}.csv`)).map(numbersOf);
}

/** The order of next hops. */
export function lossyRoutes(scenario: string): readonly Numbers[] {
  return tableOf(readText(`${FOLDER}${scenario}/routes.csv`)).map(numbersOf);
}

/** The port chosen for each data packet, if it was logged. */
export function lossyChoices({ scenario, variant }: LossyRun): readonly Numbers[] | undefined {
  const file = `${FOLDER}${scenario}/lb_${variant}.csv`;
  return existsSync(file) ? tableOf(readText(file)).map(numbersOf) : undefined;
}

function readText(file: string): string {
  return readFileSync(file, 'utf8');
}

function tableOf(text: string): readonly Readonly<Record<string, string>>[] {
  const [head, ...rows] = text.trim().split('\n').map((line) => line.split(','));
  return rows.map((row) => Object.fromEntries(row.map((value, column) => [head[column], value])));
}

function numbersOf(row: Readonly<Record<string, string>>): Numbers {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, Number(value)]));
}
