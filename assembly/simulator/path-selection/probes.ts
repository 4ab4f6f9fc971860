/**
 * Probes of entropies: the sender of MRC finds out whether paths that it assumes bad work again.
 *
 *   when      an interval after the entropy was ASSUMED_BAD, and at each interval since its last probe, while the flow is not done
 *   lost      not acknowledged before the next one, however late its SACK may be
 *   return    K acknowledged ones in a row; if the last one was marked: SKIP or GOOD, a setting. One whose SACK has M = 2 ends the row
 *
 * The packets: transport/mrc-probes.ts. One event per flow, when the next probe of any of its entropies is due.
 *
 * Source      OCP MRC 1.0 by its readers (docs/specs/mrc-transport.md): 3.7, 3.8; open points O16 and O18 in docs/reference/sources.md.
 * Deviations  entropies that are not ASSUMED_BAD are not probed, nor paths of responses.
 */
import { FLOW_DONE } from '../../../src/abi/sim-codes';
import { drawOrder, nowPs, schedule } from '../event-queue';
import { total } from '../network';
import { noteReturn } from './entropy-states';
import { entropiesOf, entropyStateAt, probePs, probesToReturn, reserve, selectorOf } from './memory';
import { TOTAL_PROBES_ACKNOWLEDGED, TOTAL_PROBES_LOST } from '../../records/sim-totals';
import { ENTROPY_ASSUMED_BAD, FlowEntropies } from '../../records/balancing';
import { SimFlow } from '../../records/network';

/** Of the probes, one per flow. */
let firstEvent: u32 = 0;

/** Probes have event numbers from `event` on. */
export function placeProbes(event: u32): void {
  firstEvent = event;
}

/** As long as queues on the flow's path may hold its packets, if its timeout is adaptive. */
@inline function intervalOf(flow: SimFlow): i64 {
  return probePs ? probePs : max<i64>(<i64>flow.timeoutPs, <i64>flow.pathTimeoutPs);
}

/** Some entropies of a flow may be ASSUMED_BAD now: schedules their probes. */
export function expectProbes(flow: SimFlow, entropies: FlowEntropies): void {
  if (!probesToReturn || entropies.isProbing || !entropies.bad) return;
  expectAt(flow, entropies, nowPs + intervalOf(flow));
}

function expectAt(flow: SimFlow, entropies: FlowEntropies, timePs: i64): void {
  entropies.isProbing = 1;
  schedule(firstEvent + flow.qp, timePs, drawOrder());
}

/** The probes of a flow are due; returns the number of its entropies to check for them, 0: none. */
export function beginProbes(flow: SimFlow, entropies: FlowEntropies): u32 {
  entropies.isProbing = 0;
  if (flow.flags & FLOW_DONE || !entropies.bad) return 0;
  return selectorOf(flow.source).entropies + reserve;
}

/** Whether an entropy is to be probed now; notes that it is. */
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

/** The probes that were due have been sent: schedules the next ones, of `count` entropies. */
export function endProbes(flow: SimFlow, entropies: FlowEntropies, count: u32): void {
  let leastPs = nowPs;
  for (let number: u32 = 0; number < count; number++) {
    const entry = entropyStateAt(entropies, number);
    if (entry.state == ENTROPY_ASSUMED_BAD) leastPs = min<i64>(leastPs, entry.probedPs);
  }
  expectAt(flow, entropies, leastPs + intervalOf(flow));
}

/** A SACK acknowledges a probe of an entropy. */
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
