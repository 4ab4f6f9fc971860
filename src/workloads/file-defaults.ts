/** How files of jobs are read where nothing is said. */
export const FILE_DEFAULTS = {
  startUnit: 'ps',
  failures: 'noted',
  oneStage: false,
  controlDependencies: false,
} as const;
