/**
 * Why flows are unfinished: for each flow the first reason that applies.
 */
import { BITS_PER_BYTE, PS_PER_SECOND, PS_PER_US } from '../../units.js';
import type { FlowResult, SimResult } from '../result.js';
import { type Explanation, answerOf, finding, type Finding, reason, type Reason } from './explanation.js';
import type { LinkDown } from './sentences/flows.js';
import { retransmitTimeoutUs } from './settings.js';
import { waitFinding } from './why-slow.js';

/** Maximum number of flows that the answer names; the others are counted. */
const MOST_NAMED = 5;

export function explainUnfinished(result: SimResult): Explanation | undefined {
  const unfinished = result.flows.filter(({ completionPs, endless }) => completionPs === null && endless !== true);
  if (unfinished.length === 0) return undefined;
  const named = unfinished.slice(0, MOST_NAMED).map((flow) => flowFinding(result, flow));
  const others = unfinished.length - named.length;
  const missing = result.ended === 'stuck' && unfinished.some(({ path }) => path === undefined) ? ['flows[].path'] : [];
  return {
    topic: 'unfinished',
    code: 'flows-unfinished',
    question: `Why ${unfinished.length === 1 ? 'is 1 flow' : `are ${unfinished.length} flows`} unfinished?`,
    ...answerOf(finding('run-ended', { ended: result.ended }), ...named,
      others > 0 && finding('more-unfinished', { flows: others })),
    because: [
      reason('simulated-time', result.simulatedPs),
      reason('flows-unfinished', unfinished.length),
      ...unfinished.slice(0, MOST_NAMED).map(deliveredReason),
      ...dropReasons(result),
    ],
    missing,
  };
}

function flowFinding(result: SimResult, flow: FlowResult): Finding {
  const { index, from, to, startPs, deliveredBytes, sizeBytes } = flow;
  const { simulatedPs } = result;
  if (startPs >= simulatedPs) return finding('flow-not-begun', { flow: index, from, to, startPs, endPs: simulatedPs });
  const obstacle = flow.failure === undefined ? obstacleOf(result, flow) : failureOf(flow);
  return finding('flow-unfinished', { flow: index, from, to, deliveredBytes, sizeBytes, obstacle });
}

/** Whether IRN has no timeout here, so that lost packets at the end of a flow are never retransmitted. */
function hasNoIrnTimeout({ scenario: { hosts, switches }, fidelity, totals: { drops } }: SimResult): boolean {
  const isSilent = fidelity === 'reference-lossy' && hosts?.transport === 'irn' && switches?.pfc !== false;
  return isSilent && drops.buffer + drops.loss > 0;
}

function hasNoRoute(result: SimResult, flow: FlowResult): boolean {
  return result.totals.drops.noRoute > 0 && flow.deliveredBytes === 0 && linksDown(result, flow).length === 0;
}

function obstacleOf(result: SimResult, flow: FlowResult): Finding {
  const held = hazardOf(result, flow);
  if (held !== undefined) return held;
  return flow.deliveredBytes === 0 && (flow.rnrNaks ?? 0) > 0 ? waitFinding(flow) : otherObstacleOf(result, flow);
}

/** A deadlock on its path, or a host that pauses forever. */
function hazardOf({ deadlocks = [], scenario: { faults = [] } }: SimResult, { path = [], to }: FlowResult): Finding
  | undefined {
  const open = deadlocks.find(({ resolvedPs }) => resolvedPs === null);
  const dead = open?.ports.find((port) => path.includes(port));
  if (dead !== undefined) return finding('path-in-deadlock', { port: dead });
  if (open !== undefined) return finding('held-by-deadlock');
  const storm = faults.find((fault) =>
    fault.kind === 'pause-storm' && fault.host === to && fault.lastsUs === undefined
  );
  return storm === undefined ? undefined : finding('paused-by-receiver', { to });
}

function otherObstacleOf(result: SimResult, flow: FlowResult): Finding {
  const { drops } = result.totals;
  const { timeouts, retransmittedPackets: retransmitted } = flow;
  const lost = timeouts + retransmitted > 0;
  const hasTimeout = retransmitTimeoutUs(result.scenario, flow.from) !== 0;
  if (hasNoRoute(result, flow)) return finding('no-route', { to: flow.to, packetsDropped: drops.noRoute });
  if (hasNoIrnTimeout(result)) return finding('no-irn-timeout');
  const links = linksDown(result, flow);
  const after = { timeouts, retransmitted, hasTimeout };
  if (links.length > 0 && drops.linkDown + drops.noRoute > 0 && (lost || result.ended === 'time'))
    return finding('links-down-on-path', { links, packetsLost: drops.linkDown + drops.noRoute, ...after });
  if (drops.linkDown > 0 && lost) return finding('links-down', { packetsLost: drops.linkDown, ...after });
  if (timeouts > 0) return finding('timeouts-of-flow', { timeouts, retransmitted });
  if (result.ended !== 'stuck') return paceOf(result, flow);
  return result.totals.packetsDropped > 0 && !hasTimeout ?
    finding('lost-without-timeout') :
    finding('waits-for-nothing');
}

function failureOf({ failure, timeouts, naks = 0, rnrNaks = 0, to }: FlowResult): Finding {
  if (failure === 'remote-operation-error') return finding('remote-operation-error', { to });
  return failure === 'rnr-retry-exceeded' ?
    finding('rnr-retry-exceeded', { to, rnrNaks }) :
    finding('retry-exceeded', { timeouts, naks });
}

/** Links on the flow's path that the scenario takes down during the run. */
function linksDown({ scenario: { faults = [] }, ports, simulatedPs }: SimResult,
  { path = [] }: FlowResult): LinkDown[] {
  return faults.flatMap((fault) => {
    if (fault.kind !== 'link-down' || fault.fromUs * PS_PER_US >= simulatedPs) return [];
    const ends = fault.between;
    const port = ports.find(({ name, node, peer }) => path.includes(name) && ends.includes(node) && ends.includes(peer))
      ?.name;
    if (port === undefined) return [];
    const toPs = fault.toUs * PS_PER_US;
    return [{ port, fromPs: fault.fromUs * PS_PER_US, toPs: toPs >= simulatedPs ? null : toPs }];
  });
}

/** The time that the flow still needs at its mean rate. */
function paceOf({ simulatedPs }: SimResult, { startPs, deliveredBytes, sizeBytes }: FlowResult): Finding {
  if (deliveredBytes === 0) return finding('nothing-arrived');
  const paceBps = (deliveredBytes * BITS_PER_BYTE * PS_PER_SECOND) / (simulatedPs - startPs);
  const restPs = ((sizeBytes - deliveredBytes) * BITS_PER_BYTE * PS_PER_SECOND) / paceBps;
  return finding('needs-more-time', { paceBps, restPs });
}

function deliveredReason({ index, deliveredBytes, sizeBytes }: FlowResult): Reason {
  return reason('bytes-not-delivered', sizeBytes - deliveredBytes, { flow: index });
}

function dropReasons({ totals }: SimResult): Reason[] {
  return Object.entries(totals.drops)
    .filter(([, count]) => count > 0)
    .map(([drop, count]) => reason('packets-dropped-for', count, { drop }));
}
