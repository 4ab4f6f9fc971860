/**
 * Statistics per source, destination and destination QPN, from the frames only: marks, notifications, missing or
 * repeated packet sequence numbers (PSNs), and connections. No flow list is needed.
 *
 * Bounded memory: STREAMS_MAX streams; frames of further streams are only counted.
 */
import { CLASS_ACK, CLASS_CNP, CLASS_DATA, CLASS_FAST_CNP_1, CLASS_FAST_CNP_2, CLASS_NAK } from '../abi/codes.js';
import type { PacketReport } from '../engine/packet-batch.js';
import type { FlowEnd, StreamSummary } from './report.js';
import { findingsOf, type ReplayFinding, MARK_ACK, MARK_CNP, MARK_DATA, vlanPriority } from './stream-marks.js';
import { CmExchanges, isCmPacket, findConnections, type FoundConnections } from './connections.js';
import { BY_ACKNOWLEDGEMENT, BY_RESPONSE, PairingBudget, PeerEvidence } from './peer-evidence.js';
import { mtusOfCode } from './psn/psn.js';
import { SEQUENCE_ACKNOWLEDGEMENT, SEQUENCE_NONE, SEQUENCE_REQUEST, SEQUENCE_RESPONSE, StreamPsns, isMigrationRequest,
  psnAt, sequenceOf } from './psn/stream-psns.js';
import { Directions, Stream, streamView, summaryOf } from './stream.js';

/** Maximum number of streams kept separately. */
const STREAMS_MAX = 10_000;
const ECN_CE = 3;
const IPV4_SOURCE = 12;
const IPV4_BYTES = 4;
const IPV6_SOURCE = 8;
const IPV6_BYTES = 16;
/** Multiplier and start of the 32-bit FNV-1a hash. */
const FNV_PRIME = 0x01000193;
const FNV_START = 0x811c9dc5;

export class StreamTally {
  /** Frames of streams beyond STREAMS_MAX. */
  elsewhere = 0;
  readonly cm = new CmExchanges();
  readonly #byHash = new Map<number, Stream>();
  readonly #streams: Stream[] = [];
  /** Streams by destination QPN, whatever their addresses. */
  readonly #byQpn = new Map<number, Stream[]>();
  readonly #directions = new Directions();
  readonly #budget = new PairingBudget();

  /** Summaries in order of appearance. */
  get summaries(): StreamSummary[] {
    return this.#streams.map(summaryOf);
  }

  /** Number of CE-marked data frames in all tracked streams. */
  get markedFrames(): number {
    return this.#streams.reduce((sum, { counts }) => sum + counts.markedFrames, 0);
  }

  /** Problems that the streams show. */
  get findings(): ReplayFinding[] {
    return findingsOf(this.#streams.map(streamView));
  }

  /** Queue pairs that form connections. */
  get connections(): FoundConnections {
    return findConnections(this.#streams, this.cm.complete);
  }

  /** Counts a RoCEv2 frame of class CLASS_*. */
  count(frame: Uint8Array, report: PacketReport, classCode: number, lenBytes: number): void {
    const stream = this.#streamOf(frame, report);
    if (stream === undefined) {
      this.elsewhere++;
      return;
    }
    const { counts, marks } = stream;
    counts.frames++;
    counts.bytes += lenBytes;
    marks.count(kindOf(classCode), report.ecn, report.dscp, vlanPriority(frame, report.ipOffset));
    if (classCode === CLASS_CNP) this.#cnp(stream);
    else if (classCode === CLASS_FAST_CNP_1 || classCode === CLASS_FAST_CNP_2) counts.fastCnps++;
    else this.#transport(stream, frame, report, classCode);
  }

  #cnp(stream: Stream): void {
    stream.counts.cnps++;
    (stream.evidence ??= new PeerEvidence()).noteCnp(stream.opposite, this.#budget);
  }

  #transport(stream: Stream, frame: Uint8Array, report: PacketReport, classCode: number): void {
    const { counts } = stream;
    const { opcode, bthOffset, destQpn } = report;
    if (classCode === CLASS_DATA) {
      counts.dataFrames++;
      if (report.ecn === ECN_CE) counts.markedFrames++;
      if (isCmPacket(opcode, destQpn)) this.#connectionMessage(stream, frame, bthOffset);
    }
    const sequence = sequenceOf(opcode);
    if (sequence === SEQUENCE_NONE) return;
    const psns = (stream.psns ??= new StreamPsns());
    const psn = psnAt(frame, bthOffset);
    if (sequence === SEQUENCE_REQUEST) this.#request(stream, psns, frame, report, psn);
    else this.#reply(stream, psns, frame, report, psn);
  }

  #request(stream: Stream, psns: StreamPsns, frame: Uint8Array, { opcode, bthOffset }: PacketReport,
    psn: number): void {
    if (psns.requests.isAhead(psn) && this.#isMigrated(stream, frame, bthOffset, psn)) psns.requests.moveTo(psn);
    psns.addRequest(frame, bthOffset, opcode, psn);
  }

  #reply(stream: Stream, psns: StreamPsns, frame: Uint8Array, { opcode, bthOffset }: PacketReport, psn: number): void {
    const evidence = (stream.evidence ??= new PeerEvidence());
    const isResponse = sequenceOf(opcode) === SEQUENCE_RESPONSE;
    evidence.notePsn(stream.opposite, psn, isResponse ? BY_RESPONSE : BY_ACKNOWLEDGEMENT, this.#budget);
    if (isResponse) psns.addResponse(frame, bthOffset, opcode, psn, evidence.peer?.psns);
    else if (sequenceOf(opcode) === SEQUENCE_ACKNOWLEDGEMENT) psns.acknowledgements++;
  }

  /**
   * Whether a connection resumes here after the PSNs in between took another path: its packets have bit M set, those on
   * the other path did not (automatic path migration, IBTA volume 1, section 17.2.8).
   */
  #isMigrated(stream: Stream, frame: Uint8Array, bthOffset: number, psn: number): boolean {
    if (!isMigrationRequest(frame, bthOffset)) return false;
    const streams = this.#byQpn.get(stream.counts.destQpn) ?? [];
    return streams.some(({ psns }) => psns !== undefined && !psns.isMigrated && psns.requests.expects(psn));
  }

