/**
 * Flow lists: CSV with a header line; the columns `sender_addr, sender_qpn, peer_addr, peer_qpn` must be there, `flow`
 * (a name) may, others are passed over. QPNs are decimal or 0x hexadecimal; lines that begin with # are comments.
 */
import { parse, CsvError } from 'csv-parse/sync';
import { RoceError } from '../../errors.js';
import { formatIpAddress, parseIpAddress } from '../../wire/ip/ip-address.js';

/** A connection, named from the data sender's side. */
export interface Flow {
  /** From the column `flow`, else its place in the list, from 0. */
  readonly name: string;
  readonly senderAddress: string;
  readonly senderQpn: number;
  readonly peerAddress: string;
  readonly peerQpn: number;
  /** `file:line`, for errors. */
  readonly where: string;
}

interface Row {
  readonly record: Readonly<Record<string, string>>;
  readonly where: string;
}

const REQUIRED_COLUMNS = ['sender_addr', 'sender_qpn', 'peer_addr', 'peer_qpn'] as const;
const QPN_MAX = 0xffffff;
const QPN_PATTERN = /^(?:\d+|0x[0-9a-f]+)$/i;

/**
 * Reads a flow list.
 *
 * @param text the CSV.
 * @param file what errors call it.
 * @throws RoceError `invalid-flows`, `where` = file and line.
 */
export function parseFlows(text: string, file: string): Flow[] {
  const rows = readRows(text, file);
  if (rows.length === 0) throw invalidFlows('no flows', '0 rows', 'a header line and at least one flow', file);
  return rows.map(readFlow);
}

export function invalidFlows(what: string, got: unknown, allowed: string, where: string): RoceError {
  return new RoceError('invalid-flows', what, { got, allowed, where });
}

function readRows(text: string, file: string): Row[] {
  try {
    const rows: { record: Record<string, string>; info: { lines: number } }[] = parse(text, {
      bom: true,
      columns: (header: string[]) => checkHeader(header, file),
      comment: '#',
      comment_no_infix: true,
      info: true,
      skip_empty_lines: true,
      trim: true,
    });
    return rows.map(({ record, info }) => ({ record, where: `${file}:${info.lines}` }));
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw invalidFlows('not a table', error.message, 'CSV with one row per flow', file);
  }
}

function checkHeader(header: string[], file: string): string[] {
  const columns = header.map((name) => name.trim().toLowerCase());
  const missing = REQUIRED_COLUMNS.filter((name) => !columns.includes(name));
  if (missing.length > 0) {
    throw invalidFlows(`no column ${missing.join(', ')}`, columns.join(','),
      `a header with ${REQUIRED_COLUMNS.join(',')}`, `${file}:1`);
  }
  return columns;
}

function readFlow({ record, where }: Row, index: number): Flow {
  const { flow = '' } = record;
  return {
    name: flow === '' ? String(index) : flow,
    senderAddress: readAddress(record, 'sender_addr', where),
    senderQpn: readQpn(record, 'sender_qpn', where),
    peerAddress: readAddress(record, 'peer_addr', where),
    peerQpn: readQpn(record, 'peer_qpn', where),
    where,
  };
}

/** In canonical form, so that equal addresses are equal text. */
function readAddress(record: Row['record'], column: string, where: string): string {
  const text = record[column] ?? '';
  try {
    return formatIpAddress(parseIpAddress(text, column));
  } catch (error) {
    if (!(error instanceof RoceError)) throw error;
    throw new RoceError('invalid-flows', { ...error, where: `${where}, ${column}` });
  }
}

function readQpn(record: Row['record'], column: string, where: string): number {
  const text = record[column] ?? '';
  const qpn = QPN_PATTERN.test(text) ? Number(text) : NaN;
  if (qpn >= 1 && qpn <= QPN_MAX) return qpn;
  throw invalidFlows(`bad ${column}`, text, `1 to ${QPN_MAX}, decimal or 0x hexadecimal`, where);
}
