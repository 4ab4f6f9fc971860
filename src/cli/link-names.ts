/** Link-layer header types: which the engine reads, and what people call them. */
import { LINK_TYPE_ETHERNET, LINK_TYPE_INFINIBAND, LINK_TYPE_IPV4, LINK_TYPE_IPV6, LINK_TYPE_LINUX_SLL,
  LINK_TYPE_LINUX_SLL2, LINK_TYPE_RAW } from '../capture/index.js';

const NAMES: ReadonlyMap<number, string> = new Map([
  [LINK_TYPE_ETHERNET, 'Ethernet'],
  [LINK_TYPE_RAW, 'raw IP'],
  [LINK_TYPE_IPV4, 'raw IPv4'],
  [LINK_TYPE_IPV6, 'raw IPv6'],
  [LINK_TYPE_LINUX_SLL, 'Linux cooked'],
  [LINK_TYPE_LINUX_SLL2, 'Linux cooked v2'],
  [LINK_TYPE_INFINIBAND, 'InfiniBand'],
]);

const READABLE: ReadonlySet<number> = new Set([LINK_TYPE_ETHERNET, LINK_TYPE_RAW, LINK_TYPE_IPV4, LINK_TYPE_IPV6]);

/** Does the engine look into frames of this link type? */
export function isReadable(linkType: number): boolean {
  return READABLE.has(linkType);
}

/** Its name, or its number as registered at tcpdump.org. */
export function linkTypeName(linkType: number): string {
  return NAMES.get(linkType) ?? `link type ${linkType}`;
}
