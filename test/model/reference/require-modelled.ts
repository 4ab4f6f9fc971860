/** Rejects features that the network model does not cover, so that no comparison passes by accident. */
import { RoceError, type AllowedValue } from '../../../src/errors.js';
import type { NetworkPlan, PortPlan } from '../../../src/sim/plan.js';

/** @throws RoceError `invalid-scenario` for a plan that the model does not cover. */
export function requireModelled(plan: NetworkPlan): void {
  const { rules } = plan;
  require(plan.fidelity, 'reference', 'fidelity');
  require(rules.txTime, 'ns3', 'rules.txTime');
  require(rules.wireOverheadBytes, 0, 'rules.wireOverheadBytes');
  require(rules.notification, 'ack-flag', 'rules.notification');
  require(rules.markAt, 'dequeue', 'rules.markAt');
  require(rules.markable, 'all', 'rules.markable');
  if (rules.telemetry !== 'none') require(rules.telemetry, 'int64', 'rules.telemetry');
  require(plan.linkEvents.length, 0, 'linkEvents.length');
  require(plan.service ?? 'round-robin', 'round-robin', 'service');
  require(plan.jobs?.length ?? 0, 0, 'jobs.length');
  require(plan.nodes.some(({ fastCnp }) => fastCnp), false, 'nodes[].fastCnp');
  plan.ports.forEach((port, index) => {
    require(lossOf(port), 0, `ports[${index}], losses in all`);
  });
}

function lossOf({ dataLoss, ackLoss, cnpLoss, corruption }: PortPlan): number {
  return dataLoss + ackLoss + cnpLoss + corruption;
}

function require<T extends AllowedValue>(got: T, allowed: T, where: string): void {
  if (got === allowed) return;
  const hint = 'The plain model covers nothing else';
  throw new RoceError('invalid-scenario', { got, allowed: [allowed], where: `plan.${where}`, hint });
}
