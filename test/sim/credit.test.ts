/** Receiver credit in the simulator: numbers that can be computed by hand, and what is rejected. */
import { describe, expect, it } from 'vitest';
import { openNativePlan } from '../../src/sim/native-plan.js';
import type { PacketRecord, SimResult } from '../../src/sim/result.js';
import { runScenarioSync } from '../../src/sim/run/run-scenario.js';
import type { AlgorithmSpec, ScenarioSpec } from '../../src/sim/scenario/spec.js';

const GBPS = 100e9;
const MTU = 1024;
/** Ethernet, IPv6, UDP, BTH, ICRC, FCS; preamble, delimiter and gap. */
const [HEADERS, OVERHEAD] = [82, 20];
const FULL = MTU + HEADERS;
const QUANTUM = 256;
/** METH, TSETH, RETH. */
const MRC_BYTES = 24;
/** Quanta of a turn, as bytes. */
const TURN = 64 * QUANTUM;
const [SENDERS, SIZE] = [16, 4_000_000];
const PACKETS = Math.ceil(SIZE / MTU);
const WIRE_BYTES = SIZE + PACKETS * HEADERS;

const txPs = (lenBytes: number): number => ((lenBytes + OVERHEAD) * 8e12) / GBPS;
const rccc = (parameters: Readonly<Record<string, number>> = {}): Readonly<Record<string, AlgorithmSpec>> => ({
  mine: { preset: 'rccc-uet', parameters },
});
/** The sender begins with credit for one packet. */
const ONE_PACKET = rccc({ initialCreditBytes: FULL });

const run = (spec: Partial<ScenarioSpec> = {}): SimResult =>
  runScenarioSync({
    name: 'credit',
    topology: { kind: 'star', hosts: SENDERS + 1 },
    workload: { kind: 'incast', senders: SENDERS, sizeBytes: SIZE },
    algorithms: rccc(),
    ...spec,
  });
const completionsOf = ({ flows }: SimResult): number[] => flows.map(({ completionPs }) => completionPs ?? Infinity);

