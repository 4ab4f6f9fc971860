/** Compares the emulated switch with closed forms: times, queues, marks, pauses, notifications, losses and counters. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dissect, type LayerKind, type LayerOf } from '../../src/packet/index.js';
import { exactTxTimePs } from '../../src/exact-numbers.js';
import { addressOfNode } from '../../src/switching/network-addresses.js';
import { FastCnp, Icrc, Pfc, formatIpAddress } from '../../src/wire/index.js';
import { DROP_REASONS } from '../../src/live/switch/switch-counters.js';
import { switchSettings } from '../../src/live/switch/settings.js';
import { Emulated, US_PS, planOf, starScenario } from './support/emulated-star.js';

const RATE_BPS = 1e9;
const DELAY_PS = US_PS;
const LINK_OVERHEAD_BYTES = 4 + 20;
/** Thresholds for the rate of the ports, so that they are not scaled from 100 Gb/s. */
const ecn = (kminKB: number, kmaxKB: number, pmax: number) => ({ byRate: [{ rateGbps: 1, kminKB, kmaxKB, pmax }] });
const ECN_OFF = { switches: { ecn: { enabled: false } } } as const;
const ETHERNET_BYTES = 14;

function layer<Kind extends LayerKind>(frame: Uint8Array, kind: Kind): LayerOf<Kind>['value'] {
  const found = dissect(frame).layers.find((one) => one.kind === kind);
  if (!found) throw new Error(`no ${kind}`);
  return found.value as LayerOf<Kind>['value'];
}

const txPs = (frame: Uint8Array): number => exactTxTimePs(frame.length + LINK_OVERHEAD_BYTES, RATE_BPS);
const ecnOf = (frame: Uint8Array): number => layer(frame, 'ipv6').ecn;

