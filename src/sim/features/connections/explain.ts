/** Explains at which rates messages began on QPs that had already carried messages. */
import type { FlowResult, SimResult } from '../../result.js';
import { type Explanation, answerOf, finding, type FindingFigures, reason, maxBy } from '../../explain/explanation.js';
import { lineRateBps } from '../../explain/bottleneck.js';

/** A message, and the one before it on its QP. */
interface Successor {
  readonly flow: FlowResult;
  readonly before: FlowResult;
}

export function explainConnections(result: SimResult): Explanation | undefined {
  const { qps, flows } = result;
  if (qps === undefined) return undefined;
  const successors = successorsOf(flows);
  const slow = successors.filter(({ flow }) => isBelowLine(result, flow));
  const slowest = maxBy(slow, ({ flow }) => -(flow.beganRateBps ?? 0));
  const messages = qps.reduce((sum, qp) => sum + qp.messages, 0);
  const restarts = qps.reduce((sum, qp) => sum + qp.restarts, 0);
  return {
    topic: 'connection',
    code: 'messages-began',
    question: 'With which rates did messages begin?',
    ...answerOf(finding('qps-of-messages', { qps: qps.length, messages }), slowest === undefined ?
      finding('all-at-line-rate') :
      finding('messages-below-line-rate', { messages: slow.length, slowest: slowestOf(slowest) }), restarts > 0 &&
      finding('qps-restarted', { messages: restarts })),
    because: [
      reason('qps', qps.length),
      reason('messages', messages),
      reason('messages-below-line-rate', slow.length),
      ...(slowest === undefined ?
        [] :
        [reason('rate-at-beginning', slowest.flow.beganRateBps ?? 0, { flow: slowest.flow.index })]),
      ...(restarts === 0 ? [] : [reason('restarts', restarts)]),
    ],
    missing: [],
  };
}

/** Tolerance: a rounding error of a double is not a rate cut. */
const NEARLY = 1 - 1e-9;

function isBelowLine(result: SimResult, flow: FlowResult): boolean {
  const lineBps = lineRateBps(result, flow);
  return lineBps !== undefined && (flow.beganRateBps ?? lineBps) < lineBps * NEARLY;
}

/** Messages that follow another on their QP, in the order of their first packets. */
function successorsOf(flows: readonly FlowResult[]): Successor[] {
  const began = flows.filter(({ qp, beganPs = null }) => qp !== undefined && beganPs !== null)
    .sort((a, b) => (a.beganPs ?? 0) - (b.beganPs ?? 0) || a.index - b.index);
  const last = new Map<number, FlowResult>();
  const found: Successor[] = [];
  for (const flow of began) {
    const { qp = flow.index } = flow;
    const before = last.get(qp);
    if (before !== undefined) found.push({ flow, before });
    last.set(qp, flow);
  }
  return found;
}

function slowestOf({ flow, before }: Successor): FindingFigures<'messages-below-line-rate'>['slowest'] {
  const { index, from, to, beganPs, startPs, beganRateBps = 0 } = flow;
  const endPs = before.startPs + (before.completionPs ?? Infinity);
  return {
    flow: index,
    from,
    to,
    rateBps: beganRateBps,
    before: before.index,
    idlePs: Math.max(0, (beganPs ?? startPs) - endPs),
    notifications: before.cnps,
  };
}
