/**
 * Converts a packet of the simulator to the layers of a real one (InfiniBand RC over RoCEv2, IPv6).
 *
 *   data      SEND FIRST, MIDDLE, LAST or ONLY: SEND has no additional header, which matches the simulator's lengths;
 *             PSN = first byte / MTU. A flow is one message of its QP; with its own QP, it is split into messages of as many
 *             whole packets as fit into 2^31 bytes.
 *             For a READ: RDMA READ RESPONSE FIRST, MIDDLE, LAST or ONLY; all but MIDDLE have an AETH, whose 4 bytes the
 *             simulator does not count. Responses to a repeated request begin with MIDDLE
 *   read-request   RDMA READ REQUEST, PSN of the first response, DMA length of all missing bytes, to the responder's QP
 *   ack       ACKNOWLEDGE, PSN of the last packet received in order, AETH without credits, MSN = messages received
 *   nak       ACKNOWLEDGE, AETH "PSN sequence error", PSN of the missing packet
 *   rnr-nak   ACKNOWLEDGE, AETH "RNR NAK" with the receiver's timer code, PSN of the rejected packet
 *   cnp       opcode 0x81, DSCP 48, to the sender's QP
 *   fast-cnp  as cnp, but with the Fast CNP option, from the switch, and with the receiver's QP as in the draft
 *   pause     PFC with the longest time for its class; resume: time 0
 *
 * Packets of MRC are in capture-mrc.ts, outer headers of source routes in capture-templates.ts.
 *
 * The UDP destination port is always 4791, RoCEv2's, whatever port the flow has. The source port is the flow's in both
 * directions, as it was when the packet was sent.
 */
import { RoceError } from '../../errors.js';
import { completeStack } from '../../packet/build-stack.js';
import type { LayerSpec } from '../../packet/layers.js';
import { addressOfNode, dscpOfClass, macOfPort, receiverQpnOf,
  senderQpnOf } from '../../switching/network-addresses.js';
import { requireField } from '../../wire/bytes.js';
import { OptionsHeader } from '../../wire/ip/ipv6-options.js';
import { Ethernet } from '../../wire/link/ethernet.js';
import { MacControl, Pfc } from '../../wire/link/mac-control.js';
import { Aeth } from '../../wire/roce/extended-headers.js';
import { Bth, Opcode } from '../../wire/roce/bth.js';
import { cnpDefaults } from '../../wire/roce/cnp.js';
import { buildFastCnpOptions } from '../../wire/roce/fast-cnp-option.js';
import { isRead } from '../features/verbs/compile.js';
import type { FlowPlan, NetworkPlan } from '../plan.js';
import type { PacketRecord, MessagePlace as PlaceOnQp } from '../result.js';
import { fastCnpTrace, paddingSpace, telemetrySpace, telemetrySpaceBytes } from './capture-space.js';

/** The properties of a network that a capture needs. A `NetworkPlan` has them all. */
export type CaptureContext = Pick<
  NetworkPlan,
  'fidelity' | 'nodes' | 'ports' | 'flows' | 'lossy' | 'wan' | 'verbs' | 'receiverCredit' | 'trimming' | 'balancing'
> & {
  /** Payload per packet. */
  readonly rules: Pick<NetworkPlan['rules'], 'mtuBytes'>;
  /** The option of Fast CNPs. */
  readonly fastCnp: Pick<NetworkPlan['fastCnp'], 'option'>;
  /** Routes, needed if switches forward by uSIDs. */
  readonly routes?: NetworkPlan['routes'];
  /** Groups of equal next hops, needed if switches forward by uSIDs. */
  readonly groups?: NetworkPlan['groups'];
};

export const U24 = 2 ** 24;
/** ECN field: not capable, capable as ECT(0), congestion experienced. */
const NOT_ECT = 0;
export const ECT_0 = 2;
export const CE = 3;

