/** Counts a capture's frames by connection: data in one direction, with the notifications that its sender received. */
import type { Flow, StreamSummary } from '../../src/replay/index.js';
import type { ConnectionLine } from '../protocol/capture-protocol.js';

type Counts = Omit<ConnectionLine, 'name'>;

const NO_COUNTS: Counts = { frames: 0, bytes: 0, marked: 0, cnps: 0, fastCnps: 0, missing: 0 };

export interface ConnectionTable {
  /** A line for each connection, and for each data stream without one; the largest first. */
  readonly lines: readonly ConnectionLine[];
  /** Frames that belong to no line. */
  readonly others: Counts;
}

/**
 * @param flows known or found connections; data streams without one have their own line. Each frame is counted once.
 */
export function connectionTable(streams: readonly StreamSummary[], flows: readonly Flow[]): ConnectionTable {
  const withData = streams.filter(({ dataFrames }) => dataFrames > 0);
  const owners = new Map(withData.map((stream) => [endsOf(stream.source, stream.destination, stream.destQpn), stream]));
  const toSender = new Map<string, StreamSummary>();
  for (const { senderAddress, senderQpn, peerAddress, peerQpn } of flows) {
    const owner = owners.get(endsOf(senderAddress, peerAddress, peerQpn));
    if (owner !== undefined) toSender.set(`${senderAddress} ${senderQpn}`, owner);
  }
  // A switch that does not know the sender's QP puts the destination QP of the data into its Fast CNPs. If several
  // streams match, assume the busiest.
  for (const owner of [...withData].sort((a, b) => b.bytes - a.bytes)) {
    const key = `${owner.source} ${owner.destQpn}`;
    if (!toSender.has(key)) toSender.set(key, owner);
  }
  const sums = new Map(withData.map((stream) => [stream, NO_COUNTS]));
  let others = NO_COUNTS;
  for (const stream of streams) {
    const owner = stream.dataFrames > 0 ? stream : toSender.get(`${stream.destination} ${stream.destQpn}`);
    if (owner === undefined) others = plus(others, stream);
    else sums.set(owner, plus(sums.get(owner) ?? NO_COUNTS, stream));
  }
  const lines = [...sums].map(([stream, counts]) => ({ name: nameOf(stream), ...counts }));
  return { lines: lines.sort((a, b) => b.bytes - a.bytes), others };
}

const endsOf = (source: string, destination: string, qpn: number): string => `${source} ${destination} ${qpn}`;

function plus(sum: Counts, stream: StreamSummary): Counts {
  return {
    frames: sum.frames + stream.frames,
    bytes: sum.bytes + stream.bytes,
    marked: sum.marked + stream.markedFrames,
    cnps: sum.cnps + stream.cnps,
    fastCnps: sum.fastCnps + stream.fastCnps,
    missing: sum.missing + stream.psnsMissing,
  };
}

/** Name of a stream, as in the chart of wire rates. */
export function nameOfQp(source: string, destination: string, qpn: number): string {
  return `${source} > ${destination} QP 0x${qpn.toString(16).padStart(6, '0')}`;
}

const nameOf = ({ source, destination, destQpn }: StreamSummary): string => nameOfQp(source, destination, destQpn);
