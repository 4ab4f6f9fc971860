/**
 * Makes the result of a tuning: the best set, its comparison with other sets by case, the sensitivity to each parameter,
 * and the set as settings of adapters: the inverse of the importers of roce-cc/settings. Values are rounded to what these
 * settings can express; notes list the deviations.
 */
import type { DcqcnParameters } from '../../config/algorithms/dcqcn.js';
import { NVIDIA_SETTINGS, type NvidiaKey } from '../../config/importers/nvidia-names.js';
import { noteMaker, type NoteOf } from '../../note-record.js';
import { compileScenario } from '../../sim/compile/compile-scenario.js';
import { validateScenario } from '../../sim/scenario/validate.js';
import { planSweep } from '../../sweep/plan.js';
import { BITS_PER_BYTE, BPS_PER_MBPS, PS_PER_SECOND, PS_PER_US } from '../../units.js';
import type { TuneResult } from './result-schema.js';
import { scoresOf, valuesAt, type ParameterValues, type Score, type Trial, type Found } from './search.js';
import { DEFAULT_SEEDS } from './tune-spec.js';

type Compared = TuneResult['compared'][number];
type WrittenScore = Compared['tuned'];
type Sensitivity = TuneResult['sensitivity'][number];

const MOVED = 0.1;
const BEST = 'found';
const ALPHA_UNITS = 1024;
const BYTE_RESET_UNIT_BYTES = 64;
const PERCENT = 100;

export async function resultOf(best: Found, runs: number, trial: Trial): Promise<TuneResult> {
  const { spec } = trial;
  const sets = { [BEST]: best.values, ...spec.against };
  const compared = await compare(sets, trial);
  const [own, ...others] = compared;
  const isJudged = own?.heldOutAll !== null && own !== undefined && others.length > 0;
  return {
    format: 'roce-cc-tune-1',
    name: spec.name,
    minimise: spec.minimise,
    runs,
    best: best.values,
    compared,
    beatsAllHeldOut: isJudged ? others.every(({ heldOutAll }) => beats(own.heldOutAll, heldOutAll)) : null,
    sensitivity: await sensitivityOf(best, trial),
    settings: settingsOf(best.values, trial),
  };
}

function beats(a: WrittenScore | null, b: WrittenScore | null): boolean {
  if (a === null || b === null) return false;
  const [violation, otherViolation] = [a.violation ?? Infinity, b.violation ?? Infinity];
  return violation < otherViolation ||
    (violation === otherViolation && (a.objective ?? Infinity) < (b.objective ?? Infinity));
}

/** Converts a score for JSON: Infinity becomes null. */
function written({ violation, objective, runs }: Score): WrittenScore {
  const finite = (value: number): number | null => (Number.isFinite(value) ? value : null);
  return { violation: finite(violation), objective: finite(objective), runs };
}

async function compare(sets: Readonly<Record<string, ParameterValues>>, trial: Trial): Promise<Compared[]> {
  const { cases, heldOut = {}, seeds = DEFAULT_SEEDS } = trial.spec;
  const names = Object.keys(sets);
  const candidates = Object.values(sets);
  const tuned = await scoresOf(candidates, cases, seeds, trial);
  const hasHeldOut = Object.keys(heldOut).length > 0;
  const all = hasHeldOut ? await scoresOf(candidates, heldOut, seeds, trial) : [];
  const byCase = new Map<string, Score[]>();
  for (const [name, values] of Object.entries(heldOut)) {
    byCase.set(name, await scoresOf(candidates, { [name]: values }, seeds, trial));
  }
  return names.map((name, at) => ({
    name,
    tuned: written(tuned[at]),
    heldOut: Object.fromEntries([...byCase].map(([label, scores]) => [label, written(scores[at])])),
    heldOutAll: hasHeldOut ? written(all[at]) : null,
  }));
}

