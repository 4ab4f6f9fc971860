/** SimAI workloads with one collective, and rail-optimized topologies as SimAI's generator writes them. */
import { runScenarioSync, type SimResult } from '../../../src/sim/index.js';
import { readSimai, readSimaiTopology, type SimaiOptions, type SimaiTopology,
  type WorkloadGraph } from '../../../src/workloads/index.js';

export interface Rails {
  readonly servers: number;
  readonly perServer: number;
  readonly spines: number;
  readonly gpuType?: string;
}

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

/** One leaf per GPU index, linked to all spines: 100 Gb/s to GPUs, 400 Gb/s to spines, NVLinks of 2,400 Gb/s. */
export function railsText({ servers, perServer, spines, gpuType = 'A100' }: Rails): string {
  const gpus = servers * perServer;
  const firstLeaf = gpus + servers;
  const firstSpine = firstLeaf + perServer;
  const nodes = firstSpine + spines;
  const many = <Made>(count: number, make: (index: number) => Made): Made[] =>
    Array.from({ length: count }, (_, index) => make(index));
  const ofGpus = many(gpus, (gpu) => [
    `${gpu} ${gpus + Math.floor(gpu / perServer)} 2400Gbps 0.000025ms 0`,
    `${gpu} ${firstLeaf + (gpu % perServer)} 100Gbps 0.0005ms 0`,
  ]).flat();
  const ofLeaves = many(perServer,
    (leaf) => many(spines, (spine) => `${firstLeaf + leaf} ${firstSpine + spine} 400Gbps 0.0005ms 0`)).flat();
  return [
    `${nodes} ${perServer} ${servers} ${perServer + spines} ${ofGpus.length + ofLeaves.length} ${gpuType}`,
    many(nodes - gpus, (index) => gpus + index).join(' '),
    ...ofGpus,
    ...ofLeaves,
  ].join('\n');
}

export function railsOf(rails: Rails): Promise<SimaiTopology> {
  return readSimaiTopology(bytesOf(railsText(rails)));
}

/** One collective: in column 10 of all GPUs, without a suffix; in column 4 of neighbors. */
export interface OneCollective {
  readonly gpus: number;
  readonly tensor?: number;
  /** Its name in the columns: `ALLREDUCE`. */
  readonly word: string;
  readonly sizeBytes: number;
}

export function workloadText({ gpus, tensor = 1, word, sizeBytes }: OneCollective): string {
  const head =
    `HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: ${tensor} ep: 1 pp: 1 vpp: 1 ga: 1 all_gpus: ${gpus}`;
  const columns = tensor > 1 ? `0 ${word} ${sizeBytes} 0 NONE 0 0 NONE 0` : `0 NONE 0 0 NONE 0 0 ${word} ${sizeBytes}`;
  return `${head}\n1\nl -1 ${columns} 0\n`;
}

export function collectiveGraphOf(collective: OneCollective, options: SimaiOptions = {}): Promise<WorkloadGraph> {
  return readSimai(bytesOf(workloadText(collective)), options);
}

export function runOn(topology: SimaiTopology, graph: WorkloadGraph): SimResult {
  const workload = { kind: 'job', format: 'simai', file: 'w', connections: 'per-message' } as const;
  return runScenarioSync({ name: 'rails', topology: topology.topology, workload }, { graphs: { w: graph } });
}
