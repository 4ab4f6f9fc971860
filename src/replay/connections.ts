/**
 * Finds which two queue pairs form a connection: from connection management if it was captured, otherwise inferred from
 * the traffic. Streams that remain unpaired are reported with the reason.
 *
 * The MADs of connection management are UD SEND only packets to QP 1: REQ states the queue pair of one end, REP that of
 * the other (IBTA volume 1, chapter 12). Memory is bounded: at most EXCHANGES_MAX exchanges, later ones are only counted.
 */
import { readU16 } from '../wire/bytes.js';
import { Bth, Opcode } from '../wire/roce/bth.js';
import { CM_ATTRIBUTE_REJ, CM_ATTRIBUTE_REP, CM_ATTRIBUTE_REQ, CM_ATTRIBUTE_RTU, CmRep, CmRtu, MAD_CLASS_CM, CmReq, Mad,
  QPN_GSI } from '../wire/roce/cm.js';
import { Deth } from '../wire/roce/extended-headers.js';
import { BY_RESPONSE } from './peer-evidence.js';
import type { FlowEnd, Connection, ConnectionSource, UnpairedStream, CmCounts } from './report.js';
import type { Stream } from './stream.js';

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

export interface FoundConnections {
  readonly connections: readonly Connection[];
  readonly unpaired: readonly UnpairedStream[];
}

/** A stream of the opposite direction, which shows the sender's queue pair, and the evidence for it. */
interface Claim {
  readonly data: Stream;
  readonly reply: Stream;
  readonly from: ConnectionSource;
  readonly evidence: number;
}

/** @param streams in order of appearance. */
export function findConnections(streams: readonly Stream[], exchanges: readonly CmExchange[]): FoundConnections {
  const found = new ConnectionList();
  for (const { requester, responder } of exchanges) {
    if (responder !== undefined) found.add({ a: requester, b: responder, from: 'cm', inferred: false, evidence: 2 });
  }
  // Connections found in one round leave fewer candidates for the next.
  for (let before = -1; before !== found.connections.length;) {
    before = found.connections.length;
    const claims = streams.flatMap((reply) => claimOf(reply, found));
    for (const claim of consistent(claims)) found.addClaim(claim);
  }
  const unpaired = streams.flatMap((stream, index) => unpairedOf(stream, index, found));
  return { connections: found.connections, unpaired };
}

/** List of connections in which no queue pair occurs twice. */
class ConnectionList {
  readonly connections: Connection[] = [];
  readonly #ends = new Set<string>();
  readonly #reused = new Set<string>();

  add(connection: Connection): void {
    const keys = [keyOf(connection.a), keyOf(connection.b)];
    if (keys.some((key) => this.#ends.has(key)) || keys[0] === keys[1]) {
      for (const key of keys) this.#reused.add(key);
      return;
    }
    for (const key of keys) this.#ends.add(key);
    this.connections.push(connection);
  }

  addClaim({ data, reply, from, evidence }: Claim): void {
    const [first, second] = data.index < reply.index ? [reply, data] : [data, reply];
    const [a, b] = [receiverOf(first), receiverOf(second)];
    if (this.has(a) || this.has(b)) return;
    this.add({ a, b, from, inferred: true, evidence });
  }

  has(end: FlowEnd): boolean {
    return this.#ends.has(keyOf(end));
  }

  isReused(end: FlowEnd): boolean {
    return this.#reused.has(keyOf(end));
  }
}

function claimOf(reply: Stream, found: ConnectionList): Claim[] {
  const { evidence } = reply;
  if (evidence === undefined || !evidence.isConsistent || found.has(receiverOf(reply))) return [];
  const isOpen = (candidate: Stream): boolean => !found.has(receiverOf(candidate));
  const byPsn = evidence.candidates?.filter(isOpen);
  const { candidates, cnps } = evidence.byCnp;
  const [data, ...others] = byPsn ?? [];
  if (data !== undefined && others.length === 0) {
    return [{ data, reply, from: sourceOf(evidence), evidence: evidence.frames }];
  }
  const [marked, ...otherMarked] = candidates.filter((candidate) =>
    isOpen(candidate) && byPsn?.includes(candidate) !== false
  );
  return marked === undefined || otherMarked.length > 0 ? [] : [{ data: marked, reply, from: 'cnps', evidence: cnps }];
}

function sourceOf({ kinds }: { readonly kinds: number }): ConnectionSource {
  return (kinds & BY_RESPONSE) !== 0 ? 'responses' : 'acknowledgements';
}

/** Claims that no other claim contradicts: both directions agree, or only one has evidence. In stream order. */
function consistent(claims: readonly Claim[]): Claim[] {
  const replies = new Map<Stream, Set<Stream>>();
  const link = (one: Stream, other: Stream): void => {
    const known = replies.get(one);
    if (known === undefined) replies.set(one, new Set([other]));
    else known.add(other);
  };
  for (const { data, reply } of claims) {
    link(data, reply);
    link(reply, data);
  }
  const firstIndex = ({ data, reply }: Claim): number => Math.min(data.index, reply.index);
  return claims.filter(({ data, reply }) => replies.get(data)?.size === 1 && replies.get(reply)?.size === 1)
    .sort((a, b) => firstIndex(a) - firstIndex(b));
}

/** Data streams of connections whose sender's queue pair is still unknown. */
function unpairedOf(data: Stream, index: number, found: ConnectionList): UnpairedStream[] {
  if (data.psns === undefined || data.psns.requests.counts.packets === 0) return [];
  const end = receiverOf(data);
  if (found.isReused(end)) return [{ stream: index, reason: 'reused-qp', candidates: 0 }];
  if (found.has(end)) return [];
  const replies = data.opposite.filter((reply) => mayReply(reply, data, found));
  const isContradicted = replies.some(({ evidence }) => evidence?.isConsistent === false);
  const reason = replies.length === 0 ? 'no-reply' : isContradicted ? 'contradictions' : 'several-candidates';
  return [{ stream: index, reason, candidates: replies.length }];
}

function mayReply(reply: Stream, data: Stream, found: ConnectionList): boolean {
  const { evidence } = reply;
  if (evidence === undefined || found.has(receiverOf(reply))) return false;
  return evidence.candidates?.includes(data) === true || evidence.byCnp.candidates.includes(data);
}

/** The queue pair that receives a stream. */
function receiverOf(stream: Stream): FlowEnd {
  return { address: stream.destination, qpn: stream.counts.destQpn };
}

function keyOf({ address, qpn }: FlowEnd): string {
  return `${address} ${qpn}`;
}

/** Whether a packet may be a connection management MAD. */
export function isCmPacket(opcode: number, destQpn: number): boolean {
  return opcode === OPCODE_UD_SEND_ONLY && destQpn === QPN_GSI;
}

/** The connection setups in a capture. */
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
    const key = exchangeKey(source, destination, localCommId);
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
    const exchange = this.#exchanges.get(exchangeKey(destination, source, remoteCommId));
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
    this.#exchanges.delete(exchangeKey(destination, source, remoteCommId));
    this.#exchanges.delete(exchangeKey(source, destination, localCommId));
  }
}

function exchangeKey(requester: string, responder: string, commId: number): string {
  return `${requester} ${responder} ${commId}`;
}
