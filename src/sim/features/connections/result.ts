/** Results of QPs that carry several messages, summed over their flows. */
import type { FlowResult, QpResult, SimResult } from '../../result.js';

/** Results by QP; empty if no QP carries several messages. */
export function qpResults(flows: readonly FlowResult[]): Pick<SimResult, 'qps'> {
  const messages = new Map<number, FlowResult[]>();
  for (const flow of flows) {
    if (flow.qp === undefined) continue;
    const known = messages.get(flow.qp);
    if (known === undefined) messages.set(flow.qp, [flow]);
    else known.push(flow);
  }
  if (messages.size === 0) return {};
  return { qps: [...messages].map(([qp, ofQp]) => qpOf(qp, ofQp)) };
}

function qpOf(qp: number, flows: readonly FlowResult[]): QpResult {
  const [{ from, to, finalRateBps }] = flows;
  const sum = (of: (flow: FlowResult) => number): number => flows.reduce((total, flow) => total + of(flow), 0);
  const done = flows.filter(({ completionPs }) => completionPs !== null);
  const began = flows.filter(({ beganPs = null }) => beganPs !== null);
  return {
    qp,
    from,
    to,
    messages: flows.length,
    messagesDone: done.length,
    sizeBytes: sum(({ sizeBytes }) => sizeBytes),
    deliveredBytes: sum(({ deliveredBytes }) => deliveredBytes),
    openedPs: least(began.map(({ startPs }) => startPs)),
    lastAckPs: done.length === 0 ?
      null :
      largest(done.map(({ startPs, completionPs }) => startPs + (completionPs ?? 0))),
    retransmittedPackets: sum(({ retransmittedPackets }) => retransmittedPackets),
    timeouts: sum(({ timeouts }) => timeouts),
    cnps: sum(({ cnps }) => cnps),
    restarts: flows.filter(({ restarted }) => restarted === true).length,
    minBeganRateBps: least(began.map(({ beganRateBps = 0 }) => beganRateBps)),
    finalRateBps: finalRateBps ?? 0,
  };
}

function least(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((a, b) => Math.min(a, b));
}

function largest(values: readonly number[]): number {
  return values.reduce((a, b) => Math.max(a, b));
}
