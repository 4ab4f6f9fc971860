/**
 * Time until N synchronous flows share one port, and the buffer that this requires.
 *
 * Source: RoCE network proposal, slide "RoCE CC (DCQCN) Convergence Analysis". N flows start at link rate; the first cut
 * comes one RTT after the start, the others one rate_reduce_period apart; each halves. The slide's text, formula and
 * example disagree, so all readings are computed and one is chosen by name. For the slide's inputs (9 us, 1 us,
 * 150 KB, 100 Gb/s, 1024 flows, 16 ports, 4 us; RTT = 9 + 1 + 12 = 22 us):
 *
 *   example       RTT + log2(N) * period              62 us  11 625 KB   as the slide calculates
 *   formula       RTT + log2(N) * (period - 1 us)     52 us   9 750 KB   as the slide writes
 *   prose         RTT + (log2(N) - 1) * period        58 us  10 875 KB   as the slide explains; the default
 *   shared-ports  RTT + (log2(ports) - 1) * period    34 us   6 375 KB   what 16 ports can send at all
 *   buffer        rate * (ports - 1) * time
 *   staircase     rate * sum of (ports / 2^k - 1) * duration of step k = 4 675 KB, with the inflow halving at each cut
 *
 * 'prose' is the default: the first of log2(N) cuts comes at the RTT, which leaves log2(N) - 1 periods; the slide has
 * the "-1" at the wrong factor. 'shared-ports' is what physics allows: 1024 flows on 16 ports can't all start at link
 * rate. The logarithm has base 2, as each cut halves; for other N the number of cuts is rounded up.
 */
import { checkFields, checkTogether, oneOf, wholeIn, type CrossRule, type FieldRules,
  checkRecord } from '../config/field-rules.js';
import { us } from '../units.js';
import { ceilLog2, scaledBytes, exactTxTimePs } from '../exact-numbers.js';

/** Which of the source's statements a calculation follows. */
export type ConvergenceReadingName = 'example' | 'formula' | 'prose' | 'shared-ports';

/** The slide's inputs. */
export interface ConvergenceInput {
  /** Round-trip delay of links and switches without queueing, picoseconds. */
  readonly propagationPs: number;
  /** Response time of the NIC, picoseconds. */
  readonly nicDelayPs: number;
  /** Queue length at which the switch marks, bytes. */
  readonly ecnThresholdBytes: number;
  /** Rate of every link, bits per second. */
  readonly rateBps: number;
  /** Synchronous flows, N; at least one per port. */
  readonly flows: number;
  /** Ports that the flows come from; they drain to one. */
  readonly ports: number;
  /** Time between two cuts (NVIDIA: rate_reduce_monitor_period), picoseconds, > 0. */
  readonly rateReducePeriodPs: number;
  /** The reading that becomes `chosen`. */
  readonly reading: ConvergenceReadingName;
  /** Meaning of the 1 in the formula's "period - 1", picoseconds; the slide states no unit. */
  readonly formulaOnePs: number;
}

/** The inputs of the slide's example; 'prose' and 1 us (the unit of the slide's periods) are our choices. */
export const CONVERGENCE_DEFAULTS: ConvergenceInput = Object.freeze({
  propagationPs: us(9),
  nicDelayPs: us(1),
  ecnThresholdBytes: 150_000,
  rateBps: 100e9,
  flows: 1024,
  ports: 16,
  rateReducePeriodPs: us(4),
  reading: 'prose',
  formulaOnePs: us(1),
});

/** Each cut halves the rate, so the logarithm has base 2. */
export const CUT_BASE = 2;

/** One reading of the slide. */
export interface ConvergenceReading {
  /** Name of the reading. */
  readonly name: ConvergenceReadingName;
  /** Number of cuts until the rates fit. */
  readonly cuts: number;
  /** Time to converge under this reading, picoseconds. */
  readonly timePs: number;
  /** rate * (ports - 1) * time, rounded up to a byte. */
  readonly bufferBytes: number;
  /** The equation of the time, with its numbers: `22 us + (log2(1024) - 1) * 4 us = 58 us`. */
  readonly equation: string;
  /** The equation of the buffer, with its numbers. */
  readonly bufferEquation: string;
  /** Explanation of this reading, one sentence. */
  readonly reason: string;
}

