/**
 * Records of packets leaving a captured port and of its pauses, in a ring that the host empties between slices of the run.
 */
import { CAPTURE_PAUSES, TRACE_BYTES, TRACE_CLASS, TRACE_FLOW, TRACE_KIND, TRACE_LENGTH, TRACE_MARKED, TRACE_MESSAGE,
  TRACE_ORIGIN, TRACE_PAYLOAD, TRACE_PORT, TRACE_SEQUENCE, TRACE_SOURCE_PORT, TRACE_TIME,
  TRACE_TUNNEL } from '../../src/abi/packet-trace-layout';
import { PACKET_ACK, PACKET_NAK, RUN_TRACE_FULL, SIM_NONE } from '../../src/abi/sim-layout';
import { portsVary } from './balancing/network';
import { sourcePortOf } from './balancing/source-ports';
import { connected } from './connections/memory';
import { placeInMessages } from './connections/positions';
import { nowPs } from './event-queue';
import { halt } from './halt';
import { flowAt, indexOfPort, trace, traceCapacity } from './network';
import { isData } from './packets';
import { SimPacket, SimPort } from './records';
import { tunnelled } from './wan/memory';
import { outerBytesOf, tunnelWord } from './wan/tunnels';
import { FLOW_CONNECTION } from '../records/connections';

/** One event may send several packets; a slice ends while there is still room for them. */
const MARGIN: u32 = 16;

let written: u32 = 0;

@inline export function traceCount(): u32 {
  return written;
}

export function clearTrace(): void {
  written = 0;
}

export function traceTransmission(port: SimPort, packet: SimPacket): void {
  if (written == traceCapacity) return;
  const at = nextRecord();
  store<f64>(at, <f64>nowPs, TRACE_TIME);
  store<f64>(at, <f64>packet.sequence, TRACE_SEQUENCE);
  store<u32>(at, indexOfPort(port), TRACE_PORT);
  store<u32>(at, packet.kind, TRACE_KIND);
  store<u32>(at, packet.flow, TRACE_FLOW);
  store<u32>(at, packet.lenBytes, TRACE_LENGTH);
  const outerBytes = tunnelled && !port.isHost && packet.flow != SIM_NONE ? outerBytesOf(packet) : 0;
  store<u32>(at, isData(packet) ? packet.lenBytes - outerBytes - flowAt(packet.flow).headerBytes : 0, TRACE_PAYLOAD);
  store<u8>(at, packet.cls, TRACE_CLASS);
  store<u8>(at, packet.marked, TRACE_MARKED);
  store<u32>(at, packet.power, TRACE_ORIGIN);
  store<u16>(at, portsVary && packet.flow != SIM_NONE ? <u16>sourcePortOf(flowAt(packet.flow), packet) : 0,
    TRACE_SOURCE_PORT);
  store<u32>(at, tunnelled && !port.isHost && packet.flow != SIM_NONE ? tunnelWord(packet) : 0, TRACE_TUNNEL);
  store<u32>(at, connected ? messageWord(packet) : 0, TRACE_MESSAGE);
}

function messageWord(packet: SimPacket): u32 {
  const isOfFlow = isData(packet) || packet.kind == PACKET_ACK || packet.kind == PACKET_NAK;
  if (!isOfFlow || !(flowAt(packet.flow).flags & FLOW_CONNECTION)) return 0;
  return placeInMessages(flowAt(packet.flow), packet);
}

/** Records that a class was paused, paused for longer, or resumed; `change`: TRACE_PAUSED and the like. */
export function tracePause(port: SimPort, cls: u32, change: u32): void {
  if (!(port.captured & CAPTURE_PAUSES) || written == traceCapacity) return;
  const at = nextRecord();
  store<f64>(at, <f64>nowPs, TRACE_TIME);
  store<f64>(at, 0, TRACE_SEQUENCE);
  store<u32>(at, indexOfPort(port), TRACE_PORT);
  store<u32>(at, change, TRACE_KIND);
  store<u32>(at, SIM_NONE, TRACE_FLOW);
  store<u8>(at, <u8>cls, TRACE_CLASS);
}

function nextRecord(): usize {
  const at = trace + <usize>written * TRACE_BYTES;
  written++;
  if (written + MARGIN > traceCapacity) halt(RUN_TRACE_FULL);
  return at;
}
