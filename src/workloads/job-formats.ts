/** The formats of workload files, in words: options of `roce-cc run`, the setting `format` of jobs and the lab list these. */
interface JobFormatFacts {
  /** What follows the option that is named as the format. */
  readonly argument: '<file>' | '<folder>';
  /** Description of that option. */
  readonly help: string;
  /** In the description of `format`. */
  readonly setting: string;
  /** Endings of its files, without those of compression; none: a workload has several files. */
  readonly endings: readonly string[];
}

export const JOB_FORMATS = {
  goal: {
    argument: '<file>',
    help: 'a GOAL schedule, text or binary',
    setting: 'GOAL, text or binary',
    endings: ['.goal', '.bin'],
  },
  cm: {
    argument: '<file>',
    help: 'a connection matrix of htsim',
    setting: 'a connection matrix of htsim',
    endings: ['.cm'],
  },
  chakra: {
    argument: '<folder>',
    help: 'Chakra execution traces of a folder, or of FOLDER/PREFIX',
    setting: 'a folder of Chakra traces',
    endings: [],
  },
  simai: {
    argument: '<folder>',
    help: 'workload, topology and SimAI.conf of a folder, or a workload in it',
    setting: "SimAI's workload text",
    endings: ['.txt'],
  },
} as const satisfies Readonly<Record<string, JobFormatFacts>>;

/** Format of a workload. */
export type JobFormat = keyof typeof JOB_FORMATS;
/** Those of which a workload is one file. */
export type FileFormat = {
  [Name in JobFormat]: (typeof JOB_FORMATS)[Name]['endings'] extends readonly [] ? never : Name;
}[JobFormat];

export const JOB_FORMAT_NAMES = Object.keys(JOB_FORMATS) as readonly JobFormat[];

/** The format that a file has by its name; undefined: none of those that are one file. */
export function formatOfFile(name: string): FileFormat | undefined {
  const plain = name.toLowerCase().replace(/\.(?:gz|zst)$/, '');
  return JOB_FORMAT_NAMES.find((format) => JOB_FORMATS[format].endings.some((ending) => plain.endsWith(ending))) as
    | FileFormat
    | undefined;
}
