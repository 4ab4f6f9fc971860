/** Notes of readers, of captures and of paths as data: every code has a sentence that states its figures. */
import { describe, expect, it } from 'vitest';
import { compileScenario, hashScenario, runScenarioSync, validateScenario, type CaptureNote, type FlowPathNote,
  type ReferenceNote } from '../../src/sim/index.js';
import { captureNote } from '../../src/sim/files/capture.js';
import { pathNote } from '../../src/sim/flow-path/flow-path.js';
import { referenceNote } from '../../src/sim/reference-files/reader-notes.js';
import { parseGoal, type WorkloadNote } from '../../src/workloads/index.js';
import { workloadNote } from '../../src/workloads/notes.js';
import { testNotes, type NoteExamples } from '../support/note-figures.js';

const FOUND = { count: 3, where: 'w.0.et, node 3' };
const NAMES = { ...FOUND, names: ['a', 'b'], hasOthers: false };
const KEYS = { keys: ['A', 'B'] };
const PLACED = { keys: [{ key: 'A', where: 'config.txt, line 3' }] };
const RUN = {
  count: 1,
  kind: 'all-reduce',
  gpus: 8,
  algorithm: 'ring',
  channels: 2,
  pxn: false,
  protocol: 'LL',
} as const;

const WORKLOAD: NoteExamples<WorkloadNote> = {
  'port-of-message': FOUND,
  'highest-number': { ...FOUND, field: 'cpu' },
  'host-communication': { ...FOUND, type: 'send' },
  'control-dependencies': FOUND,
  'missing-control-dependencies': FOUND,
  'compute-without-time': FOUND,
  'memory-without-time': FOUND,
  'work-and-duration': FOUND,
  'duration-of-communication': FOUND,
  'duration-of-metadata': FOUND,
  'invalid-nodes': FOUND,
  'involved-dimensions': FOUND,
  'start-times': FOUND,
  'names-without-effect': NAMES,
  'unknown-names': NAMES,
  'endless-connections': FOUND,
  'triggers-never-set-off': FOUND,
  'priorities': FOUND,
  'reused-connections': FOUND,
  'failures-not-applied': FOUND,
  'unit-of-starts': { unit: 'ps', last: 5 },
  'links-down': { links: 2 },
  'switch-latency-halved': {},
  'queue-sizes': { ...FOUND, key: 'Queue_Up' },
  'attribute-without-effect': { ...FOUND, element: 'gpu', attribute: 'dev' },
  'nic-outside-pci': { ...FOUND, rateGbps: 8000 },
  'devices-named-by-nvlinks': FOUND,
  'pci-switch-links': FOUND,
  'gpus-without-nvlinks': FOUND,
  'unknown-link-speeds': FOUND,
  'nics-without-ports': FOUND,
  'repeated-devices': { ...FOUND, element: 'gin' },
  'unused-interfaces': FOUND,
  'interfaces-without-speed': FOUND,
  'c2c-and-pcie': FOUND,
  'nvlinks-to-missing-gpus': FOUND,
  'unequal-nvlinks': FOUND,
  'servers-as-in-file': { servers: 2, gpus: 8, ports: 4 },
  'assumed-delays': { nvlinkNs: 1, pcieNs: 2, networkNs: 3 },
  'groups-of-one-gpu': FOUND,
  'collectives-of-other-passes': { ...FOUND, pass: 'data' },
  'computes-of-other-passes': { ...FOUND, pass: 'micro' },
  'update-times': FOUND,
  'dependencies': FOUND,
  'sizes-without-collectives': FOUND,
  'unsent-collectives': { ...FOUND, word: 'BROADCAST' },
  'empty-collectives': FOUND,
  'small-forward-sizes': { ...FOUND, leastBytes: 4096 },
  'layer-list': { ...FOUND, key: 'checkpoints' },
  'expert-group': { ...FOUND, group: 2 },
  'one-stage': { stages: 2 },
  'micro-batches-as-rows': { passes: 2 },
  'virtual-stages-without-pipeline': { virtualStages: 2 },
  'stage-bytes-without-pipeline': { stageBytes: 2 },
  'pipeline': { stages: 2, gpus: 4, microBatches: 3, parts: 5, sends: 6, stageBytes: 7 },
  'stages-without-messages': {},
  'equal-micro-batches': { microBatches: 2 },
  'virtual-stages-limited': { virtualStages: 3, parts: 2 },
  'lines-behind-layers': { lines: 3, layers: 2 },
  'lines-behind-links': { lines: 3 },
  'unknown-gpu-type': { gpuType: 'B300', known: ['H100'] },
  'uneven-servers': { gpus: 9, perServer: 8 },
  'collective-messages': { messages: 3, bytes: 4096 },
  'collectives-run': { ncclAlgorithm: 'nccl', runs: [RUN] },
  'gpus-per-server-not-set': {},
  'nvls-not-auto': { ncclAlgorithm: 'ring' },
  'nvls-unused': {},
  'pxn-unused': {},
  'nvls-without-packets': { nvlinkGbps: 2880 },
  'rings-for-nvls': FOUND,
  'uneven-groups': FOUND,
  'fewer-rings': { ...FOUND, channels: 2, perServer: 8, servers: 1 },
};

