/**
 * Describes a rate change: the rule that made it, with its equation, inputs with units, and a link to the rule's
 * source.
 */
import type { RateChange, RateChangeReason } from '../../../src/engine/rate-changes.js';
import { BYTE_UNITS, preciseText, RATE_UNITS, TIME_UNITS } from '../../../src/view/format.js';
import { PS_PER_NS } from '../../../src/units.js';

const FILES = 'https://github.com/roce-cc/roce-cc/blob/main';

/** A rule, as listed in docs/guides/trace.md. */
export interface RateRule {
  readonly title: string;
  /** The new rate, before floor and cap. */
  readonly equation: string;
  /** Folder and file in the readable model; empty if there is none. */
  readonly file: string;
}

const rule = (title: string, equation: string, file: string): RateRule => ({ title, equation, file });

const HPCC = 'hpcc/update.ts';
const STEP_UP = '(from + R_T) / 2';
const SWIFT = 'window / round trip';
const NSCC = 'window / base round trip';

const RULES: Readonly<Record<RateChangeReason, RateRule>> = {
  'first-cnp': rule('first CNP: the limiter begins', 'as the parameters set for the first CNP', 'dcqcn/machine.ts'),
  cut: rule('rate cut', 'R_C · (1 − α · cutScale)', 'dcqcn/machine.ts'),
  'fast-recovery': rule('fast recovery', STEP_UP, 'dcqcn/increase.ts'),
  additive: rule('additive increase', `${STEP_UP}, R_T raised by R_AI`, 'dcqcn/increase.ts'),
  hyper: rule('hyper increase', `${STEP_UP}, R_T raised by R_HAI`, 'dcqcn/increase.ts'),
  release: rule('release: the limiter is removed', 'the line rate', 'dcqcn/machine.ts'),
  'hpcc-multiplicative': rule('multiplicative step', 'Q_c / (u / η) + step', HPCC),
  'hpcc-additive': rule('additive step', 'Q_c + step', HPCC),
  'hpcc-kept': rule('the slowest hop decides, which this ACK did not measure', 'Q_c of that hop', HPCC),
  'pint-multiplicative': rule('multiplicative step', 'Q_c / (u / η) + step', 'hpcc-pint/model.ts'),
  'pint-additive': rule('additive step', 'Q_c + step', 'hpcc-pint/model.ts'),
  'timely-low-rtt': rule('round trip below T_low', 'from + R_AI', 'timely/model.ts'),
  'timely-high-rtt': rule('round trip above T_high', 'from (1 − β (1 − T_high / rtt))', 'timely/model.ts'),
  'timely-gradient': rule('gradient of the round trip',
    'from + R_AI or R_HAI where gradient ≤ 0, else from (1 − β gradient)', 'timely/model.ts'),
  'dctcp-cut': rule('rate cut', 'R_C · (1 − α/2)', 'dctcp/model.ts'),
  'dctcp-increase': rule('increase', 'from + R_AI', 'dctcp/model.ts'),
  'swift-increase': rule('the window grew', SWIFT, 'swift/model.ts'),
  'swift-decrease': rule('the window shrank', SWIFT, 'swift/model.ts'),
  'swift-round-trip': rule('the window stayed, the round trip changed', SWIFT, 'swift/model.ts'),
  'swift-loss': rule('loss', `${SWIFT}, after a loss`, 'swift/model.ts'),
  'swift-timeout': rule('timeouts: the window is reset', SWIFT, 'swift/model.ts'),
  'nscc-round-trip': rule('a shorter base round trip', NSCC, 'nscc/model.ts'),
  'nscc-increase': rule('the window grew', NSCC, 'nscc/model.ts'),
  'nscc-fast-increase': rule('no queue: the window grew faster', NSCC, 'nscc/model.ts'),
  'nscc-decrease': rule('the window shrank', NSCC, 'nscc/model.ts'),
  'nscc-quick-adapt': rule('quick adapt: the window is the data delivered', NSCC, 'nscc/model.ts'),
  'nscc-loss': rule('loss', `${NSCC}, after a loss`, 'nscc/model.ts'),
  'nscc-timeout': rule('timeout', `${NSCC}, after a timeout`, 'nscc/model.ts'),
  'recovery-halfway': rule('recovery, halfway', '(from + target) / 2', 'hpcc-pp/recovery.ts'),
  'recovery-additive': rule('recovery, additive', 'from + step', 'hpcc-pp/recovery.ts'),
  custom: rule('no reason given', 'as its handler sets it', ''),
  other: rule('not explained', 'as the algorithm says', 'registry.ts'),
};