describe('Receiver credit', () => {
  it('limits a lone sender to the credit rate, 99 % of the line rate', () => {
    const alone = {
      topology: { kind: 'star', hosts: 2 },
      workload: { kind: 'incast', senders: 1, sizeBytes: SIZE },
    } as const;
    const [free] = completionsOf(run({ ...alone, algorithms: { none: { preset: 'none' } } }));
    const [credited] = completionsOf(run(alone));
    // The speculative packets of the first round trip are faster.
    expect(free! / credited!).toBeGreaterThan(0.99);
    expect(free! / credited!).toBeLessThan(0.991);
  });

  it.each(['go-back-n', 'tolerant', 'mrc'] as const)(
    'shares the link of a receiver equally among many senders, and queues only bytes sent without credit (%s)',
    (transport) => {
      const result = run({ algorithms: ONE_PACKET, hosts: { transport } });
      const completions = completionsOf(result);
      const linkPs = txPs(result.totals.creditBytesUsed!) + (result.totals.dataPackets - 1) * txPs(0);
      // 1 % is not granted; the first packets and the last ones take a round trip.
      expect(linkPs / Math.max(...completions)).toBeGreaterThan(0.985);
      expect(Math.min(...completions) / Math.max(...completions)).toBeGreaterThan(0.99);
      const longest = result.ports.find(({ name }) => name === `s0:h${SENDERS}`)!.maxQueueBytes;
      // Sixteen packets arrive at once, and one of them leaves. MRC's are longer.
      expect(longest).toBe((SENDERS - 1) * (FULL + (transport === 'mrc' ? MRC_BYTES : 0)));
      expect(result.totals).toMatchObject({ packetsDropped: 0, retransmittedPackets: 0, creditsDropped: 0 });
    },
  );

  it('is sent as a credit packet for each 64 quanta that a sender lacks', () => {
    const { totals } = run({ algorithms: ONE_PACKET });
    const wanted = WIRE_BYTES - FULL;
    expect(totals.creditBytesUsed).toBe(SENDERS * WIRE_BYTES);
    // Credit granted while the last packets are in flight is additional, for a round trip at most.
    expect(totals.credits).toBeGreaterThanOrEqual(SENDERS * Math.ceil(wanted / TURN));
    expect(totals.credits).toBeLessThan(SENDERS * (Math.ceil(wanted / TURN) + 1));
    expect(totals.creditsReceived).toBe(totals.credits);
    expect(totals.creditBytesGranted! % QUANTUM).toBe(0);
    expect(totals.creditBytesGranted).toBeGreaterThanOrEqual(SENDERS * wanted);
    expect(totals.creditBytesGranted).toBeLessThan(SENDERS * (wanted + TURN));
  });

  it('limits the queue to the speculative packets sent before the first credit', () => {
    const result = run({ record: { intervalUs: 5 } });
    const longest = result.ports.find(({ name }) => name === `s0:h${SENDERS}`)!.maxQueueBytes;
    const speculative = SENDERS * 1.5 * ((GBPS / 8) * 5e-6);
    expect(longest).toBeLessThan(speculative);
    expect(longest).toBeGreaterThan(speculative / 2);
  });

  it('is requested again when lost, by a timeout that does not count as a retry', () => {
    const faults = [{ kind: 'loss', between: ['s0', 'h1'], share: 0.9, of: 'acks' }] as const;
    const workload = { kind: 'flows', flows: [{ from: 'h0', to: 'h1', sizeBytes: 20 * MTU }] } as const;
    const hosts = { retransmitTimeoutUs: 100 };
    const { summary, totals } = run({
      topology: { kind: 'star', hosts: 2 },
      workload,
      faults,
      hosts,
      algorithms: ONE_PACKET,
    });
    expect(summary.flowsDone).toBe(1);
    expect(totals.creditsDropped).toBeGreaterThan(0);
    expect(totals.credits).toBe(totals.creditsReceived! + totals.creditsDropped!);
  });

  it.each([
    ['hosts.retransmitTimeoutUs', { retransmitTimeoutUs: 100 }, 100e6],
    // 4.096 us 2^10: what the memory of the switch can hold.
    ["the path's timeout", {}, 4_194_304_000],
  ])('is requested %s after the last packet when it is lost, then again after the same interval',
    (_, hosts, timeoutPs) => {
      const times: number[] = [];
      const toUs = (2.5 * timeoutPs) / 1e6;
      runScenarioSync({
        name: 'credit',
        topology: { kind: 'star', hosts: 2 },
        workload: { kind: 'flows', flows: [{ from: 'h0', to: 'h1', sizeBytes: 20 * MTU }] },
        faults: [{ kind: 'loss', between: ['s0', 'h0'], share: 1, of: 'acks', toUs }],
        hosts,
        algorithms: ONE_PACKET,
        record: { capture: ['h0:s0'] },
      }, { onPackets: (records) => void times.push(...records.map(({ timePs }) => timePs)) });
      expect(times.slice(0, 3)).toEqual([0, timeoutPs, 2 * timeoutPs]);
    });

  it('postpones the timeout even if it does not cover a packet', () => {
    const CREDIT_BYTES = 82;
    const records: PacketRecord[] = [];
    // Each sender begins a packet in debt. The second requests only a share, as others wait at its port, so its first
    // credit does not cover a packet.
    // All later credit is lost.
    const { ports } = runScenarioSync({
      name: 'credit that is not enough',
      topology: {
        kind: 'edges',
        nodes: [
          { name: 's0', kind: 'switch' },
          ...['h0', 'h1', 'h2', 'h3'].map((name) => ({ name, kind: 'host' as const })),
        ],
        links: ['h0', 'h1', 'h2', 'h3'].map((from) => ({
          from,
          to: 's0',
          delayNs: 1000,
          rateGbps: from === 'h1' ? 1 : 100,
        })),
      },
      workload: {
        kind: 'flows',
        flows: ['h2', 'h1', 'h3', 'h2', 'h3'].map((to) => ({ from: 'h0', to, sizeBytes: 2 * MTU })),
      },
      algorithms: rccc({ initialCreditBytes: 1 }),
      faults: [{ kind: 'loss', between: ['s0', 'h1'], share: 1, of: 'acks', fromUs: 16, toUs: 400 }],
      switches: { pfc: false, ecn: false },
      hosts: { transport: 'mrc', mtuBytes: MTU, retransmitTimeoutUs: 200, mrc: { sackBytes: 0 } },
      record: { capture: ['h0:s0', 's0:h0'] },
    }, { onPackets: (some) => void records.push(...some) });
    const timesOf = (port: string, kind: PacketRecord['kind']): number[] =>
      records.filter((one) => one.flow === 1 && one.kind === kind && ports[one.port!]!.name === port)
        .map(({ timePs }) => timePs);
    const arrivalPs = (leavesPs: number, lenBytes: number): number => leavesPs + txPs(lenBytes) + 1e6;
    const credits = timesOf('s0:h0', 'credit').filter((timePs) => timePs < 400e6);
    expect(credits).toHaveLength(1);
    expect(timesOf('s0:h0', 'ack')[0]).toBeLessThan(credits[0]!);
    expect(timesOf('h0:s0', 'data')[1]).toBe(arrivalPs(credits[0]!, CREDIT_BYTES) + 200e6);
  });

  it('is granted to a sender whose only requests are in trimmed packets', () => {
    const { totals, summary } = run({
      hosts: { transport: 'mrc', retransmitTimeoutUs: 0 },
      switches: { pfc: false, trimming: { sizeBytes: 128, queueBytes: 20_000, lastHopQueueBytes: 20_000 } },
      algorithms: rccc(),
    });
    expect(totals.trimmedPackets).toBeGreaterThan(100);
    expect(totals.retransmittedPackets).toBe(totals.trimmedPackets);
    expect([summary.flowsDone, totals.timeouts, totals.packetsDropped]).toEqual([SENDERS, 0, 0]);
  });

  it('adds no counters to runs without it', () => {
    const { totals } = run({ algorithms: { none: { preset: 'none' } } });
    expect(Object.keys(totals).filter((name) => name.startsWith('credit'))).toEqual([]);
  });
});

