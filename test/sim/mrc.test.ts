/**
 * Packet trimming and MRC by hand, to the picosecond: an incast of three on an idle star with one place in the queue, and its capture.
 */
import { describe, expect, it } from 'vitest';
import { readPackets } from '../support/mrc-captures.js';
import { explainResult } from '../../src/sim/explain/explain.js';
import type { PacketRecord, SimResult } from '../../src/sim/result.js';
import { runScenarioSync } from '../../src/sim/run/run-scenario.js';
import type { HostSpec, ScenarioSpec, TrimmingSpec } from '../../src/sim/scenario/spec.js';
import { receiverQpnOf, senderQpnOf } from '../../src/switching/network-addresses.js';
import { captured, DATA, hop, MTU, NACK, run, SACK, scenario, TRIMMED, tx } from './support/mrc-star.js';

const ONE_EACH = [['h0', 1], ['h1', 1], ['h2', 1]] as const;
const ONE_PLACE = { lastHopQueueBytes: DATA };

describe('A switch whose last-hop queue holds one packet', () => {
  const { result, records } = run({
    flows: ONE_EACH,
    trimming: ONE_PLACE,
    capture: ['s0:h3', 'h3:s0', 'h2:s0'],
  });

  it('trims the third packet of an incast, which overtakes the second, and its NACK is sent at once', () => {
    const arrivalPs = hop(DATA);
    const trimmedPs = arrivalPs + tx(DATA);
    const nackPs = trimmedPs + hop(TRIMMED);
    const againPs = nackPs + 2 * hop(NACK);
    const of = (port: number | undefined, kind: PacketRecord['kind']): PacketRecord[] =>
      records.filter((one) => one.port === port && one.kind === kind);
    const nack = records.find(({ kind }) => kind === 'nack');
    const cut = records.filter(({ mrc, kind }) => kind === 'data' && mrc?.trimmed === 'last-hop');
    expect(cut.map(({ timePs, lenBytes, trafficClass, flow }) => [timePs, lenBytes, trafficClass, flow])).toEqual([
      [trimmedPs, TRIMMED, 6, 2],
    ]);
    expect(cut.map(({ mrc }) => mrc?.wholePayloadBytes)).toEqual([MTU]);
    expect([nack?.timePs, nack?.lenBytes, nack?.sequence, nack?.mrc?.trimmed]).toEqual([nackPs, NACK, 0, 'last-hop']);
    const again = of(records.find(({ mrc }) => mrc?.again)?.port, 'data').find(({ mrc }) => mrc?.again === true);
    expect(again?.timePs).toBe(againPs);
    expect(result.flows.map(({ completionPs }) => completionPs)).toEqual([
      2 * hop(DATA) + 2 * hop(SACK),
      // Behind the first packet and the trimmed one.
      2 * hop(DATA) + tx(DATA) + tx(TRIMMED) + 2 * hop(SACK),
      againPs + 2 * hop(DATA) + 2 * hop(SACK),
    ]);
  });

  it('counts the trimmed packet at the port, in totals and in the flow', () => {
    expect(result.totals).toMatchObject({
      dataPackets: 4,
      acks: 3,
      nacks: 1,
      trimmedPackets: 1,
      bytesTrimmed: DATA - TRIMMED,
      trimmedDropped: 0,
      retransmittedPackets: 1,
      packetsDropped: 0,
      timeouts: 0,
    });
    expect(result.ports.find(({ name }) => name === 's0:h3')).toMatchObject({
      trimmedPackets: 1,
      trimmedByClass: [0, 0, 0, 1, 0, 0, 0, 0],
      trimmedDropped: 0,
      txBytes: 3 * DATA + TRIMMED,
      maxClassQueueBytes: DATA,
    });
    expect(result.flows.map(({ naks = 0 }) => naks)).toEqual([0, 0, 1]);
  });

  it('appears in the explanation by its port, with the incast', () => {
    const { answer } = explainResult(result).find(({ topic }) => topic === 'loss') ?? { answer: '' };
    expect(answer).toMatch(/1 packet was trimmed for lack of room, most at s0:h3 \(1\)\..*\(incast\)\./);
    expect(answer).toContain('MRC retransmitted 1 packet, after 1 NACK');
  });

  it('has MRC packets in captures', async () => {
    const { records: all, spec } = run({
      flows: ONE_EACH,
      trimming: ONE_PLACE,
      capture: ['s0:h3', 'h3:s0'],
    });
    const packets = await readPackets(spec, all);
    const kinds = packets.map(({ mrc }) => [mrc?.kind, mrc?.dscpName, mrc?.isTrimmed]);
    expect(kinds.filter(([kind]) => kind === 'nack')).toEqual([['nack', 'CONTROL', false]]);
    expect(kinds.filter(([, , isTrimmed]) => isTrimmed)).toEqual([['data', 'TRIMMED_LASTHOP', true]]);
    expect(kinds.filter(([, name]) => name === 'TRIMMABLE_RETX')).toHaveLength(1);
    const nack = packets.find(({ mrc }) => mrc?.kind === 'nack');
    expect(nack?.mrc?.nackReason).toBe('TRIMMED_LASTHOP');
    // O5: the low 16 bits of the QPs of flow 2.
    expect(nack?.layers.find(({ kind }) => kind === 'neth')?.value).toMatchObject({
      spdcid: receiverQpnOf(2) & 0xffff,
      dpdcid: senderQpnOf(2) & 0xffff,
    });
    const sacks = packets.filter(({ mrc }) => mrc?.kind === 'sack');
    expect(sacks).toHaveLength(3);
    expect(sacks.every(({ mrc }) => mrc?.sack?.missing.length === 0)).toBe(true);
    for (const packet of packets) {
      expect(packet.mrc?.problems ?? []).toEqual([]);
      if (packet.mrc?.isTrimmed !== true) expect(packet.icrc).toBe('right');
    }
    // Frames are as long as simulated, without FCS; the trimmed one keeps 128 bytes.
    expect(all.map(({ lenBytes }) => lenBytes - 4)).toEqual(packets.map(({ capturedBytes }) => capturedBytes));
  });

  it('drops and counts the packet if trimmed packets have no space, and it is retransmitted after the timeout', () => {
    const lost = run({ flows: ONE_EACH, trimming: { ...ONE_PLACE, trimmedQueueBytes: TRIMMED - 1 } }).result;
    expect(lost.totals).toMatchObject({
      trimmedPackets: 1,
      trimmedDropped: 1,
      packetsDropped: 1,
      bytesDropped: TRIMMED,
      timeouts: 1,
    });
    expect(lost.totals.nacks).toBeUndefined();
    expect(lost.ports.find(({ name }) => name === 's0:h3')).toMatchObject({ trimmedDropped: 1, drops: 1 });
  });

  it('delays trimmed packets in a class that is served round-robin', () => {
    const turns = run({ flows: ONE_EACH, trimming: { ...ONE_PLACE, trafficClass: 2 }, capture: ['s0:h3'] });
    const cut = turns.records.find(({ mrc }) => mrc?.trimmed !== undefined);
    // Class 3 was served last, so class 2 is next but for those above 3.
    expect([cut?.trafficClass, cut?.timePs]).toEqual([2, hop(DATA) + tx(DATA)]);
  });

  it('trims no packets of other transports or of unnamed classes', () => {
    for (const setting of [{ hosts: { transport: 'tolerant' } as HostSpec }, {}]) {
      const trimming = 'hosts' in setting ? ONE_PLACE : { ...ONE_PLACE, dataClasses: [4] };
      const { totals } = run({ flows: ONE_EACH, trimming, ...setting }).result;
      expect([totals.trimmedPackets, totals.nacks, totals.retransmittedPackets]).toEqual([undefined, undefined, 0]);
    }
  });

  it.each([[3, 1], [4, 0]])('trims data of class 3 when memory is full only if that class is to be trimmed: class %i',
    (cls, trimmed) => {
      const buffer = {
        model: 'service-pools',
        lossyBytes: DATA + 1,
        losslessClasses: [],
        dynamicTh: 3,
        reservedBytes: 0,
      };
      const { totals } = runScenarioSync({
        ...scenario({ flows: ONE_EACH }),
        switches: { pfc: false, ecn: false, trimming: { dataClasses: [cls] }, buffer },
      } as ScenarioSpec);
      expect(totals.trimmedPackets ?? 0).toBe(trimmed);
      expect(totals.drops.buffer).toBe(1);
    });
});

