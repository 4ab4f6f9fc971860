/**
 * SimAI's collectives: messages of each algorithm, their times against closed forms and independent GOAL schedules, and
 * the effect of settings (docs/specs/workloads.md, 4.4).
 */
import { describe, expect, it } from 'vitest';
import { MessageList } from '../../src/workloads/collectives/message-list.js';
import { measureGraph, parseGoal, SEND, type SimaiOptions, type WorkloadGraph } from '../../src/workloads/index.js';
import { groupServers, type GroupServers, completeNcclSettings,
  NCCL_SETTINGS } from '../../src/workloads/simai/nccl/nccl-settings.js';
import { planOf, planCost } from '../../src/workloads/simai/nccl/nccl-plan.js';
import { ringOrder, addTreeChannels, TREE_CHUNKS } from '../../src/workloads/simai/nccl/channels.js';
import { asyncRejectionOf } from '../support/rejection.js';
import { collectiveGraphOf, railsOf, runOn, type OneCollective } from './support/simai-collectives.js';
import { textsOf } from '../support/note-texts.js';

const MIB = 2 ** 20;
const even = (servers: number, perServer: number): GroupServers => ({ servers, perServer, isUneven: false });

interface Twin {
  readonly servers: number;
  readonly perServer: number;
  readonly steps: number;
  readonly sizeBytes: number;
}

/** Rings as a GOAL schedule: each visits the servers in order, and the GPUs of a server from the ring's own index. */
function goalTwin({ servers, perServer, steps, sizeBytes }: Twin): string {
  const n = servers * perServer;
  const lines: string[][] = Array.from({ length: n }, () => []);
  const waits: string[][] = Array.from({ length: n }, () => []);
  for (let ring = 0; ring < perServer; ring++) {
    const order: number[] = [];
    for (let server = 0; server < servers; server++) {
      for (let local = 0; local < perServer; local++) order.push(server * perServer + ((ring + local) % perServer));
    }
    order.forEach((rank, place) => {
      const [next, previous] = [order[(place + 1) % n], order[(place + n - 1) % n]];
      for (let step = 0; step < steps; step++) {
        const [bytes, tag] = [sizeBytes / n / perServer, 100 * ring + step];
        lines[rank]?.push(`s${ring}_${step}: send ${bytes}b to ${next} tag ${tag}`);
        lines[rank]?.push(`r${ring}_${step}: recv ${bytes}b from ${previous} tag ${tag}`);
        if (step > 0) waits[rank]?.push(`s${ring}_${step} requires r${ring}_${step - 1}`);
      }
    });
  }
  const blocks = lines.map((own, rank) => `rank ${rank} {\n${[...own, ...(waits[rank] ?? [])].join('\n')}\n}\n`);
  return `num_ranks ${n}\n${blocks.join('')}`;
}

describe('collectives over servers take the time of equivalent GOAL schedules to the picosecond', () => {
  const rails = { servers: 2, perServer: 8, spines: 64 };

  it('64 MiB all-reduce over two servers of eight: 8 rings, 7.3 times faster than one', async () => {
    const topology = await railsOf(rails);
    const collective = { gpus: 16, word: 'ALLREDUCE', sizeBytes: 64 * MIB };
    const eight = await collectiveGraphOf(collective, { gpusPerServer: 8 });
    const endPs = runOn(topology, eight).jobs?.[0]?.endPs;
    expect(endPs).toBe(1_517_865_400);
    const twin = parseGoal(goalTwin({ ...rails, steps: 30, sizeBytes: 64 * MIB }));
    expect(runOn(topology, twin).jobs?.[0]?.endPs).toBe(endPs);
    const one = await collectiveGraphOf(collective, { gpusPerServer: 8, channels: 1 });
    expect(runOn(topology, one).jobs?.[0]?.endPs).toBe(11_073_186_720);
    expect(textsOf(one.notes)).toContain(
      '1 collective runs one ring where SimAI runs one per local GPU, 8: first at workload, line 3.',
    );
  }, 60_000);

  it.each([
    ['ALLREDUCE', 2],
    ['ALLGATHER', 1],
    ['REDUCESCATTER', 1],
  ])('%s over four servers of four', async (word, phases) => {
    const four = { servers: 4, perServer: 4, spines: 4 };
    const topology = await railsOf(four);
    const graph = await collectiveGraphOf({ gpus: 16, word, sizeBytes: MIB }, { gpusPerServer: 4 });
    const twin = parseGoal(goalTwin({ ...four, steps: phases * 15, sizeBytes: MIB }));
    const [got, wanted] = [graph, twin].map((one) => runOn(topology, one).jobs?.[0]);
    expect([got?.messages, got?.messageBytes, got?.endPs]).toEqual([
      wanted?.messages,
      wanted?.messageBytes,
      wanted?.endPs,
    ]);
  });
});

