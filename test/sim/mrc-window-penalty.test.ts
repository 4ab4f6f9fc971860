/**
 * Window penalties that MRC receivers request, `hosts.mrc.windowPenalty`, and their end.
 *
 * A flow of NSCC alone fills a link of 100 Gb/s; its packets are counted per round trip of 40 us, which takes 435 of them.
 */
import { describe, expect, it } from 'vitest';
import { RoceError } from '../../src/errors.js';
import type { PacketRecord } from '../../src/sim/result.js';
import type { ChangeSpec, MrcSpec, ScenarioSpec } from '../../src/sim/scenario/spec.js';
import { validateScenario } from '../../src/sim/scenario/validate.js';
import { planOf } from '../support/agreement/model-balance.js';
import { expectAgreement } from '../support/agreement/outcomes.js';
import { readPackets } from '../support/mrc-captures.js';
import { captured } from './support/mrc-star.js';

const MTU = 1024;
const RTT_US = 40;
const FULL = 434;
const set = (atUs: number, penalty: number): ChangeSpec => ({ atUs, set: { 'hosts.mrc.windowPenalty': penalty } });

function scenario(changes: readonly ChangeSpec[], mrc: MrcSpec = {}, packets = 12_000): ScenarioSpec {
  return {
    name: 'a penalty',
    topology: { kind: 'star', hosts: 2, rateGbps: 100, delayNs: RTT_US * 250 },
    workload: { kind: 'flows', flows: [{ from: 'h0', to: 'h1', sizeBytes: packets * MTU }] },
    algorithms: { only: { preset: 'nscc-mrc' } },
    switches: { pfc: false, trimming: true },
    hosts: { transport: 'mrc', mtuBytes: MTU, mrc: { sackBytes: 0, ...mrc } },
    changes,
    record: { capture: ['h0:s0', 'h1:s0'] },
  };
}

/** Data packets that leave in each round trip from `fromUs` on. */
function perRoundTrip(records: readonly PacketRecord[], fromUs: number, count: number): number[] {
  const sent = records.filter(({ kind }) => kind === 'data').map(({ timePs }) => timePs / 1e6 - fromUs);
  return Array.from({ length: count },
    (_, trip) => sent.filter((us) => us >= trip * RTT_US && us < (trip + 1) * RTT_US).length);
}

describe('A window penalty that receivers request from 400 us on', () => {
  it('of 64 halves the packets sent per round trip, repeatedly', () => {
    const { records } = captured(scenario([set(400, 64)]));
    // The first SACKs with the penalty arrive 20 us later; a round trip after they began, all has halved.
    const counts = perRoundTrip(records, 440, 5);
    expect(perRoundTrip(records, 360, 1)[0]).toBeGreaterThanOrEqual(FULL);
    for (const [i, count] of counts.entries()) expect(Math.abs(count - 0.75 * FULL / 2 ** (i + 1))).toBeLessThan(3);
  });

  it('of 127 leaves about one packet per round trip', () => {
    const { records } = captured(scenario([set(400, 127)]));
    expect(perRoundTrip(records, 480, 5)).toEqual([1, 1, 1, 1, 1]);
  });

  it('of 0 changes nothing', () => {
    const completion = (changes: readonly ChangeSpec[]): number | null =>
      captured(scenario(changes)).result.flows[0]!.completionPs;
    expect(completion([set(400, 0)])).toBe(completion([]));
  });

  it('ends at 700 us with the window from before, if receivers restore it', () => {
    const after = (restoreWindow: boolean): number => {
      const { records } = captured(scenario([set(400, 64), set(700, 0)], { restoreWindow }));
      return perRoundTrip(records, 760, 1)[0]!;
    };
    expect(after(true)).toBeGreaterThanOrEqual(FULL);
    expect(after(false)).toBeLessThan(FULL / 2);
  });

  it('applies from the beginning if the scenario sets it', () => {
    const { records } = captured(scenario([], { windowPenalty: 127 }, 500));
    expect(perRoundTrip(records, 120, 3)).toEqual([1, 1, 1]);
  });
});

describe('The congestion state of SACKs', () => {
  it('has the penalty while it is requested, and then that the window is restored', () => {
    const { records } = captured(scenario([set(400, 64), set(700, 0)], { restoreWindow: true }));
    const states = records.filter(({ kind }) => kind === 'ack').map(({ timePs, mrc }) =>
      [timePs < 400e6 ? 'before' : timePs < 700e6 ? 'during' : 'after', mrc!.windowPenalty, mrc!.restoresWindow].join()
    );
    expect([...new Set(states)]).toEqual(['before,,', 'during,64,', 'after,,true']);
  });

  it('is in captures with both values', async () => {
    const { records, spec } = captured(scenario([set(1, 5), set(30, 0)], { restoreWindow: true }, 300));
    const sacks = records.filter(({ kind }) => kind === 'ack');
    const packets = await readPackets(spec, [sacks[0]!, sacks.at(-1)!]);
    const states = packets.map(({ layers }) => layers.find(({ kind }) => kind === 'mrc-cc-state')?.value);
    expect(states).toMatchObject([
      { windowPenalty: 5, restoreWindow: false },
      { windowPenalty: 0, restoreWindow: true },
    ]);
  });
});

it('Kernel and model agree on penalties that begin and end', () => {
  for (const penalty of [1, 64, 127]) {
    for (const restoreWindow of [false, true]) {
      const spec = scenario([set(60, penalty), set(150, 0)], { restoreWindow }, 2000);
      const plan = planOf({ ...spec, record: {} });
      if (plan === undefined) throw new Error('The scenario does not compile.');
      expectAgreement(plan);
    }
  }
});

it('A penalty above 127 is rejected in settings and in changes', () => {
  const where = (spec: ScenarioSpec): string | undefined => {
    try {
      validateScenario(spec);
    } catch (error) {
      if (error instanceof RoceError) return error.where;
      throw error;
    }
    return undefined;
  };
  expect(where(scenario([], { windowPenalty: 128 }))).toBe('hosts.mrc.windowPenalty');
  expect([-1, 128, 0.5].map((penalty) => where(scenario([set(1, penalty)]))))
    .toEqual(Array(3).fill('changes[0].set.hosts.mrc.windowPenalty'));
  expect(where(scenario([set(1, 127)], { windowPenalty: 127 }))).toBeUndefined();
});
