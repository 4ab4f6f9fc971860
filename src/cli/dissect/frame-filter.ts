/** Selects the frames that `roce-cc dissect` shows. */
import type { Packet } from '../../packet/index.js';
import { isOfClasses, type ClassChoice } from './frame-classes.js';
import { prefixContains, type IpPrefix } from '../../wire/ip/ip-address.js';

export interface FilterFlags {
  /** Accepted classes; absent: any. */
  readonly class?: readonly ClassChoice[];
  /** Accepted QPNs; empty: any. */
  readonly qpn: readonly number[];
  /** Accepted addresses of either end; empty: any. */
  readonly address: readonly IpPrefix[];
}

/** Whether a packet passes all given filters. */
export function passes(packet: Packet, { class: classes, qpn, address }: FilterFlags): boolean {
  if (classes !== undefined && !isOfClasses(packet, classes)) return false;
  const destQpn = packet.destQpn ?? packet.mrc?.destQpn;
  if (qpn.length > 0 && (destQpn === undefined || !qpn.includes(destQpn))) return false;
  return address.length === 0 || isFromOrTo(packet, address);
}

/** Compares the packet's addresses, or, in a tunnel, those of the outermost header. */
function isFromOrTo({ ip, tunnel }: Packet, prefixes: readonly IpPrefix[]): boolean {
  return [ip, tunnel?.outer].some((header) =>
    header !== undefined &&
    prefixes.some((prefix) => prefixContains(prefix, header.source) || prefixContains(prefix, header.destination))
  );
}
