/** One run of the soak: a scenario from its seed to the end, and the errors found in its result. */
import { RoceError } from '../../src/errors.js';
import type { SimResult } from '../../src/sim/result.js';
import { isHashRight } from '../../src/sim/results/result-hash.js';
import { simulate } from '../../src/sim/run/run-scenario.js';
import { DURATION_US, soakScenario, type SoakScenario } from './soak-scenarios.js';

export interface SoakRun {
  readonly seed: number;
  /** null: there was none. */
  readonly result: SimResult | null;
  /** The scenario was rejected with words, as some that chance makes are: more headroom than memory, say. */
  readonly rejected: boolean;
  /** Errors found, in words; empty: none. */
  readonly problems: readonly string[];
}

/** Far above the events of any of these scenarios: beyond it something repeats without end. */
const EVENTS_MAX = 50_000_000;
const OTHER_SLICE = 4321;

/** Runs the scenario of a seed. @param twice once more in slices of another length, which must give the same hash. */
export function soakOnce(seed: number, twice: boolean): SoakRun {
  const scenario = soakScenario(seed);
  try {
    const brief = runToEnd(scenario, scenario.eventsPerSlice);
    const result = isEarly(brief, scenario) ? runToEnd(lengthened(scenario), scenario.eventsPerSlice) : brief;
    const problems = problemsOf(result, scenario);
    if (twice && runToEnd(scenario, OTHER_SLICE).hash !== brief.hash) problems.push('another hash at the second run');
    return { seed, result, rejected: false, problems };
  } catch (error) {
    const rejected = error instanceof RoceError && error.code === 'invalid-scenario';
    return { seed, result: null, rejected, problems: rejected ? [] : [String(error)] };
  }
}

/** Flows that have a path are unfinished when a host was cut off. */
function isEarly({ flows }: SimResult, { cutOff }: SoakScenario): boolean {
  return cutOff !== null &&
    flows.some(({ completionPs, from, to }) => completionPs === null && from !== cutOff && to !== cutOff);
}

function lengthened(scenario: SoakScenario): SoakScenario {
  return { ...scenario, spec: { ...scenario.spec, durationUs: DURATION_US } };
}

function runToEnd({ spec }: SoakScenario, eventsPerSlice: number): SimResult {
  let packets = 0;
  const onPackets = (records: readonly unknown[]): void => {
    packets += records.length;
  };
  const slices = simulate(spec,
    spec.record?.capture === undefined ? { eventsPerSlice } : { eventsPerSlice, onPackets });
  for (;;) {
    const step = slices.next();
    if (!step.done && step.value.events > EVENTS_MAX) {
      throw new Error(`no end after ${EVENTS_MAX} events, at ${step.value.nowPs} ps`);
    }
    if (step.done) return captured(step.value, spec.record?.capture?.[0], packets);
  }
}

/** The capture of a port must match what it sent. */
function captured(result: SimResult, name: string | undefined, packets: number): SimResult {
  const port = result.ports.find((one) => one.name === name);
  if (port !== undefined && port.txPackets !== packets) {
    throw new Error(`${port.txPackets} packets sent by ${port.name}, ${packets} captured`);
  }
  return result;
}

/** Errors found in a result, in words. */
export function problemsOf(result: SimResult, { cutOff, lossless }: SoakScenario): string[] {
  return [
    ...problemsOfFlows(result, cutOff),
    ...problemsOfTotals(result, lossless),
    ...(isHashRight(result) ? [] : ['the hash is not that of the result']),
  ];
}

function problemsOfFlows({ flows, ended, simulatedPs }: SimResult, cutOff: string | null): string[] {
  return flows.flatMap(({ index, from, to, sizeBytes, deliveredBytes, completionPs, slowdown }) => {
    const name = `flow ${index} (${from} to ${to}, ${sizeBytes} bytes)`;
    const hasPath = from !== cutOff && to !== cutOff;
    if (completionPs === null) {
      return hasPath ?
        [`${name} has a path and is stuck at ${deliveredBytes} bytes; ended ${ended} at ${simulatedPs} ps`] :
        [];
    }
    if (deliveredBytes !== sizeBytes) return [`${name} is done with ${deliveredBytes} bytes delivered`];
    return (slowdown ?? 0) < 1 - 1e-9 ? [`${name} took ${slowdown} of its ideal time`] : [];
  });
}

function problemsOfTotals(result: SimResult, lossless: boolean): string[] {
  const { totals, ports, ended } = result;
  const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
  const made = totals.dataPackets + totals.acks + totals.naks + totals.cnps + totals.fastCnps + totals.pauses +
    totals.resumes;
  const equal = (what: string, got: number,
    wanted: number): string[] => (got === wanted ? [] : [`${what}: got ${got}, not ${wanted}`]);
  const noMore = ended === 'all-flows-done' ? 0 : totals.packetsInFlight;
  return [
    ...equal('packets in, by kind', made, totals.packetsIn),
    ...equal('packets in = out + in flight + dropped', totals.packetsIn,
      totals.packetsOut + totals.packetsInFlight + totals.packetsDropped),
    ...equal('bytes in = out + in flight + dropped', totals.bytesIn,
      totals.bytesOut + totals.bytesInFlight + totals.bytesDropped),
    ...equal('drops by reason', sum(Object.values(totals.drops)), totals.packetsDropped),
    ...equal('transmissions of all ports', sum(ports.map(({ txPackets }) => txPackets)), result.packetHops),
    ...equal('packets in flight at the end', totals.packetsInFlight, noMore),
    ...(totals.packetsInFlight < 0 || totals.bytesInFlight < 0 ?
      [`less than nothing in flight: ${totals.packetsInFlight} packets, ${totals.bytesInFlight} bytes`] :
      []),
    ...equal('is anything in flight, by packets and by bytes', Number(totals.packetsInFlight > 0),
      Number(totals.bytesInFlight > 0)),
    ...(lossless ? equal('packets dropped for lack of buffer under PFC', totals.drops.buffer, 0) : []),
  ];
}
