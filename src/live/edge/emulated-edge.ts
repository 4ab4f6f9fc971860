/**
 * A provider edge for real frames (draft-hu-rtgwg-rocev2-fcn-00, section 4.2): a state machine without a clock and without queues.
 *
 *   inside   an IPv6 packet to a host of the other data centre: gets an outer IPv6 header (source: the edge's END.CON
 *            SID) and, for services with an explicit path, an SRH; ECN by RFC 6040; Fast CNPs by the access list
 *   outside  to an egress SID of a service: decapsulated, ECN by RFC 6040; to the END.CON SID: a Fast CNP of a WAN
 *            router, decapsulated. Both are forwarded to the host inside, Fast CNPs by the access list
 *
 * The inner hop limit is decremented once in transit. `src/tunnel` defines how packets are treated.
 * Known deviations: no rate, buffer or marks (a `live switch` next to it has them); PFC and ARN end here without
 * effect; a packet that is too long is dropped without an ICMPv6 message.
 */
import { RoceError } from '../../errors.js';
import { configureEndCon, createEcnTunnelCounters, createEndConCounters, decapsulate, encapsulate, endConReceive,
  type EcnTunnelCounters, type EndCon, type EndConCounters } from '../../tunnel/index.js';
import { sameBytes } from '../../wire/bytes.js';
import { IP_ADDRESS_BYTES } from '../../wire/ip/ip-address.js';
import { Ipv6 } from '../../wire/ip/ipv6.js';
import { EtherType, Ethernet } from '../../wire/link/ethernet.js';
import { FastCnp } from '../../wire/roce/fast-cnp.js';
import { FrameFacts, KIND_CNP, KIND_MAC_CONTROL } from '../switch/frame-facts.js';
import { nodeOfAddress, type EdgeLink, type EdgeSettings } from './settings.js';

/** Why a frame was dropped. */
export const EDGE_DROP_REASONS = [
  'cut',
  'notIp',
  'noRoute',
  'malformed',
  'hopLimit',
  'tooBig',
  'accessList',
  'ecn',
  'endCon',
] as const;

/** A side of an edge: `inside` faces its data centre, `outside` the WAN. */
export type EdgeSide = 'inside' | 'outside';

/** Receives frames that leave on a side, and owns them. */
type EdgeSink = (side: EdgeSide, frame: Uint8Array) => void;

const HOP_LIMIT = Ipv6.offsetOf('hopLimit');
const SOURCE = Ipv6.offsetOf('source');
const DESTINATION = Ipv6.offsetOf('destination');

export class EmulatedEdge {
  readonly settings: EdgeSettings;
  readonly counters: Readonly<Record<EdgeSide, EdgeSideCounters>> = { inside: emptySide(), outside: emptySide() };
  /** Packets that were decapsulated here, by inner and outer ECN field. */
  readonly ecn: EcnTunnelCounters = createEcnTunnelCounters();
  readonly endConCounters: EndConCounters = createEndConCounters();
  readonly #endCon: EndCon;
  readonly #facts = new FrameFacts();
  readonly #sink: EdgeSink;

  constructor(settings: EdgeSettings, sink: EdgeSink) {
    this.settings = settings;
    this.#sink = sink;
    this.#endCon = configureEndCon({ localSids: [settings.endConSid], accept: 'fast-cnp' });
  }

  /**
   * Receives a frame. @param frame without its FCS. @param originalLenBytes larger than its length if it was truncated.
   */
  receive(side: EdgeSide, frame: Uint8Array, originalLenBytes = frame.length): void {
    const counters = this.counters[side];
    counters.in += 1;
    this.#facts.read(frame, 0, frame.length);
    const { kind, ipVersion, ipOffset } = this.#facts;
    if (kind === KIND_MAC_CONTROL) counters.ended += 1;
    else if (originalLenBytes > frame.length || frame.length < Ethernet.lenBytes) counters.dropped.cut += 1;
    else if (ipVersion !== 6) counters.dropped.notIp += 1;
    else {
      const packet = wholePacket(frame.subarray(ipOffset));
      const left = packet === undefined ? 'malformed' : this.#pass(side, packet);
      if (left === 'forwarded') counters.forwarded += 1;
      else if (left === 'ended') counters.ended += 1;
      else counters.dropped[left] += 1;
    }
  }

