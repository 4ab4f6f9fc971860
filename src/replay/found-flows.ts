/** Flow lists from the connections that a replay found. */
import { checkRecord } from '../config/field-rules.js';
import { RoceError } from '../errors.js';
import type { Flow } from './flows.js';
import type { FlowEnd } from './flow-end.js';
import type { Connection } from './pairing/connection.js';
import type { ReplayReport } from './report.js';

/** A flow of a connection that was found. */
export interface FoundFlow extends Flow {
  /** What the connection was recognised by. */
  readonly from: Connection['from'];
}

/**
 * One flow per direction in which a found connection carries data; both ends of a connection without any are listed from
 * `a` to `b`. Named f1, f2, … in order.
 *
 * @param report of a replay, with or without flows.
 * @example
 * const found = foundFlows(await replay(readCaptureBatches(bytes), { parameters }));
 * const report = await replay(readCaptureBatches(bytes), { parameters, flows: found });
 */
export function foundFlows(report: Pick<ReplayReport, 'connections' | 'streams'>): FoundFlow[] {
  const { connections, streams } = report;
  if (![connections, streams].every((list) => Array.isArray(list))) {
    throw new RoceError('invalid-argument', { where: 'report', got: report, allowed: 'a report of replay' });
  }
  connections.forEach((connection, index) => {
    requireEnds(connection, `report.connections[${index}]`);
  });
  streams.forEach((stream, index) => {
    requireTexts(stream, ['source', 'destination'], `report.streams[${index}]`);
  });
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
 * A flow list as CSV, which `parseFlows` reads. The column `from` is for people: what a flow was recognised by.
 *
 * @example
 * await writeFile('flows.csv', formatFlows(foundFlows(report)));
 */
export function formatFlows(flows: readonly FoundFlow[]): string {
  if (!Array.isArray(flows))
    throw new RoceError('invalid-argument', { where: 'flows', got: flows, allowed: 'a list of flows' });
  flows.forEach((flow: FoundFlow, index) => {
    requireTexts(flow, ['name', 'senderAddress', 'peerAddress', 'from'], `flows[${index}]`);
    requireNumbers(flow, ['senderQpn', 'peerQpn'], `flows[${index}]`);
  });
  const lines = flows.map(({ name, senderAddress, senderQpn, peerAddress, peerQpn, from }: FoundFlow) =>
    [name, senderAddress, hex(senderQpn), peerAddress, hex(peerQpn), from].join(',')
  );
  return `${['flow,sender_addr,sender_qpn,peer_addr,peer_qpn,from', ...lines].join('\n')}\n`;
}

function requireEnds(connection: Connection, where: string): void {
  checkRecord(connection, where);
  for (const name of ['a', 'b'] as const) {
    const end = checkRecord(connection[name], `${where}.${name}`);
    requireTexts(end, ['address'], `${where}.${name}`);
    requireNumbers(end, ['qpn'], `${where}.${name}`);
  }
}

function requireTexts(value: object, names: readonly string[], where: string): void {
  const fields = checkRecord(value, where);
  for (const name of names) {
    if (typeof fields[name] === 'string') continue;
    throw new RoceError('invalid-argument', { where: `${where}.${name}`, got: fields[name], allowed: 'a text' });
  }
}

function requireNumbers(value: object, names: readonly string[], where: string): void {
  const fields = checkRecord(value, where);
  for (const name of names) {
    if (Number.isInteger(fields[name])) continue;
    throw new RoceError('invalid-argument', {
      where: `${where}.${name}`,
      got: fields[name],
      allowed: 'a whole number',
    });
  }
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

function hex(qpn: number): string {
  return `0x${qpn.toString(16)}`;
}
