/**
 * Rates and windows that agents set in the kernel: their effect to the picosecond, and none on a run without actions.
 */
import { describe, expect, it } from 'vitest';
import type { RoceError } from '../../../src/errors.js';
import { compileScenario } from '../../../src/sim/compile/compile-scenario.js';
import type { AgentControl } from '../../../src/sim/kernel/agent-control.js';
import { SimKernel } from '../../../src/sim/kernel/kernel.js';
import type { NetworkPlan } from '../../../src/sim/plan.js';
import type { PacketRecord } from '../../../src/sim/result.js';
import { runPlan } from '../../../src/sim/kernel/run-plan.js';
import type { ScenarioSpec } from '../../../src/sim/scenario/spec.js';
import { validateScenario } from '../../../src/sim/scenario/validate.js';
import { RANDOM_SCENARIO } from '../../support/determinism-scenarios.js';
import { randomScenario } from '../../support/random-scenarios.js';
import { Seeded } from '../../support/seeded.js';
import { rejectionOf } from '../../support/rejection.js';

const GBPS = 1e9;
const LINE_BPS = 100 * GBPS;
/** Headers of 82 bytes and a payload of 1,024. */
const PACKET_BYTES = 1106;
const BUDGET = 2 ** 30;

/** Hosts of a star send to the last one; no switch marks packets, so algorithms leave their rates at line rate. */
const incast = (senders: number, rest: Partial<ScenarioSpec> = {}): ScenarioSpec => ({
  name: 'incast without marks',
  topology: { kind: 'star', hosts: senders + 1, rateGbps: 100, delayNs: 1000 },
  workload: { kind: 'incast', senders, sizeBytes: 2_000_000 },
  switches: { ecn: false },
  ...rest,
});

const planOf = (spec: ScenarioSpec): NetworkPlan => ({
  ...compileScenario(validateScenario(spec)).plan,
  agents: true,
});

interface Opened {
  readonly kernel: SimKernel;
  readonly agents: AgentControl;
  readonly sent: PacketRecord[];
  readonly runTo: (timePs: number) => void;
}

/** A kernel that records the packets of the first sender's port. */
function open(spec: ScenarioSpec): Opened {
  const plan = planOf(spec);
  const kernel = new SimKernel(plan, { captured: new Set([plan.flows.sourcePort[0]]) });
  const sent: PacketRecord[] = [];
  const runTo = (timePs: number): void => {
    while (kernel.run(timePs, BUDGET) === 'trace-full') sent.push(...kernel.drainPackets());
    sent.push(...kernel.drainPackets());
  };
  return { kernel, agents: kernel.agents!, sent, runTo };
}

const gapPs = (rateBps: number, packetBytes = PACKET_BYTES): number => Math.ceil((packetBytes * 8e12) / rateBps);
/** Times between the data packets that left after a time. */
const gapsAfter = (sent: readonly PacketRecord[], timePs: number): number[] => {
  const times = sent.filter((packet) => packet.timePs > timePs).map((packet) => packet.timePs);
  return times.slice(1).map((time, index) => time - times[index]!);
};
const rate = (rateBps: number | null) => ({ rateBps, windowBytes: null });

