/**
 * The timers of MRC's packets. A packet's timer runs from its last transmission; when it expires, the packet is lost and its entropy is assumed
 * bad.
 *
 *   interval   T, the flow's timeout; after `linear` consecutive timeouts T 2^(n - linear + 1), where n is the number of consecutive timeouts.
 *              A new acknowledgement resets n
 *   counts     either every timeout, or only those of packets sent after the last timeout that counted, so packets in flight together count
 *              once: `timeoutsCount`
 *   fails      each timeout that counts is a retry, as a NACK is; the flow fails when it has no retries left
 *
 * One event per flow: it polls when the first timer expires, and at least every T, as progress shortens the interval.
 *
 * Source      OCP MRC 1.0 by its readers (docs/specs/mrc-transport.md): 3.1, 3.7; docs/reference/sources.md, "Timers of MRC".
 * Deviations  congestion control is notified once for all packets whose timers expire together; no timer runs while nothing is in flight.
 */
import { LOSS_TIMEOUT } from '../../../src/abi/ack-layout';
import { nowPs } from '../event-queue';
import { total } from '../network';
import { lose } from '../sender';
import { MAP_PACKETS } from './bitmap';
import { selectNextPacket, holesFrom, loseSilently, sentPsOf } from './mrc';
import { packetsIn } from './numbers';
import { mayRetry } from './retries';
import { TOTAL_TIMEOUTS } from '../../records/sim-run';
import { SimFlow } from '../../records/network';
import { FlowTransport } from '../../records/transports';

/** Maximum number of doublings, so that times do not overflow. */
const DOUBLINGS_MAX: u32 = 20;

/** Packets whose timers had expired at the last poll. */
export let expired: u32 = 0;
/** When the newest of these packets was sent. */
let newestPs: i64 = 0;
/** When the oldest packet in flight whose timer has not expired was sent. */
let oldestLeftPs: i64 = 0;

/** Marks the packets whose timers have expired as lost; returns when to poll again, or 0 if the flow has failed. */
export function expireTimers(flow: SimFlow, number: u32, own: FlowTransport): i64 {
  noteProgress(flow, own);
  loseExpired(flow, own, nowPs - intervalOf(flow, own));
  if (expired) {
    own.probedPs = 0;
    flow.timeouts += 1;
    total(TOTAL_TIMEOUTS, 1);
    if (!countTimeouts(flow, own)) return 0;
    selectNextPacket(flow, own);
    lose(flow, number, LOSS_TIMEOUT);
  }
  return min<i64>(oldestLeftPs + intervalOf(flow, own), nowPs + timeoutOf(flow));
}

function noteProgress(flow: SimFlow, own: FlowTransport): void {
  const progress = flow.sndUna + own.sackedBytes;
  if (progress == own.timedBytes) return;
  own.timedBytes = progress;
  own.timeoutsInRow = 0;
}

/** The flow's timeout; if it is adaptive, at least the longest time that queues on the flow's path may hold a packet. */
@inline function timeoutOf(flow: SimFlow): i64 {
  return max<i64>(<i64>flow.timeoutPs, <i64>flow.pathTimeoutPs);
}

function intervalOf(flow: SimFlow, own: FlowTransport): i64 {
  if (own.timeoutsInRow < own.linearTimeouts) return timeoutOf(flow);
  const doublings = min<u32>(DOUBLINGS_MAX, own.timeoutsInRow - own.linearTimeouts + 1);
  return timeoutOf(flow) << <i64>doublings;
}

/** Marks all packets in flight that were last sent at or before `latestPs` as lost. */
function loseExpired(flow: SimFlow, own: FlowTransport, latestPs: i64): void {
  const end = packetsIn(flow, flow.sentUpTo);
  expired = 0;
  newestPs = -1;
  oldestLeftPs = nowPs;
  for (let first = packetsIn(flow, flow.sndUna); first < end; first += MAP_PACKETS) {
    let holes = holesFrom(own, first, end);
    for (; holes != 0; holes &= holes - 1) {
      const number = first + <i64>ctz<u64>(holes);
      const sentPs = sentPsOf(own, number);
      if (sentPs > latestPs) {
        oldestLeftPs = min<i64>(oldestLeftPs, sentPs);
        continue;
      }
      loseSilently(flow, own, number, LOSS_TIMEOUT);
      newestPs = max<i64>(newestPs, sentPs);
      expired++;
    }
  }
}

/** Counts the timeouts as retries; returns false if none is left, in which case the flow fails. */
function countTimeouts(flow: SimFlow, own: FlowTransport): bool {
  let draws: u32 = own.countsPackets ? expired : <u32>(newestPs >= own.countedPs);
  if (draws) own.countedPs = nowPs;
  own.timeoutsInRow += draws;
  for (; draws != 0; draws--) if (!mayRetry(flow, own)) return false;
  return true;
}
