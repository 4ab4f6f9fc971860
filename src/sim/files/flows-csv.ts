/** The flows of a result as CSV, one row per flow. Columns: docs/reference/result-members.md. */
import { checkRecord } from '../../config/field-rules.js';
import type { FlowResult, SimResult } from '../result.js';
import { FLOW, LOSS_FIGURES, VERB_FIGURES } from '../result-schema/flows.js';
import { csvParts, snakeCase, toCsv, type CsvColumn } from './csv.js';

/** Members that only the JSON has: settings, lists, and where a pause held a flow. */
const NOT_COLUMNS: readonly string[] = [
  'index',
  'endless',
  'restarted',
  'windowBytes',
  'path',
  'heldPs',
  'heldAt',
  'heldBy',
];
/**
 * An absent counter is written as 0, except under `reference-uet`, which does not count it. Other absent members are empty
 * fields.
 */
const COUNTERS: readonly string[] = [...LOSS_FIGURES, 'detours', ...VERB_FIGURES];
const NAMES = (Object.keys(FLOW.shape) as (keyof typeof FLOW.shape)[]).filter((name) => !NOT_COLUMNS.includes(name));

export const FLOW_COLUMNS: readonly CsvColumn<FlowResult>[] = columnsWith(0);
const UET_COLUMNS: readonly CsvColumn<FlowResult>[] = columnsWith(null);

function columnsWith(noCount: 0 | null): readonly CsvColumn<FlowResult>[] {
  return [
    { name: 'flow', value: ({ index }) => index },
    ...NAMES.map((member) => {
      const none = COUNTERS.includes(member) ? noCount : null;
      return {
        name: snakeCase(member),
        value: (row: FlowResult) => row[member] as string | number | null | undefined ?? none,
      };
    }),
  ];
}

/** The flows of a result as CSV, one row per flow, with a header line. */
export function flowsToCsv(result: Pick<SimResult, 'flows' | 'uet'>): string {
  checkRecord(result, 'result');
  const { flows, uet } = result;
  return toCsv(uet === undefined ? FLOW_COLUMNS : UET_COLUMNS, flows);
}

/** Like `flowsToCsv`, but in parts: millions of flows exceed the maximum length of a string. */
export function flowsCsvParts(result: Pick<SimResult, 'flows' | 'uet'>): Iterable<string> {
  checkRecord(result, 'result');
  const { flows, uet } = result;
  return csvParts(uet === undefined ? FLOW_COLUMNS : UET_COLUMNS, flows);
}
