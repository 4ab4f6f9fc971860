/**
 * Compiles packet trimming. Default queue limits are the thresholds that Ultra Ethernet recommends, in BDPs
 * (scenario/defaults.ts).
 */
import { classMask } from '../../compile/rules.js';
import type { FlowPlans } from '../../flow-plans.js';
import { flowTransport, type TransportsPlan } from '../transports/plan.js';
import type { TrimmingPlan } from '../../plan.js';
import { TRIMMING_BDPS } from '../../scenario/defaults.js';
import { rejectScenario } from '../../scenario/scenario-error.js';
import type { ValidScenario } from '../../scenario/valid-scenario.js';
import { FCS_BYTES, MRC_UNNEEDED_BYTES } from '../../compile/packet-sizes.js';

/** The inputs of trimming. */
export interface TrimmingContext {
  readonly flows: FlowPlans;
  readonly transports: TransportsPlan | undefined;
  readonly bdpBytes: number;
}

/**
 * The plan of trimming; undefined if no packet is trimmed. @throws RoceError `invalid-scenario` for settings that contradict
 * the flows.
 */
export function trimmingPlan({ trimming, wan }: ValidScenario, { flows, transports, bdpBytes }: TrimmingContext):
  | TrimmingPlan
  | undefined {
  if (trimming === null) return undefined;
  if (wan !== null) {
    const problem = 'is not modelled in a network with tunnels';
    rejectScenario({ what: 'switches.trimming', problem, got: trimming, where: 'switches.trimming' });
  }
  const trimmable = classesOfMrc(flows, transports);
  const dataClasses = trimming.dataClasses === null ? trimmable : classMask(trimming.dataClasses);
  const { trafficClass, sizeBytes } = trimming;
  if ((dataClasses & (1 << trafficClass)) !== 0) {
    rejectScenario({
      what: 'switches.trimming.trafficClass',
      problem: 'is a class whose data are trimmed',
      got: trafficClass,
      where: 'switches.trimming.trafficClass',
    });
  }
  requireHeaders(sizeBytes, flows, transports);
  const limit = (given: number | null, bdps: number): number => given ?? Math.ceil(bdps * bdpBytes);
  return {
    lenBytes: sizeBytes + FCS_BYTES,
    trafficClass,
    dataClasses,
    queueBytes: limit(trimming.queueBytes, TRIMMING_BDPS.queue),
    lastHopQueueBytes: limit(trimming.lastHopQueueBytes, TRIMMING_BDPS.lastHopQueue),
    trimmedQueueBytes: limit(trimming.trimmedQueueBytes, TRIMMING_BDPS.trimmedQueue),
  };
}

/** Classes in which flows of `mrc` send, as a bit mask. */
function classesOfMrc(flows: FlowPlans, transports: TransportsPlan | undefined): number {
  let classes = 0;
  for (let flow = 0; flow < flows.length; flow++)
    if (flowTransport(transports, flow) === 'mrc') classes |= 1 << flows.dataClass[flow];
  return classes;
}

/** Rejects a size that cuts headers, without which a receiver cannot request the packet again. */
function requireHeaders(sizeBytes: number, flows: FlowPlans, transports: TransportsPlan | undefined): void {
  let min = 0;
  for (let flow = 0; flow < flows.length; flow++)
    if (flowTransport(transports, flow) === 'mrc') min = Math.max(min, flows.headerBytes[flow] - MRC_UNNEEDED_BYTES);
  if (sizeBytes >= min) return;
  rejectScenario({
    what: 'switches.trimming.sizeBytes',
    got: sizeBytes,
    allowed: { min, unit: 'bytes' },
    where: 'switches.trimming.sizeBytes',
    hint: 'Trimmed packets keep all headers up to the TSETH, and what telemetry their algorithm has',
  });
}
