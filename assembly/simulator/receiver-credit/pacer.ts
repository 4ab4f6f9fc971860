/**
 * Receiver credit: the pull pacer of a host's port, shared by the flows that the host receives there.
 *
 *   target    carried by data packets, also trimmed ones. A packet that raises it makes its flow active, and so does a trimmed one
 *   active    the first flow is granted up to 64 quanta of 256 bytes, up to its target; then it moves to the end, or to idle
 *   idle      if none is active, the first flow is granted 64 quanta; it stays idle while the grant is less than the largest window
 *             beyond its target, else it leaves the list. So a sender whose packets were lost can retransmit without a request
 *   turn      one credit packet, with the cumulative grant; the next turn follows after the quanta granted, or after 4 if none was
 *   quantum   trunc(2048e12 / rate / 0.99 (full + overhead) / full): 256 bytes of full packets with preamble and gap, at 99 % of
 *             the port's rate
 *
 * Source      uet-htsim (docs/specs/uet-reference.md, 5.3 and 9), for RCCC of Ultra Ethernet 1.0.
 * Deviations  uet-htsim's links have no preamble and gap; there, a flow can be in both lists, or twice in one, which is unnecessary,
 *             and completely received flows are still granted credit. Control of oversubscribed networks is left out
 *             (docs/reference/sources.md).
 */
import { FLOW_MRC, FLOW_RECEIVED, PACKET_CREDIT, SIM_NONE } from '../../../src/abi/sim-codes';
import { PULL_QUANTUM_BYTES } from '../../../src/abi/ack-layout';
import { maxWindowBytes } from '../../algorithms/rccc/transitions';
import { flagsOf, parameterSetOf } from '../../memory/map';
import { selecting } from '../balancing/network';
import { drawOrder, nowPs, schedule } from '../event-queue';
import { addSource } from '../event-sources';
import { ackQueue, flowAt, portAt, portCount, total, wireOverheadBytes } from '../network';
import { response } from '../nic';
import { makePacket, packetAt } from '../packets';
import { setSourcePort, sourcePortOfPacket } from '../path-selection/memory';
import { mrcOf } from '../transport/memory';
import { isTrimmed } from '../trimming';
import { firstOf, leave, moveTo } from './lists';
import { crediting, creditOf, creditPacketBytes, pacerOf } from './memory';
import { CREDIT_LIST_ACTIVE, CREDIT_LIST_IDLE, CreditFlow, CreditPacer } from '../../records/flows';
import { SimFlow, SimPacket } from '../../records/network';
import { TOTAL_CREDIT_QUANTA } from '../../records/sim-run';

/** Maximum quanta granted in a turn. */
const QUANTA: i64 = 64;
/** Quanta of time after a turn that grants none. */
const QUANTA_IF_NONE: i64 = 4;
const BITS_PER_QUANTUM_PS: f64 = 2048e12;
const PACE: f64 = 0.99;

/** First of the pacing events, one per port. */
let pulls: u32 = 0;

/** Adds the events of the ports' pull pacers, one per port. */
export function addPulls(): void {
  pulls = addSource(crediting ? portCount : 0, takeTurn);
}

/** Handles the target of a data packet, whole or trimmed, of a flow with FLOW_CREDIT at its host. Probes carry no target. */
export function noteTarget(flow: SimFlow, packet: SimPacket): void {
  if (flow.flags & FLOW_MRC && mrcOf(packet).probe) return;
  const own = creditOf(packet.flow);
  if (selecting) own.sourcePort = <u16>sourcePortOfPacket(packet);
  if (flow.flags & FLOW_RECEIVED) return;
  // Successive targets differ little, so their low 32 bits are enough.
  const target = own.target + <i64><i32>(packet.power - <u32>own.target);
  const isRaised = target > own.target;
  if (isRaised) own.target = target;
  if ((isRaised || isTrimmed(packet)) && own.list != CREDIT_LIST_ACTIVE) activate(flow, packet.flow);
}

function activate(flow: SimFlow, number: u32): void {
  const pacer = pacerOf(portAt(flow.responsePort));
  moveTo(pacer, number, CREDIT_LIST_ACTIVE);
  if (pacer.isRunning) return;
  pacer.isRunning = 1;
  schedule(pulls + flow.responsePort, nowPs, drawOrder());
}

/** Sends one credit packet, if there is a flow to grant credit to. */
function takeTurn(port: u32): void {
  const pacer = pacerOf(portAt(port));
  let number = firstUnfinished(pacer, CREDIT_LIST_ACTIVE);
  let quanta = QUANTA;
  if (number != SIM_NONE) quanta = grantActive(pacer, number, creditOf(number));
  else {
    number = firstUnfinished(pacer, CREDIT_LIST_IDLE);
    if (number == SIM_NONE) {
      pacer.isRunning = 0;
      return;
    }
    grantIdle(pacer, number, creditOf(number));
  }
  total(TOTAL_CREDIT_QUANTA, <f64>quanta);
  const flow = flowAt(number);
  sendCredit(flow, number);
  schedule(pulls + port, nowPs + quantumPs(flow) * (quanta ? quanta : QUANTA_IF_NONE), drawOrder());
}

/** The first flow of a list that has not been received completely; removes completely received ones. */
function firstUnfinished(pacer: CreditPacer, list: u32): u32 {
  let number = firstOf(pacer, list);
  while (number != SIM_NONE && flowAt(number).flags & FLOW_RECEIVED) {
    leave(pacer, number);
    number = firstOf(pacer, list);
  }
  return number;
}

/** Returns the quanta granted: 0 if the flow was granted more than its target while it was idle. */
function grantActive(pacer: CreditPacer, number: u32, own: CreditFlow): i64 {
  const quanta = max<i64>(0, min<i64>(QUANTA, own.target - own.granted));
  own.granted += quanta;
  moveTo(pacer, number, own.target > own.granted ? CREDIT_LIST_ACTIVE : CREDIT_LIST_IDLE);
  return quanta;
}

function grantIdle(pacer: CreditPacer, number: u32, own: CreditFlow): void {
  own.granted += QUANTA;
  const mostBeyond = <i64>(maxWindowBytes(parameterSetOf(flagsOf(number))) / <f64>PULL_QUANTUM_BYTES);
  if (own.granted - own.target < mostBeyond) moveTo(pacer, number, CREDIT_LIST_IDLE);
  else leave(pacer, number);
}

/** Time of a quantum on the wire, in full packets of the flow. */
function quantumPs(flow: SimFlow): i64 {
  const fullBytes = flow.mtuBytes + flow.headerBytes;
  const onWire = <f64>(fullBytes + wireOverheadBytes) / <f64>fullBytes;
  return <i64>(BITS_PER_QUANTUM_PS / portAt(flow.responsePort).rateBps / PACE * onWire);
}

function sendCredit(flow: SimFlow, number: u32): void {
  const own = creditOf(number);
  const index = makePacket(PACKET_CREDIT, number, flow.ackClass, creditPacketBytes);
  if (index == SIM_NONE) return;
  const packet = packetAt(index);
  packet.sequence = own.granted;
  packet.sentPs = nowPs;
  if (selecting) setSourcePort(packet, own.sourcePort);
  response(portAt(flow.responsePort), ackQueue == SIM_NONE ? flow.ackClass : ackQueue, index, nowPs);
}
