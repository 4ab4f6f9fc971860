/** Describes packets of MRC and of Ultra Ethernet: for the line of `describe`, and of MRC for the tree. */
import { formatIpAddress } from '../wire/ip/ip-address.js';
import { MrcOpcode } from '../wire/mrc/bth.js';
import { Aeth } from '../wire/roce/extended-headers.js';
import { findLayer, type Packet } from './dissect.js';
import { MRC_NOTE_WORDS, type MrcCarrier, type MrcReading, type UetReading } from './multipath-readings.js';
import { hex } from './words.js';
import { uetAtomicName, UetControlType, uetNackName, UetOperation, uetResponseName,
  uetReturnName } from '../wire/uet/codes.js';
import { UetRequest } from '../wire/uet/pds.js';
import type { LayerOf } from './layers.js';

const MARK_WORDS = ['', ', skip once', ', always skip', ', mark 3'];
/** A SACK over a long gap lists more PSNs than fit on a line. */
const MISSING_SHOWN = 8;
const OPERATION_WORDS = ['port status', 'EV probe'];

/** @returns for example `MRC WRITE only QP 0x00a1b2 PSN 100 MSN 7 EV 0x0001c0de`. */
export function mrcSummary(packet: Packet, mrc: MrcReading): string {
  const parts = [`${carrierWords(packet, mrc)}${nameOf(mrc)}${addressee(packet, mrc)}`, ...details(packet, mrc)];
  if (mrc.entropy !== undefined) parts.push(`EV ${hex(mrc.entropy, 8)}`);
  if (mrc.isTrimmed) parts.push(mrc.dscpName === 'TRIMMED_LASTHOP' ? 'trimmed at the last hop' : 'trimmed');
  return parts.join(', ');
}

/** The problems, joined; empty if there are none. */
export function mrcProblemWords({ problems }: MrcReading): string {
  return problems.map((problem) => MRC_NOTE_WORDS[problem]).join(', ');
}

/** Lines that the tree shows below the layers, one per finding. */
export function mrcLines(mrc: MrcReading): string[] {
  const { kind, byte1, entropy, dscpName, isTrimmed, carrier, payloadBytes, sack, nackReason, operation } = mrc;
  const lines = [`kind: ${kind}`];
  if (byte1 !== undefined) lines.push(`BTH byte 1: ${hex(byte1, 2)}, SE and M in either order`);
  if (entropy !== undefined) lines.push(`entropy: ${hex(entropy, 8)}`);
  lines.push(`DSCP class: ${dscpName ?? 'not an MRC DSCP'}`, `trimmed: ${isTrimmed ? 'yes' : 'no'}`);
  if (carrier !== undefined) lines.push(...carrierLines(carrier));
  if (payloadBytes !== undefined) lines.push(`payload: ${payloadBytes} bytes`);
  if (sack !== undefined) {
    lines.push(`SACK base: ${sack.basePsn}`, `SACK received: ${listWords(sack.received)}`,
      `SACK missing: ${listWords(sack.missing)}`);
    if (sack.causePsn !== undefined) lines.push(`SACK caused by PSN: ${sack.causePsn}`);
  }
  if (kind === 'nack') lines.push(`NACK reason: ${nackReason ?? 'unknown'}`);
  if (operation !== undefined) lines.push(`operation: ${operationWords(operation)}`);
  for (const problem of mrc.problems) lines.push(`malformed: ${MRC_NOTE_WORDS[problem]}`);
  for (const remark of mrc.remarks) lines.push(`remark: ${MRC_NOTE_WORDS[remark]}`);
  return lines;
}

function nameOf({ opcode }: MrcReading): string {
  return MrcOpcode.nameOf(opcode) ?? `MRC opcode ${hex(opcode, 2)}`;
}

function carrierWords({ tunnel }: Packet, { carrier }: MrcReading): string {
  if (carrier === undefined) return '';
  const outer = tunnel?.outer;
  const route = usidWords(carrier);
  return outer === undefined ? `uSIDs ${route}: ` : `in SRv6 ${formatIpAddress(outer.source)} > ${route}: `;
}

function carrierLines(carrier: MrcCarrier): string[] {
  const { segmentsLeft, segments = [] } = carrier;
  const lines = [`uSID carrier: ${usidWords(carrier)}`];
  if (segmentsLeft !== undefined) lines.push(`segments left: ${segmentsLeft}`);
  segments.forEach((segment, index) => lines.push(`segment ${index}: ${usidWords(segment)}`));
  return lines;
}

function usidWords({ block, usids }: Pick<MrcCarrier, 'block' | 'usids'>): string {
  const digits = hex(block, 8).slice(2);
  return `${digits.slice(0, 4)}:${digits.slice(4)}::/32 ${usids.map((usid) => hex(usid, 4).slice(2)).join(' ')}`
    .trimEnd();
}

