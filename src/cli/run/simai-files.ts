/**
 * Reads a SimAI experiment, named by its folder or workload file. The folder contains one workload, one topology and
 * one SimAI.conf, at any depth, which are recognised by content. For a workload file, the other two are searched in its
 * folder.
 */
import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { RoceError } from '../../errors.js';
import { simaiScenario } from '../../sim/reference-files/simai-scenario.js';
import { readNcclTopology } from '../../workloads/nccl-xml/read-nccl-topology.js';
import { readSimai } from '../../workloads/simai/read-simai.js';
import { ncclSettingsOfTopology } from '../../workloads/simai/nccl/topology-settings.js';
import { readSimaiTopology, type SimaiTopology } from '../../workloads/simai/read-topology.js';
import { readText, SETTINGS_BYTES_MAX } from '../read-text.js';
import { headOf, isNcclXml } from './topology-files.js';
import type { FileNetwork } from './topology-option.js';

const DEPTH_MAX = 6;
const FILES_MAX = 10_000;
const KINDS = {
  workload: /^\s*(?:HYBRID_[A-Z_]+|DATA|MODEL|MICRO|DISTRIBUTED_INFERENCE)\b[^\n]*\n\s*\d+\s*\n/,
  topology: /^\s*\d+(?:[ \t]+\d+){4}(?:[ \t]+\w+)?[ \t]*\r?\n/,
  config: /(?:^|\n)[ \t]*CC_MODE[ \t]+\d/,
} as const;
type Kind = keyof typeof KINDS;

/** @throws RoceError; system errors, which name the file. */
export async function simaiFolderScenario(place: string, name: string, network: FileNetwork): Promise<unknown> {
  const isFolder = (await stat(place)).isDirectory();
  const found = await filesByKind(isFolder ? place : path.dirname(place));
  const workload = isFolder ? onlyOne(found.workload, 'the workload', place) : place;
  if (workload === undefined) {
    const problem = 'has no workload of SimAI';
    throw new RoceError('invalid-argument', { what: 'the folder', problem, where: place });
  }
  const topologyFile = network.topo ??
    (network.topology === undefined ? onlyOne(found.topology, 'the topology', place, '--topo FILE') : undefined);
  const configFile = onlyOne(found.config, 'SimAI.conf', place);
  const topology = topologyFile === undefined ? undefined : await topologyOf(topologyFile, workload);
  const spec = simaiScenario({
    name,
    job: jobOf(workload, topology),
    ignoreUnknownKeys: network.ignoreUnknownKeys === true,
    ...(topology === undefined ? { gpus: await gpusOf(workload) } : { topology }),
    ...(configFile === undefined ?
      {} :
      { config: await readText(configFile, SETTINGS_BYTES_MAX), configName: configFile }),
  });
  return network.topology === undefined ? spec : { ...spec, topology: network.topology.topology };
}

/** Reads a topology of SimAI or NCCL. NCCL's describes one server, which is repeated for all GPUs of the workload. */
async function topologyOf(file: string, workload: string): Promise<SimaiTopology> {
  const source = createReadStream(file);
  return isNcclXml(await headOf(file)) ?
    readNcclTopology(source, { name: file, ranks: await gpusOf(workload) }) :
    readSimaiTopology(source, { name: file });
}

function jobOf(file: string, topology: SimaiTopology | undefined): Parameters<typeof simaiScenario>[0]['job'] {
  const ofTopology = topology === undefined ? {} : { gpus: topology.hosts, ...ncclSettingsOfTopology(topology) };
  return { kind: 'job', format: 'simai', file, ...ofTopology };
}

async function gpusOf(workload: string): Promise<number> {
  return (await readSimai(createReadStream(workload), { name: workload })).ranks;
}

function onlyOne(files: readonly string[], what: string, where: string, hint?: string): string | undefined {
  if (files.length < 2) return files[0];
  throw new RoceError('invalid-argument', {
    what,
    got: where,
    allowed: files,
    where,
    ...(hint === undefined ? {} : { hint }),
  });
}

async function filesByKind(folder: string): Promise<Readonly<Record<Kind, readonly string[]>>> {
  const found: Record<Kind, string[]> = { workload: [], topology: [], config: [] };
  for (const file of await filesIn(folder)) {
    const head = await headOf(file);
    const kind = (Object.keys(KINDS) as Kind[]).find((one) => KINDS[one].test(head));
    if (kind !== undefined) found[kind].push(file);
  }
  return found;
}

/** Files in alphabetical order, without hidden ones. */
async function filesIn(folder: string, depth = 0): Promise<string[]> {
  const entries = (await readdir(folder, { withFileTypes: true })).filter(({ name }) =>
    !name.startsWith('.') && name !== 'node_modules'
  );
  const files = entries.filter((entry) => entry.isFile()).map(({ name }) => path.join(folder, name)).sort();
  const below = depth === DEPTH_MAX ? [] : entries.filter((entry) => entry.isDirectory());
  for (const { name } of below.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    files.push(...await filesIn(path.join(folder, name), depth + 1));
    if (files.length <= FILES_MAX) continue;
    const allowed = { max: FILES_MAX };
    throw new RoceError('invalid-argument', { what: 'the number of files', got: files.length, allowed, where: folder });
  }
  return files;
}
