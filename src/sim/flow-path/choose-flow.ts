/** The default flow whose path is shown. */
import { RoceError } from '../../errors.js';
import type { FlowResult, SimResult } from '../result.js';

/**
 * The flow that was notified first, or if none was, the largest; the first of equal ones.
 * @returns undefined for a result without flows, as when results of messages are only sums.
 */
export function chooseFlow({ flows }: Pick<SimResult, 'flows'>): number | undefined {
  const first = flows.reduce<FlowResult | undefined>((best, flow) => comesBefore(flow, best) ? flow : best, undefined);
  return first?.index;
}

function comesBefore(flow: FlowResult, best: FlowResult | undefined): boolean {
  if (best === undefined) return true;
  const [own, other] = [flow.firstNotificationPs, best.firstNotificationPs];
  if (own === null && other === null) return flow.sizeBytes > best.sizeBytes;
  return own !== null && (other === null || own < other);
}

/** @throws RoceError `invalid-argument` naming the flow. */
export function requireFlow({ flows }: Pick<SimResult, 'flows'>, index: number, where: string): FlowResult {
  const flow = Number.isInteger(index) ? flows[index] as FlowResult | undefined : undefined;
  if (flow !== undefined) return flow;
  throw new RoceError('invalid-argument', {
    got: index,
    where,
    ...(flows.length === 0 ?
      { allowed: 'no flow: messages share records' } :
      { allowed: { min: 0, below: flows.length, multipleOf: 1 } }),
  });
}
