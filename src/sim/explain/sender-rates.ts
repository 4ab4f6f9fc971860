/** Compares the rates that congestion control allowed senders with the rates of their ports. */
import type { FlowResult, SimResult } from '../result.js';

/** Tolerance: a rounding error of a double is not a rate cut. */
const NEARLY = 1 - 1e-9;

/** Rate of the sending host's port; undefined if the result does not include that port. */
export function lineRateBps({ ports }: SimResult, { from, path }: FlowResult): number | undefined {
  const first = path?.[0];
  return ports.find((port) => (first === undefined ? port.node === from : port.name === first))?.rateBps;
}

/** Whether congestion control lowered a sender's rate: it was notified, or its last or a recorded rate is below the port's. */
export function wasSlowed(result: SimResult, flow: FlowResult): boolean {
  if (flow.cnps + flow.fastCnps > 0) return true;
  const lineBps = lineRateBps(result, flow);
  if (lineBps === undefined) return false;
  const rates = (result.series.rateBps[flow.index] ?? []).filter((rateBps) => rateBps > 0);
  return [...rates, flow.finalRateBps ?? lineBps].some((rateBps) => rateBps < lineBps * NEARLY);
}
