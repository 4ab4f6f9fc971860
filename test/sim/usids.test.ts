/**
 * Source routes in outer IPv6 headers: frames of a path over three switches octet by octet, trimmed and marked ones, what such packets take on the wire,
 * and settings that are rejected.
 */
import { describe, expect, it } from 'vitest';
import { RoceError } from '../../src/errors.js';
import { dissect } from '../../src/packet/dissect.js';
import { compileScenario } from '../../src/sim/compile/compile-scenario.js';
import { FrameTemplates } from '../../src/sim/files/capture-templates.js';
import type { PacketRecord } from '../../src/sim/result.js';
import { runScenarioSync } from '../../src/sim/run/run-scenario.js';
import type { ScenarioSpec, SwitchSpec } from '../../src/sim/scenario/spec.js';
import { validateScenario } from '../../src/sim/scenario/validate.js';

const SWITCHES: SwitchSpec = { loadBalancing: 'source-route', pfc: false, ecn: false, usids: true };
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const octets = (text: string): string => text.replaceAll(/\s/g, '');

/** Two leaves, two spines, two hosts each; one packet of 16 bytes from h0 to h3, whose port 49,152 leads over spine1. */
function spec(changes: Partial<ScenarioSpec> = {}): ScenarioSpec {
  return {
    name: 'uSIDs',
    topology: { kind: 'leaf-spine', leaves: 2, spines: 2, hostsPerLeaf: 2 },
    workload: { kind: 'flows', flows: [{ from: 'h0', to: 'h3', sizeBytes: 16, sourcePort: 49_152 }] },
    algorithms: { only: { preset: 'none' } },
    switches: SWITCHES,
    hosts: { transport: 'mrc', mtuBytes: 1024 },
    ...changes,
  };
}

interface Seen {
  readonly port: string;
  readonly record: PacketRecord;
  readonly frame: Uint8Array;
}

/** Every packet on every link, in order of time, with its frame. */
function framesOf(of: ScenarioSpec): Seen[] {
  const compiled = compileScenario(validateScenario(of));
  const templates = new FrameTemplates(compiled.plan);
  const seen: Seen[] = [];
  runScenarioSync({ ...of, record: { capture: compiled.portNames } }, {
    onPackets: (records) => {
      for (const record of records) {
        seen.push({ port: compiled.portNames[record.port]!, record, frame: templates.frameOf(record).slice() });
      }
    },
  });
  return seen;
}

const dataOf = (of: ScenarioSpec): Seen[] => framesOf(of).filter(({ record: { kind } }) => kind === 'data');

function rejectionOf(of: ScenarioSpec): Partial<RoceError> {
  try {
    compileScenario(validateScenario(of));
  } catch (error) {
    if (error instanceof RoceError) return error;
    throw error;
  }
  throw new Error('not rejected');
}

