/** Files of workloads: changed GOAL schedules, connection matrices, topologies, Chakra traces and SimAI's files. */
import { readFileSync } from 'node:fs';
import { readChakra, readConnectionMatrix, readGoal, readHtsimTopology, readNcclTopology, readSimai,
  readSimaiTopology } from '../../src/workloads/index.js';
import { makeFuzzer, type Fuzzer } from './fuzzer.js';
import { mutateBytes, mutateText } from './mutate.js';
import type { Random } from './random.js';

const FOLDER = new URL('../../test/workloads/samples/', import.meta.url);
/** By format: what is changed. */
const FORMATS = {
  goal: ['goal/grammar-2.goal', 'goal/wildcard-server-4.goal', 'goal/lanes-2.goal'],
  'goal-binary': ['goal/lanes-2.bin'],
  'connection-matrix': ['htsim/multishot-6.cm', 'htsim/barrier-8.cm', 'htsim/failures-16.cm'],
  'htsim-topology': ['htsim/fat-tree-16.topo', 'htsim/leaf-spine-16.topo'],
  simai: ['simai/two-layers.txt', 'simai/experts.txt'],
  'simai-topology': ['simai/rail-16g-8gps-400Gbps-H100'],
  'nccl-xml': ['nccl/server-4g.xml'],
  chakra: ['chakra/odd-encodings-4/odd.0.et', 'chakra/groups-8/train.0.et'],
  'chakra-json': ['chakra/pipeline-4-json/pp.0.json'],
} as const;

/** Formats with a dedicated fuzzer, `workloads-FORMAT`. */
export const WORKLOAD_FORMATS = Object.keys(FORMATS) as readonly (keyof typeof FORMATS)[];

const CHUNKS = [1 << 20, 7];

interface WorkloadInput {
  readonly file: string;
  readonly base64: string;
  readonly chunkBytes: number;
}

function maker(files: readonly string[]): (random: Random) => WorkloadInput {
  const bases = files.map((name) => new Uint8Array(readFileSync(new URL(name, FOLDER))));
  return (random) => {
    const index = random.below(bases.length);
    const isText = !/\.(?:bin|et)$/.test(files[index]);
    const changed = isText && random.oneIn(2) ?
      new TextEncoder().encode(mutateText(random, new TextDecoder().decode(bases[index]))) :
      mutateBytes(random, bases[index].slice());
    return { file: files[index], base64: Buffer.from(changed).toString('base64'), chunkBytes: random.of(CHUNKS) };
  };
}

async function check({ file, base64, chunkBytes }: WorkloadInput): Promise<void> {
  const source = chunksOf(Uint8Array.from(Buffer.from(base64, 'base64')), chunkBytes);
  if (file.startsWith('goal/')) await readGoal(source, { selfMessages: 'no-time' });
  else if (file.endsWith('.topo')) await readHtsimTopology(source);
  else if (file.startsWith('htsim/')) await readConnectionMatrix(source);
  else if (file.endsWith('.xml')) await readNcclTopology(source);
  else if (file.startsWith('simai/rail')) await readSimaiTopology(source);
  else if (file.startsWith('simai/')) await readSimai(source, { ranks: 8 });
  else await readChakra([{ name: file.slice(file.lastIndexOf('/') + 1), source }], { controlDependencies: true });
}

async function* chunksOf(bytes: Uint8Array, chunkBytes: number): AsyncGenerator<Uint8Array, undefined> {
  await Promise.resolve();
  for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.slice(at, at + chunkBytes);
}

/** Files of all formats. */
export const workloads = makeFuzzer('workloads', maker(Object.values(FORMATS).flat()), check);

/** Files of one of `WORKLOAD_FORMATS`. */
export function workloadsOf(format: keyof typeof FORMATS): Fuzzer {
  return makeFuzzer(`workloads-${format}`, maker(FORMATS[format]), check);
}