describe('an emulated switch', () => {
  it('delivers a frame after its serialization time and the link delay', () => {
    const star = new Emulated(starScenario(3));
    const frame = star.frame('data', 0, 0);
    star.arrive(0, frame, 5 * US_PS);
    expect(star.left).toEqual([{ port: 2, arrivesPs: 5 * US_PS + txPs(frame) + DELAY_PS, frame }]);
    expect(star.imbalances()).toEqual([]);
  });

  it('sends n simultaneous frames back to back, in the order of arrival', () => {
    const star = new Emulated(starScenario(9, { switches: { ecn: ecn(400, 800, 1) } }));
    const frames = Array.from({ length: 8 }, (_, flow) => star.frame('data', flow, 0));
    frames.forEach((frame, port) => {
      star.arrive(port, frame, 0);
    });
    expect(star.switch.queued).toBe(7);
    expect(star.switch.queues.bytesOf(8)).toBe(7 * (frames[0]!.length + 4));
    star.drain();
    expect(star.left.map(({ arrivesPs }) => arrivesPs)).toEqual(
      frames.map((frame, place) => (place + 1) * txPs(frame) + DELAY_PS),
    );
    expect(star.left.map(({ frame }) => layer(frame, 'bth').destQpn)).toEqual(
      frames.map((frame) => layer(frame, 'bth').destQpn),
    );
    expect(star.marks).toEqual([]);
    expect(star.imbalances()).toEqual([]);
  });

  it('gives the same result for any number of advances between arrivals', () => {
    const ends = [1, 7].map((steps) => {
      const star = new Emulated(starScenario(5, { switches: { ecn: ecn(2, 20, 0.5) } }));
      for (let at = 0; at < 100; at += 1) {
        const timePs = at * 3 * US_PS;
        for (let step = 1; step < steps; step += 1) {
          star.switch.advance(Math.max(star.switch.nowPs, timePs - (steps - step) * 12_345));
        }
        star.arrive(at % 4, star.frame('data', at % 4, at * 1000), timePs);
      }
      star.drain();
      return [star.left, star.marks];
    });
    expect(ends[0]).toEqual(ends[1]);
    expect(ends[0]![1]!.length).toBeGreaterThan(5);
  });

  it('marks at dequeue every frame that leaves more than Kmax queued, and none at Kmin or below', () => {
    const star = new Emulated(starScenario(3, { switches: { ecn: ecn(4, 4, 1) } }));
    const countedBytes = star.frame('data', 0, 0).length + 4;
    for (let at = 0; at < 10; at += 1) star.arrive(0, star.frame('data', 0, at * 1000), 0);
    star.drain();
    // 10 - n frames wait behind the n-th of ten, except behind the first, which leaves on arrival.
    const beyond = (place: number): boolean => place > 0 && (9 - place) * countedBytes > 4000;
    expect(star.left.map(({ frame }) => ecnOf(frame) === 3)).toEqual(star.left.map((_, place) => beyond(place)));
    expect(star.switch.counters[2]!.marks).toBe(star.left.filter((_, place) => beyond(place)).length);
    for (const { frame } of star.left) expect(Icrc.isRight(frame.subarray(ETHERNET_BYTES))).toBe(true);
  });

  it('does not mark packets that are not ECN-capable', () => {
    const star = new Emulated(starScenario(3, { switches: { ecn: ecn(1, 1, 1) } }));
    for (let at = 0; at < 10; at += 1) {
      const frame = star.frame('data', 0, at * 1000);
      frame[ETHERNET_BYTES + 1]! &= 0xcf;
      star.arrive(0, frame, 0);
    }
    star.drain();
    expect(star.left.map(({ frame }) => ecnOf(frame))).toEqual(Array.from({ length: 10 }, () => 0));
    expect(star.marks).toEqual([]);
  });

  for (const option of [1, 2] as const) {
    it(`sends Fast CNPs with option ${option} instead of marks to senders that accept them, and marks packets of others`, () => {
      const star = new Emulated(starScenario(3, {
        switches: { ecn: ecn(1, 1, 1), fastCnp: { enabled: true, option, flowBurst: 100 } },
        overrides: [{ nodes: ['h1'], host: { acceptFastCnp: false } }],
      }));
      for (let at = 0; at < 6; at += 1) {
        star.arrive(0, star.frame('data', 0, at * 1000), 0);
        star.arrive(1, star.frame('data', 1, at * 1000), 0);
      }
      star.drain();
      const toSender = star.left.filter(({ port }) => port === 0).map(({ frame }) => frame);
      const data = star.left.filter(({ port }) => port === 2).map(({ frame }) => frame);
      const markedOf = (flow: number): number =>
        data.filter((frame) => layer(frame, 'bth').destQpn === 0x800010 + flow && ecnOf(frame) === 3).length;
      expect([toSender.length, markedOf(0), markedOf(1)]).toEqual([star.switch.counters[2]!.fastCnps, 0, 5]);
      expect(toSender.length).toBe(5);
      for (const frame of toSender) {
        expect(dissect(frame)).toMatchObject({ class: `fast-cnp-${option}` });
        const fastCnp = FastCnp.read(frame, { link: 'ethernet' });
        expect(fastCnp).toMatchObject({ icrc: 'right', origin: 'network', destQpn: 0x800010, dscp: 48 });
        expect(formatIpAddress(fastCnp.destination)).toBe(formatIpAddress(addressOfNode(0)));
        expect(formatIpAddress(fastCnp.originalDestination)).toBe(formatIpAddress(addressOfNode(2)));
        expect(fastCnp.trace !== undefined).toBe(option === 2);
      }
      expect(star.imbalances()).toEqual([]);
    });
  }

  it('sends no more Fast CNPs than the burst of a flow at one instant', () => {
    const star = new Emulated(starScenario(3, {
      switches: { ecn: ecn(1, 1, 1), fastCnp: { enabled: true, flowBurst: 3, flowRatePerSecond: 1 } },
    }));
    for (let at = 0; at < 20; at += 1) star.arrive(0, star.frame('data', 0, at * 1000), 0);
    star.drain();
    expect(star.switch.counters[2]!.fastCnps).toBe(3);
  });
});