describe('Receiver credit is rejected by name', () => {
  it.each<[string, Partial<ScenarioSpec>, RegExp]>([
    [
      'other transports',
      { hosts: { transport: 'irn' } },
      /^hosts\.transport: RCCC needs one of these transports: go-back-n, tolerant, mrc \(flow is 0 and transport "irn"\)/,
    ],
    [
      'other fidelities',
      { fidelity: 'reference' },
      /^fidelity: RCCC needs fidelity standard, .*\(got "reference"\)/,
    ],
    [
      'QPs with several messages',
      {
        workload: {
          kind: 'flows',
          connections: 'per-pair',
          flows: [1, 2].map(() => ({ from: 'h0', to: 'h1', sizeBytes: 1000 })),
        },
      },
      /^workload: RCCC needs a QP for each message/,
    ],
  ])('with %s', (_name, spec, message) => {
    expect(() => run(spec)).toThrow(
      expect.objectContaining({ code: 'invalid-scenario', message: expect.stringMatching(message) as string }) as Error,
    );
  });

  it('is accepted in native plans of open simulations', () => {
    const spec = {
      name: 'open',
      topology: { kind: 'star', hosts: 2 },
      hosts: { retransmitTimeoutUs: 0 },
      algorithms: rccc(),
    } as const;
    expect(() => openNativePlan(spec, { flows: 4 })).not.toThrow();
  });
});
