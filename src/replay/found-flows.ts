/** Flow lists from the connections that a replay found. */
import { checkFoundFlows, checkReport } from './found-flow-checks.js';
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
 * @throws RoceError `invalid-config` naming what is not as `replay` makes it.
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
 * A flow list as CSV, which `parseFlows` reads. The column `from` is for people: what a flow was recognised by.
 *
 * @throws RoceError `invalid-config` naming what is not as `foundFlows` makes it.
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

/** A name that a caller chose may have what separates fields (RFC 4180). */
function quoted(name: string): string {
  return /^[\w.:-]*$/.test(name) ? name : `"${name.replaceAll('"', '""')}"`;
}

function hex(qpn: number): string {
  return `0x${qpn.toString(16)}`;
}
