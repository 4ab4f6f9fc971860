/**
 * Receivers of MRC that discard packets for a while, the fault `receiver-discards`: NACKs with each reason, and the
 * reaction of senders.
 */
import { describe, expect, it } from 'vitest';
import { explainResult } from '../../src/sim/explain/explain.js';
import type { DiscardReason, FaultSpec, ReceiverDiscardsSpec } from '../../src/sim/scenario/spec.js';
import { runScenarioSync } from '../../src/sim/run/run-scenario.js';
import { readPackets } from '../support/mrc-captures.js';
import { rejectionOf } from '../support/rejection.js';
import { MTU, run, scenario, type Setting } from './support/mrc-star.js';

const CODES: Readonly<Record<DiscardReason, number>> = {
  'no-bitmap': 0x06,
  'no-packet-buffer': 0x07,
  'no-resource': 0x0a,
  'unexpected-event': 0x19,
};
const RECOVERABLE = ['no-bitmap', 'no-packet-buffer', 'no-resource'] as const;
const PACKETS = 40;

/** By default the receiver discards from the start until 20 us. */
const discards = (more: Partial<ReceiverDiscardsSpec> = {}): FaultSpec => ({
  kind: 'receiver-discards',
  host: 'h3',
  reason: 'no-resource',
  toUs: 20,
  ...more,
});

function runWith(faults: readonly FaultSpec[], more: Partial<Setting> = {}): ReturnType<typeof run> {
  return run({ flows: [['h0', PACKETS]], faults, capture: ['h0:s0', 'h3:s0'], ...more });
}

describe.each(RECOVERABLE)('A receiver that discards packets with reason %s', (reason) => {
  const ran = runWith([discards({ reason })]);
  const { result: { flows: [flow], totals }, records } = ran;
  const nacks = records.filter(({ kind }) => kind === 'nack');

  it('sends a NACK for each, which its sender retransmits until the host accepts it', () => {
    expect(flow!.completionPs).toBeGreaterThan(20e6);
    expect(flow!.discardedPackets).toBeGreaterThan(0);
    expect([flow!.naks, totals.nacks, nacks.length]).toEqual(Array(3).fill(flow!.discardedPackets));
    expect(flow!.retransmittedPackets).toBe(flow!.discardedPackets);
    expect(new Set(nacks.map(({ mrc }) => `${mrc?.rejected} ${mrc?.trimmed}`))).toEqual(
      new Set([`${reason} undefined`]),
    );
  });

  it('delivers all packets once', () => {
    expect(flow!.deliveredBytes).toBe(PACKETS * MTU);
    expect(flow!.duplicatePackets).toBeUndefined();
  });

  it('has a NACK with the code of the reason in a capture', async () => {
    const packets = await readPackets(ran.spec, nacks.slice(0, 1));
    expect(packets.flatMap(({ layers }) => layers).find(({ kind }) => kind === 'neth')?.value)
      .toMatchObject({ reason: CODES[reason] });
  });

  it('counts each NACK as a retry', () => {
    const limited = runWith([discards({ reason })], { hosts: { retryCount: 3 } }).result;
    expect(limited.flows[0]).toMatchObject({ failure: 'retry-exceeded', naks: 4, timeouts: 0 });
  });
});

it('Entropies of discarded packets stay GOOD, and are used again', () => {
  const hosts: Setting['hosts'] = { pathSelection: 'entropy-states', entropies: 4, entropyStates: { probes: false } };
  const portsOf = (faults: readonly FaultSpec[]): Set<number | undefined> =>
    new Set(
      runWith(faults, { hosts }).records.filter(({ kind }) => kind === 'data').map(({ sourcePort }) => sourcePort),
    );
  expect(portsOf([discards()])).toEqual(portsOf([]));
  expect(runWith([discards()], { hosts }).result.totals.probes).toBeUndefined();
});

