/**
 * States of entropies: a sender of MRC uses the GOOD entropies of an active set, and replaces those that seem to have failed.
 *
 *   active   N entropies, one per slot. The slots are visited round-robin (round-robin.ts), in another order each rotation. Further entropies
 *            are the reserve
 *   next     the next GOOD entropy. The first one found in SKIP becomes GOOD but is skipped this time; further ones stay in SKIP. So if no
 *            entropy is GOOD, the rotation returns to that one. With a setting, SKIP ends a fixed time after its last cause instead.
 *            With several planes, an entropy whose port has no room is skipped, unless a whole rotation finds no other: plane-room.ts
 *
 *   state             event                                                              next state
 *   GOOD, SKIP        SACK of a marked packet; NACK of a packet trimmed before its last hop  SKIP
 *   GOOD, SKIP        NACK of a packet trimmed at the last hop, where all paths meet      unchanged
 *   GOOD, SKIP        timeout of a packet                                                ASSUMED_BAD
 *   GOOD, SKIP        SACK with M = 2, ALWAYS_SKIP                                       ASSUMED_BAD
 *   GOOD, SKIP        loss of a packet inferred from SACKs                               ASSUMED_BAD or SKIP, a setting
 *   SKIP              the rotation reaches it, or its time is over                       GOOD
 *   ASSUMED_BAD       probes are acknowledged (probes.ts)                                GOOD; or SKIP if the last one was marked, a setting
 *   ASSUMED_BAD       fewer than `minActive` entropies of the active set are usable, and it is the oldest  GOOD
 *   any               the controller denies it                                           DENIED
 *   DENIED            the controller allows it; nothing else changes it                  GOOD
 *
 * Which entropies are in the active set: active-set.ts.
 *
 * Source      OCP MRC 1.0 by its readers (docs/specs/mrc-transport.md): 3.8, 3.9; open points O15, O17, O21 and O29 in docs/reference/sources.md.
 * Deviations  if no port has room, a sender does not wait: its adapter queues the packet.
 */
import { LOSS_TIMEOUT } from '../../../src/abi/ack-layout';
import { nowPs } from '../event-queue';
import { joinActive, leaveActive, oldestBad, startActive, usableActive } from './active-set';
import { activeAt, denying, draw, entropyStateAt, inferredLoss, isDenied, markedProbe, minActive, reserve,
  skipPs } from './memory';
import { isRoomFor } from './plane-room';
import { passTurn } from './round-robin';
import { ENTROPY_ASSUMED_BAD, ENTROPY_DENIED, ENTROPY_GOOD, ENTROPY_PORTS, ENTROPY_SKIP, EntropyState, FlowEntropies,
  NO_SLOT, Selector } from '../../records/balancing';

/** Returns the entropy of the next packet. `ports`: result of `planesOf`. */
export function nextUsable(own: Selector, flow: FlowEntropies, ports: usize): u32 {
  if (!flow.isStarted) start(own, flow);
  return flow.upper + (skipPs ? nextByTime(own, flow, ports) : nextByRotation(own, flow, ports));
}

/** Draws a flow's entropies, which are consecutive; the first ones become the active set. */
function start(own: Selector, flow: FlowEntropies): void {
  const count = own.entropies + reserve;
  flow.isStarted = 1;
  flow.upper = <u16>draw(own, ENTROPY_PORTS - count + 1);
  flow.mask = <u16>draw(own, own.entropies);
  startActive(own, flow, count);
  if (!denying) return;
  for (let number: u32 = 0; number < count; number++)
    if (isDenied(flow, number)) entropyStateAt(flow, number).state = <u8>ENTROPY_DENIED;
  for (let number: u32 = 0; number < own.entropies; number++)
    if (isDenied(flow, number)) leaveActive(own, flow, number);
}

/** Terminates: at least one entropy of the active set is usable, and a rotation visits all of them. */
function nextByRotation(own: Selector, flow: FlowEntropies, ports: usize): u32 {
  let hasReset = false;
  let waiting = <u32>NO_SLOT;
  for (let passed: u32 = 0; passed < own.entropies || waiting == NO_SLOT; passed++) {
    const number = passSlot(own, flow);
    const entry = entropyStateAt(flow, number);
    if (entry.state == ENTROPY_GOOD) {
      if (isRoomFor(ports, flow.upper + number)) return number;
      if (waiting == NO_SLOT) waiting = number;
    } else if (entry.state == ENTROPY_SKIP && !hasReset) {
      entry.state = <u8>ENTROPY_GOOD;
      hasReset = true;
    }
  }
  return waiting;
}

