/**
 * Transports in the kernel's memory: a record for each flow whose transport is not plain go-back-N, and rings of the
 * packets that it tracks.
 */
import { ACK_RESTORES_WINDOW } from '../../../abi/ack-layout.js';
import { readField, writeFields, type FieldValues } from '../../../abi/records/define-record.js';
import { SIM_FLOW, TIMEOUT_IDLE } from '../../../abi/records/network.js';
import { FLOW_LOSSES, FLOW_TRANSPORT, MRC_PACKET, LOSS_REACTION_ALGORITHM, LOSS_REACTION_CNP, LOSS_REACTION_NONE,
  STATUS_PAIR } from '../../../abi/records/transports.js';
import * as codes from '../../../abi/sim-codes.js';
import { SIM_FLOW_LOSSES, SIM_FLOWS, SIM_PORT_STATUS, SIM_TRANSPORTS } from '../../../abi/sim-codes.js';
import { BITS_PER_BYTE } from '../../../units.js';
import { MRC_NOMINAL_HEADER_BYTES } from '../../compile/packet-sizes.js';
import type { FlowPlans } from '../../flow-plans.js';
import type { KernelPart } from '../../kernel/kernel-part.js';
import { recordAt, type SimAbi } from '../../kernel/sim-abi.js';
import type { NetworkPlan } from '../../plan.js';
import type { LossReaction, Transport } from '../../scenario/spec.js';
import { streamSizes } from '../connections/compile.js';
import { announceablePackets } from './check.js';
import { isPlainTransport, type MrcPlan, type TransportKind, type TransportsPlan,
  type PortStatusPlan } from './plan.js';

const REACTIONS: Readonly<Record<LossReaction, number>> = {
  algorithm: LOSS_REACTION_ALGORITHM,
  none: LOSS_REACTION_NONE,
  cnp: LOSS_REACTION_CNP,
};
const FLAGS: Readonly<Record<Transport, number>> = {
  'go-back-n': 0,
  'selective-repeat': codes.FLOW_SELECTIVE,
  irn: codes.FLOW_SELECTIVE | codes.FLOW_IRN,
  tolerant: codes.FLOW_SELECTIVE | codes.FLOW_TOLERANT,
  mrc: codes.FLOW_SELECTIVE | codes.FLOW_MRC,
};
/** Bytes of SACK fields: IRN's first byte; the first packet and bitmap of `tolerant`. */
const IRN_SACK_BYTES = 8;
const TOLERANT_SACK_BYTES = 16;

const TIME_BYTES = 8;
const ORDER_BYTES = 4;
const ENTROPY_BYTES = 2;
/** Records and rings begin on multiples of 8 bytes. */
const LEAST_BITS = 64;

export const TRANSPORTS_MEMORY: KernelPart = {
  capacity: (plan) => {
    const { transports, flows, connections } = plan;
    const mtuBytes = mtuOfHosts(plan);
    return {
      transportBytes: transportBytes(transports, flows, streamSizes(flows, connections, mtuBytes), mtuBytes),
      statusPairs: transports?.portStatus?.pairs.length ?? 0,
      lossChecks: (transports?.tolerant?.lossTimePs ?? null) === null ? 0 : flows.length,
    };
  },
  rules: (plan) => ({ sackBytes: sackBytes(plan) }),
  write: writeTransports,
};

/** Returns the payload of a host's full packets. */
function mtuOfHosts({ nodes, rules }: NetworkPlan): (host: number) => number {
  return (host) => nodes[host]?.mtuBytes ?? rules.mtuBytes;
}

/** Bytes of the record by which responses report packets received out of order. */
function sackBytes({ transports }: NetworkPlan): number {
  const has = (name: Transport): boolean => transports?.kinds.some(({ transport }) => transport === name) === true;
  return has('mrc') ? MRC_PACKET.bytes : has('tolerant') ? TOLERANT_SACK_BYTES : has('irn') ? IRN_SACK_BYTES : 0;
}

function writeTransports(abi: SimAbi, plan: NetworkPlan): void {
  const { transports, flows } = plan;
  if (transports === undefined) return;
  if (transports.portStatus !== undefined) writePortStatus(abi, plan.nodes, transports.portStatus);
  const view = new DataView(abi.memory.buffer);
  const mtuBytes = mtuOfHosts(plan);
  const sizes = streamSizes(flows, plan.connections, mtuBytes);
  let at = abi.simRegion(SIM_TRANSPORTS) >>> 0;
  for (let flow = 0; flow < flows.length; flow++) {
    const kind = transports.kinds[transports.kindOf[flow]];
    if (isPlainTransport(kind)) continue;
    const rings = ringsOf(kind, transports, sizes[flow], mtuBytes(flows.source[flow]));
    writeRecord(view, at, kind, transports, rings);
    writeFlow(view, abi, flow, kind, transports);
    writeFields(view, recordAt(abi, SIM_FLOW_LOSSES, FLOW_LOSSES, flow), FLOW_LOSSES, { transport: at });
    at += recordBytes(rings);
  }
}

