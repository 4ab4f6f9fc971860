/** Each item of SimAI's workload text has an effect, is noted with count and first place, or is rejected by name. */
import { describe, expect, it } from 'vitest';
import { measureGraph, readSimai, readSimaiTopology, type WorkloadGraph } from '../../src/workloads/index.js';
import { SIMAI_TOPOLOGY_FORMAT, SIMAI_WORKLOAD_FORMAT } from '../../src/workloads/format-tables.js';
import { asyncRejectionOf } from '../support/rejection.js';
import { textsOf } from '../support/note-texts.js';

const HEADER =
  'HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: 2 ep: 2 pp: 2 vpp: 1 ga: 1 all_gpus: 16 pp_comm: 4096';
const LAYER = 'l -1 10 ALLREDUCE 8192 20 ALLGATHER 8192 30 ALLREDUCE 8192 5';
const FILE = `${HEADER}\n2\n${LAYER}\n${LAYER}\n`;

const read = (text: string): Promise<WorkloadGraph> =>
  readSimai(new TextEncoder().encode(text), { name: 'w.txt', ranks: 8 });

/** The parts of a graph that a run depends on. */
function contentOf(graph: WorkloadGraph): unknown {
  const { kind, amount, peer, tag } = graph.operations;
  return { measures: measureGraph(graph), kind, amount, peer, tag, edges: graph.edges };
}

/** For each item, a file that states it with another value, and the file to compare with. */
const CHANGES: Readonly<Record<string, readonly [changed: string, plain?: string]>> = {
  HYBRID_TRANSFORMER_FWD_IN_BCKWD: [FILE, FILE.replace(/^\S+/, 'DATA').replace('pp: 2', 'pp: 1')],
  HYBRID_TRANSFORMER: [
    FILE.replace(/^\S+/, 'HYBRID_TRANSFORMER'),
    FILE.replace(/^\S+/, 'MICRO').replace('pp: 2', 'pp: 1'),
  ],
  DATA: [FILE.replace(/^\S+/, 'DATA').replace('pp: 2', 'pp: 1'), FILE.replace('pp: 2', 'pp: 1')],
  MICRO: [FILE.replace(/^\S+/, 'MICRO').replace('pp: 2', 'pp: 1'), FILE.replace('pp: 2', 'pp: 1')],
  model_parallel_NPU_group: [FILE.replace('group: 2', 'group: 4')],
  ep: [
    FILE.replace('ep: 2', 'ep: 4').replaceAll('ALLGATHER', 'ALLGATHER_EP'),
    FILE.replaceAll('ALLGATHER', 'ALLGATHER_EP'),
  ],
  pp: [FILE.replace('pp: 2', 'pp: 4')],
  vpp: [FILE.replace('vpp: 1', 'vpp: 2')],
  ga: [FILE.replace('ga: 1', 'ga: 2')],
  pp_comm: [FILE.replace('pp_comm: 4096', 'pp_comm 8192.0')],
  all_gpus: [FILE.replace('all_gpus: 16', 'all_gpus: 32')],
  checkpoints: [FILE.replace('vpp', 'checkpoints: 2 0 1 vpp')],
  checkpoint_initiates: [FILE.replace('vpp', 'checkpoint_initiates: 1 1 vpp')],
  expert_parallel_npu_group: [FILE.replace('vpp', 'expert_parallel_npu_group: 4 vpp')],
  DLRM_LAST_BOTTOM_LAYER: [FILE.replace('vpp', 'DLRM_LAST_BOTTOM_LAYER: 4 vpp')],
  layers: [FILE.replace('\n2\n', '\n1\n')],
  name: [
    FILE.replace('ga: 1', 'ga: 2').replace('\n2\n', '\n3\n').replace('l -1', `embedding_layer -1`).concat(
      LAYER.replace('l ', 'embedding_layer '),
    ),
    FILE.replace('ga: 1', 'ga: 2').replace('\n2\n', '\n3\n').concat(LAYER),
  ],
  dependency: [FILE.replace('-1', '0')],
  'forward compute': [FILE.replace(' 10 ', ' 11 ')],
  'forward collective': [FILE.replace('ALLREDUCE 8192 20', 'ALLTOALL 8192 20')],
  'forward size': [FILE.replace('8192', '4096.0')],
  'input gradient compute': [FILE.replace(' 20 ', ' 21 ')],
  'input gradient collective': [FILE.replace('ALLGATHER', 'ALLREDUCE')],
  'input gradient size': [FILE.replace('ALLGATHER 8192', 'ALLGATHER 1e4')],
  'weight gradient compute': [FILE.replace(' 30 ', ' 31.5 ')],
  'weight gradient collective': [FILE.replace('30 ALLREDUCE', '30 ALLGATHER')],
  'weight gradient size': [FILE.replace('30 ALLREDUCE 8192', '30 ALLREDUCE 8193')],
  'update time': [FILE.replace(' 5\n', ' 6\n')],
  'parallelism of the layer': [FILE.replace(' 5\n', ' 5 DATA\n')],
  'NONE with a size': [FILE.replace('ALLGATHER', 'NONE'), FILE.replace('ALLGATHER 8192', 'NONE 0')],
  BROADCAST: [FILE.replace('ALLREDUCE 8192 20', 'BROADCAST 8192 20'), FILE.replace('ALLREDUCE 8192 20', 'NONE 0 20')],
  ALLREDUCEALLTOALL: [FILE.replace('ALLREDUCE 8192 20', 'ALLREDUCEALLTOALL 8192 20')],
};

