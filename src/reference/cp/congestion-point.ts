/**
 * Readable model of a switch's congestion point: the oracle for `assembly/cp`, and its replacement without wasm.
 *
 * Role     decides on each packet at an egress queue: nothing, a CE mark, a Fast CNP to its sender, or both.
 * Inputs   time, port, flow, queue length, ECN field, capability of the sender, IP version.
 * State    random generator; one token bucket per port and per flow.
 * Marking  p(q) = 0 for q <= Kmin, Pmax (q - Kmin) / (Kmax - Kmin) for q <= Kmax, 1 above. A random number is drawn
 *          only if 0 < p < 1.
 * Rules    | sender  | Fast CNP allowed by the buckets  | rejected by the buckets                  |
 *          | able    | Fast CNP                         | nothing; mark under markWhenLimited     |
 *          | unknown | Fast CNP; mark under markWhenUnknown | mark under markWhenUnknown or ...Limited |
 *          | unable, feature off, IPv4 | plain ECN mark |                                         |
 *          A packet that is Not-ECT is never marked.
 * Limits   a Fast CNP takes a token from both its flow and its port, or from neither.
 *
 * Source   draft-xiao-rtgwg-rocev2-fast-cnp-01, sections 4 and 5; Zhu et al., SIGCOMM 2015, section 3.1.
 * Choice   IPv4 packets of an able sender are marked: the draft only forbids a mark together with a Fast CNP, and IPv4
 *          has no Fast CNP.
 */
import { TIME_MAX_PS, CP_MARK_CE, CP_REASON_SHIFT, CP_SEND_FAST_CNP } from '../../abi/codes.js';
import { REASON_CODES, type CongestionDecision, type CongestionEvent, type CongestionPoint,
  type CongestionReason } from '../../config/congestion-decision.js';
import { resolveCongestionPointConfig, type CongestionPointConfig,
  type MarkingProfile } from '../../config/congestion-point.js';
import { RoceError } from '../../errors.js';
import { CongestionPointRandom } from './random.js';

interface TokenBucket {
  tokens: number;
  lastPs: number;
}

/** Probability that a packet counts as congested at this queue length, 0..1. */
export function markingProbability(queueBytes: number, { kminBytes, kmaxBytes, pmax }: MarkingProfile): number {
  if (queueBytes <= kminBytes) return 0;
  if (queueBytes > kmaxBytes) return 1;
  return (pmax * (queueBytes - kminBytes)) / (kmaxBytes - kminBytes);
}

/** The number that `cpDecide` of the wasm module returns for this decision. */
export function encodeCongestionDecision(decision: CongestionDecision): number {
  return ((decision.markCe ? CP_MARK_CE : 0) |
    (decision.sendFastCnp ? CP_SEND_FAST_CNP : 0) |
    (REASON_CODES[decision.reason] << CP_REASON_SHIFT));
}

/** A congestion point with `ports` ports and `flows` flows. */
export class CongestionPointModel implements CongestionPoint {
  readonly config: CongestionPointConfig;
  readonly #random: CongestionPointRandom;
  readonly #portBuckets: TokenBucket[];
  readonly #flowBuckets: TokenBucket[];

  /**
   * @param ports number of egress ports, an integer >= 1
   * @param flows number of flows, an integer >= 1
   * @param config overrides of `congestionPointDefaults`
   * @throws RoceError `invalid-argument` for `ports` or `flows`, `invalid-config` naming a parameter
   */
  constructor(ports: number, flows: number, config: Partial<CongestionPointConfig> = {}) {
    requireCount('ports', ports);
    requireCount('flows', flows);
    this.config = resolveCongestionPointConfig(config);
    this.#random = new CongestionPointRandom(this.config.seed);
    this.#portBuckets = Array.from({ length: ports }, () => ({ tokens: this.config.portBurst, lastPs: 0 }));
    this.#flowBuckets = Array.from({ length: flows }, () => ({ tokens: this.config.flowBurst, lastPs: 0 }));
  }

  /** Decides on one packet. An event with a value out of range is rejected with the reason `bad-argument`. */
  decide(event: CongestionEvent): CongestionDecision {
    const flowBucket = bucketAt(this.#flowBuckets, event.flow);
    const portBucket = bucketAt(this.#portBuckets, event.port);
    if (!flowBucket || !portBucket || !isInRange(event)) return nothing('bad-argument');
    if (!this.#isCongested(event.queueBytes)) return nothing('not-congested');

    const canMark = (event.ecn & 3) !== 0;
    const obstacle = this.#obstacle(event);
    if (obstacle) return canMark ? { markCe: true, sendFastCnp: false, reason: obstacle } : nothing('not-ect');

    const reason = this.#consumeTokens(event.timePs, flowBucket, portBucket);
    const sendFastCnp = reason === 'fast-cnp';
    const whenLimited = !sendFastCnp && this.config.markWhenLimited;
    const whenUnknown = event.capability === 'unknown' && this.config.markWhenUnknown;
    return { markCe: canMark && (whenLimited || whenUnknown), sendFastCnp, reason };
  }

  #isCongested(queueBytes: number): boolean {
    const probability = markingProbability(queueBytes, this.config);
    if (probability <= 0) return false;
    if (probability >= 1) return true;
    return this.#random.next() < probability;
  }

  /** Why no Fast CNP is possible for this packet, so that only ECN applies; undefined if one is. */
  #obstacle(event: CongestionEvent): CongestionReason | undefined {
    if (!this.config.enabled) return 'disabled';
    if (!event.isIpv6) return 'ipv4';
    return event.capability === 'unable' ? 'sender-unable' : undefined;
  }

  #consumeTokens(nowPs: number, ofFlow: TokenBucket, ofPort: TokenBucket): CongestionReason {
    refill(ofFlow, nowPs, this.config.flowRatePerSecond, this.config.flowBurst);
    refill(ofPort, nowPs, this.config.portRatePerSecond, this.config.portBurst);
    if (ofFlow.tokens < 1) return 'flow-limited';
    if (ofPort.tokens < 1) return 'port-limited';
    ofFlow.tokens -= 1;
    ofPort.tokens -= 1;
    return 'fast-cnp';
  }
}

function bucketAt(buckets: readonly TokenBucket[], index: number): TokenBucket | undefined {
  return buckets[index];
}

/** Refills a bucket. If time went backwards, nothing changes, so that no interval is counted twice. */
function refill(bucket: TokenBucket, nowPs: number, ratePerSecond: number, burst: number): void {
  const elapsedPs = nowPs - bucket.lastPs;
  if (elapsedPs <= 0) return;
  const tokens = bucket.tokens + (elapsedPs * ratePerSecond) / 1e12;
  bucket.tokens = tokens < burst ? tokens : burst;
  bucket.lastPs = nowPs;
}

function isInRange({ timePs, queueBytes, capability }: CongestionEvent): boolean {
  const capabilities: readonly string[] = ['unknown', 'able', 'unable'];
  return timePs >= 0 && timePs <= TIME_MAX_PS && queueBytes >= 0 && capabilities.includes(capability);
}

function nothing(reason: CongestionReason): CongestionDecision {
  return { markCe: false, sendFastCnp: false, reason };
}

function requireCount(name: string, value: number): void {
  if (Number.isInteger(value) && value >= 1 && value <= 1e8) return;
  const allowed = { min: 1, max: 1e8, multipleOf: 1 };
  throw new RoceError('invalid-argument', {
    what: `number of ${name}`,
    got: value,
    allowed,
    where: `congestionPoint.${name}`,
  });
}