describe('A rate that an agent sets', () => {
  it.each([40 * GBPS, 33_333_333_333, 1.7 * GBPS])('of %s b/s determines the gap between packets, to the picosecond',
    (rateBps) => {
      const { agents, sent, runTo } = open(incast(1));
      runTo(1e6);
      agents.act(0, rate(rateBps));
      runTo(40e6);
      expect(new Set(gapsAfter(sent, 1e6))).toEqual(new Set([gapPs(rateBps)]));
      expect(sent.length).toBeGreaterThan(5);
    });

  it('shortens the current gap, measured from the last packet', () => {
    const { agents, sent, runTo } = open(incast(1));
    agents.act(0, rate(1e6));
    runTo(20e6);
    expect(sent.length).toBe(1);
    const firstPs = sent[0]!.timePs;
    agents.act(0, rate(2e8));
    runTo(100e6);
    expect(sent[1]!.timePs).toBe(firstPs + gapPs(2e8));
  });

  it('sends a packet at once if its gap has already passed', () => {
    const { agents, sent, runTo } = open(incast(1));
    agents.act(0, rate(1e6));
    runTo(20e6);
    agents.act(0, rate(LINE_BPS));
    runTo(21e6);
    expect(sent[1]!.timePs).toBe(20e6);
  });

  it('lengthens the current gap', () => {
    const { agents, sent, runTo } = open(incast(1));
    agents.act(0, rate(GBPS));
    runTo(1e6);
    agents.act(0, rate(0.5 * GBPS));
    runTo(40e6);
    expect(sent[1]!.timePs - sent[0]!.timePs).toBe(gapPs(0.5 * GBPS));
  });

  it('is the rate that the kernel reports, until null returns the QP to its algorithm', () => {
    const { kernel, agents, sent, runTo } = open(incast(1));
    runTo(1e6);
    agents.act(0, rate(1e6));
    expect(kernel.rateBps(0, 1e6)).toBe(1e6);
    runTo(5e6);
    agents.act(0, rate(null));
    expect(kernel.rateBps(0, 5e6)).toBe(LINE_BPS);
    runTo(6e6);
    expect(sent.find(({ timePs }) => timePs >= 5e6)!.timePs).toBe(5e6);
    expect(gapsAfter(sent, 5e6)[0]).toBeLessThan(gapPs(0.9 * LINE_BPS));
  });

  it.each([
    'dcqcn-sigcomm15',
    'dcqcn-connectx',
    'hpcc-sigcomm19',
    'hpcc-pp-draft',
    'timely-sigcomm15',
    'dctcp-ns3',
    'swift-sigcomm20',
  ] as const)('overrides the rate of %s, which keeps running', (preset) => {
    const marking = { ecn: { kminKB: 5, kmaxKB: 50 } };
    const { kernel, agents, sent, runTo } = open(incast(3, { algorithms: { a: { preset } }, switches: marking }));
    for (let flow = 0; flow < 3; flow++) agents.act(flow, { rateBps: 20 * GBPS, windowBytes: 2 ** 32 - 1 });
    agents.act(1, rate(null));
    runTo(100e6);
    // With headers of telemetry, where the algorithm reads it.
    const packetBytes = kernel.plan.flows.headerBytes[0]! + 1024;
    expect(new Set(gapsAfter(sent, 1))).toEqual(new Set([gapPs(20 * GBPS, packetBytes)]));
    expect(kernel.rateBps(0, 100e6)).toBe(20 * GBPS);
  });

  it('applies from the first packet if it is set before the flow starts', () => {
    const { agents, sent, runTo } = open(
      incast(1, { workload: { kind: 'incast', senders: 1, sizeBytes: 50_000, startUs: 10 } }),
    );
    agents.act(0, rate(5 * GBPS));
    runTo(40e6);
    expect(sent[0]!.timePs).toBe(10e6);
    expect(new Set(gapsAfter(sent, 0))).toEqual(new Set([gapPs(5 * GBPS)]));
  });
});

