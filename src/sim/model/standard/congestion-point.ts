/**
 * A switch's congestion point under `standard`: marks by RED, and Fast CNPs in their place where it sends them.
 *
 *   not congested                               nothing                 (a number is drawn only where 0 < p < 1)
 *   no Fast CNPs here, or not data              a mark, on ECN-capable packets alone if the rules say so
 *   the sender takes none                       a mark
 *   a token of flow and port                    a Fast CNP, no mark
 *   none of either                              nothing; a mark under `markWhenLimited`
 *
 * Buckets fill with time up to their burst; a Fast CNP takes a token of both or of neither. Switches that send Fast CNPs
 * draw from a generator of their own, by seed and node; all others from the network's.
 * Source: draft-xiao-rtgwg-rocev2-fast-cnp-01, sections 4 and 5; Zhu et al., SIGCOMM 2015, section 3.1.
 */
import { CongestionPointRandom } from '../../../reference/cp/random.js';
import type { PortPlan } from '../../plan.js';
import { markProbability } from '../marking.js';
import type { Port } from '../link-ends.js';
import type { World } from '../network.js';
import type { Packet } from '../packet.js';
import type { CongestionVerdict, Marker } from '../parts.js';

const PS_PER_S = 1e12;
const NOTHING: CongestionVerdict = { mark: false, notify: false };
const MARK: CongestionVerdict = { mark: true, notify: false };
const NOTIFY: CongestionVerdict = { mark: false, notify: true };

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
    const gained = ((timePs - this.#filledPs) * this.#ratePerSecond) / PS_PER_S;
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

export class StandardCongestionPoint implements Marker {
  readonly #world: World;
  readonly #sendsFastCnps: boolean;
  readonly #random: CongestionPointRandom;
  readonly #ofFlows = new Map<number, TokenBucket>();
  readonly #ofPorts = new Map<number, TokenBucket>();

  constructor(world: World, node: number) {
    const { plan } = world;
    this.#world = world;
    this.#sendsFastCnps = plan.nodes[node].fastCnp;
    this.#random = new CongestionPointRandom((plan.seed + node) >>> 0);
  }

  judge({ index, plan: port }: Port, packet: Packet, queueBytes: number): CongestionVerdict {
    const { rules } = this.#world.plan;
    const isData = packet.kind === 'data';
    if (this.#sendsFastCnps && isData) return this.#judgeData(index, port, packet, queueBytes);
    if (rules.markable === 'ect' && !isData) return NOTHING;
    return isCongested(this.#world.random, port, queueBytes) ? MARK : NOTHING;
  }

  #judgeData(index: number, port: PortPlan, { flow }: Packet, queueBytes: number): CongestionVerdict {
    const { nodes, flows, fastCnp } = this.#world.plan;
    if (!isCongested(this.#random, port, queueBytes)) return NOTHING;
    if (!nodes[flows.source[flow]].fastCnp) return MARK;
    if (this.#takeTokens(index, flow)) return NOTIFY;
    return fastCnp.markWhenLimited ? MARK : NOTHING;
  }

  #takeTokens(port: number, flow: number): boolean {
    const { flowRatePerSecond, flowBurst, portRatePerSecond, portBurst } = this.#world.plan.fastCnp;
    const buckets = [
      bucketOf(this.#ofFlows, flow, flowRatePerSecond, flowBurst),
      bucketOf(this.#ofPorts, port, portRatePerSecond, portBurst),
    ];
    for (const bucket of buckets) bucket.fill(this.#world.events.nowPs);
    if (!buckets.every(({ hasToken }) => hasToken)) return false;
    for (const bucket of buckets) bucket.take();
    return true;
  }
}

function isCongested(random: CongestionPointRandom, port: PortPlan, queueBytes: number): boolean {
  const probability = markProbability(port, queueBytes);
  if (probability <= 0 || probability >= 1) return probability > 0;
  return random.next() < probability;
}

function bucketOf(buckets: Map<number, TokenBucket>, key: number, ratePerSecond: number, burst: number): TokenBucket {
  const bucket = buckets.get(key) ?? new TokenBucket(ratePerSecond, burst);
  buckets.set(key, bucket);
  return bucket;
}