/** One step of the queue's growth: the time between two cuts. */
export interface StaircaseStep {
  /** Duration of the step, picoseconds. */
  readonly durationPs: number;
  /** Inflow minus outflow, in multiples of the link rate. */
  readonly excessOfLinkRate: number;
}

/** The buffer if the inflow halves at each cut, as in the reading 'shared-ports'. */
export interface Staircase {
  /** Steps in which the queue grows. */
  readonly steps: readonly StaircaseStep[];
  /** Sum of rate * excess * duration, rounded up to a byte. */
  readonly bufferBytes: number;
}

/** All readings, and the chosen one. */
export interface Convergence {
  /** Time to drain a queue at the ECN threshold, picoseconds. */
  readonly queueDelayPs: number;
  /** Round trip with that queue, picoseconds. */
  readonly rttPs: number;
  /** The time under each reading of the source. */
  readonly readings: readonly ConvergenceReading[];
  /** The requested reading. */
  readonly chosen: ConvergenceReading;
  /** The inflow over time, step by step. */
  readonly staircase: Staircase;
  /** Conditions under which this holds, one sentence each. */
  readonly notes: readonly string[];
}

/** The limits keep every time and size of the result below 2^53. */
const TIME_RULE = wholeIn(0, 1e10, 'picoseconds');
const RULES: FieldRules<ConvergenceInput> = {
  propagationPs: TIME_RULE,
  nicDelayPs: TIME_RULE,
  ecnThresholdBytes: wholeIn(0, 1e9, 'bytes'),
  rateBps: wholeIn(1e6, 1e13, 'bits per second'),
  flows: wholeIn(1, 2 ** 24, 'flows'),
  ports: wholeIn(1, 4096, 'ports'),
  rateReducePeriodPs: wholeIn(1, 1e10, 'picoseconds'),
  reading: oneOf('example', 'formula', 'prose', 'shared-ports'),
  formulaOnePs: TIME_RULE,
};
const CROSS_RULES: readonly CrossRule<ConvergenceInput>[] = [
  {
    fields: ['flows', 'ports'],
    problem: 'must be at least one per port',
    holds: ({ flows, ports }) => flows >= ports,
  },
  {
    fields: ['formulaOnePs', 'rateReducePeriodPs'],
    problem: 'must not exceed the rate reduction period',
    holds: ({ formulaOnePs, rateReducePeriodPs }) => formulaOnePs <= rateReducePeriodPs,
  },
];

const NOTES: readonly string[] = Object.freeze([
  'A cut halves the rate only while alpha is 1, min_dec_fac is at most 50 and rpg_gd is 11. Alpha decays between CNPs, so that real cuts are smaller and the times are lower bounds.',
  'The logarithm has base 2, as each cut halves; for an N that is not a power of 2 the cuts are rounded up.',
  'The slide lets every flow start at link rate; flows that share a port cannot, which only the reading shared-ports and the staircase take into account.',
  'The buffer of each reading assumes a constant inflow until the end; the staircase halves it at each cut.',
]);

/**
 * Computes all readings of the slide.
 *
 * @param overrides differences from the slide's example, {@link CONVERGENCE_DEFAULTS}.
 * @returns whole picoseconds and bytes, rounded up.
 * @throws RoceError `invalid-config` naming the input.
 */
export function analyseConvergence(overrides: Partial<ConvergenceInput> = {}): Convergence {
  checkRecord(overrides, 'overrides');
  const given = { ...CONVERGENCE_DEFAULTS, ...overrides };
  const input = checkTogether(checkFields(given, RULES, 'convergence'), CROSS_RULES, 'convergence');
  const queueDelayPs = exactTxTimePs(input.ecnThresholdBytes, input.rateBps);
  const rttPs = input.propagationPs + input.nicDelayPs + queueDelayPs;
  const readings = [readExample, readFormula, readProse, readSharedPorts].map((read) => read(input, rttPs));
  const chosen = readings.find(({ name }) => name === input.reading) ?? readings[0];
  return { queueDelayPs, rttPs, readings, chosen, staircase: climb(input, rttPs), notes: NOTES };
}

