/**
 * Settings of a SimAI job for its collectives (docs/specs/workloads.md, 4.4). The environment variables are those of
 * SimAI's simulator; each is off unless it is 1.
 */
import { checkField, flag, numberIn, oneOf, wholeIn, type FieldRule, checkRecord,
  reject } from '../../../config/field-rules.js';
import type { TopologyLink } from '../../edge-topology.js';
import { FILE_DEFAULTS } from '../../job-formats.js';
import type { SimaiTopology } from '../read-topology.js';

/** Values of `gpuType`. Any other word in a SimAI topology file counts as `none`. */
export const GPU_TYPES = ['none', 'A100', 'A800', 'H20', 'H100', 'H800'] as const;
/** GPU type, as in SimAI's topology files. */
export type GpuType = typeof GPU_TYPES[number];
/** Values of `ncclAlgorithm`. */
export const NCCL_ALGORITHMS = ['auto', 'nccl', 'ring', 'tree', 'nvls'] as const;
/** Algorithm of all-reduce. */
export type NcclAlgorithm = typeof NCCL_ALGORITHMS[number];

/** Settings for converting the collectives of a SimAI workload to messages. */
export interface NcclSettings {
  /**
   * GPUs per server, 1 to 1,024: GPU i is in server floor(i / gpusPerServer). Default 1, with a note: one ring for each
   * group.
   */
  readonly gpusPerServer?: number;
  /** Type of the GPUs: `auto` uses NVLS on H20, H100 and H800 only. Default `none`. */
  readonly gpuType?: GpuType;
  /**
   * Maximum number of rings of a group, or pairs of trees, 1 to 128. Default: one per member in a server if the group
   * spans several servers; one if it is within a server, since its rings would all be the same.
   */
  readonly channels?: number;
  /**
   * Algorithm of all-reduces. `auto`: SimAI's choice, rings, or NVLS for tensor-parallel groups if `nvls` is set.
   * `nccl`: the fastest by NCCL's tuning model, with its protocol; applies to all collectives but all-to-alls. `tree`:
   * SimAI's double binary trees, which it implements but never chooses. `nvls`: for all groups within a server. Default
   * `auto`.
   */
  readonly ncclAlgorithm?: NcclAlgorithm;
  /** AS_NVLS_ENABLE: whether `auto` may use NVLS. Default false. */
  readonly nvls?: boolean;
  /**
   * AS_PXN_ENABLE: whether a ring leaves a server from the GPU on the rail by which it enters the next server. Default
   * false.
   */
  readonly pxn?: boolean;
  /** Rate of a GPU's NVLink, for NVLS and `nccl`, Gb/s. Default 2880, as in SimAI's topologies of H100. */
  readonly nvlinkGbps?: number;
  /** Rate of a GPU's NIC, for `nccl`, Gb/s. Default 100. */
  readonly nicGbps?: number;
  /** Latency of a GPU's NVLink, for NVLS, ns. Default 25, as in SimAI's topologies. */
  readonly nvlinkLatencyNs?: number;
}

/** Settings with their defaults; `gpusPerServer` and `channels` may be undefined. */
export type CompleteNcclSettings = Required<Omit<NcclSettings, 'gpusPerServer' | 'channels'>> & Pick<
  NcclSettings,
  'gpusPerServer' | 'channels'
>;

/** Same limit as in topology files. */
const GPUS_PER_SERVER_MAX = 1024;
/** Maximum number of channels: each has two trees, and a message one of 256 streams. */
export const CHANNELS_MAX = 128;
const RULES: Readonly<Record<keyof NcclSettings, FieldRule>> = {
  gpusPerServer: wholeIn(1, GPUS_PER_SERVER_MAX),
  gpuType: oneOf(...GPU_TYPES),
  channels: wholeIn(1, CHANNELS_MAX),
  ncclAlgorithm: oneOf(...NCCL_ALGORITHMS),
  nvls: flag(),
  pxn: flag(),
  nvlinkGbps: numberIn(0.001, 1e6),
  nicGbps: numberIn(0.001, 1e6),
  nvlinkLatencyNs: numberIn(0, 1e9),
};

/** Names of the settings in `NcclSettings`. */
export const NCCL_SETTINGS = Object.keys(RULES) as readonly (keyof NcclSettings)[];

