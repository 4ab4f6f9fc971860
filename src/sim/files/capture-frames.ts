/**
 * Turns a packet of the simulator into the layers of a real one (InfiniBand RC over RoCEv2, IPv6).
 *
 *   data      SEND FIRST, MIDDLE, LAST or ONLY: the one request without an additional header, as the simulator counts
 *             lengths; PSN = first byte / MTU. A flow is a message of its QP, or several of the largest number of whole packets
 *             within 2^31 bytes if it has its own QP.
 *   ack       ACKNOWLEDGE, PSN of the last packet received in order, AETH without credits, MSN = messages received
 *   nak       ACKNOWLEDGE, AETH "PSN sequence error", PSN of the missing packet
 *   cnp       opcode 0x81, DSCP 48, to the sender's QP
 *   fast-cnp  the same with the Fast CNP option, from the switch, and the receiver's QP as in the draft
 *   pause     PFC with the longest time for its class; resume: time 0
 *
 * UDP always goes to port 4791, whatever port the flow has, since that is what makes it RoCEv2; the source port is the flow's,
 * both ways, as it was when the packet was sent.
 */
import { RoceError } from '../../errors.js';
import { completeStack } from '../../packet/complete-stack.js';
import type { LayerSpec } from '../../packet/stack.js';
import { parseOptionsHeader } from '../../wire/ip/options-header.js';
import { MAC_CONTROL_ADDRESS, MAC_CONTROL_FRAME_BYTES, PAUSE_QUANTA_MAX } from '../../wire/link/mac-control.js';
import { ETHERNET_BYTES } from '../../wire/link/ethernet.js';
import { PFC_BYTES, PFC_CLASS_COUNT } from '../../wire/link/pfc.js';
import { CREDIT_CODE_INVALID, NAK_PSN_SEQUENCE_ERROR } from '../../wire/roce/aeth.js';
import { OPCODE_CNP } from '../../wire/roce/bth.js';
import { cnpDefaults } from '../../wire/roce/cnp.js';
import { buildFastCnpOptions } from '../../wire/roce/fast-cnp-option.js';
import { OPERATION_ACKNOWLEDGE, OPERATION_SEND_FIRST, OPERATION_SEND_LAST, OPERATION_SEND_MIDDLE,
  OPERATION_SEND_ONLY } from '../../wire/roce/opcodes.js';
import { requireField } from '../../wire/bytes.js';
import type { FlowPlan, NetworkPlan } from '../plan.js';
import type { MessagePlace, PacketRecord } from '../result.js';
import { addressOfNode, dscpOfClass, macOfPort, receiverQpnOf,
  senderQpnOf } from '../../switching/network-addresses.js';
import { fastCnpTrace, paddingSpace, telemetrySpace, telemetrySpaceBytes } from './capture-space.js';

/** The properties of the network that a capture needs; a plan has them. */
export type CaptureContext = Pick<NetworkPlan, 'fidelity' | 'nodes' | 'ports' | 'flows' | 'lossy' | 'wan'> & {
  /** Payload per packet. */
  readonly rules: Pick<NetworkPlan['rules'], 'mtuBytes'>;
  /** Which option Fast CNPs have. */
  readonly fastCnp: Pick<NetworkPlan['fastCnp'], 'option'>;
};

/** Largest message (IBTA volume 1, section 9.4.3). */
const MESSAGE_MAX_BYTES = 2 ** 31;
const U24 = 2 ** 24;
/** ECN field: not capable, capable as ECT(0), congestion experienced. */
const NOT_ECT = 0;
const ECT_0 = 2;
const CE = 3;

/** The fields in which packets of one flow and kind differ. */
export interface SequenceFields {
  readonly opcode: number;
  readonly psn: number;
  /** Of ACKs and NAKs. */
  readonly msn: number;
}

