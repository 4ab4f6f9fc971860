/**
 * A result as CSV, with a header line: flows, ports, samples of the series, counts of a WAN, and the path of a flow.
 * Columns and units: docs/reference/result-members.md, docs/guides/results.md.
 */
import { checkRecord } from '../../config/field-rules.js';
import type { FlowPath, PacketRoute, RouteHop } from '../flow-path/flow-path.js';
import { FLOW, LOSS_FIGURES, VERB_FIGURES } from '../result-schema/flows.js';
import { PORT } from '../result-schema/network.js';
import type { FlowResult, SimResult, PortResult, SeriesResult } from '../result.js';
import { csvParts, snakeCase, toCsv, type CsvColumn, columnsOf } from './csv.js';

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

/** Members that every port has. */
const MEMBERS = (Object.keys(PORT.shape) as (keyof typeof PORT.shape)[])
  .filter((member) => member !== 'name' && PORT.shape[member].type !== 'optional');

export const PORT_COLUMNS: readonly CsvColumn<PortResult>[] = [
  { name: 'port', value: ({ name }) => name },
  ...columnsOf<PortResult>(...MEMBERS),
];

/** The ports of a result as CSV, one row per port, with a header line. */
export function portsToCsv(result: Pick<SimResult, 'ports'>): string {
  checkRecord(result, 'result');
  const { ports } = result;
  return toCsv(PORT_COLUMNS, ports);
}

/** The series of a result as CSV, one row per sample, with a header line. */
export function seriesToCsv(result: Pick<SimResult, 'series'>): string {
  checkRecord(result, 'result');
  const { series } = result;
  return toCsv(seriesColumns(series), series.timesPs.keys());
}

/** Columns of the series; a row is the index of a sample. */
function seriesColumns(series: SeriesResult): CsvColumn<number>[] {
  return [
    { name: 'time_ps', value: (sample) => series.timesPs[sample] },
    { name: 'fairness', value: (sample) => series.fairness[sample] ?? null },
    ...quantityColumns('queue_bytes', series.queueBytes),
    ...quantityColumns('utilization', series.utilization),
    ...quantityColumns('rate_bps', series.rateBps),
    ...quantityColumns('most_queue_bytes', series.mostQueueBytes ?? {}),
  ];
}

function quantityColumns(quantity: string, values: Readonly<Record<string, readonly number[]>>): CsvColumn<number>[] {
  return Object.entries(values).map(([name, samples]) => ({
    name: `${quantity}[${name}]`,
    value: (sample) => samples[sample] ?? null,
  }));
}

interface PathRow extends RouteHop {
  readonly flow: number;
  readonly kind: PacketRoute['kind'];
  readonly sequence: number;
  readonly hop: number;
}

const PATH_COLUMNS: readonly CsvColumn<PathRow>[] = [
  ...columnsOf<PathRow>('flow', 'kind', 'sequence', 'hop', 'port', 'node', 'peer', 'arrivedPs', 'leftPs', 'reachedPs',
    'lenBytes', 'aheadBytes'),
  { name: 'marked', value: ({ marked }) => (marked ? 1 : 0) },
  { name: 'tunnel', value: ({ tunnel }) => tunnel },
];

/**
 * The path of a flow as CSV: one row for each link that its data packet and the response crossed, in order.
 * @throws RoceError `invalid-argument` if it is not a path.
 */
export function flowPathToCsv(path: FlowPath): string {
  checkRecord(path, 'path');
  const { flow, data, response } = path;
  return toCsv(PATH_COLUMNS,
    [data, ...(response === null ? [] : [response])].flatMap(({ kind, sequence, hops }) =>
      hops.map((hop, at) => ({ ...hop, flow, kind, sequence, hop: at + 1 }))
    ));
}

interface WanRow {
  readonly kind: 'node' | 'port' | 'service' | 'flow' | 'priority';
  readonly name: string;
  readonly counter: string;
  readonly value: number;
}

const WAN_COLUMNS: readonly CsvColumn<WanRow>[] = [
  { name: 'kind', value: ({ kind }) => kind },
  { name: 'name', value: ({ name }) => name },
  { name: 'counter', value: ({ counter }) => counter },
  { name: 'value', value: ({ value }) => value },
];

/**
 * Tunnels, borders and ARNs of a result as CSV: one row for each count that is not 0; without a WAN only the header.
 * @throws RoceError `invalid-argument` if it is not a result.
 */
export function wanToCsv(result: Pick<SimResult, 'wan'>): string {
  checkRecord(result, 'result');
  const { nodes = [], arnPorts = [], held = [] } = result.wan ?? {};
  return toCsv(WAN_COLUMNS, [
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