/** Prefers a GOOD entropy with room, then the first GOOD one found, then the first one found in SKIP. */
function nextByTime(own: Selector, flow: FlowEntropies, ports: usize): u32 {
  let skipped = <u32>NO_SLOT;
  let waiting = <u32>NO_SLOT;
  for (let passed: u32 = 0; passed < 2 * own.entropies || (skipped & waiting) == NO_SLOT; passed++) {
    const number = passSlot(own, flow);
    const entry = entropyStateAt(flow, number);
    if (entry.state == ENTROPY_SKIP && entry.sincePs <= nowPs) entry.state = <u8>ENTROPY_GOOD;
    if (entry.state == ENTROPY_GOOD) {
      if (isRoomFor(ports, flow.upper + number)) return number;
      if (waiting == NO_SLOT) waiting = number;
    } else if (entry.state == ENTROPY_SKIP && skipped == NO_SLOT) skipped = number;
  }
  return waiting == NO_SLOT ? skipped : waiting;
}

/** Returns the number of the next entropy, and advances the rotation. */
@inline function passSlot(own: Selector, flow: FlowEntropies): u32 {
  const number = load<u16>(activeAt(own, flow, flow.turn ^ flow.mask));
  passTurn(own, flow);
  return number;
}

/** Handles a packet of an entropy that was marked, or trimmed before its last hop. */
export function noteCongestion(flow: FlowEntropies, entropy: u32): void {
  skip(entropyStateAt(flow, entropy - flow.upper));
}

/** Handles ALWAYS_SKIP from a receiver. */
export function noteAlwaysSkip(own: Selector, flow: FlowEntropies, entropy: u32): void {
  assumeBad(own, flow, entropy - flow.upper);
}

/** Handles the loss of a packet of an entropy. `found`: how it was detected, LOSS_*. */
export function noteLostPacket(own: Selector, flow: FlowEntropies, entropy: u32, found: u32): void {
  const number = entropy - flow.upper;
  if (found == LOSS_TIMEOUT || inferredLoss == ENTROPY_ASSUMED_BAD) assumeBad(own, flow, number);
  else skip(entropyStateAt(flow, number));
}

function skip(entry: EntropyState): void {
  if (entry.state > <u8>ENTROPY_SKIP) return;
  entry.state = <u8>ENTROPY_SKIP;
  entry.sincePs = nowPs + skipPs;
}

function assumeBad(own: Selector, flow: FlowEntropies, number: u32): void {
  const entry = entropyStateAt(flow, number);
  if (entry.state > <u8>ENTROPY_SKIP) return;
  entry.state = <u8>ENTROPY_ASSUMED_BAD;
  entry.sincePs = entry.probedPs = nowPs;
  flow.bad++;
  leaveActive(own, flow, number);
  keepFloor(own, flow);
}

/** Makes the oldest ASSUMED_BAD entropies GOOD until enough of the active set are usable. */
function keepFloor(own: Selector, flow: FlowEntropies): void {
  while (usableActive(own, flow) < minActive) {
    const number = oldestBad(own, flow);
    if (number == NO_SLOT) return;
    restore(own, flow, number);
  }
}

/** Makes an ASSUMED_BAD entropy usable again after its last required probe was acknowledged. */
export function noteReturn(own: Selector, flow: FlowEntropies, number: u32, isMarked: bool): void {
  restore(own, flow, number);
  if (isMarked && markedProbe == ENTROPY_SKIP) skip(entropyStateAt(flow, number));
}

/** Makes an ASSUMED_BAD entropy GOOD. */
function restore(own: Selector, flow: FlowEntropies, number: u32): void {
  forgetBad(flow, entropyStateAt(flow, number));
  joinActive(own, flow, number);
}

function forgetBad(flow: FlowEntropies, entry: EntropyState): void {
  entry.state = <u8>ENTROPY_GOOD;
  entry.acked = 0;
  entry.awaits = 0;
  flow.bad--;
}

/** Makes an entropy of a flow DENIED. */
export function deny(own: Selector, flow: FlowEntropies, number: u32): void {
  const entry = entropyStateAt(flow, number);
  const wasBad = entry.state == ENTROPY_ASSUMED_BAD;
  if (wasBad) forgetBad(flow, entry);
  entry.state = <u8>ENTROPY_DENIED;
  if (wasBad) return;
  leaveActive(own, flow, number);
  keepFloor(own, flow);
}

/** Ends the denial of an entropy: it becomes GOOD. */
export function allow(own: Selector, flow: FlowEntropies, number: u32): void {
  entropyStateAt(flow, number).state = <u8>ENTROPY_GOOD;
  joinActive(own, flow, number);
}
