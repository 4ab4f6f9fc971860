/** Notes on jobs: settings that apply to files of another format. */
import { note, type Note } from '../../notes/note.js';
import { SETTINGS_OF_FORMAT } from './schema.js';
import type { NoteContext } from '../../compile/note-context.js';

/** The format of each setting that only one format's reader has. */
const FORMAT_OF = Object.entries(SETTINGS_OF_FORMAT).flatMap(([format, settings]) =>
  Object.keys(settings).map((key) => [key, format] as const)
);

export function notesOnJobs({ spec }: NoteContext): Note[] {
  const jobs = [spec.workload].flat().filter((one) => one.kind === 'job');
  return jobs.flatMap((job) =>
    FORMAT_OF.filter(([key, format]) => Object.hasOwn(job, key) && job.format !== format)
      .map(([key, format]) => note('job-setting-of-other-format', { setting: key, job: job.file, format }))
  );
}
