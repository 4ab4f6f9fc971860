/** What a dissection reports about an Ultra Ethernet packet, beyond its headers. */
import type { MrcDscpName } from '../wire/mrc/ip-fields.js';
import { UetType, type UetTypeName } from '../wire/uet/codes.js';
import type { Dissection } from './dissection.js';

/** An Ultra Ethernet packet. */
export interface UetReading {
  /** Type of its packet delivery header, 0..31. */
  readonly type: number;
  /** Name of the type; absent if it is unknown. */
  readonly typeName?: UetTypeName;
  /** Name of the DSCP of the outermost IP-in-IP header, as the network's settings give it; absent without one. */
  readonly dscpName?: MrcDscpName;
  /** Whether the DSCP marks the packet as trimmed by a switch. */
  readonly isTrimmed: boolean;
  /** Bytes of payload in the packet; absent if its headers are incomplete. */
  readonly payloadBytes?: number;
}

/** @returns undefined for other packets. */
export function readUet(d: Dissection): UetReading | undefined {
  if (d.uetOffset === 0) return undefined;
  const type = d.bytes[d.uetOffset] >> 3;
  const typeName = UetType.nameOf(type);
  const dscpName = d.uetDscps?.get(d.carrierTrafficClass >> 2);
  return {
    type,
    ...(typeName === undefined ? {} : { typeName }),
    ...(dscpName === undefined ? {} : { dscpName }),
    isTrimmed: d.uetIsTrimmed,
    ...(d.uetPayloadBytes < 0 ? {} : { payloadBytes: d.uetPayloadBytes }),
  };
}
