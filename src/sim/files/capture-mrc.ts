/**
 * Converts a packet of MRC to the layers of a real one.
 *
 *   data      WRITE FIRST, MIDDLE, LAST or ONLY; METH, TSETH, RETH in each; `rtx` in retransmissions, A if it requests a SACK
 *   trimmed   the same frame, cut to the size that its switch keeps, length fields unchanged (O7); DSCP TRIMMED or TRIMMED_LASTHOP
 *   ack       SACK: PSN up to which all packets have arrived, bitmap, number, entropy and timestamp of the packet that caused it, M = 1 if
 *             that was marked; the receiver's range if it announces it, and what it demands of the window
 *   nack      NACK with its reason
 *   probe     probe with its number, without a PSN; its SACK repeats the number, with pr = 1
 *   endpoint  request with the ports that work, to the endpoint's QP, with the number of the update as PSN; its response repeats that
 *
 * DSCPs are those of `MRC_DSCPS`, whatever classes the scenario has. Data and probes in classes that switches trim have TRIMMABLE,
 * retransmissions TRIMMABLE_RETX; other classes have NO_TRIM. Connection ids are the low 16 bits of the QP numbers of the
 * packet's sender and its peer (O5). MSNs, which the simulator does not keep, are 0. The packets that a receiver holds are those
 * of the bitmap. Timestamps are in ticks of 128 ns.
 */
import { build, completeStack } from '../../packet/build-stack.js';
import type { LayerSpec } from '../../packet/layers.js';
import { NACK_CODES } from '../kernel/read-trace.js';
import { PS_PER_NS } from '../../units.js';
import { MRC_DSCPS } from '../../wire/mrc/ip-fields.js';
import { Erth, Tseth } from '../../wire/mrc/request-headers.js';
import { Neth, Seth } from '../../wire/mrc/response-headers.js';
import { MrcOpcode } from '../../wire/mrc/bth.js';
import { receiverQpnOf, senderQpnOf } from '../../switching/network-addresses.js';
import { FCS_BYTES, mrcSizes, ROCE_BYTES, usidHeaderBytes } from '../compile/packet-sizes.js';
import type { FlowPlan } from '../plan.js';
import type { MrcRecord, PacketRecord } from '../result.js';
import { CE, ECT_0, ethernet, flowOf, ip, mtuBytesOf, U24, udp, type CaptureContext, MESSAGE_MAX_BYTES, placeInMessage,
  placeOf, type MessagePlace } from './capture-frames.js';
import { paddingSpace, telemetrySpace } from './capture-space.js';

/** The record of an MRC packet. */
export type OfMrc = PacketRecord & { readonly mrc: MrcRecord };

const OPCODES: Readonly<Record<MessagePlace, number>> = {
  first: MrcOpcode.WRITE_FIRST,
  middle: MrcOpcode.WRITE_MIDDLE,
  last: MrcOpcode.WRITE_LAST,
  only: MrcOpcode.WRITE_ONLY,
};
const U16 = 2 ** 16;
const NO_TRACE = mrcSizes({ headerBytes: ROCE_BYTES, ackBytes: ROCE_BYTES });
/** Of an AETH, which a SACK has not. */
const SACK_BYTES = NO_TRACE.ackBytes + 4;

/**
 * The frame of an MRC packet, without FCS. @throws RoceError `invalid-argument` for a port or flow that the network doesn't
 * have.
 */
export function mrcFrame(context: CaptureContext, record: OfMrc): Uint8Array {
  const flow = flowOf(context, record);
  const layers = layersOf(context, record, flow);
  const frame = build(completeStack([ethernet(context, record), ...layers]));
  return record.kind === 'data' && record.mrc.trimmed !== undefined ?
    frame.subarray(0, record.lenBytes - FCS_BYTES) :
    frame;
}

function layersOf(context: CaptureContext, record: OfMrc, flow: FlowPlan): LayerSpec[] {
  if (record.kind === 'probe') return probeLayers(context, record, flow);
  if (record.kind === 'endpoint-request' || record.kind === 'endpoint-response') return endpointLayers(record, flow);
  return record.kind === 'data' ? dataLayers(context, record, flow) : responseLayers(context, record, flow);
}

