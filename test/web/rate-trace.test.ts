import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { MemoryViews } from '../../src/engine/memory-views.js';
import { RateChangeReader } from '../../src/engine/rate-change-reader.js';
import type { RateChange } from '../../src/engine/rate-changes.js';
import { TRACE_BYTES } from '../../src/abi/trace-layout.js';
import { compileScenario, simulate, validateScenario } from '../../src/sim/index.js';
import type { SimAbi } from '../../src/sim/kernel/sim-abi.js';
import { SIM_TRACE_FILE } from '../support/sim-trace.js';
import { RateRecorder } from '../../web/worker/rate-recorder.js';

const FLOW = 2;
const ROOM = 4096;

let module: WebAssembly.Module;

const scenario = (preset: string, more: object = {}) =>
  compileScenario(validateScenario({
    name: preset,
    topology: { kind: 'star', hosts: 5, rateGbps: 100 },
    workload: { kind: 'incast', senders: 4, sizeBytes: 1_000_000 },
    algorithms: { mine: { preset } },
    record: { intervalUs: 1 },
    ...more,
  }));

/** Runs with the trace of one flow. */
function traced(compiled: ReturnType<typeof scenario>) {
  const abi = new WebAssembly.Instance(module).exports as unknown as SimAbi;
  const recorder = new RateRecorder(abi, FLOW);
  const sampled: (readonly [timePs: number, rateBps: number])[] = [];
  const slices = simulate(compiled, {
    build: { abi, rateChanges: ROOM },
    eventsPerSlice: 500,
    onSample: (kernel, timePs) => {
      if (kernel.isRunning(FLOW)) sampled.push([timePs - 1, kernel.rateBps(FLOW, timePs - 1)]);
    },
  });
  for (let step = slices.next();; step = slices.next()) {
    recorder.drain();
    if (step.done === true) return { recorder, sampled, hash: step.value.hash };
  }
}

function changesOf(records: Uint8Array): RateChange[] {
  const reader = new RateChangeReader(new MemoryViews(records.buffer as ArrayBuffer));
  return Array.from({ length: records.length / TRACE_BYTES }, (_, index) => reader.read(index * TRACE_BYTES));
}

function hashWithout(compiled: ReturnType<typeof scenario>): string {
  const slices = simulate(compiled);
  for (let step = slices.next();; step = slices.next()) if (step.done === true) return step.value.hash;
}

describe('The simulator with a trace of rate changes', () => {
  beforeAll(() => {
    module = new WebAssembly.Module(readFileSync(SIM_TRACE_FILE));
  });

  it.each([
    ['dcqcn-sigcomm15', {}],
    ['dcqcn-connectx', {}],
    ['dcqcn-ns3', { fidelity: 'reference' }],
    ['hpcc-sigcomm19', {}],
    ['hpcc-pp-fast-cnp', {}],
    ['timely-sigcomm15', {}],
    ['dctcp-ns3', {}],
    ['swift-sigcomm20', {}],
  ])('has the same hash, and explains every rate change: %s', (preset, more) => {
    const compiled = scenario(preset, more);
    const { recorder, sampled, hash } = traced(compiled);
    expect(hash).toBe(hashWithout(compiled));
    expect([recorder.lost, recorder.leftOut]).toEqual([0, 0]);
    const changes = changesOf(recorder.records());
    expect(changes.length).toBeGreaterThan(1);
    expect(changes.every(({ qp, reason }) => qp === FLOW && reason !== 'other')).toBe(true);
    changes.slice(1).forEach((change, index) => {
      expect(change.fromBps).toBe(changes[index]!.toBps);
      expect(change.timePs).toBeGreaterThanOrEqual(changes[index]!.timePs);
    });
    for (const [timePs, rateBps] of sampled) {
      const last = changes.findLast((change) => change.timePs <= timePs);
      expect(rateBps).toBe(last?.toBps ?? changes[0]!.fromBps);
    }
  });
});