/** The rule of a change; for a custom algorithm, the reason that its handler gave. */
export function ruleOf(change: RateChange): RateRule {
  const rule = RULES[change.reason];
  return change.reason === 'custom' && change.text !== '' ? { ...rule, title: change.text } : rule;
}

/** The rule's source, in the readable model; undefined for a custom algorithm. */
export const sourceUrl = ({ file }: RateRule): string | undefined =>
  file === '' ? undefined : `${FILES}/src/reference/algorithms/${file}`;
export const TRACE_DOCS_URL = `${FILES}/docs/guides/trace.md`;

const CAUSES: Readonly<Record<RateChange['cause'], string>> = {
  time: 'timer',
  bytes: 'byte counter',
  cnp: 'CNP',
  'fast-cnp': 'Fast CNP',
  ack: 'ACK',
  loss: 'loss',
};

export const causeText = ({ cause }: RateChange): string => CAUSES[cause];

/** Names of fields whose key is not clear enough. */
const FIELDS: Readonly<Record<string, string>> = {
  alpha: 'α',
  targetBps: 'R_T, target rate',
  targetBytes: 'target window',
  timeStage: 'T, steps of the timer',
  byteStage: 'B, steps of the byte counter',
  utilization: 'u, utilization',
  referenceBps: 'Q_c, reference rate',
  referenceBytes: 'Q_c, reference window',
  incStage: 'additive steps before',
  fullUpdate: 'becomes the new Q_c',
  recoveryStep: 'steps since the last news',
  power: 'utilization seen by the packet',
  rttNs: 'round trip',
  rttDiffNs: 'difference of round trips, smoothed',
  markedFraction: 'F, marked share of the batch',
  rttPs: 'round trip',
  delayPs: 'delay in the network',
  targetDelayPs: 'target delay',
  cwndPackets: 'window before, packets',
  index: 'hop, from the sender on',
  queueBytes: 'queue of the hop',
  txRateBps: 'rate of the hop',
  lineRateBps: 'line rate of the hop',
  tauNs: 'time between its records',
};
const COMMON = new Set(['timePs', 'qp', 'fromBps', 'toBps', 'cause', 'reason', 'text', 'hop']);

/** Inputs of the rule, each with its unit. */
export function inputsOf(change: RateChange): (readonly [name: string, value: string])[] {
  const hop = 'hop' in change && change.hop !== undefined ? Object.entries(change.hop) : [];
  const named = hop.map(([name, value]): [string, unknown] => [
    name === 'utilization' ? "u' of the hop" : name,
    value,
  ]);
  return [...Object.entries(change).filter(([name]) => !COMMON.has(name)), ...named].flatMap(([name, value]) =>
    value === undefined ? [] : [[FIELDS[name] ?? name, valueText(name, value as number | boolean)] as const]
  );
}

function valueText(name: string, value: number | boolean): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (name.endsWith('Bps')) return preciseText(value, RATE_UNITS);
  if (name.endsWith('Bytes')) return preciseText(value, BYTE_UNITS);
  if (name.endsWith('Ns')) return preciseText(value * PS_PER_NS, TIME_UNITS);
  return name.endsWith('Ps') ? preciseText(value, TIME_UNITS) : String(Number(value.toPrecision(6)));
}
