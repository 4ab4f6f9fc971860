/**
 * Probes of entropies: a sender of MRC tests whether paths that it assumes bad work again.
 *
 *   when      one interval after the entropy became ASSUMED_BAD, then at each interval since its last probe, until the flow is done
 *   lost      a probe not acknowledged before the next one is sent; a later SACK is ignored
 *   return    after K consecutive acknowledged probes the entropy is usable again: GOOD, or if the last one was marked, SKIP or GOOD by
 *             a setting. A SACK with M = 2 resets the count
 *
 * The packets: transport/mrc-probes.ts. One event per flow, when the next probe of any of its entropies is due.
 *
 * Source      OCP MRC 1.0 by its readers (docs/specs/mrc-transport.md): 3.7, 3.8; open points O16 and O18 in docs/reference/sources.md.
 * Deviations  only ASSUMED_BAD entropies are probed, and no paths of responses.
 */
import { FLOW_DONE } from '../../../src/abi/sim-codes';
import { drawOrder, nowPs, schedule } from '../event-queue';
import { total } from '../network';
import { noteReturn } from './entropy-states';
import { entropiesOf, entropyStateAt, probePs, probesToReturn, reserve, selectorOf } from './memory';
import { TOTAL_PROBES_ACKNOWLEDGED, TOTAL_PROBES_LOST } from '../../records/sim-run';
import { ENTROPY_ASSUMED_BAD, FlowEntropies } from '../../records/balancing';
import { SimFlow } from '../../records/network';

/** Number of the first probe event; there is one per flow. */
let firstEvent: u32 = 0;

/** Sets the number of the first probe event. */
export function placeProbes(event: u32): void {
  firstEvent = event;
}

/** Time between probes: the setting, or the flow's timeout; an adaptive one covers the queues on the flow's path. */
@inline function intervalOf(flow: SimFlow): i64 {
  return probePs ? probePs : max<i64>(<i64>flow.timeoutPs, <i64>flow.pathTimeoutPs);
}

/** Schedules probes if any entropy of a flow is ASSUMED_BAD. */
export function expectProbes(flow: SimFlow, entropies: FlowEntropies): void {
  if (!probesToReturn || entropies.isProbing || !entropies.bad) return;
  expectAt(flow, entropies, nowPs + intervalOf(flow));
}

function expectAt(flow: SimFlow, entropies: FlowEntropies, timePs: i64): void {
  entropies.isProbing = 1;
  schedule(firstEvent + flow.qp, timePs, drawOrder());
}

/** Begins a flow's due probes; returns how many entropies to check, or 0 if none needs a probe. */
export function beginProbes(flow: SimFlow, entropies: FlowEntropies): u32 {
  entropies.isProbing = 0;
  if (flow.flags & FLOW_DONE || !entropies.bad) return 0;
  return selectorOf(flow.source).entropies + reserve;
}

/** Returns whether an entropy's probe is due; if so, records the probe as sent. */
export function takeProbe(flow: SimFlow, entropies: FlowEntropies, number: u32): bool {
  const entry = entropyStateAt(entropies, number);
  if (entry.state != ENTROPY_ASSUMED_BAD || entry.probedPs + intervalOf(flow) > nowPs) return false;
  if (entry.awaits) {
    total(TOTAL_PROBES_LOST, 1);
    entry.acked = 0;
  }
  entry.awaits = 1;
  entry.probe = entropies.nextProbe++;
  entry.probedPs = nowPs;
  return true;
}

/** Schedules the next probes of `count` entropies after those due have been sent. */
export function endProbes(flow: SimFlow, entropies: FlowEntropies, count: u32): void {
  let leastPs = nowPs;
  for (let number: u32 = 0; number < count; number++) {
    const entry = entropyStateAt(entropies, number);
    if (entry.state == ENTROPY_ASSUMED_BAD) leastPs = min<i64>(leastPs, entry.probedPs);
  }
  expectAt(flow, entropies, leastPs + intervalOf(flow));
}

/** Handles the SACK of an entropy's probe. */
export function takeProbeAck(flow: SimFlow, entropy: u32, probe: u32, isMarked: bool, isAlwaysSkipped: bool): void {
  const entropies = entropiesOf(flow.qp);
  const number = entropy - entropies.upper;
  const entry = entropyStateAt(entropies, number);
  if (!entry.awaits || entry.probe != probe) return;
  entry.awaits = 0;
  total(TOTAL_PROBES_ACKNOWLEDGED, 1);
  if (isAlwaysSkipped) entry.acked = 0;
  else if (++entry.acked >= probesToReturn) noteReturn(selectorOf(flow.source), entropies, number, isMarked);
}
