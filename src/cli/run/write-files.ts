/** The files of runs: results, tables, traces, captures, the report. */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Outcome } from './run-all.js';
import type { WrittenFile } from './report-text.js';
import { fileOfRun, folderOfRun } from './run-names.js';
import { flowsToCsv, portsToCsv, resultToJson, resultToPerfetto, seriesToCsv } from './simulator.js';

/** Where each kind of file goes; undefined = not wanted. */
export interface FileFlags {
  readonly json?: string;
  readonly csv?: string;
  /** Captures are written while a run goes on (run-captures.ts). */
  readonly pcap?: string;
  readonly perfetto?: string;
}

/** Writes what the flags ask for; returns what was written, in that order, captures last. */
export async function writeRunFiles(outcomes: readonly Outcome[], flags: FileFlags): Promise<WrittenFile[]> {
  const written: WrittenFile[] = [];
  for (const outcome of outcomes) {
    for (const { what, file, content } of contentsOf(outcome, flags, outcomes.length)) {
      await writeInto(file, content);
      written.push({ what, file });
    }
    written.push(...outcome.captures.map(({ file }) => ({ what: 'capture', file })));
  }
  return written;
}

/** Makes the folders on the way. */
export async function writeInto(file: string, content: string | Uint8Array): Promise<void> {
  await mkdir(path.dirname(path.resolve(file)), { recursive: true });
  await writeFile(file, content);
}

interface FileContent extends WrittenFile {
  readonly content: string | Uint8Array;
}

function* contentsOf({ scenario, result }: Outcome, { json, csv, perfetto }: FileFlags,
  runCount: number): Generator<FileContent> {
  const { name } = scenario;
  if (json !== undefined) {
    yield { what: 'result', file: fileOfRun(json, name, runCount), content: resultToJson(result) };
  }
  if (csv !== undefined) {
    const folder = folderOfRun(csv, name, runCount);
    yield { what: 'flows', file: path.join(folder, 'flows.csv'), content: flowsToCsv(result) };
    yield { what: 'ports', file: path.join(folder, 'ports.csv'), content: portsToCsv(result) };
    yield { what: 'series', file: path.join(folder, 'series.csv'), content: seriesToCsv(result) };
  }
  if (perfetto !== undefined) {
    yield { what: 'trace', file: fileOfRun(perfetto, name, runCount), content: resultToPerfetto(result) };
  }
}