/** @throws RoceError `invalid-argument` for a port or flow that the network doesn't have. */
export function layersOf(context: CaptureContext, record: PacketRecord): LayerSpec[] {
  if (context.ports[record.port] === undefined) throw unknownIndex('port', record.port, context.ports.length);
  if (record.kind === 'pause' || record.kind === 'resume') return pfcLayers(record);
  if (!(record.flow < context.flows.length)) throw unknownIndex('flow', record.flow, context.flows.length);
  const flow = context.flows.get(record.flow);
  return completeStack([ethernet(context, record), ...roceLayers(context, record, flow)]);
}

export function sequenceFields({ rules, flows, nodes }: CaptureContext, record: PacketRecord): SequenceFields {
  const { kind, sequence } = record;
  const mtuBytes = nodes[flows.source[record.flow]]?.mtuBytes ?? rules.mtuBytes;
  if (kind === 'data') {
    const opcode = record.message === undefined ?
      sendOpcode(flows.get(record.flow), record, mtuBytes) :
      opcodeAt(record.message);
    return { opcode, psn: psnOf(sequence, mtuBytes), msn: 0 };
  }
  if (kind !== 'ack' && kind !== 'nak') return { opcode: OPCODE_CNP, psn: 0, msn: 0 };
  // `sequence` is the byte that is expected next: of the missing packet, or after the one acknowledged.
  const psn = kind === 'nak' ? psnOf(sequence, mtuBytes) : (Math.ceil(sequence / mtuBytes) + U24 - 1) % U24;
  const messages = record.message?.before ?? messagesBefore(flows.get(record.flow), sequence, mtuBytes);
  return { opcode: OPERATION_ACKNOWLEDGE, psn, msn: messages % U24 };
}

function ethernet({ ports }: CaptureContext, { port }: PacketRecord): LayerSpec {
  return { kind: 'ethernet', value: { source: macOfPort(port), destination: macOfPort(ports[port].peerPort) } };
}

function pfcLayers({ port, kind, trafficClass }: PacketRecord): LayerSpec[] {
  requireField('trafficClass', trafficClass, PFC_CLASS_COUNT - 1);
  const pauseQuanta = Array.from({ length: PFC_CLASS_COUNT },
    (_, priority) => kind === 'pause' && priority === trafficClass ? PAUSE_QUANTA_MAX : 0);
  return [
    { kind: 'ethernet', value: { source: macOfPort(port), destination: Uint8Array.from(MAC_CONTROL_ADDRESS) } },
    { kind: 'pfc', value: { classEnableVector: 1 << trafficClass, pauseQuanta } },
    { kind: 'trailer', value: { bytes: new Uint8Array(MAC_CONTROL_FRAME_BYTES - ETHERNET_BYTES - PFC_BYTES) } },
  ];
}

function roceLayers(context: CaptureContext, record: PacketRecord, flow: FlowPlan): LayerSpec[] {
  switch (record.kind) {
    case 'data':
      return dataLayers(context, record, flow);
    case 'ack':
    case 'nak':
      return ackLayers(context, record, flow);
    case 'cnp':
      return cnpLayers(record, flow);
    default:
      return fastCnpLayers(context, record, flow);
  }
}

function dataLayers(context: CaptureContext, record: PacketRecord, flow: FlowPlan): LayerSpec[] {
  const { payloadBytes, trafficClass, marked } = record;
  const { opcode, psn } = sequenceFields(context, record);
  return [
    ip(flow.source, flow.destination, dscpOfClass(trafficClass), marked ? CE : (context.wan?.dataEcn ?? ECT_0)),
    ...telemetrySpace(telemetrySpaceBytes(context.fidelity, record)),
    udp(record, flow),
    { kind: 'bth', value: { opcode, destQpn: receiverQpnOf(record.flow), psn, ackRequest: true } },
    { kind: 'payload', value: { bytes: new Uint8Array(payloadBytes) } },
  ];
}

