/**
 * Losses of MRC by distance, `hosts.mrc.reorderPackets`, by hand to the picosecond: a flow alone, whose packets leave back to back and each have a SACK.
 *
 * A packet of b bytes takes 80 (b + 20) ps on a link of 100 Gb/s, and 1 us of delay.
 */
import { describe, expect, it } from 'vitest';
import type { PacketRecord, SimResult } from '../../src/sim/result.js';
import { runScenarioSync } from '../../src/sim/run/run-scenario.js';
import type { FaultSpec, MrcSpec, ScenarioSpec } from '../../src/sim/scenario/spec.js';
import { planOf } from '../support/agreement/model-balance.js';
import { expectAgreement } from '../support/agreement/outcomes.js';

const MTU = 4096;
const DATA = MTU + 106;
const SACK = 118;
const DISTANCE = 3;
const TIMEOUT_US = 500;
const tx = (lenBytes: number): number => 80 * (lenBytes + 20);
/** From when a packet leaves until its SACK arrives, over two links there and two back. */
const ROUND_TRIP_PS = 2 * (tx(DATA) + tx(SACK)) + 4e6;
/** Packets leave every slot, from time 0 on. */
const slotPs = (slot: number): number => slot * tx(DATA);

/** A copy of packet 1 is dropped at the switch. */
const lostCopy = (arrival: number): FaultSpec => ({ kind: 'drop', flow: 0, firstByte: MTU, arrival });

function scenario(packets: number, mrc: MrcSpec, faults: readonly FaultSpec[]): ScenarioSpec {
  return {
    name: 'a packet is lost',
    topology: { kind: 'star', hosts: 2, rateGbps: 100, delayNs: 1000 },
    workload: { kind: 'flows', flows: [{ from: 'h0', to: 'h1', sizeBytes: packets * MTU }] },
    algorithms: { only: { preset: 'none' } },
    switches: { pfc: false, ecn: false },
    hosts: {
      transport: 'mrc',
      mtuBytes: MTU,
      retransmitTimeoutUs: TIMEOUT_US,
      mrc: { sackBytes: 0, reorderUs: 0, ...mrc },
    },
    faults,
    record: { capture: ['h0:s0'] },
  };
}

interface Run {
  readonly totals: SimResult['totals'];
  /** When copies of packet 1 leave. */
  readonly copiesPs: readonly number[];
}

function run(packets: number, mrc: MrcSpec, faults: readonly FaultSpec[] = [lostCopy(1)]): Run {
  const records: PacketRecord[] = [];
  const { totals } = runScenarioSync(scenario(packets, mrc, faults), {
    onPackets: (some) => void records.push(...some),
  });
  const copies = records.filter(({ kind, sequence }) => kind === 'data' && sequence === MTU);
  return { totals, copiesPs: copies.map(({ timePs }) => timePs) };
}

describe('With losses detected by distance', () => {
  it('a packet is lost once a packet sent that many packets later is acknowledged', () => {
    const { totals, copiesPs } = run(12, { reorderPackets: DISTANCE });
    expect(copiesPs).toEqual([slotPs(1), slotPs(1 + DISTANCE) + ROUND_TRIP_PS]);
    expect(totals).toMatchObject({ retransmittedPackets: 1, timeouts: 0 });
  });

  it('the last packet of the flow can complete the distance, and a distance beyond it is never reached', () => {
    expect(run(12, { reorderPackets: 10 }).totals).toMatchObject({ retransmittedPackets: 1, timeouts: 0 });
    expect(run(12, { reorderPackets: 11 }).totals).toMatchObject({ retransmittedPackets: 1, timeouts: 1 });
  });

  it('a retransmission is lost once a packet that many packets after it in sending order is acknowledged', () => {
    const { totals, copiesPs } = run(200, { reorderPackets: DISTANCE }, [lostCopy(1), lostCopy(2)]);
    // In slot `again` the retransmission leaves instead of packet `again`, which takes the next one.
    const again = Math.ceil((slotPs(1 + DISTANCE) + ROUND_TRIP_PS) / tx(DATA));
    const thirdSlot = Math.ceil((slotPs(again + DISTANCE) + ROUND_TRIP_PS) / tx(DATA));
    expect(copiesPs).toEqual([1, again, thirdSlot].map(slotPs));
    expect(totals).toMatchObject({ retransmittedPackets: 2, timeouts: 0 });
  });

  it('a loss is also detected by time, whichever is first', () => {
    const reorderUs = slotPs(2) / 1e6;
    const [distance, time, both] = [
      { reorderPackets: DISTANCE },
      { reorderUs },
      { reorderPackets: DISTANCE, reorderUs },
    ].map((mrc) => run(12, mrc));
    expect(time!.copiesPs[1]).toBeLessThan(distance!.copiesPs[1]!);
    expect(both!.copiesPs).toEqual(time!.copiesPs);
  });
});

it('By default only the timeout detects a loss that time does not detect', () => {
  expect(run(12, {}).totals).toMatchObject({ retransmittedPackets: 1, timeouts: 1 });
});

it.each([1, DISTANCE, 10, 11])('Kernel and model agree on losses detected by a distance of %i', (reorderPackets) => {
  const plan = planOf({ ...scenario(60, { reorderPackets }, [lostCopy(1), lostCopy(2)]), record: {} });
  if (plan === undefined) throw new Error('The scenario does not compile.');
  expectAgreement(plan);
});
