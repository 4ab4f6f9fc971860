/**
 * ConWeave at the source leaf of the second reference: a flow changes its path when the other leaf has not replied in
 * time, and sends a tail on the old path first.
 *
 *   expired   last + expiry < now: resolved := no;  else if resolved: fresh, resolved := no;  last := now
 *   kind      expired or fresh: INIT, deadline := now + base + extra, epoch += 1, phase := 0
 *             else deadline < now: TAIL, deadline := never, phase := 1, the packet's own phase 0;  else DATA
 *   choice    three numbers: one unused, r1, r2; r1 if it is not bad, else r2 if that is not, else none
 *   path      none yet: choice, or r1;  expired: choice if any, tail := 0;  fresh: tail := 0
 *             TAIL: this packet by the old one, then choice if any, tail := now
 *   bad       65,536 slots by the hash of the path's code; each holds one path, and until when it is bad
 *
 * Source: docs/specs/reference-lossy.md, section 9.
 */
import type { ConWeavePlan } from '../../../src/sim/features/reference-lossy/plan.js';
import type { Packet } from '../packet.js';
import { WeaveLabel, type WeaveKind, type WeaveReply } from './conweave-label.js';
import type { GlibcRandom } from './glibc-random.js';
import type { LeafPair } from './leaf-balancer.js';
import type { LeafPath } from './leaf-paths.js';
import { murmur3OfWord } from './murmur3-word.js';
import { weaveKey } from './conweave-key.js';

/** The assumed round trip over one link between switches, 1 us each way, regardless of its delay. */
const BASE_PER_LINK_PS = 2e6;
const SLOTS = 65_536;

/** A flow at its source leaf. */
interface WeaveFlow {
  lastPs: number;
  resolved: boolean;
  /** Infinity: never. */
  deadlinePs: number;
  epoch: number;
  phase: number;
  path: LeafPath | undefined;
  tailPs: number;
}

interface BadPath {
  readonly code: number;
  readonly untilPs: number;
}

type Beginning = 'expired' | 'fresh' | 'neither';

export class WeaveSource {
  readonly #plan: ConWeavePlan;
  readonly #random: GlibcRandom;
  readonly #hashSeed: number;
  readonly #flows = new Map<string, WeaveFlow>();
  readonly #bad = new Map<number, BadPath>();

  /** @param hashSeed of the switch. */
  constructor(plan: ConWeavePlan, random: GlibcRandom, hashSeed: number) {
    this.#plan = plan;
    this.#random = random;
    this.#hashSeed = hashSeed;
  }

  /** The label of a data packet that leaves now. */
  label(nowPs: number, packet: Packet, pair: LeafPair): WeaveLabel {
    const key = weaveKey(packet.tuple);
    const flow = this.#flows.get(key) ?? newFlow();
    this.#flows.set(key, flow);
    const beginning = this.#begin(flow, nowPs);
    const kind = this.#advance(flow, nowPs, beginning, pair.paths[0].interfaces.length);
    const phase = kind === 'tail' ? 0 : flow.phase;
    const path = this.#choosePath(flow, nowPs, pair.paths, beginning, kind);
    const { epoch, tailPs } = flow;
    return new WeaveLabel(pair, path, { epoch, phase, kind, sentPs: nowPs, tailPs });
  }

  takeReply(nowPs: number, key: string, { kind, epoch }: WeaveReply): void {
    const flow = this.#flows.get(key);
    if (flow?.epoch !== epoch) return;
    const inTime = flow.phase === 0 && nowPs < flow.deadlinePs && flow.deadlinePs !== Infinity;
    if (kind === 'init' ? !inTime : flow.phase !== 1) return;
    flow.resolved = true;
    flow.deadlinePs = Infinity;
  }

  takeNotice(nowPs: number, { code }: LeafPath): void {
    this.#bad.set(this.#slotOf(code), { code, untilPs: nowPs + this.#plan.pathPausePs });
  }

  forgetIdle(nowPs: number, longerThanPs: number): void {
    for (const [key, { lastPs }] of this.#flows) if (nowPs - lastPs > longerThanPs) this.#flows.delete(key);
  }

  #begin(flow: WeaveFlow, nowPs: number): Beginning {
    const expired = flow.lastPs + this.#plan.expiryPs < nowPs;
    const fresh = !expired && flow.resolved;
    if (expired || fresh) flow.resolved = false;
    flow.lastPs = nowPs;
    return expired ? 'expired' : fresh ? 'fresh' : 'neither';
  }

  #advance(flow: WeaveFlow, nowPs: number, beginning: Beginning, links: number): WeaveKind {
    if (beginning !== 'neither') {
      flow.deadlinePs = nowPs + links * BASE_PER_LINK_PS + this.#plan.replyExtraPs;
      flow.epoch += 1;
      flow.phase = 0;
      return 'init';
    }
    if (flow.deadlinePs >= nowPs) return 'data';
    flow.deadlinePs = Infinity;
    flow.phase = 1;
    return 'tail';
  }

  #choosePath(flow: WeaveFlow, nowPs: number, paths: readonly LeafPath[], beginning: Beginning,
    kind: WeaveKind): LeafPath {
    this.#random.next();
    const first = paths[this.#random.below(paths.length)];
    const second = paths[this.#random.below(paths.length)];
    const choice = [first, second].find(({ code }) => !this.#isBad(code, nowPs));
    const old = flow.path ?? choice ?? first;
    flow.path = old;
    if (beginning === 'expired') flow.path = choice ?? old;
    if (beginning !== 'neither') flow.tailPs = 0;
    if (kind !== 'tail') return flow.path;
    flow.path = choice ?? old;
    flow.tailPs = nowPs;
    return old;
  }

  #isBad(code: number, nowPs: number): boolean {
    const bad = this.#bad.get(this.#slotOf(code));
    return bad?.code === code && bad.untilPs > nowPs;
  }

  #slotOf(code: number): number {
    return murmur3OfWord(code, this.#hashSeed) % SLOTS;
  }
}

function newFlow(): WeaveFlow {
  return { lastPs: 0, resolved: true, deadlinePs: 0, epoch: 0, phase: 0, path: undefined, tailPs: 0 };
}
