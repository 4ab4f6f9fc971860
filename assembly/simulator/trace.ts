/**
 * Records of packets that leave a captured port, and of its pauses, in a ring that the host empties between slices of the run.
 */
import { FLOW_MRC, PACKET_ACK, PACKET_DATA, PACKET_ENDPOINT_REQUEST, PACKET_ENDPOINT_RESPONSE, PACKET_NACK, PACKET_NAK,
  PACKET_PROBE, RUN_TRACE_FULL, SIM_NONE } from '../../src/abi/sim-codes';
import { portsVary } from './balancing/network';
import { sourcePortOf } from './balancing/source-ports';
import { connected } from './connections/memory';
import { placeInMessages } from './connections/positions';
import { nowPs } from './event-queue';
import { halt } from './halt';
import { flowAt, indexOfPort, trace, traceCapacity } from './network';
import { isData } from './packets';
import { mrcOf } from './transport/memory';
import { tunnelled } from './wan/memory';
import { outerBytesOf, tunnelWord } from './wan/tunnels';
import { FLOW_CONNECTION } from '../records/flows';
import { SimPacket, SimPort } from '../records/network';
import { CAPTURE_PAUSES, PACKET_TRACE_BYTES, PacketTrace, TRACE_MRC_AGAIN_SHIFT, TRACE_MRC_ALWAYS_SKIP_SHIFT,
  TRACE_MRC_ACK_REQUEST_SHIFT, TRACE_MRC_ECHO_SHIFT, TRACE_MRC_FORWARD_SHIFT, TRACE_MRC_PROBE_SHIFT,
  TRACE_MRC_RANGE_SHIFT, TRACE_MRC_REASON_SHIFT, TRACE_MRC_TRIMMED_SHIFT } from '../records/packet-trace';
import { PROBE_STATUS, PROBE_STATUS_RESPONSE, TRIM_NONE } from '../records/transports';

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
  const record = nextRecord();
  record.timePs = <f64>nowPs;
  record.sequence = <f64>packet.sequence;
  record.port = indexOfPort(port);
  record.kind = packet.kind;
  record.flow = packet.flow;
  record.lenBytes = packet.lenBytes;
  const outerBytes = tunnelled && !port.isHost && packet.flow != SIM_NONE ? outerBytesOf(packet) : 0;
  const ofMrc = isOfMrc(packet);
  if (ofMrc) traceMrc(record, packet);
  else record.mrc = 0;
  record.payloadBytes = isData(packet) && !(ofMrc && hasNoPayload(packet)) ?
    packet.lenBytes - outerBytes - flowAt(packet.flow).headerBytes :
    0;
  record.cls = packet.cls;
  record.marked = packet.marked;
  record.origin = packet.power;
  record.sourcePort = portsVary && packet.flow != SIM_NONE ? <u16>sourcePortOf(flowAt(packet.flow), packet) : 0;
  record.tunnel = tunnelled && !port.isHost && packet.flow != SIM_NONE ? tunnelWord(packet) : 0;
  record.message = connected ? messageWord(packet) : 0;
}

/** Whether it is a packet of MRC: data, a SACK or a NACK. */
@inline function isOfMrc(packet: SimPacket): bool {
  const kind = <u32>packet.kind;
  if (kind != PACKET_DATA && kind != PACKET_ACK && kind != PACKET_NACK) return false;
  return (flowAt(packet.flow).flags & FLOW_MRC) != 0;
}

/** Whether it is a trimmed packet or a probe. */
function hasNoPayload(packet: SimPacket): bool {
  return mrcOf(packet).trimmed != TRIM_NONE || mrcOf(packet).probe != 0;
}

function traceMrc(record: PacketTrace, packet: SimPacket): void {
  const part = mrcOf(packet);
  const data = isData(packet);
  const isEndpoint = packet.kind != PACKET_NACK && part.probe >= <u8>PROBE_STATUS;
  if (isEndpoint || (data && part.probe)) {
    record.kind = kindOfProbe(part.probe);
    record.sequence = 0;
  }
  const trimmed: u32 = packet.kind == PACKET_ACK ? 0 : part.trimmed;
  const reason: u32 = packet.kind == PACKET_NACK ? part.reason : 0;
  record.mrc = 1 | (reason << TRACE_MRC_REASON_SHIFT) | (<u32>(data && part.asks) << TRACE_MRC_ACK_REQUEST_SHIFT) |
    (<u32>(part.again != 0) << TRACE_MRC_AGAIN_SHIFT) | (<u32>(!data && packet.echo) << TRACE_MRC_ECHO_SHIFT) |
    (trimmed << TRACE_MRC_TRIMMED_SHIFT) | (<u32>(part.probe != 0) << TRACE_MRC_PROBE_SHIFT) |
    (<u32>(packet.kind == PACKET_ACK && part.asks) << TRACE_MRC_ALWAYS_SKIP_SHIFT) |
    (<u32>(isEndpoint && data) << TRACE_MRC_FORWARD_SHIFT) | (rangeOf(packet) << TRACE_MRC_RANGE_SHIFT);
  record.sentPs = <f64>packet.sentPs;
  record.mapFirst = <f64>part.mapFirst;
  record.mapLow = <u32>part.map;
  record.mapHigh = <u32>(part.map >> 32);
  record.cause = part.cause;
  record.windowDemand = isSack(packet) ? part.windowDemand : 0;
  record.received = packet.kind == PACKET_ACK || (data && trimmed) ? part.received : 0;
}

function kindOfProbe(probe: u32): u32 {
  if (probe == PROBE_STATUS) return PACKET_ENDPOINT_REQUEST;
  return probe == PROBE_STATUS_RESPONSE ? PACKET_ENDPOINT_RESPONSE : PACKET_PROBE;
}

/** The range that a SACK announces; 0: none. */
function rangeOf(packet: SimPacket): u32 {
  return isSack(packet) ? mrcOf(packet).range : 0;
}

/** Responses to endpoint requests have the same kind. */
function isSack(packet: SimPacket): bool {
  return packet.kind == PACKET_ACK && mrcOf(packet).probe < <u8>PROBE_STATUS;
}

function messageWord(packet: SimPacket): u32 {
  const isOfFlow = isData(packet) || packet.kind == PACKET_ACK || packet.kind == PACKET_NAK ||
    packet.kind == PACKET_NACK;
  if (!isOfFlow || packet.sequence < 0 || !(flowAt(packet.flow).flags & FLOW_CONNECTION)) return 0;
  return placeInMessages(flowAt(packet.flow), packet);
}

/** Records that a class was paused, paused for longer, or resumed; `change`: TRACE_PAUSED etc. */
export function tracePause(port: SimPort, cls: u32, change: u32): void {
  if (!(port.captured & CAPTURE_PAUSES) || written == traceCapacity) return;
  const record = nextRecord();
  record.timePs = <f64>nowPs;
  record.sequence = 0;
  record.port = indexOfPort(port);
  record.kind = change;
  record.flow = SIM_NONE;
  record.cls = <u8>cls;
}

function nextRecord(): PacketTrace {
  const record = changetype<PacketTrace>(trace + <usize>written * PACKET_TRACE_BYTES);
  written++;
  if (written + MARGIN > traceCapacity) halt(RUN_TRACE_FULL);
  return record;
}