async function sensitivityOf({ point, score }: Found, trial: Trial): Promise<Sensitivity[]> {
  const { parameters, cases, seeds = DEFAULT_SEEDS } = trial.spec;
  const moved = parameters.flatMap((_, index) =>
    [-MOVED, MOVED].map((by) =>
      valuesAt(point.with(index, Math.min(1, Math.max(0, (point[index] ?? 0) + by))), trial.spec)
    )
  );
  const scores = await scoresOf(moved, cases, seeds, trial);
  const ratio = (at: number): number | null => {
    const { objective, violation } = scores[at] ?? { objective: Infinity, violation: Infinity };
    return Number.isFinite(objective) && violation <= score.violation ? objective / score.objective : null;
  };
  return parameters.map(({ path, name }, index) => ({
    parameter: name ?? path,
    lower: ratio(2 * index),
    higher: ratio(2 * index + 1),
  }));
}

/** Adapters' settings for the first parameter set of the best candidate's scenario; null if that is not DCQCN. */
function settingsOf(values: ParameterValues, { spec, base }: Trial): TuneResult['settings'] {
  const [cases] = Object.values(spec.cases);
  const set = { ...spec.set, ...cases, ...values };
  const [run] = planSweep({ name: spec.name, base, set }, base).runs;
  const valid = validateScenario(run?.scenario);
  if (valid.uet !== null) return null;
  const { plan } = compileScenario(valid);
  const [parameters] = plan.parameterSets;
  if (parameters?.algorithm !== 'dcqcn') return null;
  const path = { mssBytes: plan.rules.mtuBytes, rttPs: shortestRttPs(plan.flows.idealPs) };
  return { mlxconfig: mlxconfigSettings(parameters), irdma: irdmaSettings(parameters, path) };
}

/** An estimate of the path's round-trip time: the shortest flow's completion time in an idle network. */
function shortestRttPs(idealPs: Float64Array): number {
  return Math.round(idealPs.reduce((least, value) => Math.min(least, value), Infinity));
}

/** Lines of settings, and notes on what they cannot express. */
interface VendorSettings {
  readonly lines: readonly string[];
  readonly notes: readonly WrittenSettingNote[];
}

/** Arguments of `mlxconfig set`, for port 1. */
export function mlxconfigSettings(parameters: DcqcnParameters): VendorSettings {
  const notes: WrittenSettingNote[] = [];
  const wanted: readonly (readonly [NvidiaKey, number])[] = [
    ['alphaG', ALPHA_UNITS - parameters.alphaGain * ALPHA_UNITS],
    ['initialAlpha', parameters.initialAlpha * ALPHA_UNITS],
    ['alphaPeriod', parameters.alphaPeriodPs / PS_PER_US],
    ['monitorPeriod', parameters.cutPeriodPs / PS_PER_US],
    ['minDecFac', parameters.minDecreaseFactor * PERCENT],
    ['gd', parameters.cutScale === 0.5 ? 11 : 10],
    ['minRate', parameters.minRateBps / BPS_PER_MBPS],
    ['timeReset', parameters.increasePeriodPs / PS_PER_US],
    ['byteReset', parameters.byteCounterBytes / BYTE_RESET_UNIT_BYTES],
    ['threshold', parameters.fastRecoverySteps],
    ['aiRate', parameters.aiRateBps / BPS_PER_MBPS],
    ['haiRate', parameters.haiRateBps / BPS_PER_MBPS],
    ['clampTgtRate', Number(parameters.clampTargetRate)],
  ];
  const lines = wanted.map(([key, value]) => {
    const { mlxconfig, low, high } = NVIDIA_SETTINGS[key];
    const most = high === 'line' ? Infinity : high;
    const rounded = Math.min(most, Math.max(low, Math.round(value)));
    if (Math.abs(rounded - value) > 1e-9 * Math.max(1, Math.abs(value)))
      notes.push(writtenSettingNote('value-rounded', { setting: mlxconfig, written: rounded, wanted: value }));
    return `${mlxconfig}_P1=${rounded}`;
  });
  notes.push(writtenSettingNote('alpha-as-retention'),
    writtenSettingNote('byte-reset-in-units', { unitBytes: BYTE_RESET_UNIT_BYTES }));
  return { lines, notes };
}