describe('pauses of an emulated switch', () => {
  const paused = (trafficClass: number, quanta: number): Uint8Array =>
    Pfc.frame(Uint8Array.of(2, 0, 0, 0, 0, 9), {
      classEnableVector: 1 << trafficClass,
      pauseQuanta: Array.from({ length: 8 }, (_, one) => (one === trafficClass ? quanta : 0)),
    });

  it('stop only their class, until a resume frame', () => {
    const star = new Emulated(starScenario(3, ECN_OFF));
    star.arrive(2, paused(3, 0xffff), 0);
    star.arrive(0, star.frame('data', 0, 0), US_PS);
    star.arrive(0, star.frame('cnp', 0, 0), US_PS);
    star.switch.advance(100 * US_PS);
    // The CNP goes to the sender, h0; the data to h2 waits.
    expect(star.left.map(({ port }) => port)).toEqual([0]);
    star.arrive(2, paused(3, 0), 100 * US_PS);
    expect(star.left.map(({ port }) => port)).toEqual([0, 2]);
    expect(star.left[1]!.arrivesPs).toBe(100 * US_PS + txPs(star.frame('data', 0, 0)) + DELAY_PS);
    expect(star.imbalances()).toEqual([]);
  });

  it('expire after their quanta of 512 bit times', () => {
    const star = new Emulated(starScenario(3, ECN_OFF));
    star.arrive(2, paused(3, 10), 0);
    star.arrive(0, star.frame('data', 0, 0), US_PS);
    star.drain();
    expect(star.left[0]!.arrivesPs).toBe((10 * 512 * 1e12) / RATE_BPS + txPs(star.frame('data', 0, 0)) + DELAY_PS);
  });

  it('are sent to the neighbour that fills the buffer, refreshed while they last, and ended', () => {
    const star = new Emulated(
      starScenario(3, { switches: { bufferBytes: 60_000, headroomBytes: 8000, ecn: { enabled: false } } }),
    );
    star.arrive(2, paused(3, 0xffff), 0);
    for (let at = 0; at < 12; at += 1) star.arrive(0, star.frame('data', 0, at * 1000), at * 20 * US_PS);
    const pfcTo = (port: number): readonly (readonly number[])[] =>
      star.left.filter((one) => one.port === port && dissect(one.frame).class === 'pfc').map(({ frame }) =>
        layer(frame, 'pfc').pauseQuanta
      );
    expect(pfcTo(0).map((quanta) => quanta[3])).toEqual([0xffff]);
    // Half of 65,535 quanta at 1 Gb/s is 16.8 ms.
    star.switch.advance(20_000 * US_PS);
    expect(pfcTo(0).map((quanta) => quanta[3])).toEqual([0xffff, 0xffff]);
    star.arrive(2, paused(3, 0), 20_000 * US_PS);
    star.drain();
    expect(pfcTo(0).map((quanta) => quanta[3])).toEqual([0xffff, 0xffff, 0]);
    expect(star.drops).toEqual([]);
    expect(star.imbalances()).toEqual([]);
  });
});

