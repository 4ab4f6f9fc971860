/** Topologies of each kind that SimAI's generators write: all are read, and GPUs reach each other by the same paths. */
import { describe, expect, it } from 'vitest';
import { runScenarioSync, type SimResult } from '../../src/sim/index.js';
import { readSimaiTopology, type SimaiTopology } from '../../src/workloads/index.js';
import { textsOf } from '../support/note-texts.js';

/** Structure of a generated topology: switches by number, links from GPUs and between switches. */
interface Kind {
  readonly gpus: number;
  readonly nvPerServer: number;
  readonly access: number;
  readonly spines: number;
  readonly uplinksOf: (gpu: number) => readonly number[];
  readonly links: readonly (readonly [number, number])[];
  readonly type: string;
  readonly direct?: readonly (readonly [number, number])[];
}

const PER_SERVER = 8;

function every(access: number, spines: number, from = 0, spineFrom = 0): (readonly [number, number])[] {
  return Array.from({ length: access },
    (_, a) => Array.from({ length: spines }, (__, spine) => [from + a, spineFrom + spine] as const)).flat();
}

function textOf({ gpus, nvPerServer, access, spines, uplinksOf, links, type, direct = [] }: Kind,
  lineEnd = '\n'): string {
  const nv = (gpus / PER_SERVER) * nvPerServer;
  const nodes = gpus + nv + access + spines;
  const lines = [
    ...direct.map(([a, b]) => `${a} ${b} 2400Gbps 0.000025ms 0`),
    ...Array.from({ length: gpus }, (_, gpu) => [
      ...Array.from({ length: nvPerServer },
        (__, index) => `${gpu} ${gpus + Math.floor(gpu / PER_SERVER) * nvPerServer + index} 2880Gbps 0.000025ms 0`),
      ...uplinksOf(gpu).map((one) => `${gpu} ${gpus + nv + one} 400Gbps 0.0005ms 0`),
    ]).flat(),
    ...links.map(([a, b]) => `${gpus + nv + a} ${gpus + nv + access + b} 400Gbps 0.0005ms 0`),
  ];
  const ids = Array.from({ length: nodes - gpus }, (_, index) => gpus + index).join(' ');
  return [`${nodes} ${PER_SERVER} ${nv} ${access + spines} ${lines.length} ${type}`, `${ids} `, ...lines, ''].join(
    lineEnd,
  );
}

const KINDS: Readonly<Record<string, Kind>> = {
  'Spectrum-X, one ToR per rail': {
    gpus: 32,
    nvPerServer: 1,
    access: 8,
    spines: 4,
    uplinksOf: (gpu) => [gpu % 8],
    links: every(8, 4),
    type: 'H100',
  },
  'HPN, dual ToR, single plane': {
    gpus: 32,
    nvPerServer: 1,
    access: 16,
    spines: 4,
    uplinksOf: (gpu) => [gpu % 8, 8 + (gpu % 8)],
    links: every(16, 4),
    type: 'H800',
  },
  'HPN, dual ToR, dual plane': {
    gpus: 32,
    nvPerServer: 1,
    access: 16,
    spines: 4,
    uplinksOf: (gpu) => [gpu % 8, 8 + (gpu % 8)],
    links: [...every(8, 2), ...every(8, 2, 8, 2)],
    type: 'H800',
  },
  'HPN 7.0 of one plane, half of whose spines have no links': {
    gpus: 32,
    nvPerServer: 1,
    access: 8,
    spines: 4,
    uplinksOf: (gpu) => [gpu % 8],
    links: every(8, 2),
    type: 'H800',
  },
  'DCN+, one ToR': {
    gpus: 32,
    nvPerServer: 1,
    access: 2,
    spines: 2,
    uplinksOf: (gpu) => [Math.floor(gpu / 16)],
    links: every(2, 2),
    type: 'A100',
  },
  'DCN+, dual ToR': {
    gpus: 32,
    nvPerServer: 1,
    access: 4,
    spines: 2,
    uplinksOf: (gpu) => [Math.floor(gpu / 16), 2 + Math.floor(gpu / 16)],
    links: every(4, 2),
    type: 'A100',
  },
  'DCN+ with six NVSwitches per server': {
    gpus: 32,
    nvPerServer: 6,
    access: 2,
    spines: 2,
    uplinksOf: (gpu) => [Math.floor(gpu / 16)],
    links: every(2, 2),
    type: 'H20',
  },
  'GPUs joined one by one, without NVSwitches': {
    gpus: 16,
    nvPerServer: 0,
    access: 2,
    spines: 1,
    uplinksOf: (gpu) => [Math.floor(gpu / 8)],
    links: [...every(2, 1), ...every(2, 1)],
    type: 'A100',
    direct: [0, 8].flatMap((from) => every(8, 8, from, from).filter(([a, b]) => a < b)),
  },
};