/** @throws RoceError `invalid-argument`, naming the setting. */
export function completeNcclSettings(settings: NcclSettings, where: string): CompleteNcclSettings {
  for (const name of NCCL_SETTINGS) {
    if (settings[name] !== undefined) checkField(settings[name], RULES[name], `${where}.${name}`);
  }
  const { gpuType, ncclAlgorithm, nvls, pxn, nvlinkGbps, nicGbps, nvlinkLatencyNs } = FILE_DEFAULTS;
  return { gpuType, ncclAlgorithm, nvls, pxn, nvlinkGbps, nicGbps, nvlinkLatencyNs, ...ncclSettingsOf(settings) };
}

/** Picks the NCCL settings from a record that also has others. */
export function ncclSettingsOf(record: NcclSettings): NcclSettings {
  return Object.fromEntries(NCCL_SETTINGS.flatMap((name) => record[name] === undefined ? [] : [[name, record[name]]]));
}

/**
 * The servers over which a group of GPUs is distributed. SimAI assumes the same number of members at the same positions
 * in each; otherwise its rings leave the group, so such a group is treated as one server here, in rank order. Members
 * are numbered by their index in the group; those of a server are adjacent.
 */
export interface GroupServers {
  readonly servers: number;
  /** Number of members in each server. */
  readonly perServer: number;
  /** Whether the members are unevenly distributed, and treated as one server. */
  readonly isUneven: boolean;
}

/** @param members ranks in ascending order; GPU i is in server floor(i / gpusPerServer). */
export function groupServers(members: readonly number[], gpusPerServer: number): GroupServers {
  const counts = new Map<number, number>();
  for (const rank of members) {
    const server = Math.floor(rank / gpusPerServer);
    counts.set(server, (counts.get(server) ?? 0) + 1);
  }
  const perServer = members.length / counts.size;
  const isUneven = [...counts.values()].some((count) => count !== perServer);
  return isUneven ?
    { servers: 1, perServer: members.length, isUneven } :
    { servers: counts.size, perServer, isUneven };
}

/**
 * Derives options of `readSimai`, which are also settings of a job, from a topology: `gpusPerServer`, `gpuType`, and
 * the rates of the first NVLink and the first NIC.
 *
 * @throws RoceError `invalid-argument` if `topology` is not a result of `readSimaiTopology`.
 * @example
 * const topology = await readSimaiTopology(file);
 * const graph = await readSimai(workload, { ranks: topology.hosts, ...ncclSettingsOfTopology(topology) });
 */
export function ncclSettingsOfTopology(topology: SimaiTopology): NcclSettings {
  checkRecord(topology, 'topology');
  const { gpusPerServer, gpuType, nvSwitches } = topology;
  requireList(nvSwitches, 'topology.nvSwitches');
  checkRecord(topology.topology, 'topology.topology');
  const { links } = topology.topology;
  requireList(links, 'topology.topology.links');
  for (const [index, link] of links.entries()) checkLink(link, `topology.topology.links[${index}]`);
  const ofNvSwitch = new Set(nvSwitches);
  const isNvlink = ({ from, to }: TopologyLink): boolean => ofNvSwitch.has(from) || ofNvSwitch.has(to);
  const isOfGpu = ({ from, to }: TopologyLink): boolean => from.startsWith('h') || to.startsWith('h');
  const nvlink = links.find(isNvlink);
  const nic = links.find((link) => isOfGpu(link) && !isNvlink(link));
  return {
    gpusPerServer,
    gpuType: GPU_TYPES.includes(gpuType as GpuType) ? gpuType as GpuType : 'none',
    ...(nvlink === undefined ? {} : { nvlinkGbps: nvlink.rateGbps, nvlinkLatencyNs: nvlink.delayNs }),
    ...(nic === undefined ? {} : { nicGbps: nic.rateGbps }),
  };
}

function requireList(value: unknown, where: string): void {
  if (!Array.isArray(value)) reject({ got: value, allowed: 'a list', where });
}

function checkLink(link: TopologyLink, where: string): void {
  checkRecord(link, where);
  for (const [name, got] of Object.entries({ from: link.from, to: link.to })) {
    if (typeof got !== 'string') reject({ got, allowed: 'a name', where: `${where}.${name}` });
  }
}
