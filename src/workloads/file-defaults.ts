/** Default options for reading files of jobs and topologies. */
export const FILE_DEFAULTS = {
  servers: 1,
  startUnit: 'ps',
  failures: 'noted',
  oneStage: false,
  controlDependencies: false,
} as const;