const read = (text: string): Promise<SimaiTopology> => readSimaiTopology(new TextEncoder().encode(text));

function pathsOf({ topology }: SimaiTopology, ...pairs: readonly (readonly [string, string])[]): SimResult['flows'] {
  const flows = pairs.map(([from, to]) => ({ from, to, sizeBytes: 10_000 }));
  return runScenarioSync({ name: 'simai', topology, workload: { kind: 'flows', flows } }).flows;
}

describe('a topology of SimAI', () => {
  it.each(Object.entries(KINDS))('of %s connects GPUs of a server by NVLink, others by their NICs', async (_, kind) => {
    const topology = await read(textOf(kind));
    expect([topology.hosts, topology.gpuType, textsOf(topology.notes)]).toEqual([kind.gpus, kind.type, []]);
    const [within, between] = pathsOf(topology, ['h0', 'h7'], ['h1', `h${kind.gpus - 1}`]);
    expect(within?.path?.join()).toMatch(kind.nvPerServer > 0 ? /^h0:nv\d+,nv\d+:h7$/ : /^h0:h7$/);
    expect(between?.path?.join()).not.toContain('nv');
    expect([within, between].every((flow) => typeof flow?.completionPs === 'number')).toBe(true);
  });

  it('with only NVSwitches is one server', async () => {
    const topology = await read(textOf({
      gpus: 8,
      nvPerServer: 1,
      access: 0,
      spines: 0,
      uplinksOf: () => [],
      links: [],
      type: 'H100',
    }));
    expect([topology.switches, topology.nvSwitches]).toEqual([0, ['nv8']]);
    expect(pathsOf(topology, ['h0', 'h7'])[0]?.path).toEqual(['h0:nv8', 'nv8:h7']);
  });

  it('is the same with CR LF, a byte order mark, tabs, and no final newline', async () => {
    const kind = KINDS['DCN+, one ToR'] as Kind;
    const plain = await read(textOf(kind));
    expect(await read(`\uFEFF${textOf(kind, '\r\n')}`)).toEqual(plain);
    expect(await read(textOf(kind).replaceAll(' ', '\t').trimEnd())).toEqual(plain);
  });
});

describe('an item of a topology of SimAI', () => {
  const SMALL = '4 2 0 2 3 H100\n2 3\n0 2 100Gbps 1us 0\n1 3 100Gbps 1us 0\n2 3 100Gbps 1us 0\n';

  it.each(['0.25', '.25', '2.5e-1', '25E-2'])('sets the loss of a link: error rate %s', async (rate) => {
    const { topology } = await read(SMALL.replace('1us 0\n1 3', `1us ${rate}\n1 3`));
    expect(topology.links.map(({ errorRate }) => errorRate)).toEqual([0.25, undefined, undefined]);
  });

  it.each([['100Gb/s', 100], ['100000Mbps', 100], ['0.1Tbps', 100], ['100000000000bps', 100]])('sets a link rate: %s',
    async (text, gbps) => {
      expect((await read(SMALL.replaceAll('100Gbps', text))).topology.links[0]?.rateGbps).toBe(gbps);
    });

  it('is noted if it has no effect', async () => {
    const { notes } = await read(`${SMALL.replace('H100', 'B300').replace('4 2 0', '4 3 0')}extra\n`);
    expect(textsOf(notes)).toEqual([
      '1 lines behind the links that are stated are not read.',
      'GPU type B300 means none, as in SimAI, which knows A100, A800, H20, H100, H800, none.',
      '2 GPUs do not fill servers of 3: the last server has fewer.',
    ]);
  });
});
