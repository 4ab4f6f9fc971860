/** SACKs of MRC: when they are sent, and what they contain. */
import { describe, expect, it } from 'vitest';
import { readCaptureBatches } from '../../src/capture/index.js';
import { dcqcnSigcomm15, gbps } from '../../src/index.js';
import { replay } from '../../src/replay/index.js';
import type { SimResult } from '../../src/sim/result.js';
import type { FaultSpec, HostSpec } from '../../src/sim/scenario/spec.js';
import { captureOf, readPackets } from '../support/mrc-captures.js';
import { DATA, hop, MTU, run, SACK, tx } from './support/mrc-star.js';

const parameters = dcqcnSigcomm15({ lineRateBps: gbps(100) });

describe('SACKs', () => {
  const alone = (packets: number, hosts: HostSpec = {}, faults: readonly FaultSpec[] = []): SimResult =>
    run({ flows: [['h0', packets]], hosts, faults }).result;

  it('are sent after more than 16,384 bytes: for every fourth packet, and for the last of the flow', () => {
    expect(alone(1).totals.acks).toBe(1);
    // 4 x 4,202 = 16,808.
    expect(alone(8).totals.acks).toBe(2);
    expect(alone(9).totals.acks).toBe(3);
    expect(alone(9, { mrc: { sackBytes: 0 } }).totals.acks).toBe(9);
    // Short packets count as 1,024 bytes.
    expect(alone(32, { mtuBytes: 256 }).totals.acks).toBe(2);
  });

  it('are requested by a packet that fills the window', () => {
    expect(alone(12, { reorderingWindowPackets: 3 }).totals.acks).toBe(4);
  });

  const lost: FaultSpec = { kind: 'drop', flow: 0, firstByte: MTU, arrival: 1 };
  /** Packet 8 is the first whose SACK shows packet 1 missing by a packet sent `reorderUs` later. */
  it('show a hole, which is lost once a packet sent the reordering time later has arrived', () => {
    const reorderUs = (3 * tx(DATA)) / 1e6;
    const { totals, flows } = alone(12, { mrc: { reorderUs, sackBytes: 0 } }, [lost]);
    expect(totals).toMatchObject({ retransmittedPackets: 1, timeouts: 0, packetsDropped: 1 });
    // The SACK of packet 4, sent 3 packet times after packet 1, arrives while packet 12 has long left.
    const foundPs = 4 * tx(DATA) + 2 * hop(DATA) + 2 * hop(SACK);
    expect(foundPs).toBeGreaterThan(12 * tx(DATA));
    expect(flows[0]!.completionPs).toBe(foundPs + 2 * hop(DATA) + 2 * hop(SACK));
  });

  it('make the sender detect the loss of a retransmission by time', () => {
    const twice: FaultSpec = { kind: 'drop', flow: 0, firstByte: MTU, arrival: 2 };
    const { totals } = alone(200, { mrc: { reorderUs: 2, sackBytes: 0 } }, [lost, twice]);
    expect(totals).toMatchObject({ retransmittedPackets: 2, timeouts: 0, packetsDropped: 2 });
  });

  it('with a reordering time of 0 leave a loss to the timeout', () => {
    expect(alone(12, { mrc: { reorderUs: 0 } }, [lost]).totals).toMatchObject({ retransmittedPackets: 1, timeouts: 1 });
  });

  it('may be lost without an effect if a later SACK repeats their content', () => {
    const sack: FaultSpec = { kind: 'drop', flow: 0, of: 'ack', firstByte: 4 * MTU, arrival: 1 };
    expect(alone(12, {}, [sack]).totals).toMatchObject({ retransmittedPackets: 0, timeouts: 0, packetsDropped: 1 });
  });
});

it('The bitmap ends at the highest received packet if that is more than 64 beyond the gap', () => {
  const { records } = run({
    flows: [['h0', 100]],
    hosts: { mrc: { sackBytes: 0, reorderUs: 0 } },
    faults: [{ kind: 'drop', flow: 0, firstByte: 0, arrival: 1 }],
    capture: ['h3:s0'],
  });
  const sacks = records.filter(({ kind }) => kind === 'ack').map(({ mrc }) => mrc!);
  const all = 2n ** 64n - 1n;
  // Packet n is the highest one: 64 bits up to it, without packet 0, which is missing.
  expect(sacks.slice(0, 99).map(({ cause, mapFirst, map }) => [cause, mapFirst, map])).toEqual(
    Array.from({ length: 99 }, (_, i) => i + 1).map((n) =>
      n < 64 ? [n, 0, 2n ** BigInt(n + 1) - 2n] : [n, n - 63, all]
    ),
  );
});

describe('The capture of a flow that loses packet k', () => {
  it.each([0, 1, 7])('k = %i: the bitmap begins after the cumulative PSN, and only k is missing', async (k) => {
    const { spec, records } = run({
      flows: [['h0', 12]],
      hosts: { mrc: { sackBytes: 0 } },
      faults: [{ kind: 'drop', flow: 0, firstByte: k * MTU, arrival: 1 }],
      capture: ['s0:h3', 'h3:s0'],
    });
    const packets = await readPackets(spec, records);
    const sacks = packets.flatMap(({ layers }) =>
      layers.flatMap((layer) => layer.kind === 'seth' ? [layer.value] : [])
    );
    expect(new Set(sacks.map(({ sackOffset }) => sackOffset))).toEqual(new Set([1]));
    const before = sacks.slice(0, k);
    expect(before.map(({ cumulativePsn, bitmap }) => [cumulativePsn, bitmap])).toEqual(
      before.map((_, psn) => [psn, 0n]),
    );
    // Each later packet sets a bit above that of k, until the retransmission fills the gap.
    const cumulativePsn = (k - 1) & 0xffffff;
    const within = sacks.slice(k, 11);
    expect(within.map((sack) => [sack.cumulativePsn, sack.bitmap])).toEqual(
      within.map((_, i) => [cumulativePsn, 2n ** BigInt(i + 2) - 2n]),
    );
    expect(packets.filter(({ mrc }) => mrc?.kind === 'sack').map(({ mrc }) => mrc?.sack?.missing)).toEqual([
      ...before.map(() => []),
      ...within.map(() => [k]),
      [],
    ]);
    const { mrc } = await replay(readCaptureBatches(captureOf(spec, records)), { parameters });
    expect(mrc?.queuePairs).toMatchObject([{
      sacks: 12,
      sacksWithHoles: 11 - k,
      mostHoles: 1,
      openHoles: [],
      rttSamples: 11,
    }]);
  });
});