/** The QP and PSN, as far as the kind of packet has them; an endpoint operation only has a number. */
function addressee(packet: Packet, { kind }: MrcReading): string {
  const bth = findLayer(packet, 'mrc-bth')?.value;
  if (bth === undefined) return '';
  const { psn, destQpn, retransmission } = bth;
  switch (kind) {
    case 'endpoint-request':
    case 'endpoint-response':
      return ` ${psn & 0xffff}`;
    case 'sack':
    case 'probe':
      return ` QP ${hex(destQpn, 6)}`;
    default:
      return ` QP ${hex(destQpn, 6)} PSN ${psn}${retransmission ? ' retransmitted' : ''}`;
  }
}

function details(packet: Packet, mrc: MrcReading): string[] {
  switch (mrc.kind) {
    case 'data': {
      const meth = findLayer(packet, 'meth')?.value;
      return meth === undefined ? [] : [`MSN ${meth.msn}`];
    }
    case 'ack':
      return nakDetails(packet);
    case 'sack':
      return sackDetails(packet, mrc);
    case 'nack': {
      const neth = findLayer(packet, 'neth')?.value;
      return neth ? [`${mrc.nackReason ?? `reason ${hex(neth.reason, 2)}`}, about EV ${hex(neth.entropy, 8)}`] : [];
    }
    case 'probe': {
      const peth = findLayer(packet, 'peth')?.value;
      return peth === undefined ? [] : [`probe ${hex(peth.probeId, 4)}`];
    }
    case 'endpoint-request':
    case 'endpoint-response':
      return mrc.operation === undefined ? [] : [operationWords(mrc.operation)];
    case 'reserved':
      return [];
  }
}

function nakDetails(packet: Packet): string[] {
  const syndrome = findLayer(packet, 'aeth')?.value.syndrome ?? 0;
  return Aeth.kind(syndrome) === 'nak' ? [`NAK ${Aeth.nakName(syndrome) ?? `code ${Aeth.code(syndrome)}`}`] : [];
}

function sackDetails(packet: Packet, { sack }: MrcReading): string[] {
  const seth = findLayer(packet, 'seth')?.value;
  if (seth === undefined || sack === undefined) return [];
  const { cumulativePsn, entropy, mark, probeId } = seth;
  const holes = sack.missing.length === 0 ? 'no holes' : `holes ${listWords(sack.missing)}`;
  const answer = probeId === undefined ? '' : `, response to probe ${hex(probeId, 4)}`;
  return [`cumulative PSN ${cumulativePsn}, ${holes}, about EV ${hex(entropy, 8)}${MARK_WORDS[mark]}${answer}`];
}

function operationWords(operation: number): string {
  return OPERATION_WORDS[operation] ?? `operation ${operation}`;
}

function listWords(numbers: readonly number[]): string {
  const shown = numbers.slice(0, MISSING_SHOWN).join(' ');
  const rest = numbers.length - MISSING_SHOWN;
  return numbers.length === 0 ? 'none' : rest > 0 ? `${shown} and ${rest} more` : shown;
}

const SERVICE_TICK_NS = 128;
const RECEIVED_UNIT_BYTES = 256;
const TARGET_REQUESTS = ['', ', asks to clear', ', asks to close', ', target request 3'];

/** @returns for example `UET RUD_REQ PDC 3 > 4 PSN 100, WRITE message 7, 4096 bytes`. */
export function uetSummary(packet: Packet, { type, typeName, isTrimmed, dscpName, payloadBytes }: UetReading): string {
  const parts = [`UET ${typeName ?? `type ${type}`}${deliveryWords(packet)}`, ...semanticWords(packet)];
  if (payloadBytes !== undefined && payloadBytes > 0) parts.push(`${payloadBytes} bytes`);
  if (isTrimmed) parts.push(dscpName === 'TRIMMED_LASTHOP' ? 'trimmed at the last hop' : 'trimmed');
  return parts.join(', ');
}

function deliveryWords(packet: Packet): string {
  const request = findLayer(packet, 'uet-request')?.value;
  if (request !== undefined) return requestWords(request);
  const ack = findLayer(packet, 'uet-ack')?.value;
  if (ack !== undefined) return ackWords(packet, ack);
  const nack = findLayer(packet, 'uet-nack')?.value;
  if (nack !== undefined) return nackWords(nack);
  const control = findLayer(packet, 'uet-control')?.value;
  if (control !== undefined) return controlWords(control);
  const rudi = findLayer(packet, 'uet-rudi')?.value;
  if (rudi !== undefined) return ` packet ${rudi.packetId}${flagWords(rudi.retransmission, rudi.marked)}`;
  const security = findLayer(packet, 'uet-security')?.value ?? findLayer(packet, 'uet-security-source')?.value;
  return security === undefined ? '' : ` domain ${hex(security.secureDomain, 6)}, encrypted`;
}

