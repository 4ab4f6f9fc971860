/**
 * Table of the files that `roce-cc run` writes, each with its command-line option. `write-files.ts` has a writer for
 * each.
 */
import type { RecordSpec } from '../../sim/scenario/spec.js';

/** Something that a scenario must record for an export. */
interface RecordNeed {
  readonly isMet: (record: RecordSpec) => boolean;
  readonly problem: string;
  readonly hint: string;
}

interface ExportFacts {
  /** The argument's kind; file names in a folder are fixed. */
  readonly argument: '<file>' | '<folder>';
  readonly help: string;
  /** Files of the folder that are tried before the first run. */
  readonly files?: readonly string[];
  /** Whether it is available for runs of fidelity `reference-uet`. */
  readonly hasUet: boolean;
  /** A setting of `record` that the option enables. */
  readonly turnsOn?: keyof RecordSpec;
  readonly needs?: RecordNeed;
}

/** Files are written in this order, captures last. */
export const EXPORTS = {
  json: {
    argument: '<file>',
    help: 'write the result as JSON; - for standard output, which then has nothing else',
    hasUet: true,
  },
  csv: {
    argument: '<folder>',
    help: 'write flows, ports and series as CSV',
    files: ['flows.csv', 'ports.csv', 'series.csv'],
    hasUet: true,
  },
  pcap: {
    argument: '<folder>',
    help: 'write a capture of the packets that leave each captured port',
    files: ['port.pcap'],
    hasUet: false,
    needs: {
      isMet: ({ capture = [] }) => capture.length > 0,
      problem: 'needs ports to capture',
      hint: 'Name them in record.capture of the scenario, or with --capture-port NODE:PEER',
    },
  },
  path: {
    argument: '<file>',
    help: 'write the path of a flow and of the notification of its sender, as .csv or JSON',
    hasUet: false,
  },
  trace: {
    argument: '<file>',
    help: 'write each rate change with its reason as JSON lines; with --flow: of this flow only',
    hasUet: false,
  },
  perfetto: { argument: '<file>', help: 'write a trace for ui.perfetto.dev', hasUet: true },
  gantt: { argument: '<file>', help: 'draw the jobs over time, rank by rank, as SVG', hasUet: true },
  fct: {
    argument: '<file>',
    help: "write completion times as the ns-3 simulator's fct.txt, for its analysis scripts",
    hasUet: false,
  },
  pfc: {
    argument: '<file>',
    help: "write pauses as the ns-3 simulator's pfc.txt",
    hasUet: false,
    turnsOn: 'pauses',
  },
  qlen: {
    argument: '<file>',
    help: "write queue lengths as the ns-3 simulator's qlen.txt",
    hasUet: false,
    needs: {
      isMet: ({ queueHistogram }) => queueHistogram !== undefined,
      problem: 'needs a time range in which queues are sampled',
      hint: 'Set record.queueHistogram of the scenario, such as {"fromUs": 0, "toUs": 1000}',
    },
  },
  writeGoal: { argument: '<file>', help: 'write the graph of each job as GOAL text', hasUet: true },
  writeChakra: {
    argument: '<folder>',
    help: 'write the graph of each job as Chakra execution traces',
    files: ['trace.0.et'],
    hasUet: true,
  },
} as const satisfies Readonly<Record<string, ExportFacts>>;

/** An export, named as its option in camel case. */
export type ExportName = keyof typeof EXPORTS;
/** Paths by export; absent if not requested. */
export type ExportFlags = Readonly<Partial<Record<ExportName, string>>>;

/** The table's rows. */
export const EXPORT_ROWS = Object.entries(EXPORTS) as readonly (readonly [ExportName, ExportFacts])[];

/** The option's name: `--write-goal` for `writeGoal`. */
export function exportOption(name: ExportName): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}