function changeOf(part: string, name: string): readonly [string, string] {
  const collective = FILE.replace('ALLREDUCE 8192 20', `${name} 8192 20`);
  const [changed, plain = FILE] = CHANGES[name] ?? (part === 'collective' ?
    [collective, FILE.replace('ALLREDUCE 8192 20', 'NONE 0 20')] :
    [FILE.replace(/^\S+/, name)]);
  return [changed, plain];
}

/** Notes that the change adds. */
async function notesAdded(changed: string, plain: string): Promise<string[]> {
  const known = new Set(textsOf((await read(plain)).notes));
  return textsOf((await read(changed)).notes).filter((note) => !known.has(note));
}

describe('an item of a workload of SimAI', () => {
  it.each(SIMAI_WORKLOAD_FORMAT.items.map(({ part, name, treatment }) => [part, name, treatment] as const))(
    '%s, %s: %s',
    async (part, name, treatment) => {
      const [changed, plain] = changeOf(part, name);
      if (treatment === 'rejected') {
        const { code, where } = await asyncRejectionOf(read(changed));
        expect([code, where?.startsWith('w.txt, line ')]).toEqual(['invalid-workload', true]);
      } else if (treatment === 'effective') {
        expect(contentOf(await read(changed))).not.toEqual(contentOf(await read(plain)));
      } else {
        expect(contentOf(await read(changed))).toEqual(contentOf(await read(plain)));
        expect((await notesAdded(changed, plain)).join()).toMatch(/^\d .*first at w\.txt, line \d\.$/);
      }
    },
  );

  it.each([
    [
      'collectives have a size of 0',
      FILE.replaceAll('ALLGATHER 8192', 'REDUCESCATTER 0'),
      '2 collectives have a size of 0, and send nothing: first at w.txt, line 3.',
    ],
    [
      'forward sizes are small',
      FILE.replace('ALLREDUCE 8192 20', 'ALLREDUCE 100 20'),
      '1 forward size below 4096 bytes is raised to it, as in SimAI: first at w.txt, line 3.',
    ],
    ['lines are too many', `${FILE}${LAYER}`, '1 lines behind the 2 layers that are stated are not read.'],
    [
      'groups have one GPU',
      FILE.replace('group: 2', 'group: 1'),
      '4 collectives are of groups of one GPU, and send nothing: first at w.txt, line 3.',
    ],
    [
      'a layer without collectives has an update time',
      FILE.replace('\n2\n', '\n3\n').concat('x -1 1 NONE 0 1 NONE 0 1 NONE 0 7'),
      '1 update time (column 12) is of a layer without a collective, and is not waited for: first at w.txt, line 5.',
    ],
    [
      'ga has no stages',
      FILE.replace('pp: 2', 'pp: 1').replace('ga: 1', 'ga: 2'),
      'ga 2: the file has the rows of all 2 passes, and they run as they are.',
    ],
    [
      'vpp has no stages',
      FILE.replace('pp: 2', 'pp: 1').replace('vpp: 1', 'vpp: 8'),
      'vpp 8 changes nothing without stages of a pipeline.',
    ],
    ['pp_comm has no stages', FILE.replace('pp: 2', 'pp: 1'), 'pp_comm 4096 is not sent without stages of a pipeline.'],
    [
      'DATA has forward collectives',
      FILE.replace(/^\S+/, 'DATA').replace('pp: 2', 'pp: 1'),
      '4 collectives are of passes that DATA does not make: first at w.txt, line 3.',
    ],
    [
      'MICRO has computes',
      FILE.replace(/^\S+/, 'MICRO').replace('pp: 2', 'pp: 1'),
      '6 compute times are of passes that MICRO does not make: first at w.txt, line 3.',
    ],
    [
      'stages exchange nothing',
      FILE.replace(' pp_comm: 4096', ''),
      'pp_comm is 0: the stages send nothing to each other, and do not wait for each other.',
    ],
  ])('is noted if %s', async (_, text, note) => {
    expect(textsOf((await read(text)).notes)).toContain(note);
  });
});

