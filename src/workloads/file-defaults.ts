/** Default options for reading files of jobs and topologies. */
export const FILE_DEFAULTS = {
  servers: 1,
  startUnit: 'ps',
  failures: 'noted',
  oneStage: false,
  controlDependencies: false,
  // For `simai`: its collectives, as in its environment variables and topology templates (docs/specs/workloads.md,
  // 4.4).
  gpuType: 'none',
  ncclAlgorithm: 'auto',
  nvls: false,
  pxn: false,
  nvlinkGbps: 2880,
  nicGbps: 100,
  nvlinkLatencyNs: 25,
  hostCommunication: 'noted',
} as const;
