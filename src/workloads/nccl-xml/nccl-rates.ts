/**
 * Rates that NCCL assumes (NVIDIA/nccl, src/graph/topo.h and topo.cc), Gb/s: for PCIe by speed and width, for NVLinks
 * by compute capability, between CPUs by model.
 */
const GBPS_PER_GBYTE = 8;
/** The highest rate that the simulator supports. */
export const RATE_MAX_GBPS = 8000;

/** Rate per lane by the speed stated by the kernel, after encoding, as in NCCL. */
const LANE_GBPS: Readonly<Record<string, number>> = { 2.5: 1.5, 5: 3, 8: 6, 16: 12, 32: 24, 64: 48 };
/** If the kernel does not state them: 8 GT/s, and 16 lanes. */
const UNKNOWN_SPEED = 8;
const UNKNOWN_WIDTH = 16;

/** @param speed such as `16.0 GT/s PCIe`; any other text counts as 8 GT/s. */
export function pcieGbps(speed: string, width: number): number {
  const transfers = Number(/^(\d{1,3}(?:\.\d)?) GT\/s/.exec(speed)?.[1] ?? NaN);
  return (LANE_GBPS[transfers] ?? LANE_GBPS[UNKNOWN_SPEED]) * (width === 0 ? UNKNOWN_WIDTH : width);
}

/** Whether NCCL recognises the speed. */
export function isPcieSpeed(speed: string): boolean {
  return /^(?:2\.5|5|5\.0|8|8\.0|16|16\.0|32|32\.0|64\.0) GT\/s/.test(speed);
}

/** Gigabytes per second of an NVLink, by minimum compute capability; 86 has a separate value. */
const NVLINKS: readonly (readonly [number, number])[] = [[100, 40.1], [90, 20.6], [80, 20], [70, 20], [60, 18]];
const NVLINK_86 = 12;
const NVLINK_UNKNOWN = 20;

export function nvlinkGbps(sm: number | undefined): number {
  if (sm === 86) return NVLINK_86 * GBPS_PER_GBYTE;
  return (NVLINKS.find(([least]) => (sm ?? 0) >= least)?.[1] ?? NVLINK_UNKNOWN) * GBPS_PER_GBYTE;
}

/** Attributes that identify the model of a CPU. */
export interface CpuModel {
  readonly arch: string;
  readonly vendor: string;
  readonly family: number;
  readonly model: number;
}

/** Rate between two CPUs of a server. */
export function interCpuGbps({ arch, vendor, family, model }: CpuModel): number {
  if (arch === 'ppc64') return 32 * GBPS_PER_GBYTE;
  if (arch === 'arm64') return 6 * GBPS_PER_GBYTE;
  if (arch === 'x86_64' && vendor === 'GenuineIntel') return intelGbytes(family, model) * GBPS_PER_GBYTE;
  if (arch === 'x86_64' && vendor === 'AuthenticAMD') return amdGbytes(family) * GBPS_PER_GBYTE;
  if (arch === 'x86_64' && ['CentaurHauls', '  Shanghai  '].includes(vendor))
    return (family === 7 && model === 0x5b ? 9 : 6) * GBPS_PER_GBYTE;
  return RATE_MAX_GBPS;
}

function intelGbytes(family: number, model: number): number {
  if (family !== 6) return 6;
  if (model >= 0xcf || (model >= 0xad && model <= 0xaf)) return 40;
  return model >= 0x8f ? 22 : model >= 0x55 ? 10 : 6;
}

function amdGbytes(family: number): number {
  if (family === 26 || family === 0xbf) return 32;
  return family === 25 || family === 0xaf ? 24 : 16;
}