/** The sends of a graph as `from to bytes`. */
function sendsOf(graph: WorkloadGraph): string[] {
  const { kind, peer, amount } = graph.operations;
  return Array.from({ length: graph.length }, (_, operation) => operation)
    .filter((operation) => kind[operation] === SEND)
    .map((operation) => `${graph.rankOf(operation)} ${peer[operation]} ${amount[operation]}`);
}

describe('rings', () => {
  it('visit the servers in order, and start at a different GPU in each ring', () => {
    expect([0, 1, 2].map((channel) => ringOrder(even(2, 3), channel))).toEqual([
      [0, 1, 2, 3, 4, 5],
      [1, 2, 0, 4, 5, 3],
      [2, 0, 1, 5, 3, 4],
    ]);
  });

  it('of neighbors within a server are merged into one if equivalent, or as many as configured', async () => {
    const collective = { gpus: 8, tensor: 4, word: 'ALLGATHER', sizeBytes: MIB };
    const one = await collectiveGraphOf(collective, { gpusPerServer: 8 });
    expect(measureGraph(one).sends).toBe(2 * 4 * 3);
    expect(textsOf(one.notes).slice(1)).toEqual([
      'Collectives run as SimAI makes them: 2 all-gather of 4 GPUs by 1 ring.',
      '2 collectives run one ring where SimAI runs one per local GPU, 4 that visit the GPUs of a server in the same ' +
      'order: first at workload, line 3.',
    ]);
    const four = await collectiveGraphOf(collective, { gpusPerServer: 8, channels: 4 });
    expect(measureGraph(four)).toMatchObject({ sends: 4 * 2 * 4 * 3, bytes: measureGraph(one).bytes });
    expect(textsOf(four.notes).slice(1)).toEqual([
      'Collectives run as SimAI makes them: 2 all-gather of 4 GPUs by 4 rings.',
    ]);
  });

  it.each([
    [[0, 2, 4, 6, 8, 10, 12, 14], 8, even(2, 4)],
    [[1, 9, 17], 8, even(3, 1)],
    [[4, 5, 6, 7], 8, even(1, 4)],
    [[0, 3, 6, 9, 12, 15], 8, even(2, 3)],
  ])('have as many channels as %j have members in a server of %i', (members, gpusPerServer, servers) => {
    expect(groupServers(members, gpusPerServer)).toEqual(servers);
  });

  it('with PXN leave a server from the GPU on the rail of the destination', async () => {
    const collective = { gpus: 8, word: 'ALLREDUCE', sizeBytes: MIB };
    const plain = await collectiveGraphOf(collective, { gpusPerServer: 4 });
    const pxn = await collectiveGraphOf(collective, { gpusPerServer: 4, pxn: true });
    const isAcross = (send: string): boolean => {
      const [from = 0, to = 0] = send.split(' ').map(Number);
      return Math.floor(from / 4) !== Math.floor(to / 4);
    };
    const isOnRail = (send: string): boolean => {
      const [from = 0, to = 0] = send.split(' ').map(Number);
      return from % 4 === to % 4;
    };
    const across = (graph: WorkloadGraph): string[] => sendsOf(graph).filter(isAcross);
    expect([across(plain).length, across(pxn).length]).toEqual([4 * 14 * 2, 4 * 14 * 2]);
    expect(across(plain).some(isOnRail)).toBe(false);
    expect(across(pxn).every(isOnRail)).toBe(true);
    expect(sendsOf(pxn)).toHaveLength(4 * 14 * (8 + 2));
    expect(textsOf(pxn.notes)).toContain(
      'Collectives run as SimAI makes them: 1 all-reduce of 8 GPUs by 4 rings with PXN.',
    );
    const topology = await railsOf({ servers: 2, perServer: 4, spines: 2 });
    expect(runOn(topology, pxn).jobs?.[0]?.waiting).toEqual([]);
  });

  it('of unevenly spread groups are treated as within one server, with a note', async () => {
    expect(groupServers([0, 1, 2, 3, 4, 5], 4)).toEqual({ servers: 1, perServer: 6, isUneven: true });
    const { notes } = await collectiveGraphOf({ gpus: 12, tensor: 6, word: 'ALLREDUCE', sizeBytes: MIB }, {
      gpusPerServer: 8,
    });
    expect(textsOf(notes)).toContain(
      '1 collective has a group that is unevenly spread over servers, and runs as within one: first at workload, line 3.',
    );
  });

  it('are one per group if gpusPerServer is not set, with a note', async () => {
    const graph = await collectiveGraphOf({ gpus: 4, word: 'ALLREDUCE', sizeBytes: MIB });
    expect(measureGraph(graph).sends).toBe(4 * 6);
    expect(textsOf(graph.notes)[2]).toMatch(/^gpusPerServer is not set: each GPU counts as a server/);
  });
});