function probeLayers(context: CaptureContext, record: OfMrc, flow: FlowPlan): LayerSpec[] {
  const { mrc, marked } = record;
  return [
    ip(flow.source, flow.destination, dscpOf(context, record), marked ? CE : ECT_0),
    udp(record, flow),
    { kind: 'mrc-bth', value: { opcode: MrcOpcode.PROBE, destQpn: receiverQpnOf(record.flow), psn: 0 } },
    {
      kind: 'peth',
      value: {
        probeId: mrc.cause,
        spdcid: senderQpnOf(record.flow) % U16,
        dpdcid: receiverQpnOf(record.flow) % U16,
        timestamp: ticksOf(mrc),
      },
    },
  ];
}

function endpointLayers(record: OfMrc, flow: FlowPlan): LayerSpec[] {
  const { kind, mrc, marked } = record;
  const [from, to] = mrc.towardsDestination === true ?
    [flow.source, flow.destination] :
    [flow.destination, flow.source];
  const isRequest = kind === 'endpoint-request';
  const opcode = isRequest ? MrcOpcode.ENDPOINT_REQUEST : MrcOpcode.ENDPOINT_RESPONSE;
  const timestamp = ticksOf(mrc);
  return [
    ip(from, to, numberOfDscp(MRC_DSCPS.control), marked ? CE : ECT_0),
    udp(record, flow),
    { kind: 'mrc-bth', value: { opcode, destQpn: MrcOpcode.ENDPOINT_QPN, psn: mrc.cause % U16 } },
    isRequest ?
      { kind: 'erth', value: { operation: Erth.OPERATION_PORT_STATUS, portStatus: Number(mrc.map), timestamp } } :
      { kind: 'eeth', value: { operation: Erth.OPERATION_PORT_STATUS, timestamp } },
  ];
}

function dataLayers(context: CaptureContext, record: OfMrc, flow: FlowPlan): LayerSpec[] {
  const { sequence, marked, mrc } = record;
  const mtuBytes = mtuBytesOf(context, record);
  const payloadBytes = mrc.wholePayloadBytes ?? record.payloadBytes;
  const place = record.message === undefined ?
    placeOf(flow, { ...record, payloadBytes }, mtuBytes) :
    placeInMessage(record.message);
  return [
    ip(flow.source, flow.destination, dscpOf(context, record), marked ? CE : ECT_0),
    ...telemetrySpace(flow.headerBytes - NO_TRACE.headerBytes - usidHeaderBytes(context.balancing?.usids ?? null)),
    udp(record, flow),
    {
      kind: 'mrc-bth',
      value: {
        opcode: OPCODES[place],
        destQpn: receiverQpnOf(record.flow),
        psn: numberOf(sequence, mtuBytes) % U24,
        ackRequest: mrc.asks,
        retransmission: mrc.again,
        hasTimestamp: true,
      },
    },
    { kind: 'meth', value: { msn: (record.message?.before ?? 0) % U16 } },
    { kind: 'tseth', value: { timestamp: ticksOf(mrc) } },
    {
      kind: 'reth',
      value: {
        virtualAddress: BigInt(sequence),
        rKey: 0,
        dmaLength: Math.min(flow.sizeBytes, MESSAGE_MAX_BYTES),
      },
    },
    { kind: 'payload', value: { bytes: new Uint8Array(Math.max(0, payloadBytes)) } },
  ];
}

function responseLayers(context: CaptureContext, record: OfMrc, flow: FlowPlan): LayerSpec[] {
  const isSack = record.kind === 'ack';
  const number = numberOf(record.sequence, mtuBytesOf(context, record));
  // The record of a SACK has the first packet not received in order; the frame states the one before.
  const psn = (isSack ? number + U24 - 1 : number) % U24;
  return [
    ip(flow.destination, flow.source, numberOfDscp(MRC_DSCPS.control), record.marked ? CE : ECT_0),
    ...(isSack ? paddingSpace(flow.ackBytes - SACK_BYTES) : []),
    udp(record, flow),
    {
      kind: 'mrc-bth',
      value: {
        opcode: isSack ? MrcOpcode.SACK : MrcOpcode.NACK,
        destQpn: senderQpnOf(record.flow),
        psn,
        retransmission: isSack && record.mrc.again,
      },
    },
    ...(isSack ? sackLayers(record, flow, { number, psn }) : [nack(record, flow, psn)]),
  ];
}

