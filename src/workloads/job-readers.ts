/** The reader of each single-file format, and the job settings that readers use. */
import type { WorkloadSource } from './read-lines.js';
import type { ChakraOptions } from './chakra/read-chakra.js';
import { FILE_DEFAULTS, type FileFormat, type JobFormat } from './job-formats.js';
import { readGoal } from './goal/read-goal.js';
import type { WorkloadGraph } from './graph/workload-graph.js';
import { readConnectionMatrix, type MatrixOptions } from './htsim/read-matrix.js';
import { ncclSettingsOf, type NcclSettings } from './simai/nccl/nccl-settings.js';
import { readSimai } from './simai/read-simai.js';

/** A workload file that is run directly. */
export interface JobFile {
  readonly format: JobFormat;
  readonly file: string;
}

/** A job of a scenario: its workload file, and how to read it. */
export interface JobEntry
  extends
    JobFile,
    NcclSettings,
    Pick<MatrixOptions, 'startUnit' | 'failures'>,
    Pick<ChakraOptions, 'controlDependencies' | 'hostCommunication' | 'opsPerSecond' | 'memoryBytesPerSecond'> {
  readonly gpus?: number;
  readonly oneStage?: boolean;
  readonly groups?: string;
}

/** How flows without an end, which last until the end of the run, are treated. */
export type Endless = MatrixOptions['endless'] & string;

type ReadFile = (source: WorkloadSource, entry: JobEntry, endless: Endless) => Promise<WorkloadGraph>;

export const FILE_READERS: Readonly<Record<FileFormat, ReadFile>> = {
  goal: (source, { file: name }) => readGoal(source, { name }),
  cm: (source, { file: name, startUnit = FILE_DEFAULTS.startUnit, failures = FILE_DEFAULTS.failures }, endless) =>
    readConnectionMatrix(source, { name, startUnit, failures, endless }),
  simai: (source, entry) => {
    const { file: name, gpus, oneStage = FILE_DEFAULTS.oneStage } = entry;
    const ranks = gpus === undefined ? {} : { ranks: gpus };
    return readSimai(source, { name, oneStage, ...ranks, ...ncclSettingsOf(entry) });
  },
};
