/**
 * Finds connections in the MADs that set them up: REQ states the queue pair of one end, REP that of the other (IBTA
 * volume 1, chapter 12). They are UD SEND only packets to QP 1.
 *
 * Bounded memory: EXCHANGES_MAX exchanges; later ones are only counted.
 */
import { readU16 } from '../../wire/bytes.js';
import { Bth, Opcode } from '../../wire/roce/bth.js';
import { CM_ATTRIBUTE_REJ, CM_ATTRIBUTE_REP, CM_ATTRIBUTE_REQ, CM_ATTRIBUTE_RTU, CmRep, CmRtu, MAD_CLASS_CM, CmReq, Mad,
  QPN_GSI } from '../../wire/roce/cm.js';
import { Deth } from '../../wire/roce/extended-headers.js';
import type { FlowEnd, CmCounts } from './connection.js';

/** Maximum number of exchanges kept. */
const EXCHANGES_MAX = 10_000;
const OPCODE_UD_SEND_ONLY = Opcode.TRANSPORT_UD | Opcode.SEND_ONLY;
const MANAGEMENT_CLASS = Mad.offsetOf('managementClass');
const ATTRIBUTE_ID = Mad.offsetOf('attributeId');

/** A connection setup; complete when both ends are known. */
export interface CmExchange {
  readonly requester: FlowEnd;
  /** Path MTU code. */
  readonly mtuCode: number;
  responder: FlowEnd | undefined;
}

/** Whether a packet may be a connection management MAD. */
export function isCmPacket(opcode: number, destQpn: number): boolean {
  return opcode === OPCODE_UD_SEND_ONLY && destQpn === QPN_GSI;
}

export class CmExchanges {
  readonly counts: { -readonly [Name in keyof CmCounts]: number } = {
    requests: 0,
    replies: 0,
    readyToUse: 0,
    rejections: 0,
    elsewhere: 0,
  };
  /** Exchanges by requester, responder and the requester's communication ID. */
  readonly #exchanges = new Map<string, CmExchange>();

  /** Exchanges with both ends known, in order of their requests. */
  get complete(): Required<CmExchange>[] {
    return [...this.#exchanges.values()].filter((exchange) => exchange.responder !== undefined);
  }

  /**
   * Reads a packet that may be a connection management MAD.
   *
   * @returns the exchange that this packet completes; undefined for all others.
   */
  add(frame: Uint8Array, bthOffset: number, source: string, destination: string): CmExchange | undefined {
    const madOffset = bthOffset + Bth.lenBytes + Deth.lenBytes;
    if (madOffset + Mad.lenBytes > frame.length) return undefined;
    if (frame[madOffset + MANAGEMENT_CLASS] !== MAD_CLASS_CM) return undefined;
    const at = madOffset + Mad.lenBytes;
    const attribute = readU16(frame, madOffset + ATTRIBUTE_ID);
    const room = frame.length - at;
    if (attribute === CM_ATTRIBUTE_REQ && room >= CmReq.lenBytes) this.#request(frame, at, source, destination);
    else if (attribute === CM_ATTRIBUTE_REP && room >= CmRep.lenBytes)
      return this.#reply(frame, at, source, destination);
    else if (attribute === CM_ATTRIBUTE_RTU) this.counts.readyToUse++;
    else if (attribute === CM_ATTRIBUTE_REJ && room >= CmRtu.lenBytes) this.#reject(frame, at, source, destination);
    return undefined;
  }

  #request(frame: Uint8Array, at: number, source: string, destination: string): void {
    this.counts.requests++;
    const { localCommId, localQpn, pathMtu } = new CmReq.View(frame, at);
    const key = keyOf(source, destination, localCommId);
    const known = this.#exchanges.get(key);
    // A request may be repeated, before or after the reply.
    if (known?.requester.qpn === localQpn) return;
    if (known === undefined && this.#exchanges.size >= EXCHANGES_MAX) {
      this.counts.elsewhere++;
      return;
    }
    const requester = { address: source, qpn: localQpn };
    this.#exchanges.set(key, { requester, mtuCode: pathMtu, responder: undefined });
  }

  #reply(frame: Uint8Array, at: number, source: string, destination: string): CmExchange | undefined {
    this.counts.replies++;
    const { remoteCommId, localQpn, localEecn } = new CmRep.View(frame, at);
    const exchange = this.#exchanges.get(keyOf(destination, source, remoteCommId));
    // An XRC target states its queue pair as the end-to-end context (cm_format_rep of Linux).
    const qpn = localQpn === 0 ? localEecn : localQpn;
    if (exchange === undefined || exchange.responder?.qpn === qpn) return undefined;
    exchange.responder = { address: source, qpn };
    return exchange;
  }

  /** Either end may reject: the requester a reply, the responder a request. */
  #reject(frame: Uint8Array, at: number, source: string, destination: string): void {
    this.counts.rejections++;
    const { localCommId, remoteCommId } = new CmRtu.View(frame, at);
    this.#exchanges.delete(keyOf(destination, source, remoteCommId));
    this.#exchanges.delete(keyOf(source, destination, localCommId));
  }
}

function keyOf(requester: string, responder: string, commId: number): string {
  return `${requester} ${responder} ${commId}`;
}
