/** Notes on jobs: settings for reading a file of another format. */
import type { JobSpec } from '../../scenario/spec.js';
import { note, type Note } from '../../notes/note.js';
import { NCCL_SETTINGS } from '../../../workloads/simai/nccl/nccl-settings.js';
import type { NoteContext } from '../../compile/note-context.js';

/** Settings of one format's reader. */
const FORMAT_OF = {
  startUnit: 'cm',
  failures: 'cm',
  gpus: 'simai',
  oneStage: 'simai',
  groups: 'chakra',
  controlDependencies: 'chakra',
  hostCommunication: 'chakra',
  opsPerSecond: 'chakra',
  memoryBytesPerSecond: 'chakra',
  ...Object.fromEntries(NCCL_SETTINGS.map((key) => [key, 'simai'])),
} satisfies Partial<Record<keyof JobSpec, JobSpec['format']>>;

export function notesOnJobs({ spec }: NoteContext): Note[] {
  const jobs = [spec.workload].flat().filter((one) => one.kind === 'job');
  return jobs.flatMap((job) =>
    Object.entries(FORMAT_OF)
      .filter(([key, format]) => Object.hasOwn(job, key) && job.format !== format)
      .map(([key, format]) => note('job-setting-of-other-format', { setting: key, job: job.file, format }))
  );
}
