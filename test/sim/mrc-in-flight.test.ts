/**
 * Bytes in flight of MRC by the received bytes of SACKs, `hosts.mrc.inFlight`.
 *
 * The nominal size of a packet is its UDP length + 40: 88 bytes and the payload. Received bytes are in units of 256, rounded up.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FLOW_LOSSES, FLOW_TRANSPORT } from '../../src/abi/records/transports.js';
import { readField } from '../../src/abi/records/define-record.js';
import { SIM_FLOW_LOSSES } from '../../src/abi/sim-codes.js';
import { instantiateSim } from '../../src/sim/kernel/instantiate.js';
import { recordAt } from '../../src/sim/kernel/sim-abi.js';
import type { PacketRecord, SimResult } from '../../src/sim/result.js';
import { runScenarioSync } from '../../src/sim/run/run-scenario.js';
import type { MrcSpec, ScenarioSpec } from '../../src/sim/scenario/spec.js';
import { planOf } from '../support/agreement/model-balance.js';
import { shutWindowNetworks, without } from '../support/agreement/mrc-networks.js';
import { overUnequalPaths } from './support/mrc-star.js';

const MTU = 1024;
const HEADERS = 88;
const NOMINAL = MTU + HEADERS;
const UNIT = 256;
const RECEIVED: MrcSpec = { inFlight: 'received-bytes' };
const DELAY_NS = 10_000;
/** Two links there and two back. */
const LEAST_RTT_PS = 4 * DELAY_NS * 1000;

interface Ran {
  readonly result: SimResult;
  /** Nominal bytes in flight of each flow at the end. */
  readonly inFlight: readonly number[];
}

function run(spec: ScenarioSpec): Ran {
  const abi = instantiateSim();
  const result = runScenarioSync(spec, { build: { abi, rateChanges: 0 } });
  const view = new DataView(abi.memory.buffer);
  const inFlight = result.flows.map((_, flow) => {
    const at = readField(view, recordAt(abi, SIM_FLOW_LOSSES, FLOW_LOSSES, flow), FLOW_LOSSES, 'transport');
    return readField(view, at, FLOW_TRANSPORT, 'nominalInFlight');
  });
  return { result, inFlight };
}

/** The rounding error of a flow that is acknowledged completely. */
function leftOf(sizeBytes: number, mtuBytes: number): number {
  const bytes = sizeBytes + Math.ceil(sizeBytes / mtuBytes) * HEADERS;
  return bytes - UNIT * Math.ceil(bytes / UNIT);
}

function oneFlow(initialWindowBytes: number, mrc: MrcSpec, packets = 40): ScenarioSpec {
  return {
    name: 'bytes in flight',
    topology: { kind: 'star', hosts: 2, rateGbps: 100, delayNs: DELAY_NS },
    workload: { kind: 'flows', flows: [{ from: 'h0', to: 'h1', sizeBytes: packets * MTU }] },
    algorithms: { only: { preset: 'nscc-mrc', parameters: { initialWindowBytes } } },
    switches: { pfc: false, trimming: true },
    hosts: { transport: 'mrc', mtuBytes: MTU, mrc },
  };
}

describe('A window limits', () => {
  function sentAtFirst(windowBytes: number, mrc: MrcSpec): number {
    const records: PacketRecord[] = [];
    const spec = { ...oneFlow(windowBytes, mrc), record: { capture: ['h0:s0'] } };
    runScenarioSync(spec, { onPackets: (some) => void records.push(...some) });
    return records.filter(({ kind, timePs }) => kind === 'data' && timePs < LEAST_RTT_PS).length;
  }

  it.each([
    [4 * MTU, 4, 4],
    [4 * NOMINAL, 5, 4],
    [4 * NOMINAL + 1, 5, 5],
  ])('of %i bytes the bytes in flight: %i packets by payload, %i by nominal sizes', (windowBytes, payload, nominal) => {
    expect([{}, RECEIVED].map((mrc) => sentAtFirst(windowBytes, mrc))).toEqual([payload, nominal]);
  });

  it('to complete packets under packet-fits: three of nominal size and the payload of a fourth', () => {
    const sent = [0, 1].map((less) =>
      sentAtFirst(3 * NOMINAL + MTU - less, { ...RECEIVED, windowRule: 'packet-fits' })
    );
    expect(sent).toEqual([4, 3]);
  });
});

describe('At the end no bytes are in flight, except for the rounding,', () => {
  it('after a flow without losses', () => {
    const { result, inFlight } = run(oneFlow(20 * MTU, RECEIVED));
    expect(result.summary.flowsDone).toBe(1);
    expect(inFlight).toEqual([leftOf(40 * MTU, MTU)]);
  });

  it('after a spurious retransmission whose original arrives first', () => {
    const spec = overUnequalPaths(30, { mrc: { ...RECEIVED, sackBytes: 0, reorderUs: 1 }, retransmitTimeoutUs: 500 },
      []);
    const { result, inFlight } = run(spec);
    const [flow] = result.flows;
    expect(flow!.duplicatePackets).toBeGreaterThan(0);
    expect(flow!.completionPs).not.toBeNull();
    expect(inFlight).toEqual([leftOf(30 * 4096, 4096)]);
  });

  it('after received bytes wrap at 2^24 units', () => {
    const packets = Math.ceil(UNIT * 2 ** 24 / (4096 + HEADERS)) + 2000;
    const spec = oneFlow(400_000, { ...RECEIVED, sackBytes: 60_000 });
    const { result, inFlight } = run({
      ...spec,
      workload: { kind: 'flows', flows: [{ from: 'h0', to: 'h1', sizeBytes: packets * 4096 }] },
      hosts: { ...spec.hosts, mtuBytes: 4096 },
      durationUs: 1e6,
    });
    expect(result.totals).toMatchObject({ timeouts: 0, retransmittedPackets: 0 });
    expect(result.summary.flowsDone).toBe(1);
    expect(inFlight).toEqual([leftOf(packets * 4096, 4096)]);
  }, 120_000);

  it('after incasts with trimmed packets, losses and lost SACKs, all of whose flows end', () => {
    const seen = { lost: 0, duplicates: 0, trimmed: 0, timedOut: 0 };
    fc.assert(fc.property(shutWindowNetworks, (spec) => {
      // Without a limit of retries, no flow fails.
      const hosts = without(spec.hosts ?? {}, 'retryCount');
      const counting = { ...spec, hosts: { ...hosts, mrc: { ...hosts.mrc, ...RECEIVED } } };
      fc.pre(planOf(counting) !== undefined);
      const { result, inFlight } = run(counting);
      expect(result.summary.flowsUnfinished).toBe(0);
      for (const [i, { sizeBytes }] of result.flows.entries()) expect(inFlight[i]).toBe(leftOf(sizeBytes, MTU));
      seen.lost += Number(result.totals.retransmittedPackets > 0);
      seen.duplicates += Number(result.flows.some(({ duplicatePackets = 0 }) => duplicatePackets > 0));
      seen.trimmed += Number((result.totals.trimmedPackets ?? 0) > 0);
      seen.timedOut += Number(result.totals.timeouts > 0);
    }), { seed: 20_261_129, numRuns: 150 });
    for (const [what, count] of Object.entries(seen)) expect(count, what).toBeGreaterThan(10);
  });
});
