/** Formats the time of each phase of a run, for `roce-cc run --profile`. */
import { PHASES, type Phase } from '../../sim/run/phase-clock.js';
import { US_PER_MS } from '../../unit-sizes.js';
import { formatCount, formatPlain } from '../format.js';
import type { Outcome } from './run-all.js';

const MEANINGS: Readonly<Record<Phase, string>> = {
  validate: 'the scenario is checked, and its flows are made',
  compile: 'paths, parameters, ideal times',
  plan: "the kernel's memory is laid out and filled",
  kernel: 'the network runs',
  sample: 'queues, rates and fairness over time',
  result: 'counters are read, percentiles taken',
  hash: "the result's fingerprint",
};

/** A table with a line for each phase, for the total and for the time outside the kernel, and the kernel's speed. */
export function profileText({ scenario, result, phases }: Outcome): string {
  const { totalMs } = phases;
  const allMs = PHASES.reduce((sum, phase) => sum + totalMs[phase], 0);
  const flows = Math.max(1, result.flows.length);
  const hopsPerUs = totalMs.kernel > 0 ? result.packetHops / (totalMs.kernel * US_PER_MS) : 0;
  const kernelShare = allMs > 0 ? (100 * totalMs.kernel) / allMs : 0;
  const line = (name: string, ms: number, words: string): string =>
    `  ${name.padEnd(14)}${ms.toFixed(1).padStart(10)} ms${perFlow(ms, flows).padStart(12)} µs per flow   ${words}`;
  return [
    `Profile of ${scenario.name}: ${formatCount(flows)} flows, ${formatCount(result.packetHops)} packet hops`,
    ...PHASES.map((phase) => line(phase, totalMs[phase], MEANINGS[phase])),
    line('all', allMs, `the kernel is ${kernelShare.toFixed(0)} % of it`),
    line('outside kernel', allMs - totalMs.kernel, 'all but the kernel'),
    `In the kernel: ${formatPlain(Number(hopsPerUs.toPrecision(3)))} million packet hops per second`,
    '',
  ].join('\n');
}

function perFlow(ms: number, flows: number): string {
  return ((ms * US_PER_MS) / flows).toFixed(3);
}