  #connectionMessage(stream: Stream, frame: Uint8Array, bthOffset: number): void {
    const exchange = this.cm.add(frame, bthOffset, stream.source, stream.destination);
    if (exchange?.responder === undefined) return;
    const mtus = mtusOfCode(exchange.mtuCode);
    this.#restart(exchange.requester, exchange.responder, mtus);
    this.#restart(exchange.responder, exchange.requester, mtus);
  }

  /** A reused queue pair begins with an arbitrary PSN. */
  #restart(from: FlowEnd, to: FlowEnd, mtus: number): void {
    const direction = this.#directions.find(from.address, to.address);
    const stream = direction?.streams.find(({ counts }) => counts.destQpn === to.qpn);
    if (stream === undefined) return;
    stream.evidence = undefined;
    stream.psns?.restart();
    stream.psns?.requests.stateMtus(mtus);
  }

  #streamOf(frame: Uint8Array, { ipVersion, ipOffset, destQpn }: PacketReport): Stream | undefined {
    const from = ipOffset + (ipVersion === 6 ? IPV6_SOURCE : IPV4_SOURCE);
    const to = from + 2 * (ipVersion === 6 ? IPV6_BYTES : IPV4_BYTES);
    let hash = FNV_START ^ destQpn;
    for (let at = from; at < to; at++) hash = Math.imul(hash ^ (frame[at] ?? 0), FNV_PRIME);
    const first = this.#byHash.get(hash);
    for (let stream = first; stream !== undefined; stream = stream.next) {
      if (stream.counts.destQpn === destQpn && hasAddresses(stream, frame, from, to)) return stream;
    }
    return this.#streams.length === STREAMS_MAX ? undefined : this.#open(hash, frame.slice(from, to), destQpn, first);
  }

  #open(hash: number, addresses: Uint8Array, destQpn: number, next: Stream | undefined): Stream {
    const direction = this.#directions.of(addresses);
    const stream = new Stream(this.#streams.length, addresses, destQpn, direction, next);
    direction.streams.push(stream);
    const sameQpn = this.#byQpn.get(destQpn);
    if (sameQpn === undefined) this.#byQpn.set(destQpn, [stream]);
    else sameQpn.push(stream);
    this.#byHash.set(hash, stream);
    this.#streams.push(stream);
    return stream;
  }
}

function kindOf(classCode: number): number {
  if (classCode === CLASS_DATA) return MARK_DATA;
  return classCode === CLASS_ACK || classCode === CLASS_NAK ? MARK_ACK : MARK_CNP;
}

function hasAddresses({ addresses }: Stream, frame: Uint8Array, from: number, to: number): boolean {
  if (addresses.length !== to - from) return false;
  for (let at = from; at < to; at++) if (frame[at] !== addresses[at - from]) return false;
  return true;
}
