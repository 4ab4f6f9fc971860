/** Runs and summarises the start page's experiment: an incast whose algorithm, senders and marking the user changes. */
import { readMetrics, runScenarioSync, type MetricKey } from '../../src/sim/index.js';
import { PS_PER_US } from '../../src/units.js';
import { scenarioOf, type ExperimentSettings } from './scenario.js';

/** The drawn and described results of a run. */
export interface ExperimentResult {
  readonly timesUs: readonly number[];
  /** Queue before the receiver, in kB. */
  readonly queueKB: readonly number[];
  /** Rate of each flow while it runs, in Gb/s. */
  readonly ratesGbps: readonly (readonly number[])[];
  readonly metrics: Readonly<Record<MetricKey, number | null>>;
  readonly hash: string;
}

export function runExperiment(settings: ExperimentSettings): ExperimentResult {
  const result = runScenarioSync(scenarioOf(settings));
  const { series, hash } = result;
  return {
    timesUs: series.timesPs.map((timePs) => timePs / PS_PER_US),
    queueKB: (series.queueBytes[`s0:h${settings.senders}`] ?? []).map((bytes) => bytes / 1000),
    ratesGbps: Object.values(series.rateBps).map((rates) => rates.map((rateBps) => rateBps / 1e9)),
    metrics: readMetrics(result),
    hash,
  };
}