describe('the text of a workload of SimAI', () => {
  it('may have CR LF, tabs, a byte order mark and trailing spaces, and lack a final newline', async () => {
    const plain = contentOf(await read(FILE));
    for (
      const text of [
        FILE.replaceAll('\n', '\r\n'),
        FILE.replaceAll(' ', '\t'),
        `\uFEFF${FILE}`,
        FILE.replaceAll('\n', '  \n'),
        FILE.trimEnd(),
      ]
    ) {
      expect(contentOf(await read(text))).toEqual(plain);
    }
  });
});

describe('an item of a topology of SimAI', () => {
  const TOPOLOGY =
    '6 4 1 1 5 H100\n4 5\n0 4 400Gbps 1us 0\n1 4 400Gbps 1us 0\n2 5 400Gbps 1us 0\n3 5 400Gbps 1us 0\n0 5 400Gbps 1us 0\n';
  const OTHERS: Readonly<Record<string, string>> = {
    'line 1 nodes': TOPOLOGY.replace('6 4', '7 4'),
    'line 1 GPUs per server': TOPOLOGY.replace('6 4', '6 3'),
    'line 1 NVSwitches': TOPOLOGY.replace('4 1 1', '4 2 0'),
    'line 1 switches': TOPOLOGY.replace('4 1 1', '4 0 2'),
    'line 1 links': TOPOLOGY.replace('5 H100', '4 H100'),
    'line 1 GPU type': TOPOLOGY.replace('H100', 'A100'),
    'line 2 ids of switches': TOPOLOGY.replace('\n4 5\n', '\n5 4\n'),
    'link nodes': TOPOLOGY.replace('0 5', '1 5'),
    'link rate': TOPOLOGY.replace('400Gbps', '100Gbps'),
    'link delay': TOPOLOGY.replace('1us', '2us'),
    'link error rate': TOPOLOGY.replace('1us 0', '1us 1e-3'),
  };

  it.each(SIMAI_TOPOLOGY_FORMAT.items.map(({ part, name }) => `${part} ${name}`))('%s changes the topology',
    async (name) => {
      const topology = (text: string): Promise<unknown> => readSimaiTopology(new TextEncoder().encode(text));
      expect(await topology(OTHERS[name] ?? TOPOLOGY)).not.toEqual(await topology(TOPOLOGY));
    });
});
