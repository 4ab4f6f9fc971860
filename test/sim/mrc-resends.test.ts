/** Retransmissions of MRC: their fields in captures, their order, and defaults that depend on packet trimming. */
import { describe, expect, it } from 'vitest';
import { compileScenario } from '../../src/sim/compile/compile-scenario.js';
import type { Layer, LayerKind, LayerOf } from '../../src/packet/index.js';
import type { PacketRecord } from '../../src/sim/result.js';
import type { FaultSpec, HostSpec, TrimmingSpec } from '../../src/sim/scenario/spec.js';
import { validateScenario } from '../../src/sim/scenario/validate.js';
import { readPackets } from '../support/mrc-captures.js';
import { captured, DATA, hop, MTU, NACK, overUnequalPaths, run, SACK, scenario,
  SLOW_RECEIVER } from './support/mrc-star.js';

const lost = (...packets: readonly number[]): FaultSpec[] =>
  packets.map((packet) => ({ kind: 'drop', flow: 0, firstByte: packet * MTU, arrival: 1 }));
function layerOf<Kind extends LayerKind>(layers: readonly Layer[], kind: Kind): LayerOf<Kind> | undefined {
  return layers.find((layer) => layer.kind === kind) as LayerOf<Kind> | undefined;
}
const STATES: HostSpec = { pathSelection: 'entropy-states', entropies: 16 };
/** The n-th packet, as its sender sends it, and its SACK. */
const PORTS = ['h0:s0', 'h3:s0'];

describe('A retransmission', () => {
  it('keeps its PSN, and has rtx, a different entropy, a new timestamp and the DSCP of retransmissions', async () => {
    const { spec, records } = run({
      flows: [['h0', 12]],
      trimming: true,
      hosts: { ...STATES, mrc: { sackBytes: 0 } },
      faults: lost(4),
      capture: PORTS,
    });
    const packets = await readPackets(spec, records);
    const copies = packets.filter(({ mrc }) => mrc?.kind === 'data' && mrc.psn === 4);
    const [first, second] = copies.map(({ mrc, icrc, layers }) => ({
      entropy: mrc?.entropy,
      dscp: mrc?.dscpName,
      icrc,
      isAgain: layerOf(layers, 'mrc-bth')?.value.retransmission,
      timestamp: layerOf(layers, 'tseth')?.value.timestamp,
    }));
    expect(copies).toHaveLength(2);
    expect(first).toMatchObject({ dscp: 'TRIMMABLE', icrc: 'right', isAgain: false });
    expect(second).toMatchObject({ dscp: 'TRIMMABLE_RETX', icrc: 'right', isAgain: true });
    expect(second!.entropy).not.toBe(first!.entropy);
    const sentPs = records.filter(({ kind, sequence }) => kind === 'data' && sequence === 4 * MTU).map(({ timePs }) =>
      timePs
    );
    expect([first, second].map((one) => one!.timestamp)).toEqual(sentPs.map((ps) => Math.floor(ps / 128_000)));
    expect(first!.timestamp).toBeLessThan(second!.timestamp!);
    // Its SACK repeats rtx, entropy and timestamp; no other SACK has rtx.
    const sacks = packets.filter(({ mrc }) => mrc?.kind === 'sack');
    const withRtx = sacks.filter(({ layers }) => layerOf(layers, 'mrc-bth')?.value.retransmission);
    expect(withRtx.map(({ mrc, layers }) => [
      mrc?.sack?.causePsn,
      layerOf(layers, 'seth')?.value.entropy,
      layerOf(layers, 'mrc-cc-state')?.value.timestamp,
    ])).toEqual([[4, second!.entropy! & 0xffff, second!.timestamp]]);
  });

  it('is sent before new data, lowest PSN first, when a SACK shows two losses while the window is full', () => {
    const { records } = run({
      flows: [['h0', 12]],
      hosts: { reorderingWindowPackets: 8, mrc: { sackBytes: 1e6, reorderUs: 1 } },
      faults: lost(1, 3),
      capture: PORTS,
    });
    // Packet 7 fills the window and requests a SACK; packet 0 has moved the window by one.
    expect(sent(records).slice(0, 11)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 1, 3, 8]);
  });

  it('uses the space that its NACK frees in a full congestion window', () => {
    const { records } = captured({
      ...scenario({
        flows: [['h0', 40]],
        trimming: { lastHopQueueBytes: 4 * DATA },
        hosts: { mrc: { sackBytes: 1e6, reorderUs: 0 } },
        capture: ['h0:s0', 's0:h0'],
      }),
      topology: SLOW_RECEIVER,
      algorithms: { only: { preset: 'none', window: 'fixed' } },
    });
    const end = records.findIndex(({ kind }) => kind === 'ack');
    const nacks = records.slice(0, end).filter(({ kind }) => kind === 'nack');
    const before = records.slice(0, end).filter(({ kind }) => kind === 'data');
    const again = before.filter(({ mrc }) => mrc!.again);
    // 16 packets fill the window, and nothing is acknowledged yet.
    expect(sent(before)).toEqual([...Array.from({ length: 16 }, (_, number) => number), 8, 10, 12, 14]);
    expect(sent(again)).toEqual(nacks.map(({ sequence }) => sequence / MTU));
    expect(again.map(({ timePs }) => timePs)).toEqual(nacks.map(({ timePs }) => timePs + hop(NACK)));
  });

  function sent(records: readonly PacketRecord[]): number[] {
    return records.filter(({ kind }) => kind === 'data').map(({ sequence }) => sequence / MTU);
  }
});

