/**
 * ConWeave in the second reference: source leaf (`conweave-source.ts`) and destination leaf (`conweave-destination.ts`)
 * of one switch, and the packets that leaves send each other.
 *
 * Notices and replies take 64 bytes, class 0, from the data's destination to its source, ports swapped, by ECMP; the
 * source leaf consumes them. Every 2 ms after the first packet, flows idle for longer are forgotten on both sides.
 * Source: docs/specs/reference-lossy.md, section 9.
 */
import { swapped } from '../../../src/switching/ecmp-hash.js';
import type { ConWeavePlan } from '../../../src/sim/features/reference-lossy/plan.js';
import type { Port } from '../link-ends.js';
import type { World } from '../network.js';
import { switchPacket, type Packet } from '../packet.js';
import type { Forwarder } from '../parts.js';
import { WeaveDestination } from './conweave-destination.js';
import { weaveKey } from './conweave-key.js';
import { WeaveLabel, WeaveNotice, WeaveReply } from './conweave-label.js';
import { WeaveSource } from './conweave-source.js';
import type { GlibcRandom } from './glibc-random.js';
import { LeafBalancer, type LeafPair } from './leaf-balancer.js';
import type { LeafPaths } from './leaf-paths.js';
import { labelOf } from './path-label.js';
import { Ticks } from './ticks.js';

const LEN_BYTES = 64;
const FORGET_AFTER_PS = 2e9;

export class ConWeave extends LeafBalancer {
  readonly #leafPaths: LeafPaths;
  readonly #source: WeaveSource;
  readonly #destination: WeaveDestination;
  readonly #ageing: Ticks;

  constructor(world: World, forwarder: Forwarder, leafPaths: LeafPaths, plan: ConWeavePlan, random: GlibcRandom) {
    super(world, forwarder, leafPaths);
    const { events } = world;
    this.#leafPaths = leafPaths;
    this.#source = new WeaveSource(plan, random, world.plan.nodes[forwarder.node].hashSeed);
    this.#destination = new WeaveDestination(plan, events, (packet, arrival) => {
      this.byHash(packet, arrival);
    }, (packet, label) => {
      this.#response(packet, label);
    });
    this.#ageing = new Ticks(events, FORGET_AFTER_PS, () => {
      this.#source.forgetIdle(events.nowPs, FORGET_AFTER_PS);
      this.#destination.forgetIdle(events.nowPs, FORGET_AFTER_PS);
    });
  }

  override waiting(): Iterable<Packet> {
    return this.#destination.waiting();
  }

  protected override start(): void {
    this.#ageing.start();
  }

  protected override receiveOther(packet: Packet, arrival: Port): void {
    const isOurs = packet.kind === 'reply' || packet.kind === 'notify';
    if (isOurs && this.#leafPaths.leafOf(packet.destination) === this.forwarder.node) this.#take(packet);
    else this.byHash(packet, arrival);
  }

  protected override atSource(packet: Packet, arrival: Port, pair: LeafPair): void {
    const label = this.#source.label(this.world.events.nowPs, packet, pair);
    packet.label = label;
    this.forwarder.forward(packet, arrival, this.follow(label));
  }

  protected override atDestination(packet: Packet, arrival: Port): void {
    const label = labelOf(packet, WeaveLabel);
    if (label !== undefined) this.#destination.receive(packet, arrival, label);
  }

  #take(packet: Packet): void {
    const { events, count } = this.world;
    count.ended(packet);
    const reply = labelOf(packet, WeaveReply);
    const notice = labelOf(packet, WeaveNotice);
    if (reply !== undefined) this.#source.takeReply(events.nowPs, weaveKey(swapped(packet.tuple)), reply);
    if (notice !== undefined) this.#source.takeNotice(events.nowPs, notice.path);
  }

  #response(packet: Packet, { kind, epoch, path }: WeaveLabel): void {
    if (packet.marked) this.#send('notify', packet, new WeaveNotice(path));
    if (kind !== 'data') this.#send('reply', packet, new WeaveReply(kind, epoch));
  }

  #send(kind: 'notify' | 'reply', data: Packet, label: object): void {
    const { plan, count } = this.world;
    const destination = plan.flows.source[data.flow];
    const packet = switchPacket(kind, data, { destination, lenBytes: LEN_BYTES, label });
    const egress = this.forwarder.ecmpEgress(packet);
    count.made(packet);
    if (egress !== undefined) this.forwarder.forward(packet, egress, egress);
  }
}