function readExample(input: ConvergenceInput, rttPs: number): ConvergenceReading {
  const cuts = ceilLog2(input.flows);
  return reading(input, {
    name: 'example',
    cuts,
    timePs: rttPs + cuts * input.rateReducePeriodPs,
    terms: `${showUs(rttPs)} + ${showLog(input.flows)} * ${showUs(input.rateReducePeriodPs)}`,
    reason: "The slide's example, as calculated: one period for each cut, although the first comes at the RTT.",
  });
}

function readFormula(input: ConvergenceInput, rttPs: number): ConvergenceReading {
  const cuts = ceilLog2(input.flows);
  return reading(input, {
    name: 'formula',
    cuts,
    timePs: rttPs + cuts * (input.rateReducePeriodPs - input.formulaOnePs),
    terms: `${showUs(rttPs)} + ${showLog(input.flows)} * (${showUs(input.rateReducePeriodPs)} - ${
      showUs(input.formulaOnePs)
    })`,
    reason: "The slide's formula, as written: the 1 is taken from the period, which has no physical meaning.",
  });
}

function readProse(input: ConvergenceInput, rttPs: number): ConvergenceReading {
  return reading(input, {
    name: 'prose',
    ...cutsFromRtt(input, rttPs, input.flows),
    reason: "The slide's text: the first cut comes at the RTT, the others one period apart.",
  });
}

function readSharedPorts(input: ConvergenceInput, rttPs: number): ConvergenceReading {
  return reading(input, {
    name: 'shared-ports',
    ...cutsFromRtt(input, rttPs, input.ports),
    reason: 'As the text, but no more than the rate of the ports can arrive, however many flows share them.',
  });
}

/** Time with the first cut at the RTT and the others one period apart; 0 if no cut is needed. */
function cutsFromRtt(input: ConvergenceInput, rttPs: number, count: number): Pick<Terms, 'cuts' | 'timePs' | 'terms'> {
  const cuts = ceilLog2(count);
  if (cuts === 0) return { cuts, timePs: 0, terms: `no cut for ${showLog(count)} = 0` };
  return {
    cuts,
    timePs: rttPs + (cuts - 1) * input.rateReducePeriodPs,
    terms: `${showUs(rttPs)} + (${showLog(count)} - 1) * ${showUs(input.rateReducePeriodPs)}`,
  };
}

interface Terms {
  readonly name: ConvergenceReadingName;
  readonly cuts: number;
  readonly timePs: number;
  readonly terms: string;
  readonly reason: string;
}

function reading(input: ConvergenceInput, { name, cuts, timePs, terms, reason }: Terms): ConvergenceReading {
  const bufferBytes = scaledBytes(input.rateBps, BigInt(input.ports - 1) * BigInt(timePs), 1n);
  const rate = `${input.rateBps / 8e9} GB/s`;
  return {
    name,
    cuts,
    timePs,
    bufferBytes,
    equation: `${terms} = ${showUs(timePs)}`,
    bufferEquation: `${rate} * (${input.ports} - 1) * ${showUs(timePs)} = ${bufferBytes / 1e3} KB`,
    reason,
  };
}

/** The queue grows by ports - 1 link rates until the first cut, by ports / 2^k - 1 after the k-th. */
function climb(input: ConvergenceInput, rttPs: number): Staircase {
  const cuts = ceilLog2(input.ports);
  const steps: StaircaseStep[] = [];
  let numerator = 0n;
  for (let cut = 0; cut < cuts; cut++) {
    const durationPs = cut === 0 ? rttPs : input.rateReducePeriodPs;
    steps.push({ durationPs, excessOfLinkRate: input.ports / CUT_BASE ** cut - 1 });
    // The common denominator 2^cuts keeps the sum an integer.
    numerator += (BigInt(input.ports << (cuts - cut)) - (1n << BigInt(cuts))) * BigInt(durationPs);
  }
  return { steps, bufferBytes: scaledBytes(input.rateBps, numerator, 1n << BigInt(cuts)) };
}

function showUs(timePs: number): string {
  return `${timePs / 1e6} µs`;
}

function showLog(count: number): string {
  const isPower = 2 ** ceilLog2(count) === count;
  return isPower ? `log2(${count})` : `ceil(log2(${count}))`;
}
