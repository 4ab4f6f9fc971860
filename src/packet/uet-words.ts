/** Describes Ultra Ethernet packets, for the line of `describe`. */
import { UetControlType, UetOperation, uetAtomicName, uetNackName, uetResponseName,
  uetReturnName } from '../wire/uet/codes.js';
import { UetRequest } from '../wire/uet/pds.js';
import { findLayer, type Packet } from './dissect.js';
import type { LayerOf } from './layers.js';
import type { UetReading } from './multipath-readings.js';
import { hex } from './words.js';

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
    `, answers probe ${hex(ackPsnOffset & 0xffff, 4)}` :
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

/** In a reply the flag is that of the packet it answers. */
function replyFlags(isOfRetransmission: boolean, marked: boolean): string {
  return `${isOfRetransmission ? ', of a retransmission' : ''}${marked ? ', marked' : ''}`;
}

function flagWords(retransmission: boolean, marked: boolean): string {
  return `${retransmission ? ', retransmitted' : ''}${marked ? ', marked' : ''}`;
}

function semanticWords(packet: Packet): string[] {
  const first = findLayer(packet, 'uet-ses-standard')?.value;
  if (first !== undefined) return [`${operationWords(packet, first.sesOperation)} message ${first.messageId}`];
  const further = findLayer(packet, 'uet-ses-continued')?.value;
  if (further !== undefined) {
    const { sesOperation, messageId, messageOffset } = further;
    return [`${operationWords(packet, sesOperation)} message ${messageId} from byte ${messageOffset}`];
  }
  const short = findLayer(packet, 'uet-ses-medium')?.value ?? findLayer(packet, 'uet-ses-small')?.value;
  return short === undefined ? responseWords(packet) : [operationWords(packet, short.sesOperation)];
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

function operationWords(packet: Packet, operation: number): string {
  const name = UetOperation.nameOf(operation) ?? `operation ${hex(operation, 2)}`;
  const atomic = findLayer(packet, 'uet-atomic')?.value.atomicOperation;
  return atomic === undefined ? name : `${name} ${uetAtomicName(atomic) ?? hex(atomic, 2)}`;
}
