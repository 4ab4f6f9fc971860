/** The files of runs: results, tables, traces, captures, the report. */
import { flowPathToCsv } from '../../sim/files/flow-path-csv.js';
import { flowsCsvParts } from '../../sim/files/flows-csv.js';
import { portsToCsv } from '../../sim/files/ports-csv.js';
import { referenceFctParts } from '../../sim/files/reference-fct.js';
import { referencePfcParts } from '../../sim/files/reference-pfc.js';
import { referenceQlenParts } from '../../sim/files/reference-qlen.js';
import { resultJsonParts } from '../../sim/files/result-json.js';
import { resultToPerfetto } from '../../sim/files/perfetto.js';
import { seriesToCsv } from '../../sim/files/series-csv.js';
import { wanToCsv } from '../../sim/features/wan/csv.js';
import { uetFlowsToCsv } from '../../uet/flows-csv.js';
import path from 'node:path';
import { ganttSvg } from '../figures/gantt-svg.js';
import type { Outcome } from './run-all.js';
import type { WrittenFile } from './report-text.js';
import { writeOrKeep, type Warn, type FileContent } from '../kept-file.js';
import { makeFolderOf, requireWritable } from '../write-file.js';
import { fileOfRun, folderOfRun } from './run-names.js';
import { graphFiles, type GraphFlags } from './write-graphs.js';

/** Where each kind of file goes; undefined = not wanted. */
export interface FileFlags extends GraphFlags {
  readonly json?: string;
  readonly csv?: string;
  /** Captures are written during a run (run-captures.ts). */
  readonly pcap?: string;
  /** The path of a flow: JSON, or CSV by its ending. */
  readonly path?: string;
  /** Rate changes are written by a second run (rate-trace-file.ts). */
  readonly trace?: string;
  readonly perfetto?: string;
  /** Jobs over time, as SVG. */
  readonly gantt?: string;
  /** Completion times as the reference simulator writes them. */
  readonly fct?: string;
  /** Pauses, in the same way. */
  readonly pfc?: string;
  /** Lengths of queues, in the same way. */
  readonly qlen?: string;
}

/**
 * Tries all places that files of these runs will go to, so that no run is for nothing.
 *
 * @throws errors of the system, which name the file.
 */
export function requirePlaces(names: readonly string[], flags: FileFlags, report: string | undefined): void {
  for (const name of names) {
    for (const file of placesOf(name, flags, names.length)) requirePlace(file);
  }
  if (report !== undefined) requirePlace(report);
}

function requirePlace(file: string): void {
  makeFolderOf(file);
  requireWritable(file);
}

function* placesOf(name: string, flags: FileFlags, runCount: number): Generator<string> {
  const { json, csv, trace, perfetto, gantt, fct, pfc, qlen, pcap, path: pathFile, writeGoal, writeChakra } = flags;
  if (csv !== undefined) { for (const file of CSV_FILES) yield path.join(folderOfRun(csv, name, runCount), file); }
  for (const file of [json, trace, perfetto, gantt, fct, pfc, qlen, pathFile])
    if (file !== undefined) yield fileOfRun(file, name, runCount);
  if (writeGoal !== undefined) yield fileOfRun(writeGoal, name, runCount);
  if (writeChakra !== undefined) yield path.join(folderOfRun(writeChakra, name, runCount), 'trace.0.et');
  if (pcap !== undefined) yield path.join(folderOfRun(pcap, name, runCount), 'port.pcap');
}

/**
 * Writes the files that the flags request for one run; returns those written, in that order, captures last. A file that
 * can't be completed is kept in a spare file.
 *
 * @param runCount of the command, also of those still to come: it decides on names.
 * @param warn reports each file that could not be written where it should be.
 */
export function writeRunFiles(outcome: Outcome, runCount: number, flags: FileFlags, warn: Warn): WrittenFile[] {
  const written: WrittenFile[] = [];
  for (const { what, file, content } of contentsOf(outcome, flags, runCount)) {
    written.push(...fileOf(what, writeOrKeep(file, content, warn)));
  }
  if (outcome.rateTrace !== undefined) written.push({ what: 'rate changes', file: outcome.rateTrace });
  return [...written, ...outcome.captures.map(({ file }) => ({ what: 'capture', file }))];
}

/** One, or none if it could not be written anywhere. */
export function fileOf(what: string, file: string | undefined): WrittenFile[] {
  return file === undefined ? [] : [{ what, file }];
}

function jsonText(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}

const CSV_FILES = ['flows.csv', 'ports.csv', 'series.csv'];

interface Planned extends WrittenFile {
  readonly content: FileContent;
}

function* contentsOf({ scenario, result, graphs = [], path: followed }: Outcome, flags: FileFlags,
  runCount: number): Generator<Planned> {
  const { json, csv, perfetto, gantt, fct, pfc, qlen } = flags;
  const { name } = scenario;
  if (json !== undefined) {
    yield { what: 'result', file: fileOfRun(json, name, runCount), content: resultJsonParts(result) };
  }
  if (csv !== undefined) {
    const folder = folderOfRun(csv, name, runCount);
    yield { what: 'flows', file: path.join(folder, 'flows.csv'), content: flowsCsvParts(result) };
    yield { what: 'ports', file: path.join(folder, 'ports.csv'), content: portsToCsv(result) };
    yield { what: 'series', file: path.join(folder, 'series.csv'), content: seriesToCsv(result) };
    if (result.uet !== undefined)
      yield { what: 'uet', file: path.join(folder, 'uet-flows.csv'), content: uetFlowsToCsv(result.uet) };
    if (result.wan !== undefined)
      yield { what: 'wan', file: path.join(folder, 'wan.csv'), content: wanToCsv(result) };
  }
  if (flags.path !== undefined && followed !== undefined) {
    const file = fileOfRun(flags.path, name, runCount);
    yield { what: 'path', file, content: /[.]csv$/i.test(file) ? flowPathToCsv(followed) : jsonText(followed) };
  }
  if (perfetto !== undefined) {
    yield { what: 'trace', file: fileOfRun(perfetto, name, runCount), content: resultToPerfetto(result) };
  }
  if (gantt !== undefined) {
    yield { what: 'chart', file: fileOfRun(gantt, name, runCount), content: ganttSvg(result) };
  }
  if (fct !== undefined) {
    yield { what: 'fct', file: fileOfRun(fct, name, runCount), content: referenceFctParts(result) };
  }
  if (pfc !== undefined) {
    yield { what: 'pfc', file: fileOfRun(pfc, name, runCount), content: referencePfcParts(result) };
  }
  if (qlen !== undefined) {
    yield { what: 'qlen', file: fileOfRun(qlen, name, runCount), content: referenceQlenParts(result) };
  }
  yield* graphFiles(graphs, flags, name, runCount);
}