describe('Unexpected-event', () => {
  const ran = runWith([discards({ reason: 'unexpected-event', fromUs: 5, toUs: 1000 })], {
    flows: [['h0', PACKETS], ['h1', PACKETS]],
    hosts: { retryCount: 7 },
  });
  const { flows } = ran.result;

  it('ends the connection at its first NACK without a retry', () => {
    for (const flow of flows) {
      expect(flow).toMatchObject({ failure: 'remote-operation-error', completionPs: null, naks: 1 });
      expect(flow.retransmittedPackets).toBe(0);
      expect(flow.deliveredBytes).toBeGreaterThan(0);
    }
  });

  it('fails the unfinished messages of the QP, and those that are posted later', () => {
    const spec = scenario({ flows: [], faults: [discards({ reason: 'unexpected-event', fromUs: 20, toUs: 1000 })] });
    const message = (startUs: number) => ({ from: 'h0', to: 'h3', qp: 'one', sizeBytes: 4 * MTU, startUs });
    const { flows: messages } = runScenarioSync({
      ...spec,
      workload: { kind: 'flows', flows: [0, 25, 26, 100].map(message) },
    });
    expect(messages.map(({ failure }) => failure)).toEqual([
      undefined,
      ...Array<string>(3).fill('remote-operation-error'),
    ]);
  });

  it('is explained', () => {
    const answers = explainResult(ran.result).flatMap(({ answer }) => answer).join(' ');
    expect(answers).toContain('h3 reported an unexpected event in a NACK (remote-operation-error');
    expect(answers).toContain('discarded by h3 (fault receiver-discards)');
  });

  it('has a NACK with the code 0x19 in a capture', async () => {
    const nacks = ran.records.filter(({ kind }) => kind === 'nack');
    const packets = await readPackets(ran.spec, nacks.slice(0, 1));
    expect(packets.flatMap(({ layers }) => layers).find(({ kind }) => kind === 'neth')?.value)
      .toMatchObject({ reason: 0x19 });
  });
});

it('Duplicates are not discarded', () => {
  // The last SACK is lost, so the packets that it names are retransmitted while the host discards.
  const timesUs = { fromUs: 20, toUs: 300 };
  const faults: readonly FaultSpec[] = [
    { kind: 'loss', between: ['h3', 's0'], share: 1, of: 'acks', toUs: 20 },
    discards({ reason: 'unexpected-event', ...timesUs }),
  ];
  const { result } = runWith(faults, { flows: [['h0', 4]], hosts: { retransmitTimeoutUs: 30 } });
  expect(result.flows[0]!.completionPs).not.toBeNull();
  expect(result.flows[0]!.duplicatePackets).toBeGreaterThan(0);
  expect(result.flows[0]!.discardedPackets).toBeUndefined();
});

describe('Overlapping faults of a host', () => {
  it('are resolved by the first one in the list', () => {
    const { records } = runWith([
      discards({ reason: 'no-bitmap', fromUs: 4, toUs: 8 }),
      discards({ reason: 'no-packet-buffer', toUs: 12 }),
    ]);
    const reasons = records.flatMap(({ kind, mrc }) => kind === 'nack' ? mrc?.rejected ?? [] : []);
    expect(reasons.filter((reason, i) => reason !== reasons[i - 1]))
      .toEqual(['no-packet-buffer', 'no-bitmap', 'no-packet-buffer']);
  });

  it('do not affect hosts that they do not name', () => {
    const { result } = runWith([discards({ host: 'h2', toUs: 500 })]);
    const plain = runWith([]).result;
    expect({ flows: result.flows, totals: result.totals }).toEqual({ flows: plain.flows, totals: plain.totals });
  });
});

it.each<[what: string, faults: readonly FaultSpec[], hosts: Setting['hosts'], where: string]>([
  ['without MRC', [discards()], { transport: 'go-back-n' }, 'faults[0]'],
  ['of a switch', [discards({ host: 's0' })], {}, 'faults[0].host'],
  ['that ends before it begins', [discards(), discards({ fromUs: 20 })], {}, 'faults[1].toUs'],
  ['for another reason', [discards({ reason: 'trimmed' as DiscardReason })], {}, 'faults[0].reason'],
])('A fault %s is rejected', (_, faults, hosts, where) => {
  const spec = scenario({ flows: [['h0', 1]], hosts: { ...hosts }, faults });
  expect(rejectionOf(() => runScenarioSync(spec))).toMatchObject({ code: 'invalid-scenario', where });
});

it('The fault is rejected under fidelity reference', () => {
  const spec = { ...scenario({ flows: [['h0', 1]], faults: [discards()] }), fidelity: 'reference' as const, hosts: {} };
  expect(rejectionOf(() => runScenarioSync(spec))).toMatchObject({ code: 'invalid-scenario', where: 'faults[0]' });
});
