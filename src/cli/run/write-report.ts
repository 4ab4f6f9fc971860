/** Writes the HTML report of runs, one file with charts. */
import { writeOrKeep, type Warn } from '../write-file.js';
import { PAGE_SCRIPT, PAGE_STYLE } from '../report/page-assets.js';
import { reportHtml } from '../report/report-html.js';
import { resultsOf, type WrittenFile } from './report-text.js';
import type { Outcome } from './run-all.js';
import { runCommands } from './run-commands.js';
import { changesOf, type Job, type RunFlags } from './run-job.js';
import { fileOf } from './write-files.js';

/** Inputs of a report in addition to the runs. */
interface Reporting {
  readonly flags: RunFlags;
  /** Version of the package. */
  readonly version: string;
  readonly warn: Warn;
}

/** Writes the report of all runs, if requested. */
export function writeReport(outcomes: readonly Outcome[], job: Job,
  { flags, version, warn }: Reporting): WrittenFile[] {
  if (job.report === undefined || outcomes.length === 0) return [];
  const commands = runCommands(outcomes, {
    isMain: job.isMain,
    isCompared: job.isCompared,
    changes: changesOf(flags),
    seed: flags.seed,
    topology: flags.topology?.text,
    qlen: flags.qlen,
    ignoreUnknownKeys: flags.ignoreUnknownKeys,
    topo: flags.topo,
    connections: flags.connections,
    settings: settingsWords(flags),
  });
  const paths = outcomes.map(({ path }) => path);
  const assets = { script: PAGE_SCRIPT, style: PAGE_STYLE, version, commands, lab: flags.lab, paths };
  return fileOf('report', writeOrKeep(job.report, reportHtml(resultsOf(outcomes), assets), warn));
}

/** Options as the user typed them. */
function settingsWords({ settings = [], lineRate, mss, rtt }: RunFlags): readonly string[] {
  return [
    ...settings.flatMap((file) => ['--settings', file]),
    ...(lineRate === undefined ? [] : ['--line-rate', String(lineRate)]),
    ...(mss === undefined ? [] : ['--mss', String(mss)]),
    ...(rtt === undefined ? [] : ['--rtt', `${rtt}ps`]),
  ];
}
