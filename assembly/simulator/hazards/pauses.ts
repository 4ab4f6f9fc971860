/** Applies pauses, and reports them to victim accounting, deadlock detection and the switch's watchdog. */
import { PACKET_PAUSE } from '../../../src/abi/sim-codes';
import { nowPs } from '../event-queue';
import { indexOfPort } from '../network';
import { pause, resume } from '../pauses';
import { schedulePauseCheck } from './pause-check-schedule';
import { hazardClass, hazardPort } from './memory';
import { accountVictims } from './victims';
import { expectPoll } from './watchdog-polls';
import { SimPacket, SimPort } from '../../records/network';
import { CLASSES } from '../classes';
import { TRACE_PAUSE_LAPSED, TRACE_RESUMED } from '../../records/packet-trace';

/** A pause or resume frame has arrived; returns whether transmission may resume. */
export function applyWatched(port: SimPort, packet: SimPacket): bool {
  const cls = <u32>packet.sequence;
  const pauses = packet.kind == PACKET_PAUSE;
  if (pauses) port.pausesReceived += 1;
  if (hazardPort(port).stormed & (1 << cls)) {
    note(port, cls, pauses);
    return false;
  }
  if (!pauses) {
    endWatched(port, cls, TRACE_RESUMED);
    return true;
  }
  const wasPaused = (port.paused & (1 << cls)) != 0;
  pause(port, cls);
  if (wasPaused) return false;
  accountVictims(port, cls, true);
  schedulePauseCheck();
  expectPoll(port);
  return false;
}

/** Called when a pause ends, for any reason. @param end TRACE_RESUMED or TRACE_PAUSE_LAPSED. */
export function endWatched(port: SimPort, cls: u32, end: u32): void {
  if (!(port.paused & (1 << cls))) return;
  accountVictims(port, cls, false);
  resume(port, cls, end);
}

/** Records a request. It does not pause a queue that the watchdog considers stormed. */
function note(port: SimPort, cls: u32, pauses: bool): void {
  const own = hazardPort(port);
  if (pauses) own.asked |= 1 << cls;
  else if (own.asked & (1 << cls)) {
    own.asked &= ~(1 << cls);
    hazardClass(indexOfPort(port), cls).quietSincePs = nowPs;
  }
}

/** Clears all pause requests at a port whose link changed. */
export function forgetWatched(port: SimPort): void {
  for (let cls: u32 = 0; cls < CLASSES; cls++) {
    if (hazardPort(port).stormed & (1 << cls)) note(port, cls, false);
    else endWatched(port, cls, TRACE_PAUSE_LAPSED);
  }
}