function sackLayers({ mrc, sourcePort, flow }: OfMrc, { udpSourcePort }: FlowPlan,
  { number, psn }: { readonly number: number; readonly psn: number }): LayerSpec[] {
  let outOfOrder = 0;
  for (let left = mrc.map; left > 0n; left >>= 1n) outOfOrder += Number(left & 1n);
  return [
    {
      kind: 'seth',
      value: {
        mark: markOf(mrc),
        ...(mrc.probe === true ?
          { probeResponse: true, probeId: mrc.cause } :
          { ackPsnOffset: lowSigned16(mrc.cause - (number - 1)) }),
        entropy: sourcePort ?? udpSourcePort,
        ...connectionIds(flow),
        cumulativePsn: psn,
        maxPsnRange: mrc.rangeUnits ?? 0,
        sackOffset: lowSigned16(mrc.mapFirst - (number - 1)),
        bitmap: mrc.map,
      },
    },
    {
      kind: 'mrc-cc-state',
      value: {
        timestamp: ticksOf(mrc),
        outOfOrder,
        restoreWindow: mrc.restoresWindow === true,
        windowPenalty: mrc.windowPenalty ?? 0,
        rcvdBytes256: mrc.received,
      },
    },
  ];
}

/** Offsets have 16 bits: that of a duplicate from far behind, or of a map far ahead, is known by its low bits alone. */
function lowSigned16(value: number): number {
  return value << 16 >> 16;
}

/** Connection ids of a response, which the receiver's QP sends. */
function connectionIds(flow: number): { readonly spdcid: number; readonly dpdcid: number } {
  return { spdcid: receiverQpnOf(flow) % U16, dpdcid: senderQpnOf(flow) % U16 };
}

function markOf({ echo, alwaysSkip }: MrcRecord): number {
  if (alwaysSkip === true) return Seth.MARK_ALWAYS_SKIP;
  return echo ? Seth.MARK_SKIP_ONCE : Seth.MARK_NONE;
}

function reasonOf({ rejected, trimmed }: MrcRecord): number {
  if (rejected !== undefined) return NACK_CODES[rejected];
  return trimmed === 'last-hop' ? Neth.TRIMMED_LAST_HOP : Neth.TRIMMED;
}

function nack({ mrc, sourcePort, flow }: OfMrc, { udpSourcePort }: FlowPlan, psn: number): LayerSpec {
  return {
    kind: 'neth',
    value: {
      reason: reasonOf(mrc),
      entropy: sourcePort ?? udpSourcePort,
      ...connectionIds(flow),
      nackPsn: psn,
      timestamp: ticksOf(mrc),
    },
  };
}

/** DSCP of data packets and probes. */
export function dscpOf({ trimming }: CaptureContext, { trafficClass, mrc: { trimmed, again } }: OfMrc): number {
  if (trimmed !== undefined) return numberOfDscp(trimmed === 'last-hop' ? MRC_DSCPS.trimmedLastHop : MRC_DSCPS.trimmed);
  const isTrimmable = (((trimming?.dataClasses ?? 0) >> trafficClass) & 1) === 1;
  if (!isTrimmable) return numberOfDscp(MRC_DSCPS.noTrim);
  return numberOfDscp(again ? MRC_DSCPS.trimmableRetx : MRC_DSCPS.trimmable);
}

function numberOfDscp(dscp: number | 'none'): number {
  return dscp === 'none' ? 0 : dscp;
}

function ticksOf({ sentPs }: MrcRecord): number {
  return Math.floor(sentPs / (PS_PER_NS * Tseth.TICK_NS)) % U16;
}

/** Number of packets before a byte; the last one of a flow may be short. */
function numberOf(sequence: number, mtuBytes: number): number {
  return Math.ceil(sequence / mtuBytes);
}
