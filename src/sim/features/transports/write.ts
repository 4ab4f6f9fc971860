/** Writes a record for each flow whose transport is not plain go-back-N, and rings of the packets that it tracks. */
import * as codes from '../../../abi/sim-codes.js';
import { SIM_FLOWS, SIM_FLOW_LOSSES, SIM_TRANSPORTS } from '../../../abi/sim-regions.js';
import { BITS_PER_BYTE } from '../../../unit-sizes.js';
import { streamSizes } from '../connections/compile.js';
import type { NetworkPlan } from '../../plan.js';
import { ACK_RESTORES_WINDOW } from '../../../abi/ack-layout.js';
import type { LossReaction, Transport } from '../../scenario/spec.js';
import { recordBytes, ringsOf, transportBytes, type Rings } from './rings.js';
import { rangePacketsOf } from './announced-range.js';
import { isPlainTransport, type MrcPlan, type TransportKind, type TransportsPlan } from './plan.js';
import { writePortStatus } from './port-status.js';
import { MRC_NOMINAL_HEADER_BYTES } from '../../compile/packet-sizes.js';
import { recordAt, type SimAbi } from '../../kernel/sim-abi.js';
import type { KernelPart } from '../../kernel/kernel-part.js';
import { readField, writeFields, type FieldValues } from '../../../abi/records/fields.js';
import { SIM_FLOW, TIMEOUT_IDLE } from '../../../abi/records/network.js';
import { FLOW_LOSSES, FLOW_TRANSPORT, MRC_PACKET, LOSS_REACTION_ALGORITHM, LOSS_REACTION_CNP,
  LOSS_REACTION_NONE } from '../../../abi/records/transports.js';

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
    askingRing: asking === 0 ? 0 : askingAt,
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
    asksInSmallWindow,
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
    asksInSmallWindow,
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
