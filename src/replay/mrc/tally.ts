/**
 * Counts packets of MRC, which the engine does not support: per kind and per queue pair.
 *
 * Role: parses again only those frames that the engine discards, rejects or does not recognise, so RoCEv2 frames cost
 * nothing extra.
 * Pairing: data goes to the responder's QP, SACKs and NACKs to the requester's. They are matched when a SACK or NACK
 * names the PSN and the entropy value of a data packet of the opposite direction, or when only one queue pair sends
 * data in that direction. The ids `spdcid` and `dpdcid` are not used (docs/reference/sources.md).
 * Bounded memory: QUEUE_PAIRS_MAX queue pairs; frames of further queue pairs are only counted.
 */
import { CLASS_CUT, CLASS_DISCARD, CLASS_MALFORMED, CLASS_OTHER } from '../../abi/codes.js';
import { LINK_TYPE_ETHERNET } from '../../capture/link-types.js';
import { Dissection, dissectInto, readPacket, type Layer, type LayerKind, type LayerOf, type MrcOptions,
  type MrcReading, type Packet } from '../../packet/index.js';
import { LinkRules } from '../../packet/rules.js';
import { hex } from '../../packet/words.js';
import { formatIpAddress } from '../../wire/ip/ip-address.js';
import { Aeth } from '../../wire/roce/extended-headers.js';
import { mrcFindings, type MrcSummary } from './summary.js';
import { QueuePairTally } from './queue-pair.js';

/** Maximum number of queue pairs kept separately. */
const QUEUE_PAIRS_MAX = 1000;
/** Maximum number of malformed frames listed. */
const LISTED_MAX = 100;
const ECN_CE = 3;
/** Classes that the engine assigns to frames of MRC. */
const CLASSES = new Set([CLASS_CUT, CLASS_DISCARD, CLASS_MALFORMED, CLASS_OTHER]);

