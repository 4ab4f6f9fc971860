/** Conditions on faults that a schema can't express: names, links between them, the order of times and thresholds. */
import type { Network } from '../topology/network.js';
import type { NodeFinders } from './node-finders.js';
import { rejectScenario } from './scenario-error.js';
import type { BitErrorsSpec, FaultSpec, PauseStormSpec, SlowReceiverSpec } from './spec.js';

/** The context that faults are checked against. */
export interface FaultContext {
  readonly flows: number;
  readonly network: Network;
  readonly named: NodeFinders;
}

/** @throws RoceError `invalid-scenario`, naming the fault and the key. */
export function checkFaults(faults: readonly FaultSpec[], context: FaultContext): void {
  faults.forEach((fault, i) => {
    checkFault(fault, context, `faults[${i}]`);
  });
  for (const kind of ['pause-storm', 'slow-receiver'] as const) requireOnePerHost(faults, kind);
}

function checkFault(fault: FaultSpec, { flows, network, named }: FaultContext, where: string): void {
  if (fault.kind === 'drop') {
    if (fault.flow < flows) return;
    const allowed = { below: flows };
    return rejectScenario({ what: 'the flow of the fault', got: fault.flow, allowed, where: `${where}.flow` });
  }
  if (fault.kind === 'pause-storm' || fault.kind === 'slow-receiver') {
    named.host(fault.host, `${where}.host`);
    if (fault.kind === 'slow-receiver') checkReceiver(fault, where);
    return;
  }
  const [a, b] = fault.between.map((name, i) => named.node(name, `${where}.between[${i}]`));
  const linked = network.links.some(({ from, to }) => (from === a && to === b) || (from === b && to === a));
  if (!linked) {
    const problem = 'names two nodes without a link between them';
    rejectScenario({ what: 'the fault', problem, got: fault.between, where: `${where}.between` });
  }
  if (fault.kind === 'bit-errors') checkBitErrors(fault, where);
  if (fault.kind === 'link-down' && fault.toUs <= fault.fromUs) {
    const allowed = { above: fault.fromUs, unit: 'us' };
    rejectScenario({ what: 'the end of the fault', got: fault.toUs, allowed, where: `${where}.toUs` });
  }
}

function checkReceiver({ bufferBytes, xoffBytes, xonBytes }: SlowReceiverSpec, where: string): void {
  if (bufferBytes !== undefined && xoffBytes !== undefined && xoffBytes > bufferBytes) {
    const allowed = { max: bufferBytes, unit: 'bytes' };
    rejectScenario({ what: 'xoffBytes of a receive buffer', got: xoffBytes, allowed, where: `${where}.xoffBytes` });
  }
  if (xoffBytes === undefined || xonBytes === undefined || xonBytes < xoffBytes) return;
  const allowed = { below: xoffBytes, unit: 'bytes' };
  rejectScenario({ what: 'xonBytes of a receive buffer', got: xonBytes, allowed, where: `${where}.xonBytes` });
}

function checkBitErrors({ perBit, perFrame }: BitErrorsSpec, where: string): void {
  if (perBit !== undefined || perFrame !== undefined) return;
  rejectScenario({ what: 'the fault', problem: 'needs perBit, perFrame or both', got: { perBit, perFrame }, where });
}

/** Two of them at one host would contradict each other. */
function requireOnePerHost(faults: readonly FaultSpec[], kind: (PauseStormSpec | SlowReceiverSpec)['kind']): void {
  const seen = new Set<string>();
  faults.forEach((fault, i) => {
    if (fault.kind !== kind) return;
    if (seen.has(fault.host)) {
      const problem = `has a ${kind} already`;
      rejectScenario({ what: fault.host, problem, got: fault.host, where: `faults[${i}].host` });
    }
    seen.add(fault.host);
  });
}
