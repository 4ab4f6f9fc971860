/** Packets and addresses that the tunnel tests share. */
import { setTrafficClass } from '../../../src/tunnel/encapsulation.js';
import { parseIpAddress } from '../../../src/wire/ip/ip-address.js';
import { V2, V3 } from '../../wire/support/hex.js';

export const END_CON_SID = parseIpAddress('2001:db8:aaaa::c0');
export const EGRESS_SID = parseIpAddress('2001:db8:bbbb::1');
export const WAN_LOOPBACK = parseIpAddress('2001:db8:ffff::7');
/** Sender and receiver of V3. */
export const SENDER = V3.slice(8, 24);
export const RECEIVER = V3.slice(24, 40);

export const withClass = (packet: Uint8Array, dscp: number, ecn: number): Uint8Array => {
  const copy = packet.slice();
  setTrafficClass(copy, 0, dscp, ecn);
  return copy;
};

/** A published RoCEv2 packet over IPv6, DSCP 26 and ECT(0). */
export const DATA_6 = withClass(V3, 26, 2);
/** The same over IPv4. */
export const DATA_4 = withClass(V2, 26, 2);
