/** The record of a QP under an agent; offsets that the host knows: src/abi/agent-layout.ts. */
import { AGENT_ACKED_BYTES, AGENT_ACKS, AGENT_BYTES, AGENT_IN_FLIGHT, AGENT_RETRANSMITTED, AGENT_RTT_MIN,
  AGENT_SENT_BYTES, AGENT_WINDOW, AGENT_WINDOW_NOW } from '../../../src/abi/agent-layout';

/** By the flow that leads the QP. */
@unmanaged
export class QpAgent {
  /** The agent's rate, bits per second, and window, bytes; 0: as the algorithm has it. */
  rateBps: f64;
  windowBytes: u32;
  /** The window that holds now; 0: none. */
  windowNowBytes: u32;
  /** The rate by which the running gap was set; 0: the algorithm's. */
  gapRateBps: f64;
  /** When the last packet left, and its length; 0 bytes: none has. */
  sentPs: i64;
  sentLenBytes: u32;
  retransmitted: u32;
  sentBytes: f64;
  ackedBytes: f64;
  inFlightBytes: f64;
  rttSumPs: f64;
  rttMinPs: f64;
  acks: u32;
  markedAcks: u32;
  cnps: u32;
  free92: u32;
}

/** Compiled only while a layout disagrees: stops the build. */
export function checkAgentLayouts(): void {
  if (offsetof<QpAgent>() != AGENT_BYTES) ERROR('QpAgent');
  if (offsetof<QpAgent>('windowBytes') != AGENT_WINDOW) ERROR('QpAgent.windowBytes');
  if (offsetof<QpAgent>('windowNowBytes') != AGENT_WINDOW_NOW) ERROR('QpAgent.windowNowBytes');
  if (offsetof<QpAgent>('sentBytes') != AGENT_SENT_BYTES) ERROR('QpAgent.sentBytes');
  if (offsetof<QpAgent>('ackedBytes') != AGENT_ACKED_BYTES) ERROR('QpAgent.ackedBytes');
  if (offsetof<QpAgent>('inFlightBytes') != AGENT_IN_FLIGHT) ERROR('QpAgent.inFlightBytes');
  if (offsetof<QpAgent>('rttMinPs') != AGENT_RTT_MIN) ERROR('QpAgent.rttMinPs');
  if (offsetof<QpAgent>('acks') != AGENT_ACKS) ERROR('QpAgent.acks');
  if (offsetof<QpAgent>('retransmitted') != AGENT_RETRANSMITTED) ERROR('QpAgent.retransmitted');
}