describe('Two QPs that share an egress port', () => {
  /** Share of the line rate that frames of PACKET_BYTES use, besides preamble and gap of 20 bytes. */
  const share = PACKET_BYTES / (PACKET_BYTES + 20);
  /** Switch port towards the receiver. */
  const queue = (kernel: SimKernel): number => {
    const { flows, ports } = kernel.plan;
    return kernel.queueBytes(ports.findIndex(({ peerPort }) => peerPort === flows.responsePort[0]));
  };

  it('drain the queue at 45 % of its goodput each, and their rates add up', () => {
    const { kernel, agents, runTo } = open(incast(2));
    runTo(20e6);
    const grown = queue(kernel);
    expect(grown).toBeGreaterThan(100_000);
    for (const flow of [0, 1]) agents.act(flow, rate(0.45 * LINE_BPS * share));
    expect(kernel.rateBps(0, 20e6) + kernel.rateBps(1, 20e6)).toBeCloseTo(0.9 * LINE_BPS * share, 0);
    // Packets in flight arrive for another microsecond; then the queue drains at a tenth of the port's rate.
    runTo(22e6);
    const drainPs = (queue(kernel) * 8e12) / (0.1 * LINE_BPS * share);
    runTo(22e6 + 0.98 * drainPs);
    expect(queue(kernel)).toBeGreaterThan(0);
    runTo(22e6 + 1.02 * drainPs);
    expect(queue(kernel)).toBeLessThanOrEqual(2 * PACKET_BYTES);
  });

  it('grow the queue by 20 bytes per packet at half of the line rate each, as rates exclude preambles', () => {
    const { kernel, agents, runTo } = open(incast(2));
    for (const flow of [0, 1]) agents.act(flow, rate(LINE_BPS / 2));
    runTo(20e6);
    const before = queue(kernel);
    runTo(220e6);
    const arrived = (200e6 * LINE_BPS) / 8e12;
    expect(queue(kernel) - before).toBeGreaterThan(arrived * (1 - share) - 2 * PACKET_BYTES);
    expect(queue(kernel) - before).toBeLessThan(arrived * (1 - share) + 2 * PACKET_BYTES);
  });
});

describe('A window that an agent sets', () => {
  it('bounds the bytes in flight; a larger one lets the sender continue at once', () => {
    const { kernel, agents, sent, runTo } = open(incast(1));
    agents.act(0, { rateBps: null, windowBytes: 10_000 });
    runTo(2e6);
    expect(agents.drain(0).inFlightBytes).toBe(10 * 1024);
    expect(sent.length).toBe(10);
    agents.act(0, { rateBps: null, windowBytes: 20_000 });
    runTo(2e6 + 1);
    expect(sent.length).toBe(11);
    runTo(4e6);
    expect(kernel.isRunning(0)).toBe(true);
  });
});

describe('The observation of a sender', () => {
  it('counts bytes sent, acknowledged and in flight, and round trips', () => {
    const { kernel, agents, runTo } = open(
      incast(1, { workload: { kind: 'incast', senders: 1, sizeBytes: 100 * 1024 } }),
    );
    agents.act(0, rate(10 * GBPS));
    runTo(20e6);
    const { sentBytes, ackedBytes, inFlightBytes, acks, rttSumPs, rttMinPs, retransmittedPackets } = agents.drain(0);
    expect(sentBytes).toBe(ackedBytes + inFlightBytes);
    expect(ackedBytes).toBe(acks * 1024);
    // Data and ACK over two links of 1 us each, alone: 4 us and four transmissions.
    const txPs = (lenBytes: number): number => Math.ceil(((lenBytes + 20) * 8e12) / LINE_BPS);
    expect(rttMinPs).toBe(2 * txPs(PACKET_BYTES) + 2 * txPs(86) + 4e6);
    expect(rttSumPs).toBe(acks * rttMinPs);
    expect(agents.drain(0).rttMinPs).toBe(Infinity);
    runTo(1e12);
    expect(agents.drain(0)).toMatchObject({ done: true, sentBytes: 102_400, ackedBytes: 102_400, inFlightBytes: 0 });
    expect(retransmittedPackets).toBe(0);
    expect(kernel.flow(0).done).toBe(true);
  });

  it('counts messages of a QP by their bytes, not by their packets', () => {
    const { agents, runTo } = open(incast(1, {
      workload: {
        kind: 'flows',
        flows: [{ from: 'h0', to: 'h1', sizeBytes: 1500, qp: 'a' }, { from: 'h0', to: 'h1', sizeBytes: 700, qp: 'a' }],
      },
    }));
    runTo(1e12);
    expect(agents.drain(0)).toMatchObject({ sentBytes: 2200, ackedBytes: 2200, deliveredBytes: 2200, done: true });
  });
});