/** The fields in which packets of one flow and kind differ. */
export interface SequenceFields {
  readonly opcode: number;
  readonly psn: number;
  /** MSN of ACKs and NAKs. */
  readonly msn: number;
}

/** @throws RoceError `invalid-argument` for a port or flow that the network doesn't have. */
export function layersOf(context: CaptureContext, record: PacketRecord): LayerSpec[] {
  requirePort(context, record);
  if (record.kind === 'pause' || record.kind === 'resume') return pfcLayers(record);
  return completeStack([ethernet(context, record), ...roceLayers(context, record, flowOf(context, record))]);
}

/** @throws RoceError `invalid-argument` for a port or flow that the network doesn't have. */
export function flowOf(context: CaptureContext, record: PacketRecord): FlowPlan {
  requirePort(context, record);
  if (!(record.flow < context.flows.length)) throw unknownIndex('flow', record.flow, context.flows.length);
  return context.flows.get(record.flow);
}

function requirePort({ ports }: CaptureContext, { port }: PacketRecord): void {
  if (ports[port] === undefined) throw unknownIndex('port', port, ports.length);
}

/** Payload of the full packets of a record's flow. */
export function mtuBytesOf({ rules, flows, nodes }: CaptureContext, { flow }: PacketRecord): number {
  return nodes[flows.source[flow]]?.mtuBytes ?? rules.mtuBytes;
}

export function sequenceFields(context: CaptureContext, record: PacketRecord): SequenceFields {
  const { flows } = context;
  const { kind, sequence } = record;
  const mtuBytes = mtuBytesOf(context, record);
  if (kind === 'data') {
    const place = record.message === undefined ?
      placeOf(flows.get(record.flow), record, mtuBytes) :
      placeInMessage(record.message);
    const msn = Number(place === 'last' || place === 'only');
    return { opcode: opcodeOf(place, isRead(context, record.flow)), psn: psnOf(sequence, mtuBytes), msn };
  }
  if (kind === 'read-request') return { opcode: Opcode.READ_REQUEST, psn: psnOf(sequence, mtuBytes), msn: 0 };
  if (kind !== 'ack' && kind !== 'nak' && kind !== 'rnr-nak') return { opcode: Bth.OPCODE_CNP, psn: 0, msn: 0 };
  // In responses, `sequence` is the byte expected next: the first of the missing packet, or the one after the acknowledged
  // packet.
  const psn = kind !== 'ack' ? psnOf(sequence, mtuBytes) : (Math.ceil(sequence / mtuBytes) + U24 - 1) % U24;
  const messages = record.message?.before ?? messagesBefore(flows.get(record.flow), sequence, mtuBytes);
  return { opcode: Opcode.ACKNOWLEDGE, psn, msn: messages % U24 };
}

export function ethernet({ ports }: CaptureContext, { port }: PacketRecord): LayerSpec {
  return { kind: 'ethernet', value: { source: macOfPort(port), destination: macOfPort(ports[port].peerPort) } };
}

function pfcLayers({ port, kind, trafficClass }: PacketRecord): LayerSpec[] {
  requireField('trafficClass', trafficClass, Pfc.CLASS_COUNT - 1);
  const pauseQuanta = Array.from({ length: Pfc.CLASS_COUNT },
    (_, priority) => kind === 'pause' && priority === trafficClass ? MacControl.PAUSE_QUANTA_MAX : 0);
  return [
    { kind: 'ethernet', value: { source: macOfPort(port), destination: Uint8Array.from(MacControl.ADDRESS) } },
    { kind: 'pfc', value: { classEnableVector: 1 << trafficClass, pauseQuanta } },
    { kind: 'trailer', value: { bytes: new Uint8Array(MacControl.FRAME_BYTES - Ethernet.lenBytes - Pfc.lenBytes) } },
  ];
}

