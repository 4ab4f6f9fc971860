/** Default options for reading files of jobs. */
export const FILE_DEFAULTS = {
  startUnit: 'ps',
  failures: 'noted',
  oneStage: false,
  controlDependencies: false,
  hostCommunication: 'noted',
} as const;
