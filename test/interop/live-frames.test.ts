/**
 * Compares tshark and scapy with `dissect` on frames of emulated hosts and the emulated switch in virtual time: data,
 * ACKs, NAKs, CNPs, Fast CNPs of both options, PFC. Checked with tshark 4.0 and scapy 2.5; only later versions of scapy
 * compute the ICRC over IPv6.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { createDissector, dissect, type Packet } from '../../src/packet/index.js';
import type { ScenarioSpec, SwitchFastCnpSpec } from '../../src/sim/scenario/spec.js';
import { starScenario } from '../live/support/emulated-star.js';
import { VirtualWire } from '../live/support/virtual-wire.js';
import { describeWithPython, describeWithTool } from '../support/foreign-tools.js';
import { readWithScapy, scapyFieldsOf, type ScapyReading } from './support/scapy-fields.js';
import { FIELD_KINDS, fieldsOf } from './support/tshark-fields.js';
import { withoutMisreads } from './support/tshark-misreads.js';
import { readFieldsOf } from './support/tshark.js';

const HOSTS = 4;
const END_PS = 20e9;
/** Number of frames of each class that the tools read. */
const OF_EACH = 60;
const CLASSES = ['data', 'ack', 'nak', 'cnp', 'fast-cnp-1', 'fast-cnp-2', 'pfc'] as const;

/** A scenario with ECN marks, losses and a buffer so small that the switch pauses its senders. */
function crowded(fastCnp: SwitchFastCnpSpec = {}): ScenarioSpec {
  return starScenario(HOSTS, {
    topology: { kind: 'star', hosts: HOSTS, rateGbps: 0.1, delayNs: 1000 },
    switches: {
      ecn: { byRate: [{ rateGbps: 0.1, kminKB: 2, kmaxKB: 20, pmax: 1 }] },
      bufferBytes: 60_000,
      headroomBytes: 4000,
      fastCnp,
    },
    faults: [{ kind: 'loss', between: ['h1', 's0'], share: 0.05, of: 'data' }],
  });
}

/** The first frames of each class that arrived at the switch or left it. */
function framesOf(scenario: ScenarioSpec): Map<string, Uint8Array[]> {
  const wire = new VirtualWire(scenario);
  wire.keepsArrivals = true;
  wire.run(END_PS);
  const byClass = new Map<string, Uint8Array[]>();
  for (const frame of [...wire.arrivals.map(({ frame: one }) => one), ...wire.departures]) {
    const { class: name } = dissect(frame);
    const frames = byClass.get(name) ?? [];
    if (frames.length < OF_EACH) byClass.set(name, [...frames, frame]);
  }
  return byClass;
}

/** HPCC's telemetry in data, and its echo in ACKs. */
const TRACED_RUN = framesOf(starScenario(HOSTS, { algorithms: { default: { preset: 'hpcc-sigcomm19' } } }));
const TRACED = [...TRACED_RUN.values()].flat();

const RUNS = [crowded(), crowded({ enabled: true, option: 1 }), crowded({ enabled: true, option: 2 })].map(framesOf);
const PLAIN = RUNS.flatMap((byClass) => [...byClass.values()].flat());
const FRAMES = [...PLAIN, ...TRACED];

describe('frames of emulated hosts and the emulated switch', () => {
  it('include every class, and have correct ICRCs', () => {
    expect([...new Set(RUNS.flatMap((byClass) => [...byClass.keys()]))].sort()).toEqual([...CLASSES].sort());
    for (const frame of PLAIN) {
      const { class: name, icrc } = dissect(frame);
      expect(icrc).toBe(name === 'pfc' ? undefined : 'right');
    }
  });

  it('have ICRCs that do not cover traces, which change en route', () => {
    expect([...TRACED_RUN.keys()]).toEqual(expect.arrayContaining(['ack', 'data']));
    const read = createDissector({ icrcPolicy: 'omit' });
    for (const frame of TRACED) expect(read(frame).icrc).toBe('right');
  });
});

describeWithTool('tshark', 'tshark reads frames of emulated hosts and the emulated switch', (tshark) => {
  it('with the same fields as dissect', () => {
    const read = createDissector({});
    const packets: Packet[] = FRAMES.map((frame) => read(frame));
    const ours = packets.map((packet, at) => withoutMisreads(fieldsOf(packet, FRAMES[at]!), packet));
    const theirs = readFieldsOf(tshark, FRAMES, FIELD_KINDS).map((row, at) => withoutMisreads(row, packets[at]!));
    expect(theirs).toEqual(ours);
  });
});

describeWithPython('scapy.contrib.roce', 'scapy reads frames of emulated hosts and the emulated switch', (python) => {
  /** scapy expects UDP directly after IP. */
  const plain = PLAIN.filter((frame) => ['data', 'ack', 'nak', 'cnp'].includes(dissect(frame).class));
  let readings: readonly ScapyReading[] = [];
  beforeAll(() => {
    readings = readWithScapy(python, plain);
  });

  it('with the same fields as dissect', () => {
    expect(plain.length).toBeGreaterThan(OF_EACH);
    expect(readings).toMatchObject(plain.map((frame) => scapyFieldsOf(dissect(frame), frame)));
  });

  it('and computes the same ICRCs, if it computes them over IPv6', () => {
    const known = readings.filter(({ computed }) => computed !== '00000000');
    expect(known.map(({ computed }) => computed)).toEqual(known.map(({ icrc }) => icrc));
  });
});
