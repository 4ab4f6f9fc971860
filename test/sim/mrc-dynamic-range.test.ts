/**
 * Dynamic MPR: receivers of MRC announce their range in SACKs, and it changes.
 *
 * One flow over a star whose round trip takes about 1,300 packets, so that a range of 1,024 limits it.
 */
import { describe, expect, it } from 'vitest';
import { RoceError } from '../../src/errors.js';
import type { PacketRecord } from '../../src/sim/result.js';
import type { ChangeSpec, FaultSpec, MrcSpec, ScenarioSpec } from '../../src/sim/scenario/spec.js';
import { validateScenario } from '../../src/sim/scenario/validate.js';
import { planOf } from '../support/agreement/model-balance.js';
import { expectAgreement } from '../support/agreement/outcomes.js';
import { readPackets } from '../support/mrc-captures.js';
import { captured, SACK, scenario, tx } from './support/mrc-star.js';

const MTU = 256;
const DELAY_PS = 10_000_000;
const SHRINK: ChangeSpec = { atUs: 100, set: { 'hosts.mrc.receiverRangePackets': 128 } };
const GROW: ChangeSpec = { atUs: 300, set: { 'hosts.mrc.receiverRangePackets': 512 } };
const DYNAMIC: MrcSpec = { dynamicRange: true, receiverRangePackets: 1024, sackBytes: 0 };

function specOf(mrc: MrcSpec, changes: readonly ChangeSpec[], packets = 6000): ScenarioSpec {
  return {
    ...scenario({
      flows: [['h0', packets]],
      hosts: { mtuBytes: MTU, reorderingWindowPackets: 1024, retransmitTimeoutUs: 500, mrc },
      capture: ['h0:s0', 's0:h0'],
    }),
    topology: { kind: 'star', hosts: 4, rateGbps: 100, delayNs: DELAY_PS / 1000 },
    changes,
  };
}

const run = (mrc: MrcSpec, changes: readonly ChangeSpec[]): ReturnType<typeof captured> =>
  captured(specOf(mrc, changes));

interface Departure {
  /** Packets from the first unacknowledged one to this one. */
  readonly ahead: number;
  /** Range announced to the sender last, packets. */
  readonly range: number | undefined;
}

/** New packets in order, each with the state of the SACKs that had arrived by then, except overtaken ones. */
function departures(records: readonly PacketRecord[]): Departure[] {
  const sacks = records.filter(({ kind }) => kind === 'ack');
  const data = records.filter(({ kind, mrc }) => kind === 'data' && !mrc!.again);
  let [known, expected, range]: [number, number, number | undefined] = [0, 0, undefined];
  return data.map(({ timePs, sequence }) => {
    for (; known < sacks.length && sacks[known]!.timePs + tx(SACK) + DELAY_PS <= timePs; known++) {
      if (sacks[known]!.sequence / MTU < expected) continue;
      expected = sacks[known]!.sequence / MTU;
      range = sacks[known]!.mrc!.rangeUnits === undefined ? undefined : sacks[known]!.mrc!.rangeUnits! * 128;
    }
    return { ahead: sequence / MTU - expected, range };
  });
}

const mostAhead = (some: readonly Departure[]): number => Math.max(...some.map(({ ahead }) => ahead));

