/** Which frames to show. */
import type { ClassName } from '../../abi/names.js';
import type { Packet } from '../../packet/index.js';
import { prefixContains, type IpPrefix } from '../../wire/ip/ip-address.js';

export interface FilterFlags {
  /** Any class if absent. */
  readonly class?: readonly ClassName[];
  /** Any if empty. */
  readonly qpn: readonly number[];
  /** Any if empty. */
  readonly address: readonly IpPrefix[];
}

/** Whether a packet passes all given filters. */
export function passes(packet: Packet, { class: classes, qpn, address }: FilterFlags): boolean {
  if (classes !== undefined && !classes.includes(packet.class)) return false;
  if (qpn.length > 0 && (packet.destQpn === undefined || !qpn.includes(packet.destQpn))) return false;
  return address.length === 0 || isFromOrTo(packet, address);
}

function isFromOrTo({ ip }: Packet, prefixes: readonly IpPrefix[]): boolean {
  if (ip === undefined) return false;
  return prefixes.some((prefix) => prefixContains(prefix, ip.source) || prefixContains(prefix, ip.destination));
}