function requestWords(request: LayerOf<'uet-request'>['value']): string {
  const { psn, spdcid, dpdcid, syn, ackRequest, retransmission } = request;
  const pdc = syn ?
    `PDC ${spdcid}, SYN, PSN ${psn} (${UetRequest.synOf(request).psnOffset} after the first)` :
    `PDC ${spdcid} > ${dpdcid} PSN ${psn}`;
  return ` ${pdc}${ackRequest ? ', asks for an ACK' : ''}${flagWords(retransmission, false)}`;
}

function ackWords(packet: Packet, ack: LayerOf<'uet-ack'>['value']): string {
  const { spdcid, dpdcid, cumulativePsn, ackPsnOffset, probeResponse, targetRequest, retransmission, marked } = ack;
  const cause = probeResponse ?
    `, response to probe ${hex(ackPsnOffset & 0xffff, 4)}` :
    ackPsnOffset === 0 ?
    '' :
    `, about PSN ${(cumulativePsn + ackPsnOffset) >>> 0}`;
  const flags = `${TARGET_REQUESTS[targetRequest]}${replyFlags(retransmission, marked)}`;
  return ` PDC ${spdcid} > ${dpdcid} cumulative PSN ${cumulativePsn}${cause}${flags}${stateWords(packet)}`;
}

function stateWords(packet: Packet): string {
  const nscc = findLayer(packet, 'uet-nscc-state')?.value;
  if (nscc !== undefined) {
    const { serviceTime, windowPenalty, rcvdBytes256 } = nscc;
    const penalty = windowPenalty === 0 ? '' : `, window penalty ${windowPenalty}`;
    return `, NSCC: service time ${serviceTime * SERVICE_TICK_NS} ns, received ${
      rcvdBytes256 * RECEIVED_UNIT_BYTES
    } bytes${penalty}`;
  }
  const credit = findLayer(packet, 'uet-credit-state')?.value;
  return credit === undefined ? '' : `, credit ${credit.credit}`;
}

function nackWords(
  { spdcid, dpdcid, nackPsn, nackCode, rudi, retransmission, marked }: LayerOf<'uet-nack'>['value'],
): string {
  const subject = rudi ? `packet ${nackPsn}` : `PDC ${spdcid} > ${dpdcid} PSN ${nackPsn}`;
  return ` ${subject}, ${uetNackName(nackCode) ?? `code ${hex(nackCode, 2)}`}${replyFlags(retransmission, marked)}`;
}

function controlWords({ controlType, spdcid, dpdcid, psn, retransmission }: LayerOf<'uet-control'>['value']): string {
  const name = UetControlType.nameOf(controlType) ?? `type ${controlType}`;
  return ` ${name} PDC ${spdcid} > ${dpdcid} PSN ${psn}${flagWords(retransmission, false)}`;
}

/** In a reply the flag is that of the packet that it responds to. */
function replyFlags(isOfRetransmission: boolean, marked: boolean): string {
  return `${isOfRetransmission ? ', of a retransmission' : ''}${marked ? ', marked' : ''}`;
}

function flagWords(retransmission: boolean, marked: boolean): string {
  return `${retransmission ? ', retransmitted' : ''}${marked ? ', marked' : ''}`;
}

function semanticWords(packet: Packet): string[] {
  const first = findLayer(packet, 'uet-ses-standard')?.value;
  if (first !== undefined) return [`${uetOperationWords(packet, first.sesOperation)} message ${first.messageId}`];
  const further = findLayer(packet, 'uet-ses-continued')?.value;
  if (further !== undefined) {
    const { sesOperation, messageId, messageOffset } = further;
    return [`${uetOperationWords(packet, sesOperation)} message ${messageId} from byte ${messageOffset}`];
  }
  const short = findLayer(packet, 'uet-ses-medium')?.value ?? findLayer(packet, 'uet-ses-small')?.value;
  return short === undefined ? responseWords(packet) : [uetOperationWords(packet, short.sesOperation)];
}

function responseWords(packet: Packet): string[] {
  const value = (findLayer(packet, 'uet-ses-response') ?? findLayer(packet, 'uet-ses-response-data') ??
    findLayer(packet, 'uet-ses-response-data-small'))?.value;
  if (value === undefined) return [];
  const { response, returnCode } = value;
  return [
    `${uetResponseName(response) ?? `response ${response}`} ${
      uetReturnName(returnCode) ?? `code ${hex(returnCode, 2)}`
    }`,
  ];
}

function uetOperationWords(packet: Packet, operation: number): string {
  const name = UetOperation.nameOf(operation) ?? `operation ${hex(operation, 2)}`;
  const atomic = findLayer(packet, 'uet-atomic')?.value.atomicOperation;
  return atomic === undefined ? name : `${name} ${uetAtomicName(atomic) ?? hex(atomic, 2)}`;
}
