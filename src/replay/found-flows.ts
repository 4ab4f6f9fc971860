/** Makes flow lists from the connections that a replay found. */
import { QPN_MAX } from '../abi/layout.js';
import { checkField, checkRecord, oneOf, reject, wholeIn, type FieldRule } from '../config/field-rules.js';
import type { FlowEnd, Connection, ReplayReport } from './report.js';
import type { Flow } from './flows.js';

/** The members of the arguments that are read. */
const TEXT: FieldRule = { allowed: 'a string', accepts: (value) => typeof value === 'string' };
const QPN = wholeIn(0, QPN_MAX);
const SOURCE = oneOf('cm', 'acknowledgements', 'responses', 'cnps');
const FLOW: Readonly<Record<string, FieldRule>> = {
  name: TEXT,
  senderAddress: TEXT,
  senderQpn: QPN,
  peerAddress: TEXT,
  peerQpn: QPN,
  from: SOURCE,
};
const STREAM: Readonly<Record<string, FieldRule>> = {
  source: TEXT,
  destination: TEXT,
  destQpn: QPN,
  dataFrames: wholeIn(0, Number.MAX_SAFE_INTEGER),
};

/** A flow derived from a connection found in the capture. */
export interface FoundFlow extends Flow {
  /** Evidence from which the connection was recognised. */
  readonly from: Connection['from'];
}

/**
 * Returns one flow per direction in which a found connection carries data. A connection without data gives one flow,
 * from `a` to `b`. Flows are named f1, f2, … in order.
 *
 * @param report of a replay, run with or without a flow list.
 * @throws RoceError `invalid-config` naming the member that differs from what `replay` returns.
 * @example
 * const found = foundFlows(await replay(readCaptureBatches(bytes), { parameters }));
 * const report = await replay(readCaptureBatches(bytes), { parameters, flows: found });
 */
export function foundFlows(report: Pick<ReplayReport, 'connections' | 'streams'>): FoundFlow[] {
  checkReport(report);
  const { connections, streams } = report;
  const withData = new Set(
    streams.filter(({ dataFrames }) => dataFrames > 0).map(({ source, destination, destQpn }) =>
      keyOf(source, { address: destination, qpn: destQpn })
    ),
  );
  const flows = connections.flatMap(({ a, b, from }, index) => {
    const forward = flowOf(a, b, from, index);
    const directions = [forward, flowOf(b, a, from, index)].filter(({ senderAddress, peerAddress, peerQpn }) =>
      withData.has(keyOf(senderAddress, { address: peerAddress, qpn: peerQpn }))
    );
    return directions.length === 0 ? [forward] : directions;
  });
  return flows.map((flow, index) => ({ ...flow, name: `f${index + 1}` }));
}

/**
 * Formats a flow list as CSV for `parseFlows`. The column `from` is informative: the evidence from which each flow was
 * recognised.
 *
 * @throws RoceError `invalid-config` naming the member that differs from what `foundFlows` returns.
 * @example
 * await writeFile('flows.csv', formatFlows(foundFlows(report)));
 */
export function formatFlows(flows: readonly FoundFlow[]): string {
  checkFoundFlows(flows);
  const lines = flows.map(({ name, senderAddress, senderQpn, peerAddress, peerQpn, from }) =>
    [quoted(name), senderAddress, hex(senderQpn), peerAddress, hex(peerQpn), from].join(',')
  );
  return `${['flow,sender_addr,sender_qpn,peer_addr,peer_qpn,from', ...lines].join('\n')}\n`;
}

/** @throws RoceError `invalid-config` naming the member that differs from what `replay` returns. */
function checkReport(report: unknown): void {
  const { connections, streams } = checkRecord(report, 'report');
  checkEach(connections, 'report.connections', (connection, where) => {
    const { a, b, from } = checkRecord(connection, where);
    checkMembers(a, { address: TEXT, qpn: QPN }, `${where}.a`);
    checkMembers(b, { address: TEXT, qpn: QPN }, `${where}.b`);
    checkField(from, SOURCE, `${where}.from`);
  });
  checkEach(streams, 'report.streams', (stream, where) => {
    checkMembers(stream, STREAM, where);
  });
}

/** @throws RoceError `invalid-config` naming the member that differs from what `foundFlows` returns. */
function checkFoundFlows(flows: unknown): void {
  checkEach(flows, 'flows', (flow, where) => {
    checkMembers(flow, FLOW, where);
  });
}

function checkEach(list: unknown, where: string, check: (item: unknown, where: string) => void): void {
  if (!Array.isArray(list)) reject({ got: list, allowed: 'a list', where });
  for (const [index, item] of list.entries()) check(item, `${where}[${index}]`);
}

function checkMembers(value: unknown, rules: Readonly<Record<string, FieldRule>>, where: string): void {
  const record = checkRecord(value, where);
  for (const [name, rule] of Object.entries(rules)) checkField(record[name], rule, `${where}.${name}`);
}

function flowOf(sender: FlowEnd, peer: FlowEnd, from: Connection['from'], index: number): FoundFlow {
  return {
    name: '',
    senderAddress: sender.address,
    senderQpn: sender.qpn,
    peerAddress: peer.address,
    peerQpn: peer.qpn,
    where: `connections[${index}]`,
    from,
  };
}

function keyOf(source: string, { address, qpn }: FlowEnd): string {
  return `${source} ${address} ${qpn}`;
}

/** Quotes a name, since callers may choose one that contains delimiters (RFC 4180). */
function quoted(name: string): string {
  return /^[\w.:-]*$/.test(name) ? name : `"${name.replaceAll('"', '""')}"`;
}

function hex(qpn: number): string {
  return `0x${qpn.toString(16)}`;
}
