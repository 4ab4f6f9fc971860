/**
 * A switch's congestion point: marks by RED, and sends Fast CNPs instead where configured.
 *
 *   not congested                               nothing                 (a random number is drawn only if 0 < p < 1)
 *   no Fast CNPs here, or not data              a mark
 *   the sender accepts none                     a mark
 *   both flow and port have a token             a Fast CNP, no mark
 *   either lacks a token                        nothing; a mark under `markWhenLimited`
 *
 * Buckets fill over time up to their burst; a Fast CNP takes a token of both or of neither. Data at switches that send
 * Fast CNPs draws from a separate generator, by seed and node; everything else draws from the generator passed in.
 * Source: draft-xiao-rtgwg-rocev2-fast-cnp-01, sections 4 and 5; Zhu et al., SIGCOMM 2015, section 3.1.
 */
import { CongestionPointRandom } from '../reference/cp/random.js';
import { PS_PER_SECOND } from '../units.js';

/** Limits of Fast CNPs, and the treatment of packets beyond them. */
export interface FastCnpLimits {
  readonly flowRatePerSecond: number;
  readonly flowBurst: number;
  readonly portRatePerSecond: number;
  readonly portBurst: number;
  readonly markWhenLimited: boolean;
}

/** A switch's reaction to congestion. */
export type Verdict = 'nothing' | 'mark' | 'notify';

class TokenBucket {
  readonly #ratePerSecond: number;
  readonly #burst: number;
  #tokens: number;
  #filledPs = 0;

  constructor(ratePerSecond: number, burst: number) {
    this.#ratePerSecond = ratePerSecond;
    this.#burst = burst;
    this.#tokens = burst;
  }

  fill(timePs: number): void {
    const gained = ((timePs - this.#filledPs) * this.#ratePerSecond) / PS_PER_SECOND;
    this.#tokens = Math.min(this.#burst, this.#tokens + gained);
    this.#filledPs = timePs;
  }

  get hasToken(): boolean {
    return this.#tokens >= 1;
  }

  take(): void {
    this.#tokens -= 1;
  }
}

export class CongestionJudge {
  readonly #limits: FastCnpLimits;
  readonly #random: CongestionPointRandom;
  readonly #ofFlows = new Map<number, TokenBucket>();
  readonly #ofPorts = new Map<number, TokenBucket>();

  constructor(limits: FastCnpLimits, seed: number, node: number) {
    this.#limits = limits;
    this.#random = new CongestionPointRandom((seed + node) >>> 0);
  }

  /** The verdict for a packet that Fast CNPs do not report: `mark` or `nothing`. */
  judgePlain(random: CongestionPointRandom, port: MarkingThresholds, queueBytes: number): Verdict {
    return isCongested(random, port, queueBytes) ? 'mark' : 'nothing';
  }

  /** The verdict for data at a switch that sends Fast CNPs. */
  judgeData(timePs: number, thresholds: MarkingThresholds, queueBytes: number, { port, flow, takesFastCnps }: {
    readonly port: number;
    readonly flow: number;
    readonly takesFastCnps: boolean;
  }): Verdict {
    if (!isCongested(this.#random, thresholds, queueBytes)) return 'nothing';
    if (!takesFastCnps) return 'mark';
    if (this.#takeTokens(timePs, port, flow)) return 'notify';
    return this.#limits.markWhenLimited ? 'mark' : 'nothing';
  }

  #takeTokens(timePs: number, port: number, flow: number): boolean {
    const { flowRatePerSecond, flowBurst, portRatePerSecond, portBurst } = this.#limits;
    const ofFlow = bucketOf(this.#ofFlows, flow, flowRatePerSecond, flowBurst);
    const ofPort = bucketOf(this.#ofPorts, port, portRatePerSecond, portBurst);
    ofFlow.fill(timePs);
    ofPort.fill(timePs);
    if (!ofFlow.hasToken || !ofPort.hasToken) return false;
    ofFlow.take();
    ofPort.take();
    return true;
  }
}

function isCongested(random: CongestionPointRandom, port: MarkingThresholds, queueBytes: number): boolean {
  const probability = markProbability(port, queueBytes);
  if (probability <= 0 || probability >= 1) return probability > 0;
  return random.next() < probability;
}

function bucketOf(buckets: Map<number, TokenBucket>, key: number, ratePerSecond: number, burst: number): TokenBucket {
  const bucket = buckets.get(key) ?? new TokenBucket(ratePerSecond, burst);
  buckets.set(key, bucket);
  return bucket;
}

/**
 * ECN marking by RED: a packet that leaves a queue is marked with probability 0 up to kmin, rising to pmax at kmax, and
 * 1 beyond.
 */

export interface MarkingThresholds {
  readonly kminBytes: number;
  readonly kmaxBytes: number;
  readonly pmax: number;
}

/** @param queueBytes of the port and class, without the departing packet. */
export function markProbability({ kminBytes, kmaxBytes, pmax }: MarkingThresholds, queueBytes: number): number {
  if (queueBytes > kmaxBytes) return 1;
  if (queueBytes <= kminBytes) return 0;
  return (pmax * (queueBytes - kminBytes)) / (kmaxBytes - kminBytes);
}