describe('drops of an emulated switch', () => {
  it('are counted by reason, at their ingress port', () => {
    const star = new Emulated(
      starScenario(3, { switches: { pfc: false, bufferBytes: 30_000, ecn: { enabled: false } } }),
      {},
      { slots: 2048, slotBytes: 1200 },
    );
    for (let at = 0; at < 60; at += 1) star.arrive(0, star.frame('data', 0, at * 1000), 0);
    star.arrive(0, new Uint8Array(1300), 0);
    star.arrive(0, new Uint8Array(13), 0);
    const cut = star.frame('data', 0, 0);
    star.switch.receive(0, cut, 0, 100, cut.length, 0);
    star.switch.setLink(1, 'down', 0);
    star.arrive(1, star.frame('data', 1, 0), 0);
    const { droppedIn } = star.switch.counters[0]!;
    expect(droppedIn.buffer).toBeGreaterThan(20);
    expect([droppedIn.oversize, droppedIn.cut, star.switch.counters[1]!.droppedIn.linkDown]).toEqual([1, 2, 1]);
    star.switch.setLink(2, 'down', 0);
    expect(star.switch.queued).toBe(0);
    expect(star.switch.counters[2]!.droppedOut.linkDown).toBe(60 - 1 - droppedIn.buffer);
    expect(star.imbalances()).toEqual([]);
  });

  it('are injected on request: losses on a link by direction, and corruption that the ICRC detects', () => {
    const fault = { between: ['h0', 's0'] } as const;
    const lossy = new Emulated(starScenario(3, { faults: [{ kind: 'loss', ...fault, share: 0.5, of: 'data' }] }));
    const hurt = new Emulated(starScenario(3, { faults: [{ kind: 'corruption', ...fault, share: 1 }] }));
    for (let at = 0; at < 200; at += 1) {
      lossy.arrive(0, lossy.frame('data', 0, at * 1000), at * 20 * US_PS);
      hurt.arrive(0, hurt.frame('data', 0, at * 1000), at * 20 * US_PS);
    }
    expect(lossy.switch.counters[0]!.droppedIn.loss).toBeGreaterThan(70);
    expect(lossy.switch.counters[0]!.droppedIn.loss).toBeLessThan(130);
    expect(hurt.switch.counters[0]!.damaged).toBe(200);
    for (const { frame } of hurt.left) expect(Icrc.isRight(frame.subarray(ETHERNET_BYTES))).toBe(false);
    expect([...lossy.imbalances(), ...hurt.imbalances()]).toEqual([]);
  });

  it('do not occur if frames are only reordered', () => {
    const star = new Emulated(starScenario(3), { reordering: { share: 0.2, delayPs: 50 * US_PS } });
    for (let at = 0; at < 100; at += 1) star.arrive(0, star.frame('data', 0, at * 1000), at * 20 * US_PS);
    const late = star.left.filter(({ arrivesPs }, place) =>
      arrivesPs !== place * 20 * US_PS + txPs(star.left[0]!.frame) + DELAY_PS
    );
    expect(late.length).toBe(star.switch.counters[2]!.reordered);
    expect(late.length).toBeGreaterThan(5);
    expect(star.left.length).toBe(100);
  });
});

describe('any frames at an emulated switch', () => {
  it('do not stop it, and are counted consistently', () => {
    const star = new Emulated(starScenario(4, { switches: { ecn: ecn(1, 2, 1), fastCnp: { enabled: true } } }), {}, {
      slots: 256,
      slotBytes: 2048,
    });
    const good = [star.frame('data', 0, 0), star.frame('ack', 0, 1000), star.frame('cnp', 1, 0)];
    let timePs = 0;
    const bytes = fc.oneof(fc.uint8Array({ maxLength: 2100 }),
      fc.record({ of: fc.nat(2), cut: fc.nat(1100), at: fc.nat(80), value: fc.nat(255), tags: fc.nat(6) }).map(
        ({ of, cut, at, value, tags }) => {
          const frame = good[of]!.slice(0, 1100 - cut);
          frame[at] = value;
          const tag = Array.from({ length: tags }, () => [0x81, 0, 0x60, 1]).flat();
          return Uint8Array.of(...frame.subarray(0, 12), ...tag, ...frame.subarray(12));
        },
      ));
    fc.assert(fc.property(fc.nat(3), bytes, (port, frame) => {
      timePs += 5 * US_PS;
      star.arrive(port, frame, timePs);
      expect(star.imbalances()).toEqual([]);
    }), { numRuns: 600, seed: 18 });
    star.drain();
    expect(star.imbalances()).toEqual([]);
    expect(star.left.length).toBeGreaterThan(100);
  });
});

describe('settings of an emulated switch', () => {
  it('are rejected by name if the emulation does not support them', () => {
    const other = planOf({ ...starScenario(3), fidelity: 'reference' });
    expect(() => switchSettings(other)).toThrow(/fidelity/u);
    const spines = planOf({
      name: 'leaf-spine',
      topology: { kind: 'leaf-spine', leaves: 2, spines: 1, hostsPerLeaf: 1 },
      workload: { kind: 'incast', senders: 1, sizeBytes: 1000 },
    });
    expect(() => switchSettings(spines)).toThrow(/"leaf0", "leaf1" or "spine0"/u);
    expect(switchSettings(spines, { node: 'leaf1' }).ports.map(({ name }) => name)).toEqual([
      'leaf1:h1',
      'leaf1:spine0',
    ]);
  });

  it('are rejected with the name of the switch if its memory cannot hold them', () => {
    expect(() => new Emulated(starScenario(3), {}, { slots: 0 })).toThrow(/slots/u);
    expect(DROP_REASONS.length).toBe(7);
  });
});