function roceLayers(context: CaptureContext, record: PacketRecord, flow: FlowPlan): LayerSpec[] {
  switch (record.kind) {
    case 'data':
      return dataLayers(context, record, flow);
    case 'ack':
    case 'nak':
    case 'rnr-nak':
      return ackLayers(context, record, flow);
    case 'read-request':
      return requestLayers(context, record, flow);
    case 'cnp':
      return cnpLayers(record, flow);
    default:
      return fastCnpLayers(context, record, flow);
  }
}

function dataLayers(context: CaptureContext, record: PacketRecord, flow: FlowPlan): LayerSpec[] {
  const { payloadBytes, trafficClass, marked } = record;
  const { opcode, psn, msn } = sequenceFields(context, record);
  const isRequest = !isRead(context, record.flow);
  return [
    ip(flow.source, flow.destination, dscpOfClass(trafficClass), marked ? CE : (context.wan?.dataEcn ?? ECT_0)),
    ...telemetrySpace(telemetrySpaceBytes(context.fidelity, record)),
    udp(record, flow),
    { kind: 'bth', value: { opcode, destQpn: receiverQpnOf(record.flow), psn, ackRequest: isRequest } },
    ...(hasAeth(context, record) ?
      [{ kind: 'aeth', value: { syndrome: Aeth.CREDIT_CODE_INVALID, msn } } as const] :
      []),
    { kind: 'payload', value: { bytes: new Uint8Array(payloadBytes) } },
  ];
}

function ackLayers(context: CaptureContext, record: PacketRecord, flow: FlowPlan): LayerSpec[] {
  const { kind, trafficClass, marked } = record;
  const { opcode, psn, msn } = sequenceFields(context, record);
  const code = context.verbs?.rnrTimerCode[flow.destination] ?? 0;
  const syndrome = kind === 'nak' ?
    Aeth.NAK_PSN_SEQUENCE_ERROR :
    kind === 'rnr-nak' ?
    Aeth.SYNDROME_RNR_NAK | code :
    Aeth.CREDIT_CODE_INVALID;
  return [
    ip(flow.destination, flow.source, dscpOfClass(trafficClass), marked ? CE : NOT_ECT),
    ...paddingSpace(telemetrySpaceBytes(context.fidelity, record)),
    udp(record, flow),
    { kind: 'bth', value: { opcode, destQpn: senderQpnOf(record.flow), psn } },
    { kind: 'aeth', value: { syndrome, msn } },
  ];
}

/** Layers of a READ request. The remote memory begins at address 0. */
function requestLayers(context: CaptureContext, record: PacketRecord, flow: FlowPlan): LayerSpec[] {
  const { opcode, psn } = sequenceFields(context, record);
  const dmaLength = Math.min(flow.sizeBytes - record.sequence, MESSAGE_MAX_BYTES);
  return [
    ip(flow.destination, flow.source, dscpOfClass(record.trafficClass), record.marked ? CE : NOT_ECT),
    udp(record, flow),
    { kind: 'bth', value: { opcode, destQpn: senderQpnOf(record.flow), psn, ackRequest: true } },
    { kind: 'reth', value: { virtualAddress: BigInt(record.sequence), rKey: 0, dmaLength } },
  ];
}

function cnpLayers(record: PacketRecord, plan: FlowPlan): LayerSpec[] {
  const { flow, marked } = record;
  return [
    ip(plan.destination, plan.source, cnpDefaults.dscp, marked ? CE : cnpDefaults.ecn),
    udp(record, plan),
    { kind: 'bth', value: { opcode: Bth.OPCODE_CNP, destQpn: senderQpnOf(flow), becn: cnpDefaults.becn } },
  ];
}

function fastCnpLayers(context: CaptureContext, record: PacketRecord, plan: FlowPlan): LayerSpec[] {
  const { origin = context.ports[record.port].node } = record;
  const trace = context.fastCnp.option === 2 ? fastCnpTrace(record.lenBytes) : undefined;
  const header = buildFastCnpOptions({ originalDestination: addressOfNode(plan.destination), ...(trace && { trace }) });
  return [
    ip(origin, plan.source, cnpDefaults.dscp, record.marked ? CE : cnpDefaults.ecn),
    { kind: 'destination-options', value: { options: OptionsHeader.read(header).options } },
    udp(record, plan),
    { kind: 'bth', value: { opcode: Bth.OPCODE_CNP, destQpn: receiverQpnOf(record.flow), becn: cnpDefaults.becn } },
  ];
}

