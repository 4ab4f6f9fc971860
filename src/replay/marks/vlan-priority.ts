/** Priority of a frame in its outermost VLAN tag (IEEE 802.1Q, section 9.6). */
import { readU16 } from '../../wire/bytes.js';
import { Ethernet, VlanTag, isVlanTagType } from '../../wire/link/ethernet.js';
import { UNTAGGED } from './stream-marks.js';

const TYPE_BYTES = 2;
const TAGS_AT = Ethernet.lenBytes - TYPE_BYTES;
const PCP_SHIFT = 5;

/**
 * @param ipOffset where the IP header begins. Only a chain of tags that ends there counts, because a frame without an
 * Ethernet header may contain any bytes.
 * @returns 0 to 7, or UNTAGGED.
 */
export function vlanPriority(frame: Uint8Array, ipOffset: number): number {
  if (ipOffset < Ethernet.lenBytes + VlanTag.lenBytes) return UNTAGGED;
  for (let at = TAGS_AT; at < ipOffset - TYPE_BYTES; at += VlanTag.lenBytes) {
    if (!isVlanTagType(readU16(frame, at))) return UNTAGGED;
    if (at + VlanTag.lenBytes + TYPE_BYTES === ipOffset) return (frame[TAGS_AT + TYPE_BYTES] ?? 0) >> PCP_SHIFT;
  }
  return UNTAGGED;
}
