/**
 * Finds the stream of the opposite direction that belongs to the same connection.
 *
 *   ACK, NAK       carries a PSN that the requester used
 *   READ response  carries a PSN that a READ or atomic request consumed
 *   CNP            follows CE marks of the data
 *
 * Candidates are all streams of the opposite direction that fit; each further frame removes those that it contradicts.
 * A single remaining candidate is the peer. If several remain, none is chosen.
 */
import { psnAfter, psnsAhead, UNKNOWN } from './psn/psn.js';
import type { StreamPsns } from './psn/stream-psns.js';

/** Kinds of evidence, as bits. */
export const BY_ACKNOWLEDGEMENT = 1;
/** READ and atomic responses. */
export const BY_RESPONSE = 2;

/** How far an ACK may be behind the newest request, in PSNs; 65,536 packets of 1 kB are 1.3 ms at 400 Gb/s. */
const WINDOW = 2 ** 16;
/** With more candidates than this, no peer is sought. */
const CANDIDATES_MAX = 64;
/** Contradicting frames tolerated per fitting frame: captures of several queues are slightly out of order. */
const CONTRADICTIONS_MAX = 1 / 16;

/** Comparisons left for a whole replay, so that thousands of QPs between two hosts cannot take hours. */
export class PairingBudget {
  comparisons = 20_000_000;
}

/** What is needed of a stream to check whether it fits. */
interface Candidate {
  readonly counts: { readonly markedFrames: number };
  readonly psns: StreamPsns | undefined;
}

export class PeerEvidence<Stream extends Candidate> {
  /** Streams that fit all frames so far; undefined until one is found. */
  candidates: Stream[] | undefined;
  /** Kinds of the frames that fit, as BY_* bits. */
  kinds = 0;
  /** Number of frames that fit. */
  frames = 0;
  /** Frames that fit none of the remaining candidates. */
  contradictions = 0;
  /** CE-marked frames of each candidate at the last CNP. */
  #marksSeen: number[] = [];
  /** CNPs that no new mark explains. Frames may be marked downstream of the capture point, so these prove nothing. */
  #unexplainedCnps = 0;
  #byCnp: Stream[] | undefined;
  #cnps = 0;

  /** The only remaining candidate, if there is enough evidence so far. */
  get peer(): Stream | undefined {
    const { candidates } = this;
    return candidates?.length === 1 && this.isConsistent ? candidates[0] : undefined;
  }

  get isConsistent(): boolean {
    return this.contradictions <= this.frames * CONTRADICTIONS_MAX;
  }

  /** Streams whose marks explain every CNP, and the number of CNPs; empty if marks are not all visible. */
  get byCnp(): { readonly candidates: readonly Stream[]; readonly cnps: number } {
    return { candidates: this.#unexplainedCnps === 0 ? (this.#byCnp ?? []) : [], cnps: this.#cnps };
  }

  /** Records an ACK, NAK or response, which carries a PSN of its peer among the `opposite` streams. */
  notePsn(opposite: readonly Stream[], psn: number, kind: number, budget: PairingBudget): void {
    const { candidates } = this;
    if (candidates?.length === 1) {
      if (fits(candidates[0], psn, BY_ACKNOWLEDGEMENT)) this.#count(kind);
      else this.contradictions++;
      return;
    }
    const tried = candidates ?? opposite;
    if (budget.comparisons < tried.length) return;
    budget.comparisons -= tried.length;
    const fitting = tried.filter((other) => fits(other, psn, kind));
    if (fitting.length === 0) {
      if (candidates !== undefined) this.contradictions++;
      return;
    }
    if (candidates === undefined && fitting.length > CANDIDATES_MAX) return;
    this.candidates = fitting;
    this.#count(kind);
  }

  /** Records a CNP, caused by marks of one of the `opposite` streams. */
  noteCnp(opposite: readonly Stream[], budget: PairingBudget): void {
    this.#cnps++;
    if (this.#unexplainedCnps > 0) return;
    const tried = this.#byCnp ?? opposite;
    if (budget.comparisons < tried.length) return;
    budget.comparisons -= tried.length;
    const fitting = tried.filter(({ counts }, index) => counts.markedFrames > (this.#marksSeen[index] ?? 0));
    if (fitting.length === 0 || fitting.length > CANDIDATES_MAX) this.#unexplainedCnps++;
    this.#byCnp = fitting;
    this.#marksSeen = fitting.map(({ counts }) => counts.markedFrames);
  }

  #count(kind: number): void {
    this.kinds |= kind;
    this.frames++;
  }
}

/** Whether `stream` has used this PSN: for a response, in a READ or atomic request. */
function fits(stream: Candidate | undefined, psn: number, kind: number): boolean {
  const requests = stream?.psns?.requests;
  if (requests === undefined || requests.first === UNKNOWN) return false;
  if (kind === BY_RESPONSE) return requests.reads?.contains(psn, requests.mtus) === true;
  const { first, end } = requests;
  if (end === UNKNOWN) return false;
  const oldest = psnsAhead(end, first) > WINDOW ? psnAfter(end, -WINDOW) : first;
  return psnsAhead(psn, oldest) >= 0 && psnsAhead(psn, end) < 0;
}
