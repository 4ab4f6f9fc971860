/**
 * CONGA in the second reference: leaves report to each other how congested paths are, and a flowlet takes the least
 * congested.
 *
 *   X of a port     bytes sent to it by the source leaf or an intermediate switch; each 50 us X := trunc(0.8 X)
 *   CE of a port    trunc(8 X / (rate 50e-6 / 0.2) 8)                                       (not capped [BUG])
 *   source leaf     feedback: a random entry of those received from the destination leaf; path; X; CE := that of its
 *                   port
 *   between         X; CE := max(CE, that of its port)
 *   destination     to-leaf[source] [path fed back] := its CE; from-leaf[source] [path] := CE
 *   new flowlet     of four consecutive paths, drawn (of fewer than four: all), the least max(CE of the first port,
 *                   to-leaf); a tie is broken by a draw, which is made for a single candidate too
 *   ageing, 500 us  to-leaf older: CE := 0; from-leaf older: gone; flowlets idle longer: gone
 *
 * Source: docs/specs/reference-lossy.md, section 9.
 */
import type { Port } from '../link-ends.js';
import type { World } from '../network.js';
import type { Packet } from '../packet.js';
import type { Forwarder } from '../parts.js';
import { Flowlets } from './flowlets.js';
import type { GlibcRandom } from './glibc-random.js';
import { LeafBalancer, type LeafPair } from './leaf-balancer.js';
import type { LeafPath, LeafPaths } from './leaf-paths.js';
import { labelOf, PathLabel } from './path-label.js';
import { Ticks } from './ticks.js';

const FLOWLET_GAP_PS = 100e6;
const DECAY_PERIOD_PS = 50e6;
const DECAY_PERIOD_S = 50e-6;
const DECAY = 0.2;
const LEVELS = 2 ** 3;
const AGEING_PS = 500e6;
const PATHS_COMPARED = 4;

/** Congestion of a path, by its code. */
interface PathReport {
  readonly code: number;
  congestion: number;
  readonly timePs: number;
}

type Reports = Map<number, PathReport>;

class CongaLabel extends PathLabel {
  congestion = 0;
  feedback: PathReport | undefined;
}

export class Conga extends LeafBalancer {
  readonly #random: GlibcRandom;
  readonly #flowlets = new Flowlets(FLOWLET_GAP_PS);
  /** X of each port. */
  readonly #sentBytes = new Map<Port, number>();
  /** Reports by leaf. */
  readonly #toLeaf = new Map<number, Reports>();
  readonly #fromLeaf = new Map<number, Reports>();
  readonly #decay: Ticks;
  readonly #ageing: Ticks;

  constructor(world: World, forwarder: Forwarder, leafPaths: LeafPaths, random: GlibcRandom) {
    super(world, forwarder, leafPaths);
    this.#random = random;
    this.#decay = new Ticks(world.events, DECAY_PERIOD_PS, () => {
      for (const [port, bytes] of this.#sentBytes) this.#sentBytes.set(port, Math.trunc(bytes * (1 - DECAY)));
    });
    this.#ageing = new Ticks(world.events, AGEING_PS, () => {
      this.#age();
    });
  }

  protected override start(isData: boolean): void {
    if (!isData) return;
    this.#decay.start();
    this.#ageing.start();
  }

  protected override atSource(packet: Packet, arrival: Port, { source, destination, paths }: LeafPair): void {
    const feedback = this.#drawFeedback(destination);
    const path = this.#flowlets.pathOf(this.world.events.nowPs, packet, () => this.#bestPath(destination, paths));
    const label = new CongaLabel(source, destination, path);
    const egress = this.follow(label);
    packet.label = label;
    label.feedback = feedback;
    label.congestion = this.#count(egress, packet);
    this.forwarder.forward(packet, arrival, egress);
  }

  protected override between(packet: Packet, arrival: Port, egress: Port): void {
    const congestion = this.#count(egress, packet);
    const label = labelOf(packet, CongaLabel);
    if (label !== undefined) label.congestion = Math.max(label.congestion, congestion);
    this.forwarder.forward(packet, arrival, egress);
  }

  protected override atDestination(packet: Packet, arrival: Port): void {
    const label = labelOf(packet, CongaLabel);
    if (label !== undefined) this.#learn(label);
    this.byHash(packet, arrival);
  }

  #learn({ source, path: { code }, congestion, feedback }: CongaLabel): void {
    const timePs = this.world.events.nowPs;
    if (feedback !== undefined) {
      reportsOf(this.#toLeaf, source).set(feedback.code, { ...feedback, timePs });
    }
    reportsOf(this.#fromLeaf, source).set(code, { code, congestion, timePs });
  }

  #drawFeedback(leaf: number): PathReport | undefined {
    const reports = [...reportsOf(this.#fromLeaf, leaf).values()].sort((a, b) => a.code - b.code);
    return reports.length === 0 ? undefined : { ...reports[this.#random.below(reports.length)] };
  }

  /** Adds a packet to its port's X. Returns the port's CE. */
  #count(port: Port, { lenBytes }: Packet): number {
    this.#sentBytes.set(port, ((this.#sentBytes.get(port) ?? 0) + lenBytes) >>> 0);
    return this.#congestionOf(port);
  }

  #congestionOf(port: Port): number {
    const ratio = (8 * (this.#sentBytes.get(port) ?? 0)) / ((port.plan.rateBps * DECAY_PERIOD_S) / DECAY);
    return Math.trunc(ratio * LEVELS);
  }

  #bestPath(leaf: number, paths: readonly LeafPath[]): LeafPath {
    const from = paths.length >= PATHS_COMPARED ? this.#random.below(paths.length - PATHS_COMPARED + 1) : 0;
    const compared = paths.slice(from, from + PATHS_COMPARED);
    const metrics = compared.map(({ interfaces, code }) =>
      Math.max(this.#congestionOf(this.portOf(interfaces[0])), reportsOf(this.#toLeaf, leaf).get(code)?.congestion ?? 0)
    );
    const least = Math.min(...metrics);
    const best = compared.filter((_, at) => metrics[at] === least);
    return best[this.#random.below(best.length)];
  }

  #age(): void {
    const { nowPs } = this.world.events;
    const isOld = ({ timePs }: PathReport): boolean => nowPs - timePs > AGEING_PS;
    for (const reports of this.#toLeaf.values()) {
      for (const report of reports.values()) if (isOld(report)) report.congestion = 0;
    }
    for (const reports of this.#fromLeaf.values()) {
      for (const report of reports.values()) if (isOld(report)) reports.delete(report.code);
    }
    this.#flowlets.forgetIdle(nowPs, AGEING_PS);
  }
}

function reportsOf(ofLeaves: Map<number, Reports>, leaf: number): Reports {
  const reports = ofLeaves.get(leaf) ?? new Map<number, PathReport>();
  ofLeaves.set(leaf, reports);
  return reports;
}