/** Writes the pairs of hosts that notify each other, with all ports working. */
function writePortStatus(abi: SimAbi, nodes: readonly { readonly portCount: number }[],
  { pairs, ...settings }: PortStatusPlan): void {
  const view = new DataView(abi.memory.buffer);
  pairs.forEach((pair, index) => {
    const planes = nodes[pair.adapter].portCount - 1;
    writeFields(view, recordAt(abi, SIM_PORT_STATUS, STATUS_PAIR, index), STATUS_PAIR, {
      ...pair,
      ...settings,
      ports: 2 ** planes - 1,
    });
  });
}

/** Writes the settings of an added flow, whose record and rings are already reserved. */
export function writeAddedTransport(abi: SimAbi, plan: NetworkPlan, flow: number): void {
  const { transports } = plan;
  if (transports === undefined) return;
  const kind = transports.kinds[transports.kindOf[flow]];
  if (!isPlainTransport(kind)) writeFlow(new DataView(abi.memory.buffer), abi, flow, kind, transports);
}

function writeRecord(view: DataView, at: number, kind: TransportKind, { irn, tolerant, mrc }: TransportsPlan,
  { kept, sacked, lost, asking, times, orders, entropies }: Rings): void {
  const ring = at + FLOW_TRANSPORT.bytes;
  const askingAt = ring + (kept + sacked + lost) / BITS_PER_BYTE;
  const timesAt = askingAt + asking / BITS_PER_BYTE;
  const ordersAt = timesAt + times * Float64Array.BYTES_PER_ELEMENT;
  writeFields(view, at, FLOW_TRANSPORT, {
    windowPackets: kind.windowPackets,
    aheadPackets: kind.windowPackets,
    keptRing: ring,
    keptMask: Math.max(0, kept - 1),
    sackedRing: ring + kept / BITS_PER_BYTE,
    sackedMask: Math.max(0, sacked - 1),
    fewPackets: irn.fewPackets,
    retryLimit: kind.retryCount ?? codes.SIM_NONE,
    lossReaction: REACTIONS[kind.lossReaction],
    capBytes: irn.capBytes,
    distancePackets: tolerant?.distancePackets ?? codes.SIM_NONE,
    lostRing: lost === 0 ? 0 : ring + (kept + sacked) / BITS_PER_BYTE,
    ackRequestRing: asking === 0 ? 0 : askingAt,
    passedRing: times === 0 ? 0 : timesAt,
    orderRing: orders === 0 ? 0 : ordersAt,
    entropyRing: entropies === 0 ? 0 : ordersAt + orders * Uint32Array.BYTES_PER_ELEMENT,
    lossTimePs: tolerant?.lossTimePs ?? 0,
  });
  if (kind.transport === 'mrc' && mrc !== undefined) writeMrc(view, at, kind, mrc);
}

function writeMrc(view: DataView, at: number, { timesPackets, windowPackets }: TransportKind, mrc: MrcPlan): void {
  const {
    reorderPs,
    reorderPackets,
    sackEveryBytes,
    requestsAckInSmallWindow,
    sendsWholePackets,
    dropsBeyond,
    nackBytes,
    windowProbeBytes,
    linearTimeouts,
    timeoutsCount,
    announcesRange,
    countsReceived,
    windowPenalty = 0,
    maxMessages = 0,
  } = mrc;
  const rangePackets = rangePacketsOf(mrc, windowPackets);
  writeFields(view, at, FLOW_TRANSPORT, {
    lossTimePs: reorderPs ?? 0,
    distancePackets: reorderPackets ?? codes.SIM_NONE,
    sackEveryBytes,
    requestsAckInSmallWindow,
    sendsWholePackets: sendsWholePackets === true,
    rangePackets,
    dropsBeyond: dropsBeyond === true,
    nackBytes,
    nominalHeaderBytes: MRC_NOMINAL_HEADER_BYTES,
    probeBytes: windowProbeBytes ?? 0,
    timesPackets: timesPackets === true,
    linearTimeouts,
    countsPackets: timeoutsCount === 'packets',
    countsReceived: countsReceived === true,
    windowDemand: windowPenalty,
    maxMessages,
    ...(announcesRange === true ? announced(rangePackets, windowPackets) : {}),
  });
}

/** Initial range of receivers, in packets from the expected one on. @param windowPackets packets that their senders send ahead. */
function rangePacketsOf({ receiverRangePackets, announcesRange }: MrcPlan, windowPackets: number): number {
  if (receiverRangePackets !== undefined) return receiverRangePackets;
  return announcesRange === true ? announceablePackets(windowPackets) : windowPackets;
}

/** Fields of the announced range, which both ends know from the setup of the QP. */
function announced(rangePackets: number, windowPackets: number): FieldValues<typeof FLOW_TRANSPORT.fields> {
  return { announcesRange: true, announcedEnd: rangePackets, aheadPackets: Math.min(rangePackets, windowPackets) };
}

/** A change of what receivers of MRC accept or demand. */
interface ReceiverChange {
  readonly receiverRangePackets?: number;
  readonly windowPenalty?: number;
}