function ackLayers(context: CaptureContext, record: PacketRecord, flow: FlowPlan): LayerSpec[] {
  const { kind, trafficClass, marked } = record;
  const { opcode, psn, msn } = sequenceFields(context, record);
  const syndrome = kind === 'nak' ? NAK_PSN_SEQUENCE_ERROR : CREDIT_CODE_INVALID;
  return [
    ip(flow.destination, flow.source, dscpOfClass(trafficClass), marked ? CE : NOT_ECT),
    ...paddingSpace(telemetrySpaceBytes(context.fidelity, record)),
    udp(record, flow),
    { kind: 'bth', value: { opcode, destQpn: senderQpnOf(record.flow), psn } },
    { kind: 'aeth', value: { syndrome, msn } },
  ];
}

function cnpLayers(record: PacketRecord, plan: FlowPlan): LayerSpec[] {
  const { flow, marked } = record;
  return [
    ip(plan.destination, plan.source, cnpDefaults.dscp, marked ? CE : cnpDefaults.ecn),
    udp(record, plan),
    { kind: 'bth', value: { opcode: OPCODE_CNP, destQpn: senderQpnOf(flow), becn: cnpDefaults.becn } },
  ];
}

function fastCnpLayers(context: CaptureContext, record: PacketRecord, plan: FlowPlan): LayerSpec[] {
  const { origin = context.ports[record.port].node } = record;
  const trace = context.fastCnp.option === 2 ? fastCnpTrace(record.lenBytes) : undefined;
  const header = buildFastCnpOptions({ originalDestination: addressOfNode(plan.destination), ...(trace && { trace }) });
  return [
    ip(origin, plan.source, cnpDefaults.dscp, record.marked ? CE : cnpDefaults.ecn),
    { kind: 'destination-options', value: { options: parseOptionsHeader(header).options } },
    udp(record, plan),
    { kind: 'bth', value: { opcode: OPCODE_CNP, destQpn: receiverQpnOf(record.flow), becn: cnpDefaults.becn } },
  ];
}

function ip(source: number, destination: number, dscp: number, ecn: number): LayerSpec {
  return { kind: 'ipv6', value: { source: addressOfNode(source), destination: addressOfNode(destination), dscp, ecn } };
}

function udp({ sourcePort }: PacketRecord, { udpSourcePort }: FlowPlan): LayerSpec {
  return { kind: 'udp', value: { sourcePort: sourcePort ?? udpSourcePort } };
}

/** Of one message: as many whole packets as 2^31 bytes hold. */
function messageBytes(mtuBytes: number): number {
  return Math.floor(MESSAGE_MAX_BYTES / mtuBytes) * mtuBytes;
}

function psnOf(sequence: number, mtuBytes: number): number {
  return Math.floor(sequence / mtuBytes) % U24;
}

/** Whole messages of the flow before this byte. */
function messagesBefore({ sizeBytes }: FlowPlan, sequence: number, mtuBytes: number): number {
  const message = messageBytes(mtuBytes);
  return sequence >= sizeBytes ? Math.ceil(sizeBytes / message) : Math.floor(sequence / message);
}

function sendOpcode({ sizeBytes }: FlowPlan, { sequence, payloadBytes }: PacketRecord, mtuBytes: number): number {
  const message = messageBytes(mtuBytes);
  const isFirst = sequence % message === 0;
  const end = sequence + payloadBytes;
  const isLast = end >= sizeBytes || end % message === 0;
  return opcodeAt({ isFirst, isLast });
}

function opcodeAt({ isFirst, isLast }: Pick<MessagePlace, 'isFirst' | 'isLast'>): number {
  if (isFirst) return isLast ? OPERATION_SEND_ONLY : OPERATION_SEND_FIRST;
  return isLast ? OPERATION_SEND_LAST : OPERATION_SEND_MIDDLE;
}

function unknownIndex(what: string, got: number, count: number): RoceError {
  const allowed = { min: 0, below: count, multipleOf: 1 };
  return new RoceError('invalid-argument', { what: `the index of a ${what}`, got, allowed, where: `record.${what}` });
}
