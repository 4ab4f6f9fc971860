/**
 * Writes the packet record (src/abi/layout.ts, PACKET_*).
 *
 * A stage that ends the parse calls `conclude`; fields of later layers keep the values of `resetRecord`, so that
 * only RoCEv2 classes have BTH, option and ICRC fields, and every frame with a complete IP header has IP fields.
 */
import { CLASS_CUT, CLASS_MALFORMED, ICRC_ABSENT, NONE } from '../../src/abi/codes';
import { PACKET_CLASS, PACKET_IP_OFFSET, PACKET_IP_VERSION, PACKET_TRAFFIC_CLASS,
  PACKET_WHY } from '../../src/abi/layout';

/** Writes an empty record. */
export function resetRecord(out: usize): void {
  store<u64>(out, <u64>ICRC_ABSENT << 40);
  store<u64>(out, 0, 8);
  store<u64>(out, <u64>(<u32>NONE) << 32, 16);
  store<u64>(out, 0, 24);
}

/** Records the outermost IP header. */
@inline export function recordIp(out: usize, version: u32, trafficClass: u32, ip: u32): void {
  store<u8>(out, version, PACKET_IP_VERSION);
  store<u8>(out, trafficClass, PACKET_TRAFFIC_CLASS);
  store<u16>(out, ip, PACKET_IP_OFFSET);
}

/** Ends the parse with a class and the reason for it. */
@inline export function conclude(out: usize, classCode: u32, why: u32): u32 {
  store<u8>(out, classCode, PACKET_CLASS);
  store<u8>(out, why, PACKET_WHY);
  return classCode;
}

/** Ends the parse of a frame whose captured bytes end before `end`: truncated by the capture, or short on the wire. */
@inline export function concludeShort(out: usize, end: u32, original: u32, why: u32): u32 {
  return conclude(out, end > original ? CLASS_MALFORMED : CLASS_CUT, why);
}