const REFERENCE: NoteExamples<ReferenceNote> = {
  'keys-of-other-modes': { ...KEYS, mode: 1, name: 'DCQCN' },
  'keys-without-effect': KEYS,
  'keys-of-output': KEYS,
  'defaults-assumed': { keys: [{ key: 'A', value: '1' }] },
  'output-of-other-simulators': PLACED,
  'unknown-keys': PLACED,
  'rates-given-twice': { key: 'KMAX_MAP', ratesBps: ['100'] },
  'ack-interval': { intervalBytes: 4000, chunkBytes: '2000' },
  'window-off': {},
  'marking-off': KEYS,
  'back-to-zero': {},
  'intervals-truncated': KEYS,
  'leaves-without-effect': { leaves: 4, where: 'topology.txt, line 1' },
  'more-than-counted': { of: 'links', total: 5, counted: 4, where: 'topology.txt, line 9' },
  'link-down-from': { value: '5 0 16' },
  'no-config': {},
  'no-topology': {},
  'send-delay': { sendOverheadNs: 6000 },
  'nvswitch-settings': {},
  'loss-without-timeout': {},
};

const CAPTURE: NoteExamples<CaptureNote> = {
  'headers-of-standard': { fidelity: 'reference' },
  'conweave-replies-left-out': {},
  'credit-packets-left-out': {},
  'frames-truncated': { snapLengthBytes: 96 },
  'traces-not-kept': {},
};

const PATH: NoteExamples<FlowPathNote> = {
  'notification-not-found': { flow: 3 },
  'data-not-delivered': { flow: 3, sequence: 1024, port: 's0:h1', atPs: 5e6 },
};

const OTHER_WORDS = { ncclAlgorithm: 'auto', pass: 'transformer', unit: 'us' };

testNotes('workloads', workloadNote, WORKLOAD, { otherWords: OTHER_WORDS });
testNotes('reference files', referenceNote, REFERENCE);
testNotes('captures', captureNote, CAPTURE);
testNotes('paths', pathNote, PATH, { silent: Object.keys(PATH) });

describe('A note of a reader', () => {
  const note = referenceNote('window-off');
  const spec = {
    name: 'noted',
    notes: ['From the author.', note],
    topology: { kind: 'star', hosts: 2 },
    workload: { kind: 'flows', flows: [{ from: 'h0', to: 'h1', sizeBytes: 1e4 }] },
  } as const;

  it('is data in the scenario and in the result, whose notes are sentences', () => {
    const { notes, noteRecords } = runScenarioSync(spec);
    expect(notes.slice(0, 2)).toEqual(['From the author.', note.text]);
    expect(noteRecords?.slice(0, 2)).toEqual([
      { code: 'stated-by-scenario', figures: { note: 'From the author.' } },
      { code: 'stated-by-scenario', figures: { note } },
    ]);
  });

  it('is hashed as its sentence', () => {
    const worded = { ...spec, notes: ['From the author.', note.text] };
    expect(hashScenario(spec)).toBe(hashScenario(worded));
    expect(runScenarioSync(spec).hash).toBe(runScenarioSync(worded).hash);
  });

  it('of a job is data in its graph and in the result', () => {
    const graph = parseGoal(
      'num_ranks 2\nrank 0 {\nl1: send 10b to 1 tag 0 cpu 0 nic 1\n}\nrank 1 {\nl1: recv 10b from 0 tag 0\n}\n',
    );
    expect(graph.notes).toMatchObject([{ code: 'port-of-message', figures: { count: 1, where: 'goal, line 3' } }]);
    const job = { name: 'train', kind: 'job', format: 'goal', file: 'x.goal' } as const;
    const valid = validateScenario({ ...spec, notes: [], workload: job }, { graphs: { 'x.goal': graph } });
    expect(compileScenario(valid).noteRecords).toContainEqual({
      code: 'stated-by-job',
      figures: { job: 'train', note: graph.notes[0] },
    });
  });

  it.each([[5], [{ code: 'a' }], [{ ...note, more: 1 }]])('is rejected in any other form: %j', (bad) => {
    expect(() => validateScenario({ ...spec, notes: [bad] })).toThrow(/notes\[0\]/);
  });
});