describe('Frames of source-routed packets', () => {
  // h0..h3 are nodes 0..3; the switches, in order: leaf0 1, leaf1 2, spine0 3, spine1 4. h3 is at the second port of leaf1.
  const seen = dataOf(spec());

  it('take the path of their entropy', () => {
    expect(seen.map(({ port }) => port)).toEqual(['h0:leaf0', 'leaf0:spine1', 'spine1:leaf1', 'leaf1:h3']);
  });

  it.each([
    [0, '00010004 0002e001 0000 0000', '40'],
    [1, '00040002 e0010000 0000 0000', '3f'],
    [2, '0002e001 00000000 0000 0000', '3e'],
    [3, 'e0010000 00000000 0000 0000', '3d'],
  ])('have the remaining uSIDs, and a decremented hop limit, on link %i', (link, usids, hopLimit) => {
    const { frame } = seen[link]!;
    // Version 6, DSCP 0 (NO_TRIM), ECT(0); 40 + 8 + 12 + 4 + 4 + 16 + 16 + 4 bytes inside; next header 41.
    expect(hex(frame.subarray(14, 22))).toBe(octets(`6020 0000 0068 29 ${hopLimit}`));
    expect(hex(frame.subarray(22, 38))).toBe(octets('20010db8 0000 0000 0000 0000 0000 0001'));
    expect(hex(frame.subarray(38, 54))).toBe(octets(`5f000001 ${usids}`));
  });

  it('keep the inner packet, whose ICRC covers the inner headers, octet by octet', () => {
    const inner = octets(`
      6020 0000 0040 11 40  20010db8000000000000000000000001  20010db8000000000000000000000004
      c000 12b7 0040 0000
      ca 00 ffff 00 800010 80 000000`);
    for (const { frame } of seen) {
      expect(hex(frame.subarray(54, 54 + 40 + 6))).toBe(inner.slice(0, 92));
      expect(hex(frame.subarray(54))).toBe(hex(seen[0]!.frame.subarray(54)));
      const { icrc, mrc, tunnel } = dissect(frame);
      expect([icrc, mrc?.kind, tunnel?.outer?.version]).toEqual(['right', 'data', 6]);
      expect(mrc?.carrier?.block).toBe(0x5f000001);
    }
    expect(dissect(seen[1]!.frame).mrc?.carrier?.usids).toEqual([4, 2, 0xe001]);
  });

  it('have the block of the setting', () => {
    const [first] = dataOf(spec({ switches: { ...SWITCHES, usids: { block: 'FCBB:b::/32' } } }));
    expect(hex(first!.frame.subarray(38, 44))).toBe('fcbb000b0001');
  });

  it('take 40 more bytes on the wire, except for responses', () => {
    const plain = framesOf(spec({ switches: { ...SWITCHES, usids: false } }));
    const routed = framesOf(spec());
    const lengths = (all: readonly Seen[], kind: string): number[] =>
      all.filter(({ record }) => record.kind === kind).map(({ record: { lenBytes } }) => lenBytes);
    expect(lengths(routed, 'data')).toEqual(lengths(plain, 'data').map((bytes) => bytes + 40));
    expect(lengths(routed, 'ack')).toEqual(lengths(plain, 'ack'));
    for (const { frame, record } of routed) expect(frame.length, record.kind).toBe(record.lenBytes - 4);
    // 40 bytes at 100 Gb/s: 3.2 ns on each of the four links.
    const tookPs = (all: readonly Seen[]): number =>
      all.find(({ port }) => port === 'leaf1:h3')!.record.timePs - all[0]!.record.timePs;
    expect(tookPs(routed) - tookPs(plain)).toBe(3 * 3200);
  });

  it('are also those of other transports', () => {
    const frames = dataOf(spec({ hosts: { transport: 'go-back-n', mtuBytes: 1024 } }));
    expect(frames.map(({ frame }) => hex(frame.subarray(42, 44)))).toEqual(['0001', '0004', '0002', 'e001']);
    expect(frames.map(({ frame }) => dissect(frame).icrc)).toEqual(['right', 'right', 'right', 'right']);
  });
});

describe('Hosts with a port into each of two planes', () => {
  // The switches without adapters, in order: p0.leaf0 1, p0.leaf1 2, p0.spine0 3, p0.spine1 4, p1.leaf0 5, …, p1.spine1 8.
  const seen = dataOf(spec({
    topology: { kind: 'leaf-spine', leaves: 2, spines: 2, hostsPerLeaf: 1, planes: 2 },
    workload: { kind: 'flows', flows: [{ from: 'h0', to: 'h1', sizeBytes: 64_000 }] },
    hosts: { transport: 'mrc', mtuBytes: 1024, pathSelection: 'entropy-states', entropies: 8 },
  }));

  it.each(['p0', 'p1'])('route packets over the switches of a plane, without the adapters: %s', (plane) => {
    const first = 4 * Number(plane[1]) + 1;
    const entering = seen.filter(({ port }) => port === `nic0:${plane}.leaf0`);
    expect(entering.length).toBeGreaterThan(20);
    const spines = entering.map(({ frame, record: { sequence, sourcePort = 0 } }) => {
      // Next hops are numbered from the last port.
      expect(`p${1 - sourcePort % 2}`).toBe(plane);
      const spine = 1 - Math.floor(sourcePort / 2) % 2;
      const usids = [first, first + 2 + spine, first + 1, 0xe000];
      expect(dissect(frame).mrc?.carrier?.usids).toEqual(usids);
      const links = seen.filter(({ record }) => record.sequence === sequence);
      expect(links.map(({ port }) => port)).toEqual([
        'h0:nic0',
        `nic0:${plane}.leaf0`,
        `${plane}.leaf0:${plane}.spine${spine}`,
        `${plane}.spine${spine}:${plane}.leaf1`,
        `${plane}.leaf1:nic1`,
        'nic1:h1',
      ]);
      expect(links.map((link) => dissect(link.frame).mrc?.carrier?.usids)).toEqual([
        usids,
        usids,
        usids.slice(1),
        usids.slice(2),
        usids.slice(3),
        usids.slice(3),
      ]);
      expect(links.map((link) => link.frame[14 + 7])).toEqual([64, 64, 63, 62, 61, 61]);
      return spine;
    });
    expect(new Set(spines).size).toBe(2);
  });
});

