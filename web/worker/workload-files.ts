/** Reads workload files that were opened on the page: makes scenarios, and graphs of the jobs that name them. */
import { endlessOf, jobEntries, scenarioOfFile } from '../../src/sim/features/jobs/job-scenarios.js';
import type { WorkloadGraph } from '../../src/workloads/graph/workload-graph.js';
import { type FileFormat, formatOfFile, JOB_FORMATS } from '../../src/workloads/job-formats.js';
import { FILE_READERS, type Endless, type JobEntry } from '../../src/workloads/job-readers.js';
import type { GraphsByFile } from '../protocol/run-protocol.js';

const INDENT = 2;

/**
 * The text of a scenario for a single file.
 *
 * @throws RoceError `invalid-workload`; Error if the name has no known extension.
 */
export async function scenarioTextOf(file: File): Promise<string> {
  const format = formatOfFile(file.name);
  if (format === undefined) {
    const endings = Object.values(JOB_FORMATS).flatMap(({ endings: some }) => some);
    throw new Error(`${file.name} must have one of the endings ${endings.join(', ')}.`);
  }
  const entry: JobEntry = { format, file: file.name };
  const graph = await read(file, entry, format, 'sent');
  return JSON.stringify(scenarioOfFile(entry, graph), null, INDENT);
}

/** Graphs of those jobs of a scenario whose files are given. @throws RoceError `invalid-workload`. */
export async function graphsOfScenario(text: string, files: readonly File[]): Promise<GraphsByFile> {
  const spec = parsed(text);
  const graphs: Record<string, WorkloadGraph> = {};
  for (const entry of jobEntries(spec)) {
    const file = files.find(({ name }) => name === entry.file);
    const { format } = entry;
    if (file !== undefined && isFileFormat(format))
      graphs[entry.file] = await read(file, entry, format, endlessOf(spec));
  }
  return graphs;
}

function read(file: File, entry: JobEntry, format: FileFormat, endless: Endless): Promise<WorkloadGraph> {
  return FILE_READERS[format](file.stream(), entry, endless);
}

function isFileFormat(format: string): format is FileFormat {
  return Object.hasOwn(FILE_READERS, format);
}

/** Parses JSON; undefined for invalid text, which the worker of the run reports. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