describe('trees', () => {
  it.each([[1, 4], [2, 1], [2, 8], [3, 2], [4, 2], [5, 1], [7, 2], [8, 1], [9, 1]])(
    'over %i servers of %i send each chunk once up and once down each tree, in 64 chunks',
    (servers, perServer) => {
      const n = servers * perServer;
      const list = new MessageList();
      addTreeChannels(list, even(servers, perServer), 2 * perServer * TREE_CHUNKS * 1000, perServer);
      expect(list.length).toBe(2 * perServer * TREE_CHUNKS * 2 * (n - 1));
      expect(new Set(list.bytes.subarray(0, list.length))).toEqual(new Set([1000]));
      // In tree 0, chunk 1, every rank except the root has exactly one parent, and receives the sum once.
      const chunk = Array.from({ length: list.length }, (_, message) => message)
        .filter((message) => list.stream[message] === 0 && list.step[message] === 1);
      const [up, down] = [chunk.slice(0, n - 1), chunk.slice(n - 1)];
      expect(new Set(up.map((message) => list.from[message])).size).toBe(n - 1);
      expect(new Set(down.map((message) => list.to[message])).size).toBe(n - 1);
      const leaves = up.filter((message) => list.afterOf(message).length === 0);
      expect(leaves.every((message) => list.afterSent[message] !== 0)).toBe(true);
      for (const message of up) {
        const children = up.filter((other) => list.to[other] === list.from[message]);
        expect([...list.afterOf(message)]).toEqual(children);
      }
      const ofRoot = up.filter((message) => !up.some((other) => list.from[other] === list.to[message]));
      const first = down[0] ?? -1;
      expect([...list.afterOf(first)]).toEqual(ofRoot);
    },
  );

  it('have their roots in different servers, for two trees over two servers', () => {
    const list = new MessageList();
    addTreeChannels(list, even(2, 1), 2 * TREE_CHUNKS, 1);
    const firstOf = (stream: number): number => list.stream.subarray(0, list.length).indexOf(stream);
    expect([0, 1].map((stream) => [list.from[firstOf(stream)], list.to[firstOf(stream)]])).toEqual([[0, 1], [1, 0]]);
  });

  it('are used on request, and only for all-reduces, which complete', async () => {
    const options: SimaiOptions = { gpusPerServer: 2, ncclAlgorithm: 'tree' };
    const graph = await collectiveGraphOf({ gpus: 4, word: 'ALLREDUCE', sizeBytes: MIB }, options);
    expect(textsOf(graph.notes)).toContain('Collectives run as SimAI makes them: 1 all-reduce of 4 GPUs by 4 trees.');
    const topology = await railsOf({ servers: 2, perServer: 2, spines: 2 });
    expect(runOn(topology, graph).jobs?.[0]).toMatchObject({ messageBytes: 2 * 3 * MIB, waiting: [] });
    const gather = await collectiveGraphOf({ gpus: 4, word: 'ALLGATHER', sizeBytes: MIB }, options);
    expect(textsOf(gather.notes)).toContain('Collectives run as SimAI makes them: 1 all-gather of 4 GPUs by 2 rings.');
  });
});

