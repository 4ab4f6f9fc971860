/**
 * Telemetry that switches write into departing data packets, and how senders read it.
 *
 * Record    time, bytes that the port has sent before this packet, bytes that wait behind it, the port (whose rate is known).
 * int64     packed as in the reference simulator: rate code 3 bits; time in ns, 24; bytes / (128 m), 20; queue / (80 m), 17. There
 *           are only five records: the sixth hop overwrites the first.
 * exact     in full precision.
 * Source    Li et al., HPCC, SIGCOMM 2019, section 3.1; golden/unit/int_hop_quant.csv.
 */
import { ACK_HOP_BYTES, ACK_HOPS, HOP_ID, HOP_LINE_RATE, HOP_PORT, HOP_QLEN_BYTES, HOP_TIME, HOP_TX_BYTES,
  INT64_HOPS_MAX, RAW_HOP_BYTES, RAW_HOP_LINE_RATE, RAW_HOP_QLEN, RAW_HOP_TIME,
  TELEMETRY_INT64 } from '../../src/abi/ack-layout';
import { nowPs } from './event-queue';
import { hopsMax, indexOfPort, intMultiplier, portAt, telemetryKind } from './network';
import { hopOf } from './packets';
import { lossy } from './lossy/network';
import { PacketHop, SimPacket, SimPort } from '../records/network';

const PS_PER_NS: i64 = 1000;
const TIME_MASK: i64 = 0xffffff;
const BYTES_UNIT: f64 = 128;
const BYTES_MASK: i64 = 0xfffff;
const QUEUE_UNIT: f64 = 80;
const QUEUE_MASK: i64 = 0x1ffff;

const PORT_BITS: u64 = 11;
const PORT_MASK: u64 = (1 << PORT_BITS) - 1;
/** Exclusive limit of the port numbers that a hop can hold. */
export const PORTS_LIMIT: u32 = 1 << 22;

@inline function timeOf(hop: PacketHop): i64 {
  return <i64>(hop.timeAndPort >> PORT_BITS);
}

@inline function bytesOf(hop: PacketHop): f64 {
  return <f64>(hop.bytesAndPort >> PORT_BITS);
}

@inline function portOf(hop: PacketHop): u32 {
  const low = hop.timeAndPort & PORT_MASK;
  return <u32>(low | ((hop.bytesAndPort & PORT_MASK) << PORT_BITS));
}

/** Adds a hop to a data packet that leaves by this port of a switch; `recorded`: whether its flow reads telemetry. */
@inline export function addHop(port: SimPort, packet: SimPacket, recorded: bool): void {
  const place = telemetryKind == TELEMETRY_INT64 ? <u32>packet.hops % INT64_HOPS_MAX : <u32>packet.hops;
  packet.hops++;
  if (!recorded || place >= hopsMax) return;
  const hop = changetype<PacketHop>(hopOf(packet, place));
  const number = <u64>indexOfPort(port);
  hop.timeAndPort = (<u64>nowPs << PORT_BITS) | (number & PORT_MASK);
  hop.bytesAndPort = (<u64>port.txBytes << PORT_BITS) | (number >> PORT_BITS);
  hop.queueBytes = port.queueBytes;
}

/** Writes the hops of an acknowledgement into an AckEvent. */
export function writeHops(packet: SimPacket, record: usize): void {
  const count = min<u32>(packet.hops, hopsMax);
  let at = record + ACK_HOPS;
  for (let index: u32 = 0; index < count; index++, at += ACK_HOP_BYTES) {
    const hop = changetype<PacketHop>(hopOf(packet, index));
    if (telemetryKind == TELEMETRY_INT64) writeRaw(hop, at);
    else writeExact(hop, at);
  }
}

function writeExact(hop: PacketHop, at: usize): void {
  const port = portOf(hop);
  store<f64>(at, <f64>timeOf(hop), HOP_TIME);
  store<f64>(at, bytesOf(hop), HOP_TX_BYTES);
  store<f64>(at, <f64>hop.queueBytes, HOP_QLEN_BYTES);
  store<f64>(at, portAt(port).rateBps, HOP_LINE_RATE);
  store<u32>(at, port, HOP_ID);
  store<u32>(at, 0, HOP_PORT);
}

function writeRaw(hop: PacketHop, at: usize): void {
  store<u32>(at, rateCode(portAt(portOf(hop)).rateBps), RAW_HOP_LINE_RATE);
  store<u32>(at, <u32>((timeOf(hop) / PS_PER_NS) & TIME_MASK), RAW_HOP_TIME);
  store<u32>(at, <u32>(<i64>(bytesOf(hop) / (BYTES_UNIT * intMultiplier)) & BYTES_MASK), RAW_HOP_BYTES);
  store<u32>(at, <u32>(<i64>(<f64>hop.queueBytes / (QUEUE_UNIT * intMultiplier)) & QUEUE_MASK), RAW_HOP_QLEN);
}

/** Code of 25, 50, 100, 200, 400 Gb/s, and of 40 under fidelity `reference-lossy`; 0 for other rates. */
function rateCode(rateBps: f64): u32 {
  if (rateBps == 50e9) return 1;
  if (rateBps == 100e9) return 2;
  if (rateBps == 200e9) return 3;
  if (rateBps == 400e9) return 4;
  return lossy && rateBps == 40e9 ? 5 : 0;
}
