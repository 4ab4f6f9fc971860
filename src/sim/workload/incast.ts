/** Incast: several hosts send to one at once. */
import { PS_PER_US } from '../../unit-sizes.js';
import { DEFAULT_STAGGER_US } from '../scenario/defaults.js';
import { rejectScenario } from '../scenario/scenario-error.js';
import type { IncastSpec } from '../scenario/spec.js';
import { flowOf, type WorkloadContext, type WorkloadFlow } from './workload-flow.js';

export function incast(spec: IncastSpec, context: WorkloadContext): WorkloadFlow[] {
  const { hosts, where } = context;
  const receiver = spec.to === undefined ? hosts[hosts.length - 1] : context.hostNamed(spec.to, `${where}.to`);
  const others = hosts.filter((host) => host !== receiver);
  if (spec.senders > others.length) {
    const hint = `The network has ${hosts.length} hosts, one of which receives`;
    rejectScenario({ got: spec.senders, allowed: { max: others.length }, where: `${where}.senders`, hint });
  }
  const staggerPs = (spec.staggerUs ?? DEFAULT_STAGGER_US) * PS_PER_US;
  return others.slice(0, spec.senders).map((host, i) =>
    flowOf(context, host, receiver, spec.sizeBytes, Math.round(i * staggerPs))
  );
}