describe('A run', () => {
  /** Actions follow slices that end at a time or after a number of events. */
  const outcome = (plan: NetworkPlan, act?: (kernel: SimKernel) => void, random?: Seeded) => {
    const kernel = new SimKernel(plan);
    for (let timePs = 0, slices = 0; act !== undefined && slices < 3000; slices++) {
      timePs += random!.whole(1, 5e6);
      const ended = random!.chance(0.3) ? kernel.run(plan.endPs, random!.whole(1, 300)) : kernel.run(timePs, BUDGET);
      if (timePs >= plan.endPs || (ended !== 'reached' && ended !== 'budget')) break;
      timePs = Math.max(timePs, kernel.nowPs);
      act(kernel);
    }
    while (kernel.run(plan.endPs, BUDGET) === 'budget');
    kernel.account();
    return {
      flows: Array.from({ length: plan.flows.length }, (_, flow) => kernel.flow(flow)),
      ports: plan.ports.map((_, port) => kernel.port(port)),
      totals: kernel.totals(),
      hops: kernel.packetHops,
    };
  };

  it('is unchanged by agents that do nothing', () => {
    const plan = planOf(RANDOM_SCENARIO);
    const { agents, ...without } = plan;
    expect(agents).toBe(true);
    expect(runPlan(plan)).toEqual(runPlan(without));
  });

  // Each action wakes a port between two events, wherever the event queue has advanced to.
  it.each(Array.from({ length: 12 }, (_, seed) => seed))('is unchanged by actions without effect: seed %s', (seed) => {
    const plan = planOf(randomScenario(seed, { faults: seed % 2 === 1 }));
    const random = new Seeded(seed);
    const acting = outcome(plan, ({ agents }) => {
      agents!.act(random.whole(0, plan.flows.length - 1), rate(null));
    }, random);
    expect(acting).toEqual(outcome(plan));
  });

  it('with the same actions has the same outcome', () => {
    const plan = planOf(randomScenario(3, { faults: true }));
    const run = () => {
      const random = new Seeded(9);
      return outcome(plan, ({ agents }) => {
        const flow = random.whole(0, plan.flows.length - 1);
        const lineBps = plan.ports[plan.flows.sourcePort[flow]!]!.rateBps;
        agents!.act(flow, rate(random.chance(0.2) ? null : lineBps * random.scaled(0.01, 1)));
      }, random);
    };
    expect(run()).toEqual(run());
    expect(run().flows).not.toEqual(outcome(plan).flows);
  });
});

describe('Marking thresholds that an agent sets', () => {
  it('apply to the next packets', () => {
    const { kernel, agents, runTo } = open(incast(2, { switches: { ecn: { kminKB: 10_000, kmaxKB: 20_000 } } }));
    const { flows, ports } = kernel.plan;
    const port = ports.findIndex(({ peerPort }) => peerPort === flows.responsePort[0]);
    runTo(20e6);
    expect(kernel.port(port).marks).toBe(0);
    agents.mark(port, { kminBytes: 0, kmaxBytes: 0, pmax: 1 });
    expect(agents.marking(port)).toEqual({ kminBytes: 0, kmaxBytes: 0, pmax: 1 });
    runTo(21e6);
    expect(kernel.port(port).marks).toBeGreaterThan(5);
  });
});

describe('An invalid action', () => {
  const { agents, kernel } = open(incast(1));
  it.each([
    ['a rate of 0', { rateBps: 0, windowBytes: null }, 'action.rateBps'],
    ['a rate above the line rate', { rateBps: LINE_BPS + 1, windowBytes: null }, 'action.rateBps'],
    ['NaN', { rateBps: NaN, windowBytes: null }, 'action.rateBps'],
    ['a window of 0', { rateBps: null, windowBytes: 0 }, 'action.windowBytes'],
    ['a window of 1.5 bytes', { rateBps: null, windowBytes: 1.5 }, 'action.windowBytes'],
  ])('is rejected without an effect: %s', (_, action, where) => {
    expect(rejectionOf(() => agents.act(0, action))).toMatchObject({ code: 'invalid-config', where });
    expect(kernel.rateBps(0, 0)).toBe(LINE_BPS);
  });

  it('is rejected if thresholds are in the wrong order', () => {
    expect(() => agents.mark(0, { kminBytes: 2, kmaxBytes: 1, pmax: 1 })).toThrow(
      expect.objectContaining({ where: 'action.kminBytes' }) as RoceError,
    );
  });
});
