/** Writes the files of runs: results, tables, traces, captures, graphs of jobs. */
import path from 'node:path';
import { wanToCsv, flowPathToCsv, flowsCsvParts, portsToCsv, seriesToCsv } from '../../sim/files/result-csv.js';
import { resultToPerfetto } from '../../sim/files/perfetto.js';
import { referenceFctParts, referencePfcParts, referenceQlenParts } from '../../sim/files/reference-output.js';
import { resultJsonParts } from '../../sim/files/result-json.js';
import { uetFlowsToCsv } from '../../uet/results.js';
import { writeChakra } from '../../workloads/chakra/write-chakra.js';
import { writeGoal } from '../../workloads/goal/write-goal.js';
import { ganttSvg } from '../figures/gantt-svg.js';
import { writeOrKeep, type Warn, type FileContent, makeFolderOf, requireWritable } from '../write-file.js';
import { EXPORTS, EXPORT_ROWS, type ExportFlags, type ExportName } from './export-options.js';
import type { WrittenFile } from './report-text.js';
import type { Outcome } from './run-all.js';
import { fileOfRun, folderOfRun, fileNamePart } from './run-names.js';
import type { NamedGraph } from './simulator.js';

interface PlannedFile extends WrittenFile {
  readonly content: FileContent;
}

/** Yields the files of an export. `target` is the option's value with the run's name in it. */
type Writer = (outcome: Outcome, target: string) => Iterable<PlannedFile>;

const WRITERS: Readonly<Record<ExportName, Writer>> = {
  *json({ result }, file) {
    yield { what: 'result', file, content: resultJsonParts(result) };
  },
  *csv({ result }, folder) {
    const inFolder = (name: string): string => path.join(folder, name);
    yield { what: 'flows', file: inFolder('flows.csv'), content: flowsCsvParts(result) };
    yield { what: 'ports', file: inFolder('ports.csv'), content: portsToCsv(result) };
    yield { what: 'series', file: inFolder('series.csv'), content: seriesToCsv(result) };
    if (result.uet !== undefined)
      yield { what: 'uet', file: inFolder('uet-flows.csv'), content: uetFlowsToCsv(result.uet) };
    if (result.wan !== undefined) yield { what: 'wan', file: inFolder('wan.csv'), content: wanToCsv(result) };
  },
  *path({ path: followed }, file) {
    if (followed === undefined) return;
    yield { what: 'path', file, content: /[.]csv$/i.test(file) ? flowPathToCsv(followed) : jsonText(followed) };
  },
  *perfetto({ result }, file) {
    yield { what: 'trace', file, content: resultToPerfetto(result) };
  },
  *gantt({ result }, file) {
    yield { what: 'chart', file, content: ganttSvg(result) };
  },
  *fct({ result }, file) {
    yield { what: 'fct', file, content: referenceFctParts(result) };
  },
  *pfc({ result }, file) {
    yield { what: 'pfc', file, content: referencePfcParts(result) };
  },
  *qlen({ result }, file) {
    yield { what: 'qlen', file, content: referenceQlenParts(result) };
  },
  writeGoal: ({ graphs = [] }, file) => goalFiles(graphs, file),
  writeChakra: ({ graphs = [] }, folder) => chakraFiles(graphs, folder),
  // Written by a second run (streamed-files.ts).
  trace: () => [],
  // Written during the run (streamed-files.ts).
  pcap: () => [],
};

/**
 * Checks that all files of these runs can be written, so that no run is lost to a bad path.
 *
 * @throws system errors, which name the file.
 */
export function requirePlaces(names: readonly string[], flags: ExportFlags, report: string | undefined): void {
  for (const name of names) {
    for (const [key, { files }] of EXPORT_ROWS) {
      const target = targetOf(key, flags, name, names.length);
      if (target === undefined) continue;
      for (const file of files?.map((inFolder) => path.join(target, inFolder)) ?? [target]) requirePlace(file);
    }
  }
  if (report !== undefined) requirePlace(report);
}

function requirePlace(file: string): void {
  makeFolderOf(file);
  requireWritable(file);
}

/** The path of an export of one run; undefined: not requested. */
function targetOf(key: ExportName, flags: ExportFlags, runName: string, runCount: number): string | undefined {
  const target = flags[key];
  if (target === undefined) return undefined;
  return EXPORTS[key].argument === '<folder>' ?
    folderOfRun(target, runName, runCount) :
    fileOfRun(target, runName, runCount);
}

/**
 * Writes the files that the flags request for one run; returns those written, in the table's order, captures last. A file
 * that can't be completed is kept in a spare file.
 *
 * @param runCount number of runs of the command, including later ones. With several, file names contain the run's name.
 * @param warn reports each file that could not be written to its path.
 */
export function writeRunFiles(outcome: Outcome, runCount: number, flags: ExportFlags, warn: Warn): WrittenFile[] {
  const written: WrittenFile[] = [];
  for (const [key] of EXPORT_ROWS) {
    const target = targetOf(key, flags, outcome.scenario.name, runCount);
    if (target === undefined) continue;
    for (const { what, file, content } of WRITERS[key](outcome, target)) {
      written.push(...fileOf(what, writeOrKeep(file, content, warn)));
    }
  }
  if (outcome.rateTrace !== undefined) written.push({ what: 'rate changes', file: outcome.rateTrace });
  return [...written, ...outcome.captures.map(({ file }) => ({ what: 'capture', file }))];
}

/** A list of one file, empty if it could not be written anywhere. */
export function fileOf(what: string, file: string | undefined): WrittenFile[] {
  return file === undefined ? [] : [{ what, file }];
}

function jsonText(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}

/** Graphs of jobs as GOAL text. With several jobs, file names contain the name of the job. */
function* goalFiles(graphs: readonly NamedGraph[], target: string): Generator<PlannedFile> {
  for (const { name, graph } of graphs) {
    yield { what: 'goal', file: fileOfRun(target, name, graphs.length), content: [...writeGoal(graph)] };
  }
}

/**
 * Graphs of jobs as Chakra traces.
 *
 * @throws RoceError `invalid-workload` if Chakra cannot express the graph, before any file of the job is written.
 */
function* chakraFiles(graphs: readonly NamedGraph[], folder: string): Generator<PlannedFile> {
  for (const { name, graph } of graphs) {
    for (const { name: file, bytes } of [...writeChakra(graph, { prefix: fileNamePart(name) })]) {
      yield { what: 'chakra', file: path.join(folder, file), content: bytes };
    }
  }
}
