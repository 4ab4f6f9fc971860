/** Formats the report as JSON: the unchanged result, plus data from the command line. */
import { describeError, errorFields } from '../describe-error.js';
import type { Report } from './report.js';

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