describe('NVLS', () => {
  const collective: OneCollective = { gpus: 8, tensor: 8, word: 'ALLREDUCE', sizeBytes: 64 * MIB };
  const settings: SimaiOptions = { gpusPerServer: 8, gpuType: 'H100', nvls: true };

  it('takes the time of 5/4 of the buffer on the NVLink and twice its latency, without packets', async () => {
    const graph = await collectiveGraphOf(collective, settings);
    const topology = await railsOf({ servers: 1, perServer: 8, spines: 2, gpuType: 'H100' });
    const [job] = runOn(topology, graph).jobs ?? [];
    const chunkPs = Math.round((8 * 16 * MIB * 1e12) / 2880e9);
    expect([job?.endPs, job?.messages]).toEqual([5 * chunkPs + 2 * 25_000, 0]);
    expect(job?.rankComputePs).toEqual([0, 0, 0, 0, 0, 0, 0, 0]);
    expect(job?.criticalPath).toMatchObject({ computePs: 0, messagePs: 5 * chunkPs + 2 * 25_000 });
    expect(textsOf(graph.notes).slice(1)).toEqual([
      'Collectives run as SimAI makes them: 1 all-reduce of 8 GPUs by NVLS.',
      "NVLS takes no packets: each GPU's NVLink is taken at 2880 Gb/s, shared with nothing else.",
    ]);
  });

  it.each<[string, Partial<OneCollective>, SimaiOptions, string]>([
    ['for H800', {}, { gpuType: 'H800' }, 'by NVLS'],
    ['not for A100', {}, { gpuType: 'A100' }, 'by 1 ring'],
    ['not if it is not set', {}, { nvls: false }, 'by 1 ring'],
    ['not for fewer than 8', { tensor: 4 }, {}, 'by 1 ring'],
    ['not for data-parallel groups', { tensor: 1 }, {}, 'by 1 ring'],
    ['not over servers', { gpus: 16, tensor: 16 }, {}, 'by 8 rings'],
    ['not for others', { word: 'ALLGATHER' }, {}, 'by 1 ring'],
    [
      'on request for any within a server',
      { tensor: 4 },
      { nvls: false, gpuType: 'A100', ncclAlgorithm: 'nvls' },
      'by NVLS',
    ],
    ['never over servers', { gpus: 16, tensor: 1 }, { ncclAlgorithm: 'nvls' }, 'by 8 rings'],
    ['not if rings are asked for', {}, { ncclAlgorithm: 'ring' }, 'by 1 ring'],
  ])('is chosen %s', async (_, changed, options, how) => {
    const { notes } = await collectiveGraphOf({ ...collective, ...changed }, { ...settings, ...options });
    expect(textsOf(notes)[1]).toContain(how);
  });
});

describe('settings', () => {
  const summary = ({ operations, notes }: WorkloadGraph): string =>
    [operations.kind.join(''), operations.peer.join(' '), operations.amount.join(' '), notes.length].join('|');
  const data = { gpus: 16, word: 'ALLREDUCE', sizeBytes: MIB };
  const tensor = { ...data, gpus: 8, tensor: 8 };
  const small: SimaiOptions = { gpusPerServer: 8, ncclAlgorithm: 'nccl' };
  const nvls: SimaiOptions = { gpusPerServer: 8, gpuType: 'H100', nvls: true };
  const CHANGED: Readonly<Record<typeof NCCL_SETTINGS[number], readonly [OneCollective, SimaiOptions, SimaiOptions]>> =
    {
      gpusPerServer: [data, {}, { gpusPerServer: 8 }],
      gpuType: [tensor, { ...nvls, gpuType: 'none' }, nvls],
      channels: [data, { gpusPerServer: 8 }, { gpusPerServer: 8, channels: 4 }],
      ncclAlgorithm: [data, { gpusPerServer: 8 }, { gpusPerServer: 8, ncclAlgorithm: 'tree' }],
      nvls: [tensor, { ...nvls, nvls: false }, nvls],
      pxn: [data, { gpusPerServer: 8 }, { gpusPerServer: 8, pxn: true }],
      nvlinkGbps: [tensor, nvls, { ...nvls, nvlinkGbps: 400 }],
      nicGbps: [data, { ...small, nicGbps: 0.01 }, { ...small, nicGbps: 400 }],
      nvlinkLatencyNs: [tensor, nvls, { ...nvls, nvlinkLatencyNs: 1000 }],
    };

  it.each(NCCL_SETTINGS)('%s has an effect', async (name) => {
    const [collective, without, withIt] = CHANGED[name];
    const [first, second] = [await collectiveGraphOf(collective, without), await collectiveGraphOf(collective, withIt)];
    expect(summary(first)).not.toBe(summary(second));
  });

  it.each([
    ['nvls', { nvls: true }, /nvls is set, but SimAI uses NVLS only for .*: there is none/],
    ['pxn', { pxn: true }, /pxn is set, but no ring passes several servers/],
  ])('%s is noted if nothing uses it', async (_, options, note) => {
    const { notes } = await collectiveGraphOf({ gpus: 4, word: 'ALLREDUCE', sizeBytes: MIB }, {
      gpusPerServer: 4,
      ...options,
    });
    expect(textsOf(notes).join('\n')).toMatch(note);
  });

  it.each<[string, unknown]>([
    ['gpusPerServer', 0],
    ['gpusPerServer', 1.5],
    ['gpuType', 'B200'],
    ['channels', 129],
    ['ncclAlgorithm', 'collnet'],
    ['nvls', 1],
    ['pxn', 'yes'],
    ['nvlinkGbps', 0],
    ['nicGbps', 0],
    ['nvlinkLatencyNs', -1],
  ])('%s of %j is rejected by name', async (name, value) => {
    const { where } = await asyncRejectionOf(collectiveGraphOf(tensor, { [name]: value }));
    expect(where).toBe(`options.${name}`);
  });
});

