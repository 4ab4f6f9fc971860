/**
 * The path of a flow as CSV: one row for each link that its data packet and the response crossed, in order. Columns and units:
 * docs/guides/results.md.
 */
import { checkRecord } from '../../config/field-rules.js';
import type { FlowPath, PacketRoute, RouteHop } from '../flow-path/flow-path.js';
import { columnsOf, toCsv, type CsvColumn } from './csv.js';

interface PathRow extends RouteHop {
  readonly flow: number;
  readonly kind: PacketRoute['kind'];
  readonly sequence: number;
  readonly hop: number;
}

const COLUMNS: readonly CsvColumn<PathRow>[] = [
  ...columnsOf<PathRow>('flow', 'kind', 'sequence', 'hop', 'port', 'node', 'peer', 'arrivedPs', 'leftPs', 'reachedPs',
    'lenBytes', 'aheadBytes'),
  { name: 'marked', value: ({ marked }) => (marked ? 1 : 0) },
  { name: 'tunnel', value: ({ tunnel }) => tunnel },
];

/**
 * Both routes of a path as CSV, with a header line.
 * @throws RoceError `invalid-argument` if it is not a path.
 */
export function flowPathToCsv(path: FlowPath): string {
  checkRecord(path, 'path');
  const { flow, data, response } = path;
  return toCsv(COLUMNS,
    [data, ...(response === null ? [] : [response])].flatMap(({ kind, sequence, hops }) =>
      hops.map((hop, at) => ({ ...hop, flow, kind, sequence, hop: at + 1 }))
    ));
}
