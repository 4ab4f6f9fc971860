/** The records of QPs that carry several messages; allocated only if a plan has such QPs. */
import { SIM_NONE, SIM_QP_MESSAGES, SIM_QP_STREAMS } from '../../../src/abi/sim-codes';
import { allocate } from '../../memory/map';
import { flowCount, rule, simCapacity } from '../network';
import { publish } from '../regions';
import { SIM_CAPACITY_CONNECTIONS, RULE_IDLE_RESTART_PS } from '../../records/sim-run';
import { QP_MESSAGE_BYTES, QP_STREAM_BYTES, QpMessage, QpStream } from '../../records/flows';

/** Whether any QP carries several messages. */
export let connected: bool = false;
/** Time without bytes in flight after which a QP restarts at line rate, picoseconds. */
export let idleRestartPs: f64 = Infinity;

let messages: usize = 0;
let streams: usize = 0;

export function allocateConnections(): void {
  connected = simCapacity(SIM_CAPACITY_CONNECTIONS) != 0;
  if (!connected) return;
  messages = publish(SIM_QP_MESSAGES, allocate(<usize>flowCount * QP_MESSAGE_BYTES));
  streams = publish(SIM_QP_STREAMS, allocate(<usize>flowCount * QP_STREAM_BYTES));
}

/** Initialises all QPs; the host has written the messages' QPs and their numbers. */
export function beginConnections(): void {
  if (!connected) return;
  idleRestartPs = rule(RULE_IDLE_RESTART_PS);
  for (let index: u32 = 0; index < flowCount; index++) {
    const stream = streamOf(index);
    messageOf(index).beganPs = -1;
    messageOf(index).firstNotificationPs = -1;
    stream.acking =
      stream.receiving =
      stream.sending =
      stream.first =
      stream.last =
        SIM_NONE;
  }
}

@inline export function messageOf(flow: u32): QpMessage {
  return changetype<QpMessage>(messages + <usize>flow * QP_MESSAGE_BYTES);
}

/** The record of the flow that leads a QP. */
@inline export function streamOf(leader: u32): QpStream {
  return changetype<QpStream>(streams + <usize>leader * QP_STREAM_BYTES);
}

/** Whether a flow is a message of a QP that carries several. */
@inline export function isMessage(flow: u32): bool {
  return connected && messageOf(flow).leader != SIM_NONE;
}