  #pass(side: EdgeSide, packet: Uint8Array): EdgeDropReason | 'forwarded' | 'ended' {
    try {
      return side === 'inside' ? this.#enter(packet) : this.#leave(packet);
    } catch (error) {
      if (error instanceof RoceError && error.code === 'invalid-packet') return 'malformed';
      throw error;
    }
  }

  /** Encapsulates a packet from the data centre. */
  #enter(packet: Uint8Array): EdgeDropReason | 'forwarded' | 'ended' {
    const { settings } = this;
    const { sides, tunnels, mtuBytes } = settings;
    const host = nodeOfAddress(packet, DESTINATION, sides.length);
    if (host < 0 || sides[host] !== 'far') return this.#isOwn(packet) ? 'ended' : 'noRoute';
    const flow = settings.flows.get(this.#facts.destQpn);
    const tunnel = tunnels[flow?.service ?? tunnels.length - 1] ?? tunnels.find((one) => one !== undefined);
    if (tunnel === undefined) return 'noRoute';
    if (this.#isBarred(packet, settings.permitIn)) return 'accessList';
    if (packet[HOP_LIMIT] <= 1) return 'hopLimit';
    const outer = encapsulate(packet, flow === undefined ? tunnel : { ...tunnel, flowLabel: flow.flowLabel });
    if (outer.length > mtuBytes) return 'tooBig';
    outer[outer.length - packet.length + HOP_LIMIT] -= 1;
    this.#sink('outside', framed(settings.outside, outer));
    return 'forwarded';
  }

  /** Decapsulates a packet for the data centre. */
  #leave(packet: Uint8Array): EdgeDropReason | 'forwarded' | 'ended' {
    const { settings } = this;
    const destination = packet.subarray(DESTINATION, DESTINATION + IP_ADDRESS_BYTES);
    if (sameBytes(destination, settings.endConSid)) {
      const result = endConReceive(this.#endCon, this.endConCounters, packet);
      if (result.action === 'forward') return this.#deliver(result.packet);
      return result.action === 'drop' && result.reason === 'ecn' ? 'ecn' : 'endCon';
    }
    if (!settings.egressSids.some((sid) => sameBytes(destination, sid)))
      return this.#isOwn(packet) ?
        'ended' :
        'noRoute';
    const result = decapsulate(packet, { counters: this.ecn });
    if (result.action === 'drop') return 'ecn';
    const inner = result.packet;
    if (result.innerVersion !== 6 || inner.length < Ipv6.lenBytes) return 'malformed';
    if (inner[HOP_LIMIT] <= 1) return 'hopLimit';
    inner[HOP_LIMIT] -= 1;
    return this.#deliver(inner);
  }

  #deliver(packet: Uint8Array): EdgeDropReason | 'forwarded' {
    const { settings } = this;
    const host = nodeOfAddress(packet, DESTINATION, settings.sides.length);
    if (host < 0 || settings.sides[host] !== 'near') return 'noRoute';
    const frame = framed(settings.inside, packet);
    this.#facts.read(frame, 0, frame.length);
    if (this.#isBarred(packet, settings.permitOut)) return 'accessList';
    this.#sink('inside', frame);
    return 'forwarded';
  }

  /** Whether this is a Fast CNP that no access list admits, judged by its headers. */
  #isBarred(packet: Uint8Array, permitted: ReadonlySet<number>): boolean {
    if (this.#facts.kind !== KIND_CNP || !isFastCnp(packet)) return false;
    return !permitted.has(nodeOfAddress(packet, SOURCE, this.settings.sides.length));
  }

  /** Whether the packet is for the edge's own address, such as an ARN. */
  #isOwn(packet: Uint8Array): boolean {
    return sameBytes(packet.subarray(DESTINATION, DESTINATION + IP_ADDRESS_BYTES), this.settings.address);
  }
}

/** Removes padding after the packet; undefined if the packet is incomplete. */
function wholePacket(bytes: Uint8Array): Uint8Array | undefined {
  const lenBytes = Ipv6.lenBytes + new Ipv6.View(bytes, 0).payloadLength;
  return lenBytes <= bytes.length ? bytes.subarray(0, lenBytes) : undefined;
}

function isFastCnp(packet: Uint8Array): boolean {
  try {
    FastCnp.read(packet);
    return true;
  } catch (error) {
    if (error instanceof RoceError && error.code === 'invalid-packet') return false;
    throw error;
  }
}

function framed({ source, destination }: EdgeLink, packet: Uint8Array): Uint8Array {
  const frame = new Uint8Array(Ethernet.lenBytes + packet.length);
  frame.set(destination);
  frame.set(source, destination.length);
  frame[Ethernet.lenBytes - 2] = EtherType.IPV6 >> 8;
  frame[Ethernet.lenBytes - 1] = EtherType.IPV6 & 0xff;
  frame.set(packet, Ethernet.lenBytes);
  return frame;
}

/**
 * `cut`: captured in part; `notIp`: not IPv6; `noRoute`: no such host on the other side, nor an address of the edge;
 * `malformed`: an incomplete IPv6 packet, or a tunnel without a packet; `hopLimit`: expired; `tooBig`: too long for the
 * WAN with its outer header; `accessList`: a Fast CNP of a switch that is on no list; `ecn`: outer CE over inner
 * Not-ECT (RFC 6040); `endCon`: rejected by END.CON for another reason.
 */
export type EdgeDropReason = (typeof EDGE_DROP_REASONS)[number];

/** Counters of a side, in frames: in = forwarded + ended + dropped. */
interface EdgeSideCounters {
  /** Frames received. */
  in: number;
  /** Received frames that the other side forwarded. */
  forwarded: number;
  /**
   * Received frames for the edge itself: pause frames and ARNs, which have no effect because the edge has no queues.
   */
  ended: number;
  /** Received frames that were dropped, by reason. */
  readonly dropped: Record<EdgeDropReason, number>;
}

function emptySide(): EdgeSideCounters {
  const dropped = Object.fromEntries(EDGE_DROP_REASONS.map((reason) => [reason, 0])) as Record<EdgeDropReason, number>;
  return { in: 0, forwarded: 0, ended: 0, dropped };
}

/** Sum over all reasons. */
export function droppedBy({ dropped }: EdgeSideCounters): number {
  return EDGE_DROP_REASONS.reduce((sum, reason) => sum + dropped[reason], 0);
}