describe('Marks and trimming', () => {
  const incast = spec({
    workload: { kind: 'flows', flows: ['h0', 'h1', 'h2'].map((from) => ({ from, to: 'h3', sizeBytes: 60_000 })) },
    switches: {
      ...SWITCHES,
      ecn: { kminKB: 1, kmaxKB: 1.001, pmax: 1, scaleWithRate: false },
      trimming: { queueBytes: 4000, lastHopQueueBytes: 4000 },
    },
  });
  const seen = framesOf(incast);
  const dscpAndEcn = (frame: Uint8Array, at: number): number => ((frame[at]! & 15) << 4) | (frame[at + 1]! >> 4);

  it('set ECN marks in the outer header only, and these count', () => {
    const marked = seen.filter(({ record }) => record.kind === 'data' && record.marked && !record.mrc?.trimmed);
    expect(marked.length).toBeGreaterThan(10);
    for (const { frame } of marked) {
      expect([dscpAndEcn(frame, 14) & 3, dscpAndEcn(frame, 54) & 3]).toEqual([3, 2]);
      expect(dissect(frame).icrc).toBe('right');
    }
    const echoes = seen.filter(({ port, record }) => port === 'h3:leaf1' && record.kind === 'ack' && record.mrc?.echo);
    expect(echoes.length).toBeGreaterThan(0);
  });

  it('set the outer DSCP to TRIMMED, and truncate the unchanged inner packet', () => {
    const trimmed = seen.filter(({ record }) => record.mrc?.trimmed !== undefined && record.kind === 'data');
    expect(trimmed.length).toBeGreaterThan(10);
    for (const { frame, record } of trimmed) {
      const outerDscp = record.mrc?.trimmed === 'last-hop' ? 16 : 12;
      const innerDscp = record.mrc?.again === true ? 8 : 4;
      expect([dscpAndEcn(frame, 14) >> 2, dscpAndEcn(frame, 54) >> 2, frame.length]).toEqual([
        outerDscp,
        innerDscp,
        128,
      ]);
      const { mrc } = dissect(frame);
      expect([mrc?.isTrimmed, mrc?.kind]).toEqual([true, 'data']);
    }
  });
});

describe('uSIDs are rejected', () => {
  it.each<[what: string, changes: Partial<ScenarioSpec>, where: string, got: unknown, allowed?: unknown]>([
    ['without source routes', { switches: { usids: true, pfc: false } }, 'switches.usids', {
      switch: 'leaf0',
      loadBalancing: 'ecmp',
    }, ['source-route']],
    [
      'where one switch has another rule',
      { overrides: [{ nodes: ['spine1'], switch: { loadBalancing: 'ecmp' } }] },
      'switches.usids',
      { switch: 'spine1', loadBalancing: 'ecmp' },
      ['source-route'],
    ],
    [
      'of one switch alone',
      { overrides: [{ nodes: ['spine1'], switch: { usids: true } }] },
      'overrides[0].switch.usids',
      true,
    ],
    [
      'for six switches on a path',
      {
        topology: {
          kind: 'edges',
          nodes: [
            ...['h0', 'h3'].map((name) => ({ name, kind: 'host' as const })),
            ...['a', 'b', 'c', 'd', 'e', 'f'].map((name) => ({ name, kind: 'switch' as const })),
          ],
          links: ['h0 a', 'a b', 'b c', 'c d', 'd e', 'e f', 'f h3'].map((ends) => {
            const [from, to] = ends.split(' ') as [string, string];
            return { from, to };
          }),
        },
      },
      'switches.usids',
      6,
      { max: 5 },
    ],
    [
      'with a block that is none',
      { switches: { ...SWITCHES, usids: { block: '5f00::/16' } } },
      'switches.usids.block',
      '5f00::/16',
      'an IPv6 prefix of 32 bits such as 5f00:1::/32',
    ],
    [
      'under another fidelity',
      {
        fidelity: 'reference',
        switches: { usids: true },
        hosts: {},
      },
      'switches.usids',
      true,
    ],
  ])('%s', (_, changes, where, got, allowed) => {
    expect(rejectionOf(spec(changes))).toMatchObject({
      code: 'invalid-scenario',
      where,
      got,
      ...(allowed === undefined ? {} : { allowed }),
    });
  });
});
