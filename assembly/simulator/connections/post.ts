/**
 * Posts a message to a QP that carries several: it is sent after earlier ones, with the QP's rate, window and PSNs.
 *
 * Idle     a QP whose bytes are all acknowledged keeps the state of its algorithm. DCQCN's timers continue, so its rate recovers.
 *          HPCC's average forgets everything older than a round trip (tau is at most T), so only its next ACK counts
 * Restart  after the configured idle time, the QP restarts as when it was opened: at line rate
 * Failed   messages of a QP whose retries are exhausted fail immediately, as a QP in the error state flushes its work requests
 *
 * Source   IBTA vol. 1, 9.7 (messages of a QP are sent and completed in order) and 10.3.1 (error state); Y. Li et al., "HPCC", SIGCOMM 2019,
 *          algorithm 1 (tau).
 */
import { QP_OPEN, QP_PARAMETER_SET_SHIFT } from '../../../src/abi/codes';
import { FLOW_FAILED, FLOW_STARTED, SIM_NONE } from '../../../src/abi/sim-codes';
import { open as openByTable } from '../../algorithms/by-table';
import { asDcqcn } from '../../algorithms/dcqcn/record';
import { open as openDcqcn } from '../../algorithms/dcqcn/transitions';
import { isBuiltIn } from '../../algorithms/registry';
import { flagsOf, parameterSetOf, setFlags, stateOf } from '../../memory/map';
import { nowPs } from '../event-queue';
import { flowAt, portAt } from '../network';
import { advanceWakeUp, joinNic, serveFlow, serveNic } from '../nic';
import { addRunning } from '../running';
import { failMessage } from './fail';
import { idleRestartPs, messageOf, streamOf } from './memory';
import { FLOW_CONNECTION, QP_MESSAGE_POSTED, QpMessage, QpStream } from '../../records/flows';
import { SimFlow } from '../../records/network';

/** Posts the message of a flow. */
export function postMessage(number: u32): void {
  const message = messageOf(number);
  const leader = message.leader;
  const flow = flowAt(leader);
  message.postedPs = <f64>nowPs;
  message.flags |= QP_MESSAGE_POSTED;
  if (flow.flags & FLOW_FAILED) return flush(flow, message);
  const stream = streamOf(leader);
  append(flow, stream, message, number);
  if (flow.flags & FLOW_STARTED) return resume(flow, stream, leader, message);
  flow.flags |= FLOW_STARTED | FLOW_CONNECTION;
  flow.nextAvailPs = nowPs;
  flow.lastProgressPs = nowPs;
  flow.lastNak = -1;
  addRunning(leader);
  const port = portAt(flow.sourcePort);
  joinNic(port, leader);
  serveNic(port, nowPs);
}

/** Fails a message of a QP in the error state. It gets no sequence numbers, so no packet belongs to it. */
function flush(flow: SimFlow, message: QpMessage): void {
  message.first = message.end = flow.size;
  failMessage(message);
}

/** Gives the message the sequence numbers after those of the message before it. */
function append(flow: SimFlow, stream: QpStream, message: QpMessage, number: u32): void {
  const mtuBytes = <i64>flow.mtuBytes;
  message.sizeBytes = <i64>flowAt(number).sizeBytes;
  message.first = stream.last == SIM_NONE ? 0 : messageOf(stream.last).end;
  message.end = message.first + (message.sizeBytes + mtuBytes - 1) / mtuBytes * mtuBytes;
  message.padding = stream.padding;
  message.next = SIM_NONE;
  stream.padding += message.end - message.first - message.sizeBytes;
  message.ordinal = stream.last == SIM_NONE ? 0 : messageOf(stream.last).ordinal + 1;
  if (stream.last == SIM_NONE) stream.first = number;
  else messageOf(stream.last).next = number;
  stream.last = number;
  if (stream.acking == SIM_NONE) stream.acking = number;
  if (stream.receiving == SIM_NONE) stream.receiving = number;
  flow.size = message.end;
}

/** Posts a message to a QP that has carried messages before. */
function resume(flow: SimFlow, stream: QpStream, leader: u32, message: QpMessage): void {
  const isIdle = flow.sndUna == message.first;
  if (isIdle && <f64>(nowPs - stream.idleSincePs) >= idleRestartPs) {
    restart(leader);
    message.restarted = 1;
  }
  serveFlow(flow, leader, nowPs);
  // A pending wake-up for another QP of the port may be too late for this one.
  advanceWakeUp(portAt(flow.sourcePort), flow);
}

/** Resets the algorithm to its initial state. */
function restart(qp: u32): void {
  const own = parameterSetOf(flagsOf(qp));
  setFlags(qp, QP_OPEN | (flagsOf(qp) >> QP_PARAMETER_SET_SHIFT << QP_PARAMETER_SET_SHIFT));
  if (isBuiltIn(own.algorithm)) openDcqcn(stateOf(qp), asDcqcn(own));
  else openByTable(qp);
}