/** Sets how many packets receivers of MRC accept, and what they demand of windows, from now on. */
export function changeReceivers(abi: SimAbi, { transports, flows }: NetworkPlan,
  { receiverRangePackets: rangePackets, windowPenalty }: ReceiverChange): void {
  if (rangePackets === undefined && windowPenalty === undefined) return;
  const atEnd = transports?.mrc?.restoresWindow === true ? ACK_RESTORES_WINDOW : 0;
  const view = new DataView(abi.memory.buffer);
  for (let flow = 0; flow < flows.length; flow++) {
    if (transports?.kinds[transports.kindOf[flow]].transport !== 'mrc') continue;
    const at = readField(view, recordAt(abi, SIM_FLOW_LOSSES, FLOW_LOSSES, flow), FLOW_LOSSES, 'transport');
    writeFields(view, at, FLOW_TRANSPORT, {
      ...(rangePackets === undefined ? {} : { rangePackets }),
      ...(windowPenalty === undefined ? {} : { windowDemand: windowPenalty === 0 ? atEnd : windowPenalty }),
    });
  }
}

/** Writes a flow's timeout. IRN has its own, whatever its host's setting is. */
function writeFlow(view: DataView, abi: SimAbi, flow: number, { transport }: TransportKind,
  { irn }: TransportsPlan): void {
  const at = recordAt(abi, SIM_FLOWS, SIM_FLOW, flow);
  writeFields(view, at, SIM_FLOW, { flags: codes.FLOW_OWN_TRANSPORT | FLAGS[transport] });
  if (transport !== 'irn') return;
  const { timeoutLowPs: timeoutPs, timeoutHighPs: pathTimeoutPs } = irn;
  writeFields(view, at, SIM_FLOW, { timeoutPs, pathTimeoutPs, timeoutState: TIMEOUT_IDLE });
}

/** Sizes of a flow's rings, in packets; 0: no ring. */
interface Rings {
  readonly kept: number;
  readonly sacked: number;
  /** `mrc`: packets to be retransmitted, the size of `sacked`. */
  readonly lost: number;
  /** `mrc` with window probes: packets that request a SACK, the size of `sacked`; 0: none. */
  readonly asking: number;
  /** Times, one per entry of `sacked`; 0: none. */
  readonly times: number;
  /** `mrc` with loss detection by distance: packet numbers, one per entry of `sacked`; 0: none. */
  readonly orders: number;
  /** `mrc`: entropies, one per entry of `sacked`; 0: none. */
  readonly entropies: number;
}

const NO_RINGS: Rings = { kept: 0, sacked: 0, lost: 0, asking: 0, times: 0, orders: 0, entropies: 0 };

/** Bytes of a flow's record and rings. */
function recordBytes({ kept, sacked, lost, asking, times, orders, entropies }: Rings): number {
  return FLOW_TRANSPORT.bytes + (kept + sacked + lost + asking) / BITS_PER_BYTE + times * TIME_BYTES +
    orders * ORDER_BYTES + entropies * ENTROPY_BYTES;
}

/** Bytes of all records and rings. @param sizes bytes of sequence space of each flow's QP. */
export function transportBytes(transports: TransportsPlan | undefined, flows: FlowPlans, sizes: Float64Array,
  mtuBytes: (host: number) => number): number {
  if (transports === undefined) return 0;
  let bytes = 0;
  for (let flow = 0; flow < flows.length; flow++) {
    const kind = transports.kinds[transports.kindOf[flow]];
    if (isPlainTransport(kind)) continue;
    bytes += recordBytes(ringsOf(kind, transports, sizes[flow], mtuBytes(flows.source[flow])));
  }
  return bytes;
}

/** The ring sizes of a flow, limited by the number of its packets. */
function ringsOf({ transport, windowPackets, notesEntropies }: TransportKind, { irn, tolerant, mrc }: TransportsPlan,
  sizeBytes: number, mtuBytes: number): Rings {
  if (transport === 'go-back-n') return NO_RINGS;
  const packets = Math.ceil(sizeBytes / mtuBytes);
  const kept = bitsFor(Math.min(windowPackets, packets));
  if (transport === 'selective-repeat') return { ...NO_RINGS, kept };
  if (transport === 'mrc') {
    const asking = mrc?.windowProbeBytes === undefined ? 0 : kept;
    const orders = mrc?.reorderPackets === undefined ? 0 : kept;
    const entropies = notesEntropies === true ? kept : 0;
    return { kept, sacked: kept, lost: kept, asking, times: kept, orders, entropies };
  }
  if (transport === 'tolerant')
    return { ...NO_RINGS, kept, sacked: kept, times: (tolerant?.lossTimePs ?? null) === null ? 0 : kept };
  return { ...NO_RINGS, kept, sacked: bitsFor(Math.min(Math.ceil(irn.capBytes / mtuBytes), packets)) };
}

/** Rounds up to a power of two, so that a mask maps a packet to its entry. */
function bitsFor(packets: number): number {
  let bits = LEAST_BITS;
  while (bits <= packets) bits *= 2;
  return bits;
}
