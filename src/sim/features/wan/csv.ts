/**
 * Tunnels, borders and ARNs of a result as CSV: one row for each count that is not 0. Columns and units:
 * docs/guides/results.md.
 */
import { checkRecord } from '../../../config/field-rules.js';
import type { SimResult } from '../../result.js';
import { toCsv, type CsvColumn } from '../../files/csv.js';

interface WanRow {
  readonly kind: 'node' | 'port' | 'service' | 'flow' | 'priority';
  readonly name: string;
  readonly counter: string;
  readonly value: number;
}

const COLUMNS: readonly CsvColumn<WanRow>[] = [
  { name: 'kind', value: ({ kind }) => kind },
  { name: 'name', value: ({ name }) => name },
  { name: 'counter', value: ({ counter }) => counter },
  { name: 'value', value: ({ value }) => value },
];

/**
 * The WAN counters of a result as CSV, with a header line; without a WAN only the header.
 * @throws RoceError `invalid-argument` if it is not a result.
 */
export function wanToCsv(result: Pick<SimResult, 'wan'>): string {
  checkRecord(result, 'result');
  const { nodes = [], arnPorts = [], held = [] } = result.wan ?? {};
  return toCsv(COLUMNS, [
    ...nodes.flatMap(({ node, ...counts }) => rowsOf('node', node, counts)),
    ...arnPorts.flatMap(({ port, ...counts }) => rowsOf('port', port, counts)),
    ...held.flatMap(({ level, name, heldPs }) => rowsOf(level, name, { heldPs })),
  ]);
}

function rowsOf(kind: WanRow['kind'], name: string, counts: Readonly<Record<string, number>>): WanRow[] {
  return Object.entries(counts).filter(([, value]) => value > 0).map(([counter, value]) => ({
    kind,
    name,
    counter,
    value,
  }));
}
