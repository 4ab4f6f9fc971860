/** Emulated hosts: the rules of go-back-N, and an incast in virtual time. */
import { describe, expect, it } from 'vitest';
import { demoScenario } from '../../src/live/demo/incast.js';
import { dropsIn } from '../../src/live/switch/switch-counters.js';
import { Requester, Responder } from '../../src/live/hosts/reliable-connection.js';
import { emulateHosts } from '../../src/live/index.js';
import { EmulatedHosts } from '../../src/live/hosts/emulated-hosts.js';
import { hostsSettings } from '../../src/live/hosts/settings.js';
import { planOf, starScenario } from './support/emulated-star.js';
import { VirtualWire } from './support/virtual-wire.js';

const SECOND_PS = 1e12;
const LIMITS = { packets: 10, windowPackets: 4, timeoutPs: 1000 };

describe('a requester', () => {
  it('sends a window of packets, and continues as they are acknowledged', () => {
    const requester = new Requester(LIMITS);
    for (let packet = 0; packet < 4; packet += 1) expect(requester.send(packet)).toBe(packet);
    expect(requester.maySend).toBe(false);
    expect(requester.onAck(1, 10)).toBe(true);
    expect([requester.maySend, requester.acknowledged, requester.timeoutPs]).toEqual([true, 2, 1010]);
    expect(requester.onAck(1, 20)).toBe(false);
    expect(requester.onAck(9, 20)).toBe(false);
    expect(requester.timeoutPs).toBe(1010);
  });

  it('goes back to the packet that a NAK names, and to the first unacknowledged one at a timeout', () => {
    const requester = new Requester(LIMITS);
    for (let packet = 0; packet < 4; packet += 1) requester.send(0);
    requester.onNak(2, 5);
    expect([requester.acknowledged, requester.send(6), requester.again]).toEqual([2, 2, 1]);
    requester.onTimeout(1005);
    expect([requester.send(1006), requester.send(1006), requester.again, requester.timeouts]).toEqual([2, 3, 3, 1]);
    requester.onAck(3, 1010);
    expect([requester.timeoutPs, requester.isDone]).toEqual([Infinity, false]);
  });

  it('continues across the wrap of PSNs', () => {
    const requester = new Requester({ packets: Infinity, windowPackets: 2 ** 22, timeoutPs: 1000 });
    const turn = 2 ** 24;
    for (let packet = 0; packet < turn + 10; packet += 1) {
      requester.send(0);
      if (packet % 2 ** 20 === 2 ** 20 - 1) requester.onAck(packet % turn, 0);
    }
    requester.onAck(5, 0);
    expect(requester.acknowledged).toBe(turn + 6);
  });
});

describe('a responder', () => {
  it('accepts packets in order, sends one NAK per gap, and acknowledges duplicates', () => {
    const responder = new Responder();
    const responses = [0, 2, 3, 1, 0, 2, 4].map((psn) => responder.take(psn, psn === 2, true));
    expect(responses).toEqual(['ack', 'nak', 'nothing', 'ack', 'ack', 'ack', 'nak']);
    const { expected, messages, outOfOrder, duplicates } = responder;
    expect({ expected, messages, outOfOrder, duplicates }).toEqual({
      expected: 3,
      messages: 1,
      outOfOrder: 3,
      duplicates: 1,
    });
  });
});

describe('hosts that are called every 5 ms', () => {
  it('keep the rate of their links, and acknowledge all frames received, not one per call', () => {
    const CALL_PS = 5e9;
    const CALLS = 20;
    const plan = planOf(starScenario(2, {
      topology: { kind: 'star', hosts: 2, rateGbps: 0.1, delayNs: 1000 },
      algorithms: { default: { preset: 'dcqcn-sigcomm15' } },
    }));
    const sent: [Uint8Array[], Uint8Array[]] = [[], []];
    const settings = hostsSettings(plan, { endless: true, catchUpPs: 20e9 });
    using hosts = new EmulatedHosts(settings, [0, 1], (node, frame) => {
      sent[node]!.push(frame.slice());
    });
    let responses = 0;
    for (let call = 0; call <= CALLS; call += 1) {
      const [data, acks] = [sent[0].splice(0), sent[1].splice(0)];
      responses += acks.length;
      for (const frame of data) hosts.receive(1, frame, call * CALL_PS);
      for (const frame of acks) hosts.receive(0, frame, call * CALL_PS);
      hosts.run(call * CALL_PS);
    }
    const [{ requester }] = hosts.senders as [(typeof hosts.senders)[number]];
    // Frames of 1,082 bytes, and 20 between them.
    const linkFrames = (CALLS * CALL_PS * 100e6) / (SECOND_PS * 8 * 1082);
    expect(requester.sent).toBeGreaterThan(0.9 * linkFrames);
    // Those of the last two calls are in flight.
    expect(responses).toBeGreaterThan(((CALLS - 3) / CALLS) * requester.sent);
    expect(hosts.lostPs).toBe(0);
  });
});

