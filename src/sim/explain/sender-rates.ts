/** Rates that congestion control allowed senders, compared with those of their ports. */
import type { FlowResult, SimResult } from '../result.js';

/** Rates are doubles: a last digit is no cut. */
const NEARLY = 1 - 1e-9;

/** Rate of the port by which the flow leaves its host; undefined: the result has no such port. */
export function lineRateBps({ ports }: SimResult, { from, path }: FlowResult): number | undefined {
  const first = path?.[0];
  return ports.find((port) => (first === undefined ? port.node === from : port.name === first))?.rateBps;
}

/** Whether congestion control lowered a sender's rate: it was notified, or a recorded or its last rate is below its port's. */
export function wasSlowed(result: SimResult, flow: FlowResult): boolean {
  if (flow.cnps + flow.fastCnps > 0) return true;
  const lineBps = lineRateBps(result, flow);
  if (lineBps === undefined) return false;
  const rates = (result.series.rateBps[flow.index] ?? []).filter((rateBps) => rateBps > 0);
  return [...rates, flow.finalRateBps ?? lineBps].some((rateBps) => rateBps < lineBps * NEARLY);
}
