/** Settings of collectives from a SimAI topology file: GPUs per server, their type, NVLink and NIC. */
import { checkRecord, reject } from '../../../config/field-rules.js';
import type { TopologyLink } from '../../edge-topology.js';
import type { SimaiTopology } from '../read-topology.js';
import { GPU_TYPES, type GpuType, type NcclSettings } from './nccl-settings.js';

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