export class MrcTally {
  readonly #dissection = new Dissection();
  readonly #rules: LinkRules;
  readonly #kinds: Partial<Record<MrcReading['kind'], number>> = {};
  readonly #queuePairs: QueuePairTally[] = [];
  /** Queue pairs by addresses and the responder's QP. */
  readonly #byData = new Map<string, QueuePairTally>();
  /** Queue pairs by addresses, requester first. */
  readonly #byHosts = new Map<string, QueuePairTally[]>();
  /** Queue pairs by addresses and the requester's QP. */
  readonly #byControl = new Map<string, QueuePairTally>();
  readonly #malformedFrames: number[] = [];
  readonly #counts = {
    frames: 0,
    trimmed: 0,
    routed: 0,
    malformed: 0,
    icrcChecked: 0,
    icrcWrong: 0,
    queuePairsElsewhere: 0,
  };

  /** @param options how MRC is read, or `false` to ignore it. */
  constructor(readonly options: MrcOptions | false | undefined, checksIcrc: boolean) {
    this.#rules = new LinkRules({ checkIcrc: checksIcrc, ...(options !== undefined && { mrc: options }) });
    // Validates the options before the first frame.
    this.#rules.of(LINK_TYPE_ETHERNET);
  }

  /** Undefined if there are no MRC frames. */
  get summary(): MrcSummary | undefined {
    const { frames } = this.#counts;
    if (frames === 0) return undefined;
    const queuePairs = this.#queuePairs.map(({ summary }) => summary);
    const summary = {
      ...this.#counts,
      kinds: { ...this.#kinds },
      malformedFrames: [...this.#malformedFrames],
      queuePairs,
    };
    return { ...summary, findings: mrcFindings(summary) };
  }

  /** Whether a frame that the engine put into class CLASS_* may be MRC. */
  mayBe(classCode: number): boolean {
    return this.options !== false && CLASSES.has(classCode);
  }

  /**
   * Counts a captured frame if it is an MRC frame.
   * @param number of the frame in the capture, from 1.
   * @param timePs capture time; NaN if unknown.
   * @returns whether it is an MRC frame.
   */
  count(bytes: Uint8Array, originalBytes: number, linkType: number, number: number, timePs: number): boolean {
    const found = dissectInto(this.#dissection, bytes, originalBytes, this.#rules.of(linkType));
    if (found.mrcOffset === 0) return false;
    const packet = readPacket(found);
    if (packet.mrc === undefined) return false;
    this.#countWhole(packet, packet.mrc, number);
    this.#countPacket({ packet, mrc: packet.mrc, lenBytes: originalBytes, timePs });
    return true;
  }

  #countPacket(captured: Captured): void {
    const { packet: { ip }, mrc } = captured;
    if (ip === undefined || mrc.destQpn === undefined || mrc.psn === undefined) return;
    const [from, to] = [formatIpAddress(ip.source), formatIpAddress(ip.destination)];
    if (mrc.kind === 'data' || mrc.kind === 'probe') this.#countRequest(captured, from, to);
    else if (mrc.kind === 'sack' || mrc.kind === 'nack' || mrc.kind === 'ack') {
      // Control packets travel from the responder to the requester.
      this.#countResponse(captured, to, from);
    }
  }

  #countWhole({ icrc }: Packet, mrc: MrcReading, number: number): void {
    const counts = this.#counts;
    counts.frames++;
    this.#kinds[mrc.kind] = (this.#kinds[mrc.kind] ?? 0) + 1;
    if (mrc.isTrimmed) counts.trimmed++;
    if (mrc.carrier !== undefined) counts.routed++;
    if (icrc !== undefined) counts.icrcChecked++;
    if (icrc === 'wrong') counts.icrcWrong++;
    if (mrc.problems.length === 0) return;
    counts.malformed++;
    if (this.#malformedFrames.length < LISTED_MAX) this.#malformedFrames.push(number);
  }

  #countRequest({ packet, mrc, lenBytes, timePs }: Captured, source: string, destination: string): void {
    const queuePair = this.#queuePairOf(source, destination, mrc.destQpn ?? 0);
    if (queuePair === undefined) {
      this.#counts.queuePairsElsewhere++;
      return;
    }
    if (mrc.kind === 'probe') {
      queuePair.probes++;
      return;
    }
    const ecn = packet.tunnel?.ecn ?? packet.ip?.ecn;
    queuePair.addData({
      psn: mrc.psn ?? 0,
      entropy: mrc.entropy,
      lenBytes,
      isRetransmission: find(packet.layers, 'mrc-bth')?.value.retransmission ?? false,
      isMarked: ecn === ECN_CE,
      isTrimmed: mrc.isTrimmed,
      isLastHop: mrc.dscpName === 'TRIMMED_LASTHOP',
      timePs,
      timestamp: find(packet.layers, 'tseth')?.value.timestamp,
    });
  }

  /** @param source the requester: the packet's destination. */
  #countResponse({ packet: { layers }, mrc, timePs }: Captured, source: string, destination: string): void {
    const seth = find(layers, 'seth')?.value;
    const neth = find(layers, 'neth')?.value;
    const queuePair = this.#acknowledged(source, destination, mrc.destQpn ?? 0,
      causeOf(mrc, neth ?? seth, neth?.nackPsn));
    if (queuePair === undefined) {
      this.#counts.queuePairsElsewhere++;
      return;
    }
    if (seth !== undefined) {
      const { cumulativePsn, mark, entropy } = seth;
      const { missing = [], causePsn } = mrc.sack ?? {};
      const timestamp = find(layers, 'mrc-cc-state')?.value.timestamp;
      queuePair.addSack({ cumulativePsn, mark, holes: missing, causePsn, entropy, timePs, timestamp });
    }
    if (neth !== undefined) queuePair.addNack(mrc.nackReason ?? hex(neth.reason, 2));
    const aeth = find(layers, 'aeth')?.value;
    if (aeth !== undefined) queuePair.addAck(Aeth.kind(aeth.syndrome) === 'nak');
  }

  #queuePairOf(source: string, destination: string, destQpn: number): QueuePairTally | undefined {
    const key = `${source} ${destination} ${destQpn}`;
    const known = this.#byData.get(key);
    if (known !== undefined) return known;
    const opened = this.#open(source, destination, destQpn);
    if (opened !== undefined) {
      this.#byData.set(key, opened);
      const hosts = `${source} ${destination}`;
      this.#byHosts.set(hosts, [...this.#byHosts.get(hosts) ?? [], opened]);
    }
    return opened;
  }

  /** Finds the queue pair whose data a packet to the requester's QP acknowledges. */
  #acknowledged(source: string, destination: string, requesterQpn: number, cause: Cause | undefined): QueuePairTally
    | undefined {
    const key = `${source} ${destination} ${requesterQpn}`;
    const known = this.#byControl.get(key);
    if (known !== undefined) return known;
    const open = (this.#byHosts.get(`${source} ${destination}`) ?? []).filter((one) => one.requesterQpn === undefined);
    const named = cause && open.find((one) => one.sent(cause.psn, cause.entropy));
    const found = named ?? (open.length === 1 ? open[0] : this.#open(source, destination, undefined));
    if (found === undefined) return undefined;
    found.requesterQpn = requesterQpn;
    this.#byControl.set(key, found);
    return found;
  }

  #open(source: string, destination: string, destQpn: number | undefined): QueuePairTally | undefined {
    if (this.#queuePairs.length === QUEUE_PAIRS_MAX) return undefined;
    const opened = new QueuePairTally(source, destination, destQpn);
    this.#queuePairs.push(opened);
    return opened;
  }
}

/** A captured frame of MRC. */
interface Captured {
  readonly packet: Packet;
  readonly mrc: MrcReading;
  readonly lenBytes: number;
  readonly timePs: number;
}

/** The data packet that caused a SACK or NACK. */
interface Cause {
  readonly psn: number;
  readonly entropy: number;
}

function causeOf({ sack }: MrcReading, header: { readonly entropy: number } | undefined, nackPsn: number | undefined):
  | Cause
  | undefined {
  const psn = nackPsn ?? sack?.causePsn;
  return psn === undefined || header === undefined ? undefined : { psn, entropy: header.entropy };
}

function find<Kind extends LayerKind>(layers: readonly Layer[], kind: Kind): LayerOf<Kind> | undefined {
  return layers.find((layer) => layer.kind === kind) as LayerOf<Kind> | undefined;
}
