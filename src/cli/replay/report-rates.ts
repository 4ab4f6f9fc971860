/** Report table of flows: notifications, rates, and a sparkline of the rate over time. */
import sparkly from 'sparkly';
import { formatCount, formatCountOf, formatDigits, formatDuration, formatPlain, formatQpn,
  formatRate } from '../../view/format.js';
import { resampleRates } from '../../replay/rate-history.js';
import type { FlowSummary, ReplayReport } from '../../replay/index.js';
import type { ShortAddresses } from './report.js';
import { heading, shorten, wrap, type TextStyle } from '../terminal.js';
import { columnWidth, table, type Column } from '../text-table.js';

/** Maximum number of flows shown; `--json` has all. */
const ROWS_MAX = 40;
const NAME_MAX = 14;
const ADDRESS_MAX = 26;
const ADDRESS_LEAST = 6;
const LINE_MAX = 32;
const LINE_LEAST = 16;
const QUIET_NAMES_MAX = 12;
/** Maximum decades of the sparkline's logarithmic scale. */
const DECADES_MAX = 6;
const GIGA = 1e9;
const MEGA = 1e6;
const ADDRESS_COLUMN = 1;

/** Lines of the section; empty without flows. */
export function rateSection(result: ReplayReport, addresses: ShortAddresses, style: TextStyle): string[] {
  if (result.flows.length === 0 || result.capture.frames === 0) return [];
  const busy = result.flows.filter(isBusy);
  const shown = busy.length > ROWS_MAX ? slowest(busy) : busy;
  const lines = heading('Reaction points: rate of each sender', style);
  if (shown.length > 0) lines.push(...rateTable(shown, result, addresses, style));
  if (shown.length < busy.length) {
    lines.push(...wrap(`The ${ROWS_MAX} with the lowest rates of ${formatCount(busy.length)}; --json has all.`, style));
  }
  return [...lines, ...quietLines(result, style)];
}

function isBusy(flow: FlowSummary): boolean {
  return flow.markedFrames + flow.cnpsSeen + flow.fastCnpsSeen > 0 || flow.rateLine !== undefined;
}

function slowest(flows: readonly FlowSummary[]): FlowSummary[] {
  return [...flows].sort((a, b) => a.lowestRateBps - b.lowestRateBps).slice(0, ROWS_MAX);
}

function rateTable(flows: readonly FlowSummary[], result: ReplayReport, addresses: ShortAddresses,
  style: TextStyle): string[] {
  const lineRateBps = result.config.parameters.maxRateBps;
  const [unitBps, unit] = lineRateBps >= GIGA ? [GIGA, 'Gb/s'] : [MEGA, 'Mb/s'];
  const columns: Column[] = [
    { head: '\nflow', align: 'left' },
    { head: '\nsender', align: 'left' },
    { head: '\nQPN' },
    { head: 'marked\nframes' },
    { head: 'CNPs\ndue' },
    { head: 'CNPs\nseen' },
    { head: 'Fast CNP\nacc/seen' },
    { head: `lowest\n${unit}` },
    { head: `now\n${unit}` },
  ];
  const rows = flows.map((flow) => rowOf(flow, addresses, unitBps));
  const room = style.columns - widthOf(columns, rows);
  const { address, line } = shareRoom(room,
    columnWidth({ head: 'sender' }, rows.map((row) => row[ADDRESS_COLUMN] ?? '')));
  const scale = { lowBps: lowEnd(flows, lineRateBps), highBps: lineRateBps };
  const axis = `${formatPlain(scale.lowBps / unitBps)} to ${formatPlain(lineRateBps / unitBps)}, log`;
  columns.push({ head: `over ${formatDuration(result.capture.durationPs)}\n${axis}`, align: 'left' });
  const cells = rows.map((row, index) => {
    const rateLine = drawLine(flows[index], result, scale, line);
    return [...row.map((cell, column) => (column === ADDRESS_COLUMN ? shorten(cell, address) : cell)), rateLine];
  });
  if (address > 0) return table(columns, cells);
  const isKept = (_: unknown, column: number): boolean => column !== ADDRESS_COLUMN;
  return table(columns.filter(isKept), cells.map((row) => row.filter(isKept)));
}