describe('An uplink shared by three senders', () => {
  /** One packet each, from the first leaf to the second: they meet at the uplink, and have the last links to themselves. */
  function across(trimming: TrimmingSpec, trafficClass = 3): ReturnType<typeof captured> {
    return captured({
      name: 'MRC across an uplink',
      topology: {
        kind: 'leaf-spine',
        leaves: 2,
        spines: 1,
        hostsPerLeaf: 3,
        rateGbps: 100,
        delayNs: 1000,
        uplink: { rateGbps: 100, delayNs: 1000 },
      },
      workload: {
        kind: 'flows',
        flows: [0, 1, 2].map((host) => ({ from: `h${host}`, to: `h${host + 3}`, sizeBytes: MTU, trafficClass })),
      },
      algorithms: { only: { preset: 'none' } },
      switches: { pfc: false, ecn: false, trimming },
      hosts: { transport: 'mrc', mtuBytes: MTU, retransmitTimeoutUs: 500 },
      record: { capture: ['leaf0:spine0', 'h3:leaf1', 'h4:leaf1', 'h5:leaf1'] },
    });
  }
  const uplink = ({ ports }: SimResult) => ports.find(({ name }) => name === 'leaf0:spine0');

  it('trims the third packet in transit, as its DSCP and NACK show', async () => {
    const { result, records, spec } = across({ queueBytes: DATA, lastHopQueueBytes: 3 * DATA });
    const cut = records.filter(({ kind, mrc }) => kind === 'data' && mrc?.trimmed !== undefined);
    expect(cut.map(({ flow, lenBytes, mrc }) => [flow, lenBytes, mrc?.trimmed])).toEqual([[2, TRIMMED, 'transit']]);
    const nacks = records.filter(({ kind }) => kind === 'nack').map(({ flow, mrc }) => [flow, mrc?.trimmed]);
    expect(nacks).toEqual([[2, 'transit']]);
    const read = (await readPackets(spec, records)).map(({ mrc }) => mrc);
    expect(read.filter((mrc) => mrc?.isTrimmed).map((mrc) => mrc?.dscpName)).toEqual(['TRIMMED']);
    expect(read.filter((mrc) => mrc?.kind === 'nack').map((mrc) => mrc?.nackReason)).toEqual(['TRIMMED']);
    expect(uplink(result)).toMatchObject({ trimmedPackets: 1, trimmedByClass: [0, 0, 0, 1, 0, 0, 0, 0] });
  });

  it('trims a packet that exceeds the queue limit by a byte, and not one that fills the queue exactly', () => {
    const trimmed = (queueBytes: number): number | undefined =>
      across({ queueBytes, lastHopQueueBytes: DATA }).result.totals.trimmedPackets;
    // The first packet is on the wire as the two others arrive.
    expect([trimmed(2 * DATA), trimmed(2 * DATA - 1)]).toEqual([undefined, 1]);
  });

  it('trims only data of the named classes', () => {
    const trimmed = (dataClasses: number[], trafficClass: number): number | undefined =>
      across({ queueBytes: DATA, lastHopQueueBytes: DATA, dataClasses }, trafficClass).result.totals.trimmedPackets;
    expect([trimmed([3], 3), trimmed([4], 4), trimmed([3, 4], 4)]).toEqual([1, 1, 1]);
    expect([trimmed([4], 3), trimmed([2], 3), trimmed([3], 4)]).toEqual([undefined, undefined, undefined]);
  });
});

