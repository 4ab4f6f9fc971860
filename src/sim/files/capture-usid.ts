/**
 * Puts source-routed packets into their outer IPv6 header, as it is on the link after the egress port.
 *
 *   outer header   source: the sending host; destination: the uSIDs ahead, as each switch shifts the list by one; hop limit: 64 less the
 *                  switches passed; flow label: that of the inner header; DSCP: the inner one, but a trimmed packet has its own;
 *                  ECN: CE if the packet is marked (O8)
 *   inner packet   as the host sent it: ECT, its DSCP, its hop limit, and the ICRC over the inner headers; cut if trimmed
 */
import { omit } from '../../config/omit.js';
import { encapsulate, tunnelDefaults } from '../../tunnel/encapsulation.js';
import { RoceError } from '../../errors.js';
import { Ethernet } from '../../wire/link/ethernet.js';
import { Ipv6 } from '../../wire/ip/ipv6.js';
import { UsidCarrier } from '../../wire/mrc/usid.js';
import { addressOfNode } from '../../switching/network-addresses.js';
import { FCS_BYTES } from '../compile/packet-sizes.js';
import { sourceRoutes, usidPlace, usidsOfSwitches, type RoutedNetwork,
  type UsidPlace } from '../features/balancing/usids.js';
import type { UsidsPlan } from '../features/balancing/plan.js';
import type { PacketRecord } from '../result.js';
import { CE, flowOf, type CaptureContext } from './capture-frames.js';
import { dscpOf } from './capture-mrc.js';

const TRAFFIC_CLASS_LOW = 1;
const TRAFFIC_CLASS_ECN_SHIFT = 4;

/** Builds the frames of a network whose source-routed packets have an outer header. */
export class UsidFrames {
  readonly #context: CaptureContext & RoutedNetwork;
  readonly #block: number;
  /** The uSID of each node. */
  readonly #usids: ReadonlyMap<number, number>;

  constructor(context: CaptureContext & RoutedNetwork, { block }: UsidsPlan) {
    this.#context = context;
    this.#block = block;
    this.#usids = usidsOfSwitches(context.nodes);
  }

  /** Undefined if packets have no outer header. */
  static of(context: CaptureContext): UsidFrames | undefined {
    const { routes, groups, balancing } = context;
    if (balancing?.usids === undefined || routes === undefined || groups === undefined) return undefined;
    return new UsidFrames({ ...context, routes, groups }, balancing.usids);
  }

  /** Whether packets of this kind are source-routed; others have no outer header. */
  static has({ kind }: PacketRecord): boolean {
    return kind === 'data' || kind === 'probe';
  }

  /** The record of the inner packet, untrimmed and unmarked. */
  innerRecord(record: PacketRecord): PacketRecord {
    const inner = { ...record, lenBytes: record.lenBytes - Ipv6.lenBytes, marked: false };
    if (record.mrc?.trimmed === undefined) return inner;
    const { dataClass } = flowOf(this.#context, record);
    const payloadBytes = record.mrc.wholePayloadBytes ?? 0;
    return { ...inner, trafficClass: dataClass, mrc: omit(record.mrc, 'trimmed'), payloadBytes };
  }

  /**
   * Puts an inner frame into its outer header; both frames begin with their Ethernet header.
   * @throws RoceError `invalid-argument` for a port that no source route of the flow uses.
   */
  frame(record: PacketRecord, inner: Uint8Array): Uint8Array {
    const { passed, ahead } = this.#place(record);
    const { mrc } = record;
    const isTrimmed = mrc?.trimmed !== undefined;
    const packet = encapsulate(inner.subarray(Ethernet.lenBytes), {
      source: addressOfNode(flowOf(this.#context, record).source),
      destination: UsidCarrier.write({ block: this.#block, usids: ahead }),
      hopLimit: tunnelDefaults.hopLimit - passed,
      ...(isTrimmed ? { dscp: { model: 'pipe', dscp: dscpOf(this.#context, { ...record, mrc }) } } : {}),
    });
    if (record.marked) packet[TRAFFIC_CLASS_LOW] |= CE << TRAFFIC_CLASS_ECN_SHIFT;
    const frame = new Uint8Array(Ethernet.lenBytes + packet.length);
    frame.set(inner.subarray(0, Ethernet.lenBytes));
    frame.set(packet, Ethernet.lenBytes);
    return isTrimmed ? frame.subarray(0, record.lenBytes - FCS_BYTES) : frame;
  }

  #place(record: PacketRecord): UsidPlace {
    const { source, destination, udpSourcePort } = flowOf(this.#context, record);
    const packet = { source, destination, sourcePort: record.sourcePort ?? udpSourcePort };
    for (const route of sourceRoutes(this.#context, packet)) {
      const at = route.indexOf(record.port);
      if (at >= 0) return usidPlace(this.#context, this.#usids, route, at);
    }
    const problem = 'is on no source route of the flow';
    throw new RoceError('invalid-argument', {
      what: 'the port of a record',
      problem,
      got: record.port,
      where: 'record.port',
    });
  }
}