describe('a host whose calls are further apart than its timeout', () => {
  it('completes its flows', () => {
    using hosts = emulateHosts(starScenario(2, {
      algorithms: { default: { preset: 'dcqcn-sigcomm15' } },
      hosts: { retransmitTimeoutUs: 500 },
    }), { hosts: ['h0'], catchUpPs: 1e12, windowPackets: 4 });
    hosts.run(SECOND_PS);
    const { sentPackets, acknowledgedPackets } = hosts.flows[0]!;
    expect(sentPackets).toBeGreaterThanOrEqual(4);
    expect(acknowledgedPackets).toBe(0);
  });
});

describe('emulated hosts around an emulated switch', () => {
  it('complete flows despite losses, corruption and reordering', () => {
    const fault = { between: ['h0', 's0'] } as const;
    const wire = new VirtualWire(starScenario(3, {
      workload: { kind: 'incast', senders: 2, sizeBytes: 300_000 },
      algorithms: { default: { preset: 'dcqcn-sigcomm15' } },
      hosts: { retransmitTimeoutUs: 2000 },
      faults: [{ kind: 'loss', ...fault, share: 0.02, of: 'all' }, { kind: 'corruption', ...fault, share: 0.02 }],
    }));
    wire.run(SECOND_PS);
    expect(wire.hosts.receivers.map(({ responder }) => responder.expected)).toEqual([293, 293]);
    for (const { requester } of wire.hosts.senders) expect(requester.isDone).toBe(true);
    const [lossy] = wire.hosts.senders;
    expect(lossy!.requester.again).toBeGreaterThan(0);
    expect(wire.hosts.settings.hosts.reduce((sum, { node }) => sum + wire.hosts.countersOf(node).icrcWrong, 0))
      .toBeGreaterThan(3);
  });

  for (const mode of ['dcqcn', 'dcqcn-fast-cnp'] as const) {
    it(`share the link of an incast of sixteen within 10 % under ${mode}, and every frame is accounted for`, () => {
      const wire = new VirtualWire(demoScenario(mode, 200), { endless: true, ackEveryPackets: 4 });
      const packets = () => wire.hosts.receivers.map(({ responder }) => responder.expected);
      let before: number[] | undefined;
      wire.run(1.6 * SECOND_PS, { everyPs: SECOND_PS / 2, look: () => before ??= packets() });
      const got = packets().map((count, flow) => count - before![flow]!);
      const fair = got.reduce((sum, count) => sum + count, 0) / got.length;
      for (const count of got) expect(Math.abs(count / fair - 1)).toBeLessThan(0.1);
      // The link is busy: 1.1 s of frames of 1,106 bytes, and 20 between them.
      expect(fair * 16).toBeGreaterThan((0.8 * 1.1 * 200e6) / (1126 * 8));
      const { counters } = wire.switch;
      const all = (of: (port: (typeof counters)[number]) => number): number =>
        counters.reduce((sum, port) => sum + of(port), 0);
      expect(all((port) => port.marks) > 100).toBe(mode === 'dcqcn');
      expect(all((port) => port.fastCnps) > 100).toBe(mode === 'dcqcn-fast-cnp');
      const dropped = all((port) => dropsIn(port.droppedIn) + dropsIn(port.droppedOut));
      expect(dropped).toBe(0);
      expect(all((port) => port.in + port.made)).toBe(all((port) => port.out + port.ended) + wire.switch.queued);
      for (const { requester } of wire.hosts.senders) expect(requester.timeouts).toBe(0);
    });
  }
});