describe('the estimate', () => {
  const SHAPES = [[1, 8], [2, 8], [4, 4], [8, 1], [3, 2]] as const;
  const HOW = [
    {},
    { channels: 1 },
    { channels: 3 },
    { pxn: true },
    { ncclAlgorithm: 'tree' },
    { ncclAlgorithm: 'nvls' },
    { ncclAlgorithm: 'nccl' },
  ] as const satisfies readonly SimaiOptions[];
  const CASES = SHAPES.flatMap(([servers, perServer]) =>
    HOW.flatMap((options) =>
      ['ALLREDUCE', 'ALLGATHER', 'REDUCESCATTER', 'ALLTOALL'].map((word) => ({ servers, perServer, word, options }))
    )
  );

  it.each(CASES)('equals the size of the graph: $word, $servers x $perServer, $options',
    async ({ servers, perServer, word, options }) => {
      const n = servers * perServer;
      // The size is divisible by all parts of all channels.
      const sizeBytes = 2 * 3 * 64 * 64 * n * perServer;
      const graph = await collectiveGraphOf({ gpus: n, word, sizeBytes }, { gpusPerServer: perServer, ...options });
      const { sends, bytes, computes, ranks } = measureGraph(graph);
      expect(textsOf(graph.notes)[0]).toContain(`have ${sends} messages of ${bytes} bytes in all`);
      const kind = ({ ALLREDUCE: 'all-reduce', ALLGATHER: 'all-gather', REDUCESCATTER: 'reduce-scatter' } as const)[
        word as 'ALLREDUCE'
      ] ?? 'all-to-all';
      const group = even(servers, perServer);
      const plan = planOf({ kind, group: 'data', servers: group, sizeBytes }, completeNcclSettings(options, 'options'));
      // Each rank also has 3 computes of the layer and 3 joins.
      const { operations } = planCost(plan, kind, group, sizeBytes);
      expect(operations).toBe(2 * sends + computes - 6 * ranks);
    });

  it('rejects graphs that are too large before they are built, including channels', async () => {
    const collective = { gpus: 1024, word: 'ALLREDUCE', sizeBytes: MIB };
    const { fault, message } = await asyncRejectionOf(collectiveGraphOf(collective, { gpusPerServer: 8 }));
    expect([fault, message.includes(`${8 * 1024 * 2 * 1023} messages`)]).toEqual(['TOO_LARGE', true]);
    const chunked = { gpusPerServer: 64, ncclAlgorithm: 'tree' } as const;
    const trees = await asyncRejectionOf(collectiveGraphOf(collective, chunked));
    expect([trees.fault, trees.message.includes(`${128 * 64 * 2 * 1023} messages`)]).toEqual(['TOO_LARGE', true]);
  });
});
