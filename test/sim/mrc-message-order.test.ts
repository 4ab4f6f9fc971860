/** Messages of one MRC QP complete in the order of posting, even if their packets are reordered. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { ScenarioSpec } from '../../src/sim/scenario/spec.js';
import type { PacketRecord } from '../../src/sim/result.js';
import { caseCount } from '../support/effort.js';
import { captured } from './support/mrc-star.js';

const MTU = 1024;
const RUNS = caseCount('ROCE_MESSAGE_ORDER', { few: 100, all: 3000 });

/** Messages of one QP, in the order of their list, over paths of unequal delay that lose and trim packets. */
const networks: fc.Arbitrary<ScenarioSpec> = fc.record({
  spines: fc.constantFrom(2, 3, 4),
  longDelayNs: fc.constantFrom(1000, 5000, 40_000),
  messages: fc.array(fc.record({
    gapUs: fc.constantFrom(0, 0, 0.5, 3),
    sizeBytes: fc.oneof(fc.integer({ min: 1, max: 3000 }), fc.integer({ min: 1, max: 60_000 })),
  }), { minLength: 3, maxLength: 20 }),
  loadBalancing: fc.constantFrom('round-robin', 'random', 'ecmp'),
  selection: fc.constantFrom({}, { pathSelection: 'oblivious' }, { pathSelection: 'entropy-states', entropies: 16 }),
  lossShare: fc.constantFrom(0, 0, 0.05, 0.2),
  sackBytes: fc.constantFrom(0, 4096, 16_384),
  reorderUs: fc.constantFrom(0, 2, 30),
}).map(({ spines, longDelayNs, messages, loadBalancing, selection, lossShare, sackBytes, reorderUs }) => {
  let startUs = 0;
  return {
    name: 'messages over unequal paths',
    topology: {
      kind: 'leaf-spine',
      leaves: 2,
      spines,
      hostsPerLeaf: 2,
      rateGbps: 100,
      delayNs: 1000,
      linkOverrides: [{ from: 'leaf0', to: 'spine0', delayNs: longDelayNs }],
    },
    workload: {
      kind: 'flows',
      flows: [
        ...messages.map(({ gapUs, sizeBytes }) => ({
          from: 'h0',
          to: 'h2',
          qp: 'a',
          sizeBytes,
          startUs: startUs += gapUs,
        })),
        { from: 'h1', to: 'h2', sizeBytes: 200_000 },
      ],
    },
    algorithms: { only: { preset: 'none' } },
    faults: lossShare === 0 ? [] : [{ kind: 'loss', between: ['leaf0', 'spine1'], share: lossShare }],
    switches: {
      pfc: false,
      ecn: false,
      trimming: { lastHopQueueBytes: 20_000 },
      ...('pathSelection' in selection || loadBalancing === 'ecmp' ? {} : { loadBalancing }),
    },
    hosts: {
      ...selection,
      transport: 'mrc',
      mtuBytes: MTU,
      retransmitTimeoutUs: 100,
      mrc: { sackBytes, reorderUs },
    },
    record: { capture: ['leaf1:h2'] },
  } as ScenarioSpec;
});

/** When the last untrimmed packet before the end of each message of the QP left for the receiver. */
function arrivedPs(records: readonly PacketRecord[], sizes: readonly number[]): number[] {
  const first = new Map<number, number>();
  for (const { kind, flow, sequence, timePs, mrc } of records)
    if (kind === 'data' && flow === 0 && mrc!.trimmed === undefined && !first.has(sequence))
      first.set(sequence, timePs);
  let [next, latestPs] = [0, 0];
  return sizes.map((sizeBytes) => {
    for (const end = next + Math.ceil(sizeBytes / MTU) * MTU; next < end; next += MTU)
      latestPs = Math.max(latestPs, first.get(next)!);
    return latestPs;
  });
}

it(`Messages of a QP complete in order of posting, once they and all before have arrived, on ${RUNS} random networks`,
  () => {
    const seen = { reordered: 0, retransmitted: 0, nacks: 0 };
    fc.assert(fc.property(networks, (spec) => {
      const { result: { flows, totals }, records } = captured(spec);
      const messages = flows.filter(({ from }) => from === 'h0');
      const ends = messages.map(({ startPs, completionPs }) => startPs + completionPs!);
      arrivedPs(records, messages.map(({ sizeBytes }) => sizeBytes)).forEach((timePs, i) => {
        expect(ends[i]).toBeGreaterThan(timePs);
      });
      expect(ends).toEqual(ends.toSorted((a, b) => a - b));
      seen.reordered += Number(flows.some(({ outOfOrderPackets = 0 }) => outOfOrderPackets > 0));
      seen.retransmitted += Number(totals.retransmittedPackets > 0);
      seen.nacks += Number((totals.nacks ?? 0) > 0);
    }), { seed: 25, numRuns: RUNS, endOnFailure: true });
    for (const [what, count] of Object.entries(seen)) expect(count, what).toBeGreaterThan(RUNS / 10);
  }, 60_000 + 200 * RUNS);
