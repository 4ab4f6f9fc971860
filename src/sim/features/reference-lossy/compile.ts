/**
 * Compiles the settings that `reference-lossy` adds to `reference`, and rejects them under other fidelities. Sections
 * are those of docs/specs/reference-lossy.md.
 */
import { PS_PER_US } from '../../../units.js';
import type { Graph } from '../../compile/routes.js';
import { DEFAULT_END_CHECK_FROM_US } from '../../scenario/defaults.js';
import { rejectForeign } from '../../scenario/scenario-error.js';
import type { Fidelity, ScenarioSpec } from '../../scenario/spec.js';
import type { ValidScenario } from '../../scenario/valid-scenario.js';
import type { Network } from '../../topology/network.js';
import type { LinkErrors, LossyPlan } from './plan.js';

/** Interval of the check for the end (section 1). */
const CHECK_EVERY_PS = 100 * PS_PER_US;

/** @throws RoceError `invalid-scenario`, naming the setting. */
export function requireLossy({ hosts = {}, switches = {}, endCheckFromUs }: ScenarioSpec, fidelity: Fidelity): void {
  const { nakIntervalUs, backToZeroBytes } = hosts;
  const { conWeave, pauseTimeUs } = switches;
  rejectForeign([
    ['hosts.nakIntervalUs', nakIntervalUs],
    ['hosts.backToZeroBytes', backToZeroBytes],
    ['switches.conWeave', conWeave],
    ['switches.pauseTimeUs', pauseTimeUs],
    ['endCheckFromUs', endCheckFromUs],
  ], 'reference-lossy', fidelity);
}

/** The plan of the additional settings. @param bdpBytes largest bandwidth-delay product of all pairs of hosts (section 5.3). */
export function lossyPlan({ spec, hosts, paths, network, faults }: ValidScenario, graph: Graph,
  bdpBytes: number): LossyPlan {
  const { windowBytes = bdpBytes, timeoutLowUs, timeoutHighUs } = hosts.irn;
  const { expiryUs, replyExtraUs, pathPauseUs, flushExtraUs, defaultWaitUs } = paths.conWeave;
  return {
    transport: hosts.transport === 'irn' ? 'irn' : 'go-back-n',
    backToZeroBytes: hosts.backToZeroBytes,
    irn: { windowBytes, timeoutLowPs: ps(timeoutLowUs), timeoutHighPs: ps(timeoutHighUs) },
    pauseTimePs: ps(paths.pauseTimeUs),
    balancing: paths.loadBalancing,
    conWeave: {
      expiryPs: ps(expiryUs),
      replyExtraPs: ps(replyExtraUs),
      pathPausePs: ps(pathPauseUs),
      flushExtraPs: ps(flushExtraUs),
      defaultWaitPs: ps(defaultWaitUs),
    },
    leaves: leavesOf(network),
    checkFromPs: ps(spec.endCheckFromUs ?? DEFAULT_END_CHECK_FROM_US),
    checkEveryPs: CHECK_EVERY_PS,
    linkErrors: linkErrors(network, graph),
    forcedDrops: faults.flatMap((fault) => {
      if (fault.kind !== 'drop') return [];
      return [{ flow: fault.flow, sequence: fault.firstByte, arrival: fault.arrival }];
    }),
  };
}

function ps(timeUs: number): number {
  return Math.round(timeUs * PS_PER_US);
}

/** Leaves: switches with a link that the topology lists host first (section 9). */
function leavesOf({ nodes, links }: Network): number[] {
  const leaves = links.flatMap(({ from, to }) =>
    nodes[from].kind === 'host' && nodes[to].kind === 'switch' ? [to] : []
  );
  return [...new Set(leaves)].sort((a, b) => a - b);
}

/**
 * Error rate and random generator of each port. A link with its own error rate has its own generator, shared by both ends; all
 * other links share one (section 8).
 */
function linkErrors({ links }: Network, { nodeOf, peerPort }: Graph): LinkErrors[] {
  const errors: LinkErrors[] = nodeOf.map(() => ({ share: 0, generator: 0 }));
  let generators = 0;
  const nextPort = new Map<number, number>();
  const firstPortOf = new Map<number, number>();
  nodeOf.forEach((node, port) => {
    if (!firstPortOf.has(node)) firstPortOf.set(node, port);
  });
  for (const { from, to, errorRate, hasOwnErrors } of links) {
    const port = nextPort.get(from) ?? firstPortOf.get(from) ?? 0;
    nextPort.set(from, port + 1);
    nextPort.set(to, (nextPort.get(to) ?? firstPortOf.get(to) ?? 0) + 1);
    const error = { share: errorRate, generator: hasOwnErrors ? ++generators : 0 };
    errors[port] = error;
    errors[peerPort[port]] = error;
  }
  return errors;
}