function rowOf(flow: FlowSummary, addresses: ShortAddresses, unitBps: number): string[] {
  const fastCnps = flow.fastCnpsSeen === 0 ?
    '0' :
    `${formatCount(flow.fastCnpsAccepted)}/${formatCount(flow.fastCnpsSeen)}`;
  return [
    shorten(flow.reverse ? `${flow.flow} reverse` : flow.flow, NAME_MAX),
    shorten(addresses.of(flow.sender.address), ADDRESS_MAX),
    formatQpn(flow.sender.qpn),
    formatCount(flow.markedFrames),
    formatCount(flow.cnpsDue),
    formatCount(flow.cnpsSeen),
    fastCnps,
    formatDigits(flow.lowestRateBps / unitBps),
    formatDigits(flow.rateBps / unitBps),
  ];
}

/** Width of all columns except the address. */
function widthOf(columns: readonly Column[], rows: readonly (readonly string[])[]): number {
  return columns.reduce((sum, column, index) => {
    return index === ADDRESS_COLUMN ? sum : sum + columnWidth(column, rows.map((row) => row[index] ?? ''));
  }, 0);
}

/**
 * Divides the space between addresses and sparklines: a sparkline gets what the addresses leave, within limits. On a
 * narrow terminal addresses are shortened, then omitted (0).
 */
function shareRoom(room: number, addressWidth: number): { address: number; line: number } {
  const gap = columnWidth({ head: '' }, []);
  const fit = (width: number): number => Math.max(LINE_LEAST, Math.min(LINE_MAX, width));
  const line = fit(room - addressWidth - gap);
  const address = Math.min(addressWidth - gap, room - line - 2 * gap);
  return address < ADDRESS_LEAST ? { address: 0, line: fit(room - gap) } : { address, line };
}

interface Scale {
  readonly lowBps: number;
  readonly highBps: number;
}

/** Bottom of the scale: whole decades below the line rate, as few as include all rates, at most six. */
function lowEnd(flows: readonly FlowSummary[], lineRateBps: number): number {
  const lowest = Math.min(...flows.map((flow) => flow.lowestRateBps));
  let decades = 1;
  while (decades < DECADES_MAX && lineRateBps / 10 ** decades > lowest) decades++;
  return lineRateBps / 10 ** decades;
}

/**
 * Draws a rate on a logarithmic scale: congestion control halves rates, and eight linear levels would hide a fourth
 * halving.
 */
function drawLine(flow: FlowSummary | undefined, result: ReplayReport, { lowBps, highBps }: Scale,
  length: number): string {
  const rates = flow?.rateLine && resampleRates(flow.rateLine, result.capture.durationPs, length);
  const logs = (rates ?? new Array<number>(length).fill(highBps)).map((rateBps) =>
    Math.log10(Math.max(rateBps, lowBps))
  );
  return sparkly(logs, { minimum: Math.log10(lowBps), maximum: Math.log10(highBps) });
}

function quietLines(result: ReplayReport, style: TextStyle): string[] {
  const quiet = result.flows.filter((flow) => !isBusy(flow));
  if (quiet.length === 0) return [];
  const rate = formatRate(result.config.parameters.maxRateBps);
  const names = quiet.slice(0, QUIET_NAMES_MAX).map((flow) => flow.flow).join(', ');
  const more = quiet.length - QUIET_NAMES_MAX;
  const rest = more > 0 ? ` and ${formatCount(more)} more` : '';
  const list = quiet.length === result.flows.length ? '' : `: ${names}${rest}`;
  return wrap(`${formatCountOf(quiet.length, 'flow')} without marks or notifications stayed at ${rate}${list}.`, style);
}