it('trims data but no probes', () => {
  const { result, records } = run({
    flows: [['h0', 40], ['h1', 200], ['h2', 200]],
    trimming: { queueBytes: 2 * DATA, lastHopQueueBytes: 2 * DATA },
    hosts: {
      retransmitTimeoutUs: 20,
      pathSelection: 'entropy-states',
      entropies: 8,
      entropyStates: { reserve: 0, probes: true, probeIntervalUs: 2, probesToReturn: 3 },
    },
    // The entropies of these packets are assumed bad after a timeout, and probed while the two others fill the queue.
    faults: [{ kind: 'loss', between: ['h0', 's0'], share: 1, of: 'data', toUs: 3 }],
    capture: ['h0:s0', 's0:h3'],
  });
  const [sent, passed] = ['h0:s0', 's0:h3'].map((name) =>
    records.filter(({ kind, port, flow }) => kind === 'probe' && flow === 0 && result.ports[port!]!.name === name)
  );
  const trimmed = records.filter(({ kind, mrc }) => kind === 'data' && mrc?.trimmed !== undefined);
  const between = trimmed.filter(({ timePs }) => timePs > sent![0]!.timePs && timePs < sent!.at(-1)!.timePs);
  expect(between.length).toBeGreaterThan(10);
  expect(passed).toHaveLength(sent!.length);
  expect(passed!.every(({ mrc, trafficClass }) => mrc?.trimmed === undefined && trafficClass === 3)).toBe(true);
});

it('causes NACKs without ECN marks, even for packets that are marked and then trimmed', () => {
  const { records } = captured({
    ...scenario({
      flows: [['h0', 20]],
      trimming: { queueBytes: 100 * DATA, lastHopQueueBytes: DATA },
      switches: { ecn: { kminKB: 0, kmaxKB: 0, pmax: 1 } },
      capture: ['s1:h3', 'h3:s1'],
    }),
    topology: {
      kind: 'edges',
      nodes: [
        ...['s0', 's1'].map((name) => ({ name, kind: 'switch' as const })),
        ...['h0', 'h3'].map((name) => ({ name, kind: 'host' as const })),
      ],
      links: [
        { from: 'h0', to: 's0', rateGbps: 100 },
        { from: 's0', to: 's1', rateGbps: 50 },
        { from: 's1', to: 'h3', rateGbps: 25 },
      ],
    },
  });
  const trimmed = records.filter(({ kind, mrc }) => kind === 'data' && mrc?.trimmed !== undefined);
  const nacks = records.filter(({ kind }) => kind === 'nack');
  expect(trimmed.filter(({ marked }) => marked).length).toBeGreaterThan(0);
  expect(nacks).toHaveLength(trimmed.length);
  expect(nacks.filter(({ marked, mrc }) => marked || mrc?.echo === true)).toEqual([]);
});

