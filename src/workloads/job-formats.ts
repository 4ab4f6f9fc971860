/**
 * The workload file formats, the default options of their readers, and tables of what their files may contain: for
 * options of `roce-cc run`, the setting `format` of jobs, the lab, readers' notes, docs/reference/workload-formats.md and
 * the test that covers all items.
 */
/** What options, settings and the lab show of a format. */
interface JobFormatFacts {
  /** Argument of the command-line option, which has the format's name. */
  readonly argument: '<file>' | '<folder>';
  /** Help text of that option. */
  readonly help: string;
  /** Text in the description of the setting `format`. */
  readonly setting: string;
  /** File extensions, without those of compression; empty if a workload has several files. */
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
/** Formats whose workloads are a single file. */
export type FileFormat = {
  [Name in JobFormat]: (typeof JOB_FORMATS)[Name]['endings'] extends readonly [] ? never : Name;
}[JobFormat];

export const JOB_FORMAT_NAMES = Object.keys(JOB_FORMATS) as readonly JobFormat[];

/** The single-file format that a file has by its name; undefined if it has none of these. */
export function formatOfFile(name: string): FileFormat | undefined {
  const plain = name.toLowerCase().replace(/\.(?:gz|zst)$/, '');
  return JOB_FORMAT_NAMES.find((format) => JOB_FORMATS[format].endings.some((ending) => plain.endsWith(ending))) as
    | FileFormat
    | undefined;
}

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

/**
 * `effective`: it changes the run. `noted`: the run does not use it, and a note states how often it occurs and where
 * first. `rejected`: the file is rejected, with its name and place.
 */
export type Treatment = 'effective' | 'noted' | 'rejected';

/** A key, attribute, column, word or kind of node in a format. */
export interface FormatItem {
  /** As spelled in the file. */
  readonly name: string;
  /** Part of the file that it belongs to: `attribute`, `header`, `column 4`. */
  readonly part: string;
  readonly treatment: Treatment;
  /** Meaning of the item, or why it is not used; one sentence without a full stop. */
  readonly meaning: string;
}

/** Declaration of a format. */
export interface FormatTable {
  /** Name of the format in `--cm` and in a job's `format`. */
  readonly format: string;
  readonly title: string;
  /** Program or project that defines the format. */
  readonly owner: string;
  readonly items: readonly FormatItem[];
}

/** Makes the items of one part and treatment. @param meanings by item name. */
export function formatItems(part: string, treatment: Treatment,
  meanings: Readonly<Record<string, string>>): readonly FormatItem[] {
  return Object.entries(meanings).map(([name, meaning]) => ({ name, part, treatment, meaning }));
}