export function ip(source: number, destination: number, dscp: number, ecn: number): LayerSpec {
  return { kind: 'ipv6', value: { source: addressOfNode(source), destination: addressOfNode(destination), dscp, ecn } };
}

export function udp({ sourcePort }: PacketRecord, { udpSourcePort }: FlowPlan): LayerSpec {
  return { kind: 'udp', value: { sourcePort: sourcePort ?? udpSourcePort } };
}

function psnOf(sequence: number, mtuBytes: number): number {
  return Math.floor(sequence / mtuBytes) % U24;
}

/** Number of complete messages of the flow before a byte. */
function messagesBefore({ sizeBytes }: FlowPlan, sequence: number, mtuBytes: number): number {
  const message = messageBytes(mtuBytes);
  return sequence >= sizeBytes ? Math.ceil(sizeBytes / message) : Math.floor(sequence / message);
}

/** Whether a packet has an AETH. */
export function hasAeth(context: CaptureContext, record: PacketRecord): boolean {
  const { kind, flow } = record;
  if (kind !== 'data') return kind === 'ack' || kind === 'nak' || kind === 'rnr-nak';
  return isRead(context, flow) && sequenceFields(context, record).opcode !== Opcode.READ_RESPONSE_MIDDLE;
}

function unknownIndex(what: string, got: number, count: number): RoceError {
  const allowed = { min: 0, below: count, multipleOf: 1 };
  return new RoceError('invalid-argument', { what: `the index of a ${what}`, got, allowed, where: `record.${what}` });
}

/** Largest message (IBTA volume 1, section 9.4.3). */
export const MESSAGE_MAX_BYTES = 2 ** 31;

/** Bytes of the longest message: all whole packets that fit into 2^31 bytes. */
export function messageBytes(mtuBytes: number): number {
  return Math.floor(MESSAGE_MAX_BYTES / mtuBytes) * mtuBytes;
}

/** The position of a packet in its message. A flow with its own QP is one message, or several of the maximum size. */
export type MessagePlace = 'first' | 'middle' | 'last' | 'only';

const SEND_OPCODES: Readonly<Record<MessagePlace, number>> = {
  first: Opcode.SEND_FIRST,
  middle: Opcode.SEND_MIDDLE,
  last: Opcode.SEND_LAST,
  only: Opcode.SEND_ONLY,
};
const READ_OPCODES: Readonly<Record<MessagePlace, number>> = {
  first: Opcode.READ_RESPONSE_FIRST,
  middle: Opcode.READ_RESPONSE_MIDDLE,
  last: Opcode.READ_RESPONSE_LAST,
  only: Opcode.READ_RESPONSE_ONLY,
};

/** Opcode of a data packet: that of a READ response or of a SEND. */
function opcodeOf(place: MessagePlace, isRead: boolean): number {
  return isRead ? READ_OPCODES[place] : SEND_OPCODES[place];
}

/** A packet's position in its message. */
export function placeOf({ sizeBytes }: FlowPlan, { sequence, payloadBytes }: PacketRecord,
  mtuBytes: number): MessagePlace {
  const message = messageBytes(mtuBytes);
  const isFirst = sequence % message === 0;
  const end = sequence + payloadBytes;
  const isLast = end >= sizeBytes || end % message === 0;
  return placeInMessage({ isFirst, isLast });
}

/** A packet's position in its message on a QP with several messages. */
export function placeInMessage({ isFirst, isLast }: Pick<PlaceOnQp, 'isFirst' | 'isLast'>): MessagePlace {
  if (isFirst) return isLast ? 'only' : 'first';
  return isLast ? 'last' : 'middle';
}