describe('With dynamic MPR', () => {
  const { result, records } = run(DYNAMIC, [SHRINK, GROW]);
  const sent = departures(records);
  const [first, short, long] = [1024, 128, 512].map((range) => sent.filter((one) => one.range === range));

  it('each SACK announces the range in force when it is sent', () => {
    const units = records.filter(({ kind }) => kind === 'ack').map(({ mrc }) => mrc!.rangeUnits);
    expect(units.filter((one, i) => one !== units[i - 1])).toEqual([8, 1, 4]);
  });

  it('the initial range of the receiver limits the sender before the first SACK', () => {
    expect(sent.filter(({ range }) => range === undefined)).toHaveLength(1024);
  });

  it('a sender is as far ahead as the last announced range allows, and no further', () => {
    expect([mostAhead(first!), mostAhead(short!), mostAhead(long!)]).toEqual([1023, 127, 511]);
  });

  it('a shorter range pauses new packets until few enough are in flight', () => {
    const at = sent.findIndex(({ range }) => range === 128);
    // The packets sent before are 1,024 ahead; the next one leaves once all but 127 of them are acknowledged.
    expect([sent[at - 1]!.ahead, sent[at]!.ahead]).toEqual([1023, 127]);
  });

  it('a longer range lets the sender continue without a pause, up to that range', () => {
    const at = sent.findIndex(({ range }) => range === 512);
    // 384 more than before, and one for each of the 128 in flight whose SACK arrives meanwhile.
    const ahead = sent.slice(at, at + 512).map((one) => one.ahead);
    expect([ahead[0], Math.min(...ahead), ahead.indexOf(511) > 384]).toEqual([127, 127, true]);
  });

  it('packets sent before a change are accepted, without rejections or retransmissions', () => {
    expect(result.totals).toMatchObject({ retransmittedPackets: 0, timeouts: 0 });
    const [flow] = result.flows;
    expect([flow!.duplicatePackets, flow!.beyondWindowPackets]).toEqual([undefined, undefined]);
    expect(result.flows[0]!.completionPs).not.toBeNull();
  });

  it('they are also accepted while a packet is missing that all others have overtaken', () => {
    const faults: FaultSpec[] = [{ kind: 'drop', flow: 0, firstByte: 2500 * MTU, arrival: 1 }];
    const { result: { flows: [flow] } } = captured({ ...specOf({ ...DYNAMIC, reorderUs: 0 }, [SHRINK, GROW]), faults });
    expect(flow!.reorderingDepthPackets).toBeGreaterThan(128);
    expect([flow!.beyondWindowPackets, flow!.retransmittedPackets]).toEqual([undefined, 1]);
  });

  it('an overtaken SACK does not restore a longer range', () => {
    const spec = specOf({ ...DYNAMIC, reorderUs: 0 }, [SHRINK]);
    const { records: some } = captured({
      ...spec,
      topology: {
        kind: 'leaf-spine',
        leaves: 2,
        spines: 2,
        hostsPerLeaf: 2,
        rateGbps: 100,
        delayNs: DELAY_PS / 1000,
        linkOverrides: [{ from: 'leaf1', to: 'spine0', delayNs: 5 * DELAY_PS / 1000 }],
      },
      hosts: { ...spec.hosts, pathSelection: 'oblivious' },
      record: { capture: ['h0:leaf0', 'leaf0:h0'] },
    });
    const units = some.filter(({ kind }) => kind === 'ack').map(({ mrc }) => mrc!.rangeUnits);
    expect(units.lastIndexOf(8)).toBeGreaterThan(units.indexOf(1));
    expect(mostAhead(departures(some).filter(({ range }) => range === 128))).toBe(127);
  });

  it('captures show the range in the SETH, or 0 without one', async () => {
    const fieldsOf = async (mrc: MrcSpec): Promise<unknown[]> => {
      const { spec, records: some } = captured(specOf(mrc, [], 3));
      const packets = await readPackets(spec, some);
      return packets.flatMap(({ layers }) => layers).filter(({ kind }) => kind === 'seth')
        .map(({ value }) => (value as { maxPsnRange: number }).maxPsnRange);
    };
    expect(await fieldsOf(DYNAMIC)).toEqual([8, 8, 8]);
    expect(await fieldsOf({ ...DYNAMIC, dynamicRange: false })).toEqual([0, 0, 0]);
  });
});