describe('Timeouts', () => {
  /** A window that NACKs have shrunk to a packet: the first packet is lost and waits for room, as later ones fill the window. */
  it('expire while the first packet is lost and waits for space in the window', () => {
    const { ended, summary, totals } = runScenarioSync({
      name: 'incast with NSCC',
      topology: { kind: 'star', hosts: 65, rateGbps: 400, delayNs: 500 },
      workload: { kind: 'incast', senders: 64, sizeBytes: 250_000 },
      algorithms: { nscc: { preset: 'nscc-mrc' } },
      switches: { pfc: false, trimming: true },
      hosts: { transport: 'mrc', mtuBytes: MTU, retransmitTimeoutUs: 65 },
    });
    expect([ended, summary.flowsUnfinished]).toEqual(['all-flows-done', 0]);
    expect(totals.timeouts).toBeGreaterThan(0);
  });

  it('of packets that expire together count if the newest of them was sent after the last counted timeout', () => {
    const T_US = 50;
    const drops = [[0, 3], [1, 2]].flatMap(([packet, times]) =>
      Array.from({ length: times! }, (_, i) => ({
        kind: 'drop' as const,
        flow: 0,
        firstByte: packet! * MTU,
        arrival: i + 1,
      }))
    );
    const mrc = { timer: 'per-packet', linearTimeouts: 1, exponentialTimeouts: 10, reorderUs: 0 } as const;
    const { records } = captured({
      ...scenario({ flows: [], faults: drops, hosts: { retransmitTimeoutUs: T_US, mrc }, capture: ['h0:s0'] }),
      workload: {
        kind: 'flows',
        connections: 'per-pair',
        flows: [{ from: 'h0', to: 'h3', sizeBytes: 2 * MTU }, { from: 'h0', to: 'h3', sizeBytes: MTU, startUs: 60 }],
      },
    });
    // The first packet expires alone at T, which doubles the interval. The third packet, at 60 us, is progress: at 2 T the second, of time 0,
    // and the first, of time T, expire together, and the interval doubles again.
    const first = records.filter(({ kind, sequence }) => kind === 'data' && sequence === 0);
    expect(first.map(({ timePs }) => timePs / 1e6)).toEqual([0, 1, 2, 4].map((intervals) => intervals * T_US));
  });
});

describe('Retries', () => {
  it('fail a QP whose NACKs exceed them', () => {
    const always = { ...ONE_PLACE, lastHopQueueBytes: DATA - 1 };
    const { flows, totals } = run({ flows: [['h0', 1]], trimming: always, hosts: { retryCount: 2 } }).result;
    expect(flows[0]).toMatchObject({ failure: 'retry-exceeded', naks: 3 });
    expect(totals).toMatchObject({ trimmedPackets: 3, nacks: 3, retransmittedPackets: 2 });
  });
});

describe('Contradictory settings', () => {
  const rejected = (changes: Partial<ScenarioSpec>): string => {
    try {
      runScenarioSync({ ...scenario({ flows: ONE_EACH, trimming: true }), ...changes });
      return 'accepted';
    } catch (error) {
      return (error as Error).message;
    }
  };
  const trims = (trimming: TrimmingSpec | boolean): Partial<ScenarioSpec> => ({ switches: { trimming } });

  it.each([
    [trims({ sizeBytes: 81 }), 'switches.trimming.sizeBytes must be between 82 and 4,096'],
    [trims({ trafficClass: 3 }), 'switches.trimming.trafficClass is a class whose data are trimmed'],
    [{ fidelity: 'reference' as const, hosts: {}, switches: { trimming: true } }, 'switches.trimming is a setting of'],
    [{ fidelity: 'reference' as const, hosts: { mrc: {} }, switches: {} }, 'hosts.mrc is a setting of'],
    [
      { algorithms: { only: { preset: 'hpcc-sigcomm19' } } },
      'Trimmed packets keep all headers up to the TSETH',
    ],
    [
      { overrides: [{ nodes: ['s0'], switch: { trimming: false } }] },
      'trimming must be the same for all switches',
    ],
  ] as const)('are rejected: %j: %s', (changes, message) => {
    expect(rejected(changes as Partial<ScenarioSpec>)).toContain(message);
  });
});
