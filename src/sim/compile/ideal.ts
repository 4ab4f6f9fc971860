/**
 * Minimum completion time of a flow in an idle network: store and forward, packets back to back, an ACK per packet, no window.
 *
 *   m full packets leave hop j at   F(j) = sum of tx up to j + (m - 1) largest tx up to j + delays before j
 *   the last, shorter one at        L(j) = max(L(j - 1) + delay, F(j)) + its tx
 *   done at                         L(end) + delay + the ACK's path back, where it may wait for the previous ACK: a short
 *                                   last packet can follow more closely than an ACK takes. ACKs of full packets don't
 *                                   meet.
 *
 * If packets spread over several paths, they share only the first and the last link: for the links between, the largest tx is
 * ignored and the last packet waits for no other. The result is then a lower bound.
 *
 * A READ: its request arrives after the sum of its tx and delays on the path back, then L(end) + delay, without ACKs.
 */
import type { Graph } from './graph.js';
import type { FlowSizes } from './packet-sizes.js';
import type { Path } from './paths.js';
import type { TxTimes } from './tx-time.js';

export interface IdealRules {
  readonly mtuBytes: number;
  readonly wireOverheadBytes: number;
  /** Bytes that a WAN tunnel adds on the link of a port. Omitted: no tunnels. */
  readonly tunnelBytes?: (port: number) => number;
  /** Whether packets take several paths at once. */
  readonly isSpread?: boolean;
}

/** Rates and delays, indexed by port. */
type Rates = Pick<Graph, 'rateBps' | 'delayPs'>;

/** Picoseconds from start to the last ACK; if the return path is empty, to the last byte. */
export function idealPs(graph: Rates, times: TxTimes, rules: IdealRules, sizes: FlowSizes, sizeBytes: number,
  paths: { readonly there: Path; readonly back: Path }): number {
  const { mtuBytes, wireOverheadBytes, tunnelBytes = () => 0, isSpread = false } = rules;
  const fullPackets = Math.ceil(sizeBytes / mtuBytes) - 1;
  const lastBytes = sizeBytes - fullPackets * mtuBytes;
  let [sum, largest, delays, full, last] = [0, 0, 0, 0, 0];
  const end = paths.there.length - 1;
  for (const [hop, port] of paths.there.entries()) {
    const isShared = !isSpread || hop === 0 || hop === end;
    const rate = graph.rateBps[port];
    const overhead = sizes.headerBytes + wireOverheadBytes + tunnelBytes(port);
    const tx = times.ps(mtuBytes + overhead, rate);
    sum += tx;
    if (isShared) largest = Math.max(largest, tx);
    const fullDone = fullPackets === 0 ? 0 : sum + (fullPackets - 1) * largest + delays;
    full = fullDone + graph.delayPs[port];
    last = Math.max(last, isShared ? fullDone : 0) + times.ps(lastBytes + overhead, rate) + graph.delayPs[port];
    delays += graph.delayPs[port];
  }
  const ackBytes = sizes.ackBytes + wireOverheadBytes;
  return pathBack(graph, paths.back, (port) => times.ps(ackBytes + tunnelBytes(port), graph.rateBps[port]), {
    last,
    full: fullPackets === 0 ? 0 : full,
  });
}

/** Picoseconds from a READ's post to its last byte. */
export function idealReadPs(graph: Rates, times: TxTimes, rules: IdealRules,
  sizes: FlowSizes & { readonly requestBytes: number }, sizeBytes: number,
  { there, back }: { readonly there: Path; readonly back: Path }): number {
  const { wireOverheadBytes, tunnelBytes = () => 0 } = rules;
  const requestPs = back.reduce((sum, port) => {
    const lenBytes = sizes.requestBytes + wireOverheadBytes + tunnelBytes(port);
    return sum + times.ps(lenBytes, graph.rateBps[port]) + graph.delayPs[port];
  }, 0);
  return requestPs + idealPs(graph, times, rules, sizes, sizeBytes, { there, back: [] });
}

/** When the last ACK arrives. @param arrivals when the last packet and the one before it arrive at the receiver. */
function pathBack(graph: Rates, path: Path, txPs: (port: number) => number,
  arrivals: { readonly last: number; readonly full: number }): number {
  let { last, full } = arrivals;
  for (const port of path) {
    full += txPs(port);
    last = Math.max(last, full) + txPs(port);
    full += graph.delayPs[port];
    last += graph.delayPs[port];
  }
  return last;
}