describe('A range that becomes shorter than the packets in flight, none of which requests a SACK', () => {
  const MRC: MrcSpec = { dynamicRange: true, receiverRangePackets: 4096, sackBytes: 500_000, reorderUs: 0 };
  const runOf = (windowProbes: boolean): ScenarioSpec => {
    const spec = specOf({ ...MRC, windowProbes }, [SHRINK]);
    return { ...spec, hosts: { ...spec.hosts, reorderingWindowPackets: 4096 } };
  };

  it('makes the sender wait for its timeout', () => {
    expect(captured(runOf(false)).result.totals.timeouts).toBeGreaterThan(0);
  });

  it('makes it send a probe, with windowProbes, whose SACK lets it continue', () => {
    const [waiting, probing] = [false, true].map((windowProbes) => captured(runOf(windowProbes)).result);
    expect(probing!.totals).toMatchObject({ timeouts: 0, retransmittedPackets: 0, probes: 1 });
    // The timeout is 500 us after the last progress.
    expect(waiting!.flows[0]!.completionPs! - probing!.flows[0]!.completionPs!).toBeGreaterThan(400e6);
  });

  it.each([false, true])('gives the same result in kernel and model, with probes: %s', (windowProbes) => {
    const plan = planOf({ ...runOf(windowProbes), record: {} });
    if (plan === undefined) throw new Error('The scenario does not compile.');
    expectAgreement(plan);
  });
});

describe('Without dynamic MPR', () => {
  it('SACKs announce no range, and the receiver rejects what the sender sends beyond it', () => {
    const { result, records } = run({ ...DYNAMIC, dynamicRange: false }, [SHRINK]);
    expect(records.some(({ mrc }) => mrc?.rangeUnits !== undefined)).toBe(false);
    expect(result.flows[0]!.completionPs).not.toBeNull();
    expect(mostAhead(departures(records))).toBe(1023);
    // All packets arrive in order, so a range of 128 rejects none.
    expect(result.flows[0]!.beyondWindowPackets).toBeUndefined();
    const lost = captured({
      ...specOf({ ...DYNAMIC, dynamicRange: false }, [SHRINK]),
      faults: [{ kind: 'drop', flow: 0, firstByte: 4000 * MTU, arrival: 1 }],
    }).result;
    expect(lost.flows[0]!.beyondWindowPackets).toBeGreaterThan(0);
    expect(lost.flows[0]!.completionPs).not.toBeNull();
  });
});

it('The default range is how far ahead the sender may send, in whole units', () => {
  const firstUnits = (reorderingWindowPackets: number): number | undefined => {
    const spec = specOf({ dynamicRange: true }, [], 3);
    const { records } = captured({ ...spec, hosts: { ...spec.hosts, reorderingWindowPackets } });
    return records.find(({ kind }) => kind === 'ack')!.mrc!.rangeUnits;
  };
  expect([1, 128, 255, 256, 1100, 40_000].map(firstUnits)).toEqual([1, 1, 1, 2, 8, 255]);
});

describe('An invalid range is rejected', () => {
  const where = (spec: ScenarioSpec): string | undefined => {
    try {
      validateScenario(spec);
    } catch (error) {
      if (error instanceof RoceError) return error.where;
      throw error;
    }
    return undefined;
  };
  const set = (packets: number): ChangeSpec => ({ atUs: 1, set: { 'hosts.mrc.receiverRangePackets': packets } });

  it('in the settings', () => {
    const first = (receiverRangePackets: number): string | undefined =>
      where(specOf({ dynamicRange: true, receiverRangePackets }, []));
    expect([100, 129, 32_768].map(first)).toEqual(Array(3).fill('hosts.mrc.receiverRangePackets'));
    expect([128, 32_640].map(first)).toEqual([undefined, undefined]);
    expect(where(specOf({ receiverRangePackets: 100 }, []))).toBeUndefined();
  });

  it('in a change', () => {
    const at = 'changes[0].set.hosts.mrc.receiverRangePackets';
    expect([0, 129, 32_768].map((packets) => where(specOf(DYNAMIC, [set(packets)])))).toEqual([at, at, at]);
    expect(where(specOf({}, [set(129)]))).toBeUndefined();
  });
});