/** Module parameters of irdma. @param path MSS and round-trip time, on which its increase factors depend. */
export function irdmaSettings(parameters: DcqcnParameters,
  path: { readonly mssBytes: number; readonly rttPs: number }): VendorSettings {
  const notes: WrittenSettingNote[] = [];
  const factor = (rateBps: number): number => (rateBps * path.rttPs) / (BITS_PER_BYTE * PS_PER_SECOND * path.mssBytes);
  const wanted: readonly (readonly [string, number, number, number])[] = [
    ['dcqcn_enable', 1, 0, 1],
    ['dcqcn_cc_cfg_valid', 1, 0, 1],
    ['dcqcn_min_dec_factor', parameters.minDecreaseFactor * PERCENT, 1, 100],
    ['dcqcn_min_rate_MBps', parameters.minRateBps / BPS_PER_MBPS, 0, 255],
    ['dcqcn_F', parameters.fastRecoverySteps, 0, 8],
    ['dcqcn_T', parameters.increasePeriodPs / PS_PER_US, 1, 65_535],
    ['dcqcn_B', parameters.byteCounterBytes, 0, 2 ** 26 - 1],
    ['dcqcn_rai_factor', factor(parameters.aiRateBps), 0, 65_535],
    ['dcqcn_hai_factor', factor(parameters.haiRateBps), 0, 65_535],
    [
      'dcqcn_rreduce_mperiod',
      parameters.cutTrigger === 'on-cnp' ? 0 : parameters.cutPeriodPs / PS_PER_US,
      0,
      2 ** 32 - 1,
    ],
  ];
  const options = wanted.map(([name, value, low, high]) => {
    const rounded = Math.min(high, Math.max(low, Math.round(value)));
    if (Math.abs(rounded - value) > 1e-9 * Math.max(1, Math.abs(value)))
      notes.push(writtenSettingNote('value-rounded', { setting: name, written: rounded, wanted: value }));
    return `${name}=${rounded}`;
  });
  notes.push(writtenSettingNote('increases-of-path', { mssBytes: path.mssBytes, rttPs: path.rttPs }),
    writtenSettingNote('no-setting-of-alpha'));
  return { lines: [`options irdma ${options.join(' ')}`], notes };
}

/**
 * The sentence of each note on tuned parameters as adapters' settings, by its code; its parameter declares the note's
 * values. Notes are data; only this file contains their text.
 */
const SENTENCES = {
  'value-rounded': ({ setting, written, wanted }: {
    /** The setting's name at the vendor. */
    readonly setting: string;
    readonly written: number;
    /** The exact value for the parameter. */
    readonly wanted: number;
  }) => `${setting}: ${written} instead of ${Number(wanted.toPrecision(6))}.`,
  'alpha-as-retention': () => 'DCE_TCP_G is written as retention: 1024 (1 - g).',
  'byte-reset-in-units': ({ unitBytes }: { readonly unitBytes: number }) =>
    `RPG_BYTE_RESET is written in units of ${unitBytes} bytes.`,
  'increases-of-path': ({ mssBytes, rttPs }: { readonly mssBytes: number; readonly rttPs: number }) =>
    `dcqcn_rai_factor and dcqcn_hai_factor are for an MSS of ${mssBytes} bytes and a round-trip time of ${rttPs} ps.`,
  'no-setting-of-alpha': () => 'The driver has no setting for the gain, the period and the first value of alpha.',
};

/** A note on what an adapter's settings cannot express, or on how they are written. */
export type WrittenSettingNote = NoteOf<typeof SENTENCES>;

export const writtenSettingNote = noteMaker(SENTENCES);
