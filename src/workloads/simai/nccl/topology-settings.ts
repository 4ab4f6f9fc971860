/** What a topology file of SimAI says of collectives: GPUs per server, their type, NVLink and NIC. */
import type { TopologyLink } from '../../topology/edge-topology.js';
import type { SimaiTopology } from '../read-topology.js';
import { GPU_TYPES, type GpuType, type NcclSettings } from './nccl-settings.js';

export function ncclSettingsOfTopology({ gpusPerServer, gpuType, nvSwitches, topology }: SimaiTopology): NcclSettings {
  const ofNvSwitch = new Set(nvSwitches);
  const isNvlink = ({ from, to }: TopologyLink): boolean => ofNvSwitch.has(from) || ofNvSwitch.has(to);
  const isOfGpu = ({ from, to }: TopologyLink): boolean => from.startsWith('h') || to.startsWith('h');
  const nvlink = topology.links.find(isNvlink);
  const nic = topology.links.find((link) => isOfGpu(link) && !isNvlink(link));
  return {
    gpusPerServer,
    gpuType: GPU_TYPES.includes(gpuType as GpuType) ? gpuType as GpuType : 'none',
    ...(nvlink === undefined ? {} : { nvlinkGbps: nvlink.rateGbps, nvlinkLatencyNs: nvlink.delayNs }),
    ...(nic === undefined ? {} : { nicGbps: nic.rateGbps }),
  };
}
