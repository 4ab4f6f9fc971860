/** Priority flow control between neighbours: pause and resume frames, and their effect at the other end. */
import { PACKET_PAUSE, PACKET_RESUME, SIM_NONE } from '../../src/abi/sim-codes';
import { nowPs } from './event-queue';
import { pauseBytes, reference } from './network';
import { makePacket, packetAt } from './packets';
import { enqueue } from './queues';
import { release } from './ready-qps';
import { passStreamOver } from './reference-random';
import { tracePause } from './trace';
import { SimPacket, SimPort } from '../records/network';
import { CLASSES, classOf } from './classes';
import { TRACE_PAUSED, TRACE_PAUSED_AGAIN, TRACE_PAUSE_LAPSED, TRACE_RESUMED } from '../records/packet-trace';

/** Queues a frame for this class before everything else of the port; false if there is no memory for it. */
export function putPauseFrame(port: SimPort, cls: u32, pauses: bool): bool {
  const index = makePacket(pauses ? PACKET_PAUSE : PACKET_RESUME, SIM_NONE, 0, pauseBytes);
  if (index == SIM_NONE) return false;
  if (reference) passStreamOver();
  const packet = packetAt(index);
  packet.sequence = cls;
  packet.inPort = SIM_NONE;
  if (pauses) {
    port.pausing |= 1 << cls;
    port.pausesSent += 1;
  } else {
    port.pausing &= ~(1 << cls);
    port.resumesSent += 1;
  }
  enqueue(port, 0, index);
  return true;
}

@inline export function isPauseFrame(packet: SimPacket): bool {
  return <u32>packet.kind - <u32>PACKET_PAUSE < 2;
}

/** A pause or resume frame has arrived; returns whether transmission may resume. */
export function applyPauseFrame(port: SimPort, packet: SimPacket): bool {
  const cls = <u32>packet.sequence;
  if (packet.kind == PACKET_PAUSE) {
    port.pausesReceived += 1;
    pause(port, cls);
    return false;
  }
  resume(port, cls, TRACE_RESUMED);
  return true;
}

export function pause(port: SimPort, cls: u32): void {
  const isPaused = (port.paused & (1 << cls)) != 0;
  tracePause(port, cls, isPaused ? TRACE_PAUSED_AGAIN : TRACE_PAUSED);
  if (isPaused) return;
  port.paused |= 1 << cls;
  classOf(port, cls).pausedSincePs = nowPs;
}

/** @param end TRACE_RESUMED or TRACE_PAUSE_LAPSED. */
export function resume(port: SimPort, cls: u32, end: u32): void {
  if (!(port.paused & (1 << cls))) return;
  tracePause(port, cls, end);
  port.paused &= ~(1 << cls);
  release(port);
  port.pausedPs += <f64>(nowPs - classOf(port, cls).pausedSincePs);
}

/** Clears the pauses of a link that went down. */
export function forgetPauses(port: SimPort): void {
  for (let cls: u32 = 0; cls < CLASSES; cls++) resume(port, cls, TRACE_PAUSE_LAPSED);
  port.pausing = 0;
}

/** Adds the time of current pauses, up to now. */
export function accountPauses(port: SimPort): void {
  for (let cls: u32 = 0; cls < CLASSES; cls++) {
    if (!(port.paused & (1 << cls))) continue;
    port.pausedPs += <f64>(nowPs - classOf(port, cls).pausedSincePs);
    classOf(port, cls).pausedSincePs = nowPs;
  }
}