describe('An original that arrives after its retransmission', () => {
  it('has a separate round trip, as SACKs repeat when their packet was sent', () => {
    const { records } = captured(overUnequalPaths(2, { mrc: { sackBytes: 1e6, reorderUs: 0 } }, [
      { kind: 'drop', flow: 0, firstByte: MTU, arrival: 1 },
      { kind: 'drop', flow: 0, firstByte: MTU, arrival: 2 },
    ]));
    const forwardPs = records.filter(({ kind }) => kind === 'ack').slice(0, 2).map(({ timePs, mrc }) => [
      mrc!.again,
      timePs - mrc!.sentPs,
    ]);
    // Four links, of 1 us each; or two of them of 50 us. The SACK leaves as its packet arrives.
    expect(forwardPs).toEqual([[true, 4 * hop(DATA)], [false, 4 * hop(DATA) + 98_000_000]]);
  });
});

describe('A packet that a SACK has acknowledged', () => {
  /** Two paths, one of 200 us and one of 4 us, by the entropy of each packet; the receiver discards what arrives at first. */
  function overTwoPaths(seed: number): ReturnType<typeof captured> {
    const spec = scenario({
      flows: [['h0', 40]],
      hosts: {
        pathSelection: 'oblivious',
        entropies: 8,
        retransmitTimeoutUs: 2000,
        mrc: { sackBytes: 0, reorderUs: 3 },
      },
      faults: [...[1, 2].map((arrival): FaultSpec => ({ kind: 'drop', flow: 0, firstByte: 0, arrival })), {
        kind: 'receiver-discards',
        host: 'h3',
        reason: 'no-packet-buffer',
        fromUs: 14,
        toUs: 60,
      }],
      capture: ['h0:left', 'left:h0'],
    });
    const paths = [['near', 1000], ['long', 50_000]] as const;
    return captured({
      ...spec,
      seed,
      topology: {
        kind: 'edges',
        nodes: [
          ...['left', 'right', 'near', 'long'].map((name) => ({ name, kind: 'switch' as const })),
          ...['h0', 'h3'].map((name) => ({ name, kind: 'host' as const })),
        ],
        links: [
          { from: 'h0', to: 'left' },
          { from: 'h3', to: 'right' },
          ...paths.flatMap(([to, delayNs]) => ['left', 'right'].map((from) => ({ from, to, delayNs }))),
        ],
      },
    });
  }

  const acknowledges = ({ sequence, mrc }: PacketRecord, number: number): boolean => {
    const bit = number - mrc!.mapFirst;
    return number < sequence / MTU || number === mrc!.cause ||
      (bit >= 0 && bit < 64 && (mrc!.map >> BigInt(bit)) % 2n === 1n);
  };

  it.each([1, 2, 3])('is not retransmitted when a NACK of its last copy arrives later, seed %i', (seed) => {
    const { records } = overTwoPaths(seed);
    const sacks = records.filter(({ kind }) => kind === 'ack');
    const isKnown = (number: number, atPs: number): boolean =>
      sacks.some((sack) => sack.timePs + hop(SACK) < atPs && acknowledges(sack, number));
    const lastCopyPs = (sequence: number, atPs: number): number =>
      records.filter((one) => one.kind === 'data' && one.sequence === sequence && one.timePs < atPs).at(-1)!.timePs;
    const late = records.filter(({ kind, sequence, timePs, mrc }) => {
      const atPs = timePs + hop(NACK);
      return kind === 'nack' && isKnown(sequence / MTU, atPs) && lastCopyPs(sequence, atPs) === mrc!.sentPs;
    });
    expect(late.length).toBeGreaterThan(0);
    const again = records.filter(({ kind, mrc }) => kind === 'data' && mrc!.again);
    expect(again.filter(({ sequence, timePs }) => isKnown(sequence / MTU, timePs))).toEqual([]);
  });
});

describe('The DSCP of data in captures', () => {
  it.each([
    [undefined, ['NO_TRIM', 'NO_TRIM']],
    [{ dataClasses: [4] }, ['NO_TRIM', 'NO_TRIM']],
    [{ dataClasses: [3, 4] }, ['TRIMMABLE', 'TRIMMABLE_RETX']],
  ] as const)('is, for class 3 with trimming %j, %j', async (trimming, names) => {
    const { spec, records } = run({
      flows: [['h0', 3]],
      ...(trimming && { trimming: trimming as TrimmingSpec }),
      faults: lost(1),
      capture: ['h0:s0'],
    });
    const packets = await readPackets(spec, records);
    expect(packets.filter(({ mrc }) => mrc?.psn === 1).map(({ mrc }) => mrc?.dscpName)).toEqual(names);
  });
});

describe('By default', () => {
  const planWith = (trimming: boolean) =>
    compileScenario(validateScenario(scenario({ flows: [['h0', 1]], trimming, hosts: STATES }))).plan;
  /** Of a full packet, and its SACK. */
  const rttPs = 2 * hop(DATA) + 2 * hop(SACK);

  it.each([[true, 0.75, 'assumed-bad'], [false, 1, 'skip']] as const)(
    'with trimming %j, a hole is lost after %d base round trips, and its entropy becomes %s',
    (trimming, share, state) => {
      const { transports, balancing } = planWith(trimming);
      expect(transports?.mrc?.reorderPs).toBe(Math.round(share * rttPs));
      expect(balancing?.selection?.states?.inferredLoss).toBe(state);
    },
  );
});
