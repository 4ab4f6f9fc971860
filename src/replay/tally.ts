/**
 * Counts the outcome of each processed frame: per class, per QP, and for notifications that match no QP.
 *
 * Constant memory: counters per QP of the flow list; up to LISTED_MAX different sources and unresolved notifications are
 * listed, the rest only counted.
 */
import { CLASS_ACK, CLASS_CNP, CLASS_COUNT, CLASS_DATA, CLASS_FAST_CNP_1, CLASS_FAST_CNP_2, CLASS_MALFORMED, CLASS_NAK,
  CLASS_OTHER, FIRST_IGNORED, FIRST_REJECTED, NONE, OUTCOME_CNP_DUE, OUTCOME_CNP_HANDLED, OUTCOME_CNP_SUPPRESSED,
  OUTCOME_FAST_CNP_ACCEPTED, OUTCOME_FAST_CNP_DISABLED, OUTCOME_FAST_CNP_DUPLICATE, OUTCOME_FAST_CNP_UNKNOWN_FLOW,
  OUTCOME_NOT_LOCAL, OUTCOME_UNKNOWN_QP } from '../abi/codes.js';
import { OUTCOME_NAMES, namesByCode, type OutcomeName } from '../abi/names.js';
import type { PacketBatch, PacketReport } from '../engine/packet-batch.js';
import { formatIpAddress, formatIpv6Address } from '../wire/ip/ip-address.js';
import type { OpenQp } from './open-flows.js';
import { IcrcTally } from './icrc-tally.js';
import type { MrcOptions } from '../packet/index.js';
import { MrcTally } from './mrc/tally.js';
import { OtherOptionTypes, OtherTally, TunnelTally, PauseTally } from './others.js';
import type { UnresolvedNotifications } from './report.js';
import { StreamTally } from './streams.js';

/** Maximum number of sources, or of unresolved notifications, listed by name. */
const LISTED_MAX = 100;
const IPV6_SOURCE = 8;
const IPV6_DESTINATION = 24;
const IPV4_DESTINATION = 16;
const IPV4_BYTES = 4;
const OUTCOMES = namesByCode(OUTCOME_NAMES);
const ROCE_V2_CLASSES = new Set([CLASS_DATA, CLASS_ACK, CLASS_NAK, CLASS_CNP, CLASS_FAST_CNP_1, CLASS_FAST_CNP_2]);

/** Counters of one QP. */
interface QpTally {
  dataFrames: number;
  dataBytes: number;
  /** CE-marked data frames that the QP sent. */
  markedFrames: number;
  cnpsSeen: number;
  cnpsHandled: number;
  fastCnpsSeen: number;
  fastCnpsAccepted: number;
}

interface ClassTally {
  frames: number;
  bytes: number;
  handled: number;
  ignored: number;
  rejected: number;
}

interface SourceTally {
  readonly address: string;
  readonly origin: 'receiver' | 'network';
  seen: number;
  accepted: number;
  readonly rejected: Partial<Record<OutcomeName, number>>;
}

export class FrameTally {
  /** Counters by CLASS_* code. */
  readonly classes: readonly ClassTally[] = Array.from({ length: CLASS_COUNT }, emptyClass);
  /** Counters by the engine's QP number. */
  readonly qps: readonly QpTally[];
  readonly streams = new StreamTally();
  readonly icrc = new IcrcTally();
  readonly pauses = new PauseTally();
  readonly otherOptionTypes = new OtherOptionTypes();
  readonly tunnels = new TunnelTally();
  readonly others = new OtherTally();
  readonly mrc: MrcTally;
  readonly fastCnps = { seen: 0, accepted: 0, rejected: {} as Partial<Record<OutcomeName, number>> };
  cnpsSeen = 0;
  unresolvedElsewhere = 0;
  readonly #open: readonly OpenQp[];
  readonly #sources = new Map<string, SourceTally>();
  readonly #unresolved = new Map<string, UnresolvedNotifications & { count: number }>();

  readonly #checksIcrc: boolean;

  constructor(open: readonly OpenQp[], checksIcrc: boolean, mrc?: MrcOptions | false) {
    this.#open = open;
    this.#checksIcrc = checksIcrc;
    this.mrc = new MrcTally(mrc, checksIcrc);
    this.qps = open.map(emptyQp);
  }

