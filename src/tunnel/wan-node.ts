/**
 * A congested node inside the WAN: sends a Fast CNP for a RoCEv2 packet in a tunnel back through the ingress of that
 * tunnel (draft-hu-rtgwg-rocev2-fcn-00, section 4.2.2).
 *
 *   in    outer IPv6, source = END.CON SID of the ingress PE | [SRH] | RoCEv2 data packet over IPv6
 *   out   outer IPv6, destination = that SID | [SRH] | Fast CNP to the sender in the data centre
 *
 * The draft leaves these open, so they are options: outer source (default: the node's loopback address, as in the Fast
 * CNP), DSCP (that of the Fast CNP), ECN (normal mode), hop limit (64), flow label (that of the Fast CNP), SRH (none);
 * whether senders without ECN get a Fast CNP (yes); whether the source must be a known END.CON SID (no).
 * Rejected: an inner packet over IPv4, since Fast CNP exists for IPv6 only (draft-xiao-rtgwg-rocev2-fast-cnp-01,
 * section 3), and packets that must not trigger a Fast CNP (wire/roce/fast-cnp.ts).
 * Conflict: the Fast CNP's source is a WAN address, but the border of a Fast CNP domain MUST drop Fast CNPs from
 * outside (draft-xiao, section 5). So WAN and data centres must form one domain, or the border's access list must
 * include these loopback addresses: see `allowedSources` in provider-edge.ts.
 */
import { RoceError } from '../errors.js';
import { type FastCnpAnswer, fastCnpFor } from '../wire/roce/fast-cnp.js';
import { isIpv4Mapped } from '../wire/ip/ip-address.js';
import { Ipv6 } from '../wire/ip/ipv6.js';
import { invalidPacket, requireChoice, sameBytes, requireRecord } from '../wire/bytes.js';
import { type LocatedTunnel, locateTunnel, type TunnelHeader, NEXT_HEADER_IPV4, encapsulate,
  isUnicastAddress } from './encapsulation.js';
import { ECN_NOT_ECT } from './ecn.js';

/** The node's settings for its Fast CNPs. */
export interface WanNodeAnswer extends Omit<FastCnpAnswer, 'dataLink' | 'link'> {
  /** Outer header fields, without the destination. Source: default `switchAddress`; other fields: `tunnelDefaults`. */
  readonly returnPath?: Partial<Omit<TunnelHeader, 'destination'>>;
  /** Whether a packet whose inner ECN is Not-ECT gets a Fast CNP. Default `answer`. */
  readonly innerNotEct?: 'answer' | 'reject';
  /** END.CON SIDs that the IGP has announced; if given, the outer source must be one of them. */
  readonly knownEndConSids?: readonly Uint8Array[];
}

/** Why a packet gets no Fast CNP. */
export type WanNodeRejection =
  /** Not an IPv6 tunnel that contains an IP packet. */
  | 'no-tunnel'
  /** The outer source is multicast, unspecified, or not a known END.CON SID. */
  | 'no-end-con'
  /** Fast CNP exists only for IPv6. */
  | 'inner-ipv4'
  /** The inner packet is Not-ECT, under `innerNotEct: 'reject'`. */
  | 'inner-not-ect'
  /** Not a RoCEv2 data packet that may trigger a Fast CNP. */
  | 'not-answerable';

/** The node's reaction to a congested packet. */
export type WanNodeResult = {
  /** A Fast CNP is sent. */
  readonly action: 'send';
  /** The Fast CNP in its tunnel, starting at the outer IPv6 header. */
  readonly packet: Uint8Array;
} | {
  /** No Fast CNP is sent. */
  readonly action: 'reject';
  /** Reason of the rejection. */
  readonly reason: WanNodeRejection;
  /** The error in the packet, if that is the reason. */
  readonly error?: RoceError;
};

/**
 * Builds the Fast CNP for a tunneled packet that met congestion. The packet may be truncated after the inner BTH.
 *
 * @param bytes from the outer IPv6 header on.
 * @throws RoceError `invalid-argument` for an invalid `answer`; `unsupported` for an IOAM trace that is too long, under
 * `oversizeTrace: 'reject'`.
 */
export function answerFromWan(bytes: Uint8Array, answer: WanNodeAnswer): WanNodeResult {
  requireRecord('answer', answer);
  const { returnPath = {}, innerNotEct = 'answer', knownEndConSids, ...rest } = answer;
  requireChoice('innerNotEct', innerNotEct, ['answer', 'reject']);
  const tunnel = attempt(() => locateTunnel(bytes));
  if (tunnel instanceof RoceError) return { action: 'reject', reason: 'no-tunnel', error: tunnel };
  const reason = rejectionOf(tunnel, knownEndConSids);
  if (reason) return { action: 'reject', reason };
  const inner = bytes.subarray(tunnel.innerOffset, Math.min(tunnel.endOffset, bytes.length));
  const fastCnp = attempt(() => {
    const { ecn, source } = new Ipv6.View(inner, 0);
    if (ecn === ECN_NOT_ECT && innerNotEct === 'reject') return undefined;
    // The Fast CNP builder would blame such an address on the caller.
    if (isIpv4Mapped(source)) throw invalidPacket('data packet', tunnel.innerOffset, 'has an IPv4 sender', 4, '6');
    return fastCnpFor(inner, { ...rest, dataLink: 'none', link: 'none' });
  });
  if (fastCnp === undefined) return { action: 'reject', reason: 'inner-not-ect' };
  if (fastCnp instanceof RoceError) return { action: 'reject', reason: 'not-answerable', error: fastCnp };
  const destination = tunnel.outer.source.slice();
  return { action: 'send', packet: encapsulate(fastCnp, { source: rest.switchAddress, ...returnPath, destination }) };
}

function rejectionOf({ outer, innerProtocol }: LocatedTunnel, known?: readonly Uint8Array[]): WanNodeRejection
  | undefined {
  const { source } = outer;
  if (!isUnicastAddress(source)) return 'no-end-con';
  if (known && !known.some((sid) => sameBytes(sid, source))) return 'no-end-con';
  return innerProtocol === NEXT_HEADER_IPV4 ? 'inner-ipv4' : undefined;
}

/** Returns the result, or the error if it is about the packet; throws any other error. */
function attempt<T>(act: () => T): T | RoceError {
  try {
    return act();
  } catch (error) {
    if (error instanceof RoceError && error.code === 'invalid-packet') return error;
    throw error;
  }
}
