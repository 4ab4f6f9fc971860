/** Results that are one number: memory per QP, allocation per event. */
import { dcqcnSigcomm15 } from '../../src/config/algorithms/dcqcn/preset-sigcomm15.js';
import { gbps } from '../../src/units.js';
import { measureAllocation } from './allocation.js';
import { BenchEngine } from './bench-engine.js';

export interface SingleResult {
  readonly name: string;
  readonly value: number;
  readonly text: string;
}

export function singleResults(smoke: boolean): readonly SingleResult[] {
  return [memoryPerQp(smoke ? 10_000 : 1_000_000), allocation(smoke ? 1e6 : 1e7)];
}

/** State, flags and table entries of an engine for this many QPs; batches and settings apart. */
function memoryPerQp(qps: number): SingleResult {
  const { engine } = new BenchEngine({
    parameterSets: { default: dcqcnSigcomm15({ lineRateBps: gbps(100) }) },
    capacity: { qps, endpoints: 1, addresses: 1 },
  });
  const value = engine.stateBytes / qps;
  return { name: 'memory per QP with its table entries', value, text: `${value.toFixed(1)} bytes at ${qps} QPs` };
}

function allocation(events: number): SingleResult {
  const measured = measureAllocation(events);
  const text = `${
    measured.bytesPerEvent.toFixed(4)
  } bytes per event over ${measured.events} events filled and applied (${measured.grownBytes} bytes of heap, the readings of the statistics included)`;
  return { name: 'JavaScript heap', value: measured.bytesPerEvent, text };
}
