/** Explains with which rates messages began whose QPs had carried messages before. */
import type { FlowResult, SimResult } from '../result.js';
import { countWords, rateWords, reason, timeWords, type Explanation } from './explanation.js';
import { maxBy } from './max-by.js';
import { lineRateBps } from './sender-rates.js';
import { findingsOf, flowText, text, type Text } from './text.js';

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
    ...findingsOf(
      `${countWords(qps.length, 'QP')} ${qps.length === 1 ? 'carries' : 'carry'} ${countWords(messages, 'message')}; ` +
        'a message begins with the rate that its QP has.',
      slowest === undefined ?
        'All of them began at line rate.' :
        text`${countWords(slow.length, 'message')} began below line rate. ${slowestWords(slowest)}`,
      restarts === 0 ? '' : `${countWords(restarts, 'message')} restarted a QP at line rate after hosts.idleRestartUs.`,
    ),
    because: [
      reason('QPs with several messages', qps.length, 'QPs'),
      reason('their messages', messages, 'messages'),
      reason('messages that began below line rate', slow.length, 'messages'),
      ...(slowest === undefined ?
        [] :
        [reason(`rate at the beginning of flow ${slowest.flow.index}`, slowest.flow.beganRateBps ?? 0, 'bps')]),
      ...(restarts === 0 ? [] : [reason('restarts at line rate', restarts, 'restarts')]),
    ],
    missing: [],
  };
}

/** Rates are doubles: a last digit is no cut. */
const NEARLY = 1 - 1e-9;

function isBelowLine(result: SimResult, flow: FlowResult): boolean {
  const lineBps = lineRateBps(result, flow);
  return lineBps !== undefined && (flow.beganRateBps ?? lineBps) < lineBps * NEARLY;
}

/** In the order of their first packets. */
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

function slowestWords({ flow, before }: Successor): Text {
  const { index, from, to, beganPs, startPs, beganRateBps = 0 } = flow;
  const endPs = before.startPs + (before.completionPs ?? Infinity);
  const idlePs = Math.max(0, (beganPs ?? startPs) - endPs);
  const notified = before.cnps === 0 ? '' : `, which had reacted to ${countWords(before.cnps, 'notification')}`;
  const when = idlePs > 0 ? `${timeWords(idlePs)} after` : 'right behind';
  return text`The slowest, ${flowText(index)} (${from} to ${to}), began with ${
    rateWords(beganRateBps)
  }, the rate of its QP ${when} ${flowText(before.index)}${notified}.`;
}
