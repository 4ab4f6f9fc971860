/** What a topology file of SimAI says of collectives: GPUs per server, their type, and their NVLink. */
import type { SimaiTopology } from '../read-topology.js';
import { GPU_TYPES, type GpuType, type NcclSettings } from './nccl-settings.js';

export function ncclSettingsOfTopology({ gpusPerServer, gpuType, nvSwitches, topology }: SimaiTopology): NcclSettings {
  const ofNvSwitch = new Set(nvSwitches);
  const nvlink = topology.links.find(({ from, to }) => ofNvSwitch.has(from) || ofNvSwitch.has(to));
  return {
    gpusPerServer,
    gpuType: GPU_TYPES.includes(gpuType as GpuType) ? gpuType as GpuType : 'none',
    ...(nvlink === undefined ? {} : { nvlinkGbps: nvlink.rateGbps, nvlinkLatencyNs: nvlink.delayNs }),
  };
}