  /** Sources of Fast CNPs, the busiest first. */
  get sources(): SourceTally[] {
    return [...this.#sources.values()].sort((a, b) => b.seen - a.seen);
  }

  /** CNPs and Fast CNPs that match no QP, the most frequent first. */
  get unresolved(): UnresolvedNotifications[] {
    return [...this.#unresolved.values()].sort((a, b) => b.count - a.count);
  }

  /**
   * Counts processed frame `index` of the batch, which is frame number `frameNumber` of the capture and has this link
   * type.
   * @param isMrc whether it is a frame of MRC, which the MRC tally counts.
   */
  count(packets: PacketBatch, index: number, lenBytes: number, frameNumber: number, linkType: number,
    isMrc = false): void {
    const classCode = packets.classCode(index);
    if (classCode === CLASS_OTHER && !isMrc) this.others.count(packets, index, frameNumber, linkType);
    else if (classCode === CLASS_MALFORMED && !isMrc) this.others.countMalformed(packets, index, linkType);
    const outcome = packets.outcomeCode(index);
    const frame = packets.frame(index);
    const report = packets.report(index);
    countClass(this.classes[classCode], outcome, lenBytes);
    if (this.#checksIcrc && !isMrc) this.icrc.count(frame, report, classCode, frameNumber);
    if (ROCE_V2_CLASSES.has(classCode)) this.streams.count(frame, report, classCode, lenBytes);
    else if (report.ipVersion === undefined) this.#pause(frame, classCode);
    else if (report.why === 'unknown-option') this.otherOptionTypes.count(frame, report.ipOffset);
    if (classCode === CLASS_DATA) this.#data(packets.qpOf(index), outcome, lenBytes);
    else if (classCode === CLASS_CNP) this.#cnp(frame, report, outcome);
    else if (isFastCnp(classCode, outcome)) this.#fastCnp(frame, report, outcome);
  }

  /** A malformed frame without an IP version may be raw IP of an unknown version instead of an Ethernet frame. */
  #pause(frame: Uint8Array, classCode: number): void {
    if (classCode !== CLASS_MALFORMED) this.pauses.count(frame);
  }

  #data(qp: number, outcome: number, lenBytes: number): void {
    if (qp === NONE) return;
    const isMarked = outcome === OUTCOME_CNP_DUE || outcome === OUTCOME_CNP_SUPPRESSED;
    // A marked frame resolves to the QP that received it.
    const sender = this.qps[isMarked ? (this.#open[qp]?.peerQp ?? NONE) : qp];
    if (sender === undefined) return;
    sender.dataFrames++;
    sender.dataBytes += lenBytes;
    if (isMarked) sender.markedFrames++;
  }

  #cnp(frame: Uint8Array, report: PacketReport, outcome: number): void {
    this.cnpsSeen++;
    const tally = this.qps[report.qp ?? NONE];
    if (tally !== undefined) {
      tally.cnpsSeen++;
      if (outcome === OUTCOME_CNP_HANDLED) tally.cnpsHandled++;
    } else if (outcome === OUTCOME_NOT_LOCAL || outcome === OUTCOME_UNKNOWN_QP) {
      this.#leadsNowhere('cnp', frame, report);
    }
  }

  #fastCnp(frame: Uint8Array, report: PacketReport, outcome: number): void {
    this.fastCnps.seen++;
    const tally = this.qps[report.qp ?? NONE];
    if (tally !== undefined) tally.fastCnpsSeen++;
    const source = this.#sourceOf(frame, report);
    if (source !== undefined) source.seen++;
    if (outcome === OUTCOME_FAST_CNP_ACCEPTED) {
      this.fastCnps.accepted++;
      if (tally !== undefined) tally.fastCnpsAccepted++;
      if (source !== undefined) source.accepted++;
      return;
    }
    const reason = OUTCOMES[outcome] ?? 'unknown-kind';
    countReason(this.fastCnps.rejected, reason);
    if (source !== undefined) countReason(source.rejected, reason);
    if (outcome === OUTCOME_NOT_LOCAL || outcome === OUTCOME_FAST_CNP_UNKNOWN_FLOW) {
      this.#leadsNowhere('fast-cnp', frame, report);
    }
  }

  #sourceOf(frame: Uint8Array, { ipOffset, fromReceiver }: PacketReport): SourceTally | undefined {
    const address = formatIpv6Address(frame, ipOffset + IPV6_SOURCE);
    const origin = fromReceiver ? 'receiver' : 'network';
    const key = `${origin} ${address}`;
    let source = this.#sources.get(key);
    if (source === undefined && this.#sources.size < LISTED_MAX) {
      source = { address, origin, seen: 0, accepted: 0, rejected: {} };
      this.#sources.set(key, source);
    }
    return source;
  }

  #leadsNowhere(kind: 'cnp' | 'fast-cnp', frame: Uint8Array, report: PacketReport): void {
    const { ipVersion, ipOffset, destQpn, originalDestinationOffset } = report;
    const destination = ipVersion === 6 ?
      formatIpv6Address(frame, ipOffset + IPV6_DESTINATION) :
      ipv4At(frame, ipOffset + IPV4_DESTINATION);
    const originalDestination = kind === 'fast-cnp' ? formatIpAddress(frame, originalDestinationOffset) : undefined;
    const key = `${destination} ${destQpn} ${originalDestination ?? kind}`;
    const known = this.#unresolved.get(key);
    if (known !== undefined) known.count++;
    else if (this.#unresolved.size < LISTED_MAX) {
      this.#unresolved.set(key, { kind, destination, destQpn, originalDestination, count: 1 });
    } else this.unresolvedElsewhere++;
  }
}

function isFastCnp(classCode: number, outcome: number): boolean {
  if (classCode === CLASS_FAST_CNP_1 || classCode === CLASS_FAST_CNP_2) return true;
  // A malformed frame whose option shows that it was intended as a Fast CNP.
  return outcome >= OUTCOME_FAST_CNP_DISABLED && outcome <= OUTCOME_FAST_CNP_DUPLICATE;
}

function countClass(tally: ClassTally | undefined, outcome: number, lenBytes: number): void {
  if (tally === undefined) return;
  tally.frames++;
  tally.bytes += lenBytes;
  if (outcome < FIRST_IGNORED) tally.handled++;
  else if (outcome < FIRST_REJECTED) tally.ignored++;
  else tally.rejected++;
}

function countReason(reasons: Partial<Record<OutcomeName, number>>, reason: OutcomeName): void {
  reasons[reason] = (reasons[reason] ?? 0) + 1;
}

function ipv4At(frame: Uint8Array, offset: number): string {
  return frame.subarray(offset, offset + IPV4_BYTES).join('.');
}

function emptyClass(): ClassTally {
  return { frames: 0, bytes: 0, handled: 0, ignored: 0, rejected: 0 };
}

function emptyQp(): QpTally {
  return {
    dataFrames: 0,
    dataBytes: 0,
    markedFrames: 0,
    cnpsSeen: 0,
    cnpsHandled: 0,
    fastCnpsSeen: 0,
    fastCnpsAccepted: 0,
  };
}
