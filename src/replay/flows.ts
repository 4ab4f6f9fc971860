/**
 * Flow lists: CSV with a header line. The columns `sender_addr, sender_qpn, peer_addr, peer_qpn` are required, `flow`
 * (a name) is optional, others are ignored. QPNs are decimal or 0x hexadecimal; lines that begin with # are comments.
 */
import { QPN_MAX } from '../abi/layout.js';
import { RoceError, type RoceErrorFields } from '../errors.js';
import { formatIpAddress, parseIpAddress } from '../wire/ip/ip-address.js';
import { readCsv } from './csv.js';

/** A connection, named from the data sender's side. */
export interface Flow {
  /** Name from the column `flow`, or else the flow's index in the list, from 0. */
  readonly name: string;
  /** IP address of the data sender, in canonical form. */
  readonly senderAddress: string;
  /** QP number at the sender, 1..2^24 - 1. Notifications carry it. */
  readonly senderQpn: number;
  /** IP address of the data receiver, in canonical form. */
  readonly peerAddress: string;
  /** QP number at the receiver, 1..2^24 - 1. Data frames and Fast CNPs carry it. */
  readonly peerQpn: number;
  /** `file:line`, for errors. */
  readonly where: string;
}

/** A row of the list, its values by column name, with its position. */
interface Row {
  readonly record: Readonly<Record<string, string>>;
  readonly where: string;
}

const REQUIRED_COLUMNS = ['sender_addr', 'sender_qpn', 'peer_addr', 'peer_qpn'] as const;
const QPN_PATTERN = /^(?:\d+|0x[0-9a-f]+)$/i;

/**
 * Reads a flow list.
 *
 * @param text the CSV.
 * @param file name of the file, for errors.
 * @throws RoceError `invalid-flows`, `where` = file and line.
 * @example
 * const flows = parseFlows('sender_addr,sender_qpn,peer_addr,peer_qpn\n10.0.0.1,0x11,10.0.0.2,0x12\n', 'flows.csv');
 */
export function parseFlows(text: string, file: string): Flow[] {
  for (const [where, got] of Object.entries({ text, file })) {
    if (typeof got !== 'string') throw new RoceError('invalid-argument', { where, got, allowed: 'a string' });
  }
  const rows = readCsv(text, (line, problem) => {
    throw invalidFlows({ what: 'flow list', problem, where: `${file}:${line}` });
  });
  const header = rows.next().value;
  const columns = header === undefined ? [] : checkHeader(header.fields, `${file}:${header.line}`);
  const flows: Flow[] = [];
  for (const { fields, line } of rows) {
    flows.push(readFlow(rowOf(columns, fields, `${file}:${line}`), flows.length));
  }
  if (flows.length === 0) throw invalidFlows({ what: 'flow list', problem: 'has no flows', where: file });
  return flows;
}

/** Makes an `invalid-flows` error. */
export function invalidFlows(fields: RoceErrorFields & { readonly where: string }): RoceError {
  return new RoceError('invalid-flows', fields);
}

function rowOf(columns: readonly string[], fields: readonly string[], where: string): Row {
  if (fields.length !== columns.length) {
    throw invalidFlows({ what: 'number of fields', got: fields.length, allowed: columns.length, where });
  }
  return { record: Object.fromEntries(columns.map((name, index) => [name, fields[index] ?? ''])), where };
}

function checkHeader(header: readonly string[], where: string): string[] {
  const columns = header.map((name) => name.toLowerCase());
  const missing = REQUIRED_COLUMNS.filter((name) => !columns.includes(name));
  if (missing.length > 0) {
    throw invalidFlows({ what: 'header', problem: `lacks ${missing.join(', ')}`, got: columns, where });
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

/** Reads an address into canonical form, so that equal addresses are equal strings. */
function readAddress(record: Row['record'], column: string, where: string): string {
  const text = record[column] ?? '';
  try {
    return formatIpAddress(parseIpAddress(text, column));
  } catch (error) {
    if (!(error instanceof RoceError)) throw error;
    throw error.at(`${where}, ${column}`, 'invalid-flows');
  }
}

function readQpn(record: Row['record'], column: string, where: string): number {
  const text = record[column] ?? '';
  const qpn = QPN_PATTERN.test(text) ? Number(text) : NaN;
  if (qpn >= 1 && qpn <= QPN_MAX) return qpn;
  throw invalidFlows({ what: column, got: text, allowed: `1 to ${QPN_MAX}, decimal or 0x hexadecimal`, where });
}
