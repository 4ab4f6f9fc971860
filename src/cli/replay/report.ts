/** Input of a report: the result, plus data from the command line. */
import type { NoteRecord } from '../../note-record.js';
import type { ReplayReport } from '../../replay/index.js';
import { describeError, errorFields } from '../describe-error.js';

/** Source of the flows. */
export type FlowsFrom = 'list' | 'connections' | 'none';

export interface Report {
  readonly result: ReplayReport;
  /** Title; undefined: the command and the file. */
  readonly title?: string;
  /** Path of the capture as given; `-` = standard input. */
  readonly file: string;
  /** Path of the flow list, if there is one. */
  readonly flowsFile: string | undefined;
  /** Source of the flows: a list, the connections found in the capture, or none. */
  readonly flowsFrom: FlowsFrom;
  readonly flowCount: number;
  /** Whether this is the default replay, of the bundled capture. */
  readonly bundled: boolean;
  /** How the program was started, for hints: `npm start --` or `roce-cc`. */
  readonly program: string;
  /** Source of the reaction point's parameters: a preset or a settings file. */
  readonly origin: string;
  /** Assumptions made when importing settings. */
  readonly notes: readonly NoteRecord[];
  readonly warnings: readonly NoteRecord[];
}

/** Whether there is anything to follow: marks, CNPs or Fast CNPs. */
export function hasNotifications({ notifications, fastCnps }: ReplayReport): boolean {
  return notifications.markedFrames + notifications.cnpsSeen + fastCnps.seen > 0;
}

/* Formats the report as JSON: the unchanged result, plus data from the command line. */

/** One indented JSON object, with a line end. */
export function renderJson(report: Report): string {
  const { result, file, flowsFile, flowsFrom, origin, notes, warnings } = report;
  const { schema, capture, error, ...found } = result;
  const described = error === undefined ? null : { ...errorFields(error), message: describeError(error, file) };
  const object = {
    schema,
    file,
    flowsFile: flowsFile ?? null,
    flowsFrom,
    complete: error === undefined && !capture.limited,
    error: described,
    parametersFrom: origin,
    notes,
    warnings,
    capture,
    ...found,
  };
  return `${JSON.stringify(object, undefined, 2)}\n`;
}
