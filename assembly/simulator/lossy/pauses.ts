/**
 * Pauses that expire. A switch repeats its frame for every packet that still requires it; a pause ends `pauseTimePs` after its
 * last frame, at both ends of the link.
 *
 * Source: docs/specs/reference-lossy.md, section 7.
 */
import { PACKET_PAUSE, PACKET_RESUME, SIM_NONE } from '../../../src/abi/sim-codes';
import { cancel, drawOrder, nowPs, schedule } from '../event-queue';
import { indexOfPort, pauseBytes } from '../network';
import { makePacket, packetAt } from '../packets';
import { pause, resume } from '../pauses';
import { enqueue } from '../queues';
import { lossyPort, pausedUntil, pauseSet, pauseTimePs } from './network';
import { isPauseDue, isResumeDue } from './pools';
import { SimNode, SimPacket, SimPort } from '../../records/network';
import { CLASSES } from '../classes';
import { TRACE_PAUSE_LAPSED, TRACE_RESUMED } from '../../records/packet-trace';

/** First event of the expiries, one per port and class. */
let expiries: u32 = 0;

/** Sets the first event number of the expiries. */
export function placeExpiries(event: u32): void {
  expiries = event;
}

@inline function expiryEvent(port: SimPort, cls: u32): u32 {
  return expiries + indexOfPort(port) * CLASSES + cls;
}

@inline function isPausing(port: SimPort, cls: u32): bool {
  return nowPs < load<i64>(pausedUntil(port, cls));
}

/** Pauses the peer in congested classes, then resumes it in the others; returns whether there is a frame to send. */
export function updatePauses(node: SimNode, port: SimPort, arrived: u32): bool {
  let frames = false;
  for (let cls: u32 = 0; cls < CLASSES; cls++) {
    if (!isPauseDue(node, port, cls, arrived) || !putFrame(port, cls, PACKET_PAUSE)) continue;
    store<i64>(pausedUntil(port, cls), nowPs + pauseTimePs);
    frames = true;
  }
  for (let cls: u32 = 0; cls < CLASSES; cls++) frames = resumePeer(node, port, cls) || frames;
  return frames;
}

/** Resumes the peer if it may send; returns whether there is a frame to send. */
export function resumePeer(node: SimNode, port: SimPort, cls: u32): bool {
  if (!isPausing(port, cls) || !isResumeDue(node, port, cls) || !putFrame(port, cls, PACKET_RESUME)) return false;
  store<i64>(pausedUntil(port, cls), 0);
  return true;
}

function putFrame(port: SimPort, cls: u32, kind: u32): bool {
  const index = makePacket(kind, SIM_NONE, 0, pauseBytes);
  if (index == SIM_NONE) return false;
  const packet = packetAt(index);
  packet.sequence = cls;
  packet.inPort = SIM_NONE;
  if (kind == PACKET_PAUSE) port.pausesSent += 1;
  else port.resumesSent += 1;
  enqueue(port, 0, index);
  return true;
}

/** A pause or resume frame has arrived; returns whether transmission may resume. */
export function applyExpiring(port: SimPort, packet: SimPacket): bool {
  const cls = <u32>packet.sequence;
  cancelExpiry(port, cls);
  if (packet.kind != PACKET_PAUSE) {
    resume(port, cls, TRACE_RESUMED);
    return true;
  }
  port.pausesReceived += 1;
  pause(port, cls);
  lossyPort(port).expiries |= 1 << cls;
  store<i64>(pauseSet(port, cls), nowPs);
  schedule(expiryEvent(port, cls), nowPs + pauseTimePs, drawOrder());
  return false;
}

function cancelExpiry(port: SimPort, cls: u32): void {
  const own = lossyPort(port);
  if (!(own.expiries & (1 << cls))) return;
  own.expiries &= ~(1 << cls);
  cancel(expiryEvent(port, cls));
}

/** Expires a pause of this port; returns the time when it was set. */
export function expirePause(port: SimPort, cls: u32): i64 {
  lossyPort(port).expiries &= ~(1 << cls);
  resume(port, cls, TRACE_PAUSE_LAPSED);
  return load<i64>(pauseSet(port, cls));
}
