/**
 * A switch for real frames, as a state machine without a clock: its input is frames with arrival times, its output
 * frames with the times at which their last bit reaches the far end of the link.
 *
 *   arrival     apply configured loss or damage; apply PFC; choose the egress port; admit; store; pause the neighbour;
 *               queue; send
 *   departure   release; mark or notify by the remaining queue; resume the neighbour; send. The port is free again
 *               after length / rate; the frame is at the far end after the link's delay
 *
 * Order: by time; at one instant arrivals come first, then ports become free in the order in which they started to
 * send. So the same arrivals give the same departures, marks and drops, whenever `advance` is called between them.
 * Rules and random numbers are those of the simulator's standard switch (`test/model/switch.ts`; both use
 * `src/switching`), which the tests compare it with. Lengths are counted as in the simulator: with FCS, at least 64
 * bytes, and 20 more on the wire.
 *
 * Known deviations from the simulator: received pauses last for their quanta, and sent pauses are repeated
 * (`port-times.ts`); egress losses of a link are decided when a frame leaves (`link-faults.ts`); IPv4 packets and
 * packets that are not ECN-capable never get Fast CNPs; frames that are not IP, or whose DSCP is below 8, use class 1.
 */
import { RoceError } from '../../errors.js';
import { CongestionPointRandom } from '../../reference/cp/random.js';
import { CLASS_COUNT } from '../../switching/shared-buffer.js';
import { PortCounters, type SwitchDropReason, Drops, type SwitchSink } from './switch-counters.js';
import { Congestion, markCe, HopRecorder } from './congestion.js';
import { EgressQueues, PacketMemory } from './packet-memory.js';
import { Forwarding, TO_ALL, FrameIntake } from './ingress.js';
import { KIND_MAC_CONTROL } from './frame-facts.js';
import { countedBytesOf, FramePool, NONE, type SwitchRoom } from './frame-pool.js';
import { LinkFaults } from './link-faults.js';
import { pauseFrame, readPauses, PauseTimes, PortTimes } from './port-times.js';
import type { SwitchSettings } from './settings.js';

const ETHERNET_HEADER_BYTES = 14;

export class EmulatedSwitch {
  readonly settings: SwitchSettings;
  readonly pool: FramePool;
  /** Counters by port. */
  readonly counters: readonly PortCounters[];
  readonly queues: EgressQueues;
  readonly #sink: SwitchSink;
  readonly #intake: FrameIntake;
  readonly #forwarding: Forwarding;
  readonly #memory: PacketMemory;
  readonly #congestion: Congestion;
  readonly #hops: HopRecorder;
  readonly #faults: LinkFaults;
  readonly #drops: Drops;
  readonly #pauses: PauseTimes;
  readonly #times: PortTimes;
  readonly #up: Uint8Array;
  /** Slots that data may not use, reserved for pauses. */
  readonly #keptSlots: number;
  #nowPs = 0;
  /** Number of frames in queues. */
  queued = 0;
  /** Congested data frames for which no Fast CNP can be made, because their headers are malformed. */
  unanswerable = 0;

  /** @throws RoceError `invalid-argument`, or `capacity` for a bad memory size. */
  constructor(settings: SwitchSettings, sink: SwitchSink, room: SwitchRoom = {}) {
    const { ports, seed, hosts } = settings;
    const random = new CongestionPointRandom(seed);
    const rates = ports.map(({ rateBps }) => rateBps);
    this.settings = settings;
    this.#sink = sink;
    this.pool = new FramePool(room);
    this.counters = ports.map(() => new PortCounters());
    this.queues = new EgressQueues(this.pool, ports.length, settings.strictClasses);
    this.#forwarding = new Forwarding(hosts);
    this.#intake = new FrameIntake(this.pool, this.#forwarding, settings.sendsFastCnps ? hosts.length : undefined);
    this.#memory = new PacketMemory(settings);
    this.#drops = new Drops(this.counters, this.pool, sink);
    this.#congestion = new Congestion(settings, this.pool, this.queues, random);
    this.#hops = new HopRecorder(settings, this.pool, this.queues);
    this.#faults = new LinkFaults(random, seed, settings.reordering);
    this.#pauses = new PauseTimes(rates);
    this.#times = new PortTimes(rates, countedBytesOf(this.pool.slotBytes), settings.wireOverheadBytes);
    this.#up = new Uint8Array(ports.length).fill(1);
    this.#keptSlots = Math.min(this.pool.slots >> 1, 2 * CLASS_COUNT * ports.length);
  }

  /** The time up to which all events have been processed. */
  get nowPs(): number {
    return this.#nowPs;
  }

  /** When the next event happens without input; Infinity if none will. */
  get nextEventPs(): number {
    const port = this.#times.first();
    return port === NONE ? this.#pauses.nextPs : Math.min(this.#times.freePs[port], this.#pauses.nextPs);
  }

  /** Processes all events before `timePs`. @throws RoceError `invalid-argument` for a time in the past. */
  advance(timePs: number): void {
    this.#run(timePs, 0);
  }

  /** As `advance`, but includes events at `timePs`; no arrival at that time may follow. */
  advanceThrough(timePs: number): void {
    this.#run(timePs, 1);
  }

  /**
   * Receives a frame.
   *
   * @param lenBytes of the frame, without its FCS. @param originalLenBytes larger than that if it was truncated.
   * @param timePs arrival of its last bit; not before `nowPs`.
   * @throws RoceError `invalid-argument` for a time in the past.
   */
  receive(port: number, bytes: Uint8Array, offset: number, lenBytes: number, originalLenBytes: number,
    timePs: number): void {
    this.advance(timePs);
    const counters = this.counters[port];
    counters.in += 1;
    counters.inBytes += lenBytes;
    const rejection = this.#rejection(port, lenBytes, originalLenBytes);
    if (rejection !== undefined) {
      this.#drops.in(this.#nowPs, port, rejection, NONE);
      return;
    }
    const slot = this.#intake.take(bytes, offset, lenBytes, port);
    const { kind } = this.#intake.facts;
    if (this.#faults.losesIn(this.settings.ports[port].lossIn, kind)) {
      this.#drops.in(this.#nowPs, port, 'loss', slot);
      return;
    }
    if (this.#faults.damages(this.pool, slot)) counters.damaged += 1;
    if (kind === KIND_MAC_CONTROL) this.#apply(port, slot);
    else this.#route(port, slot);
  }

  /** Frees the slot of a frame that has reached the far end, or is no longer needed. */
  release(slot: number): void {
    this.pool.release(slot);
  }

  /** Sets a link up or down: its queues are dropped, its pauses cleared. */
  setLink(port: number, state: 'up' | 'down', timePs: number): void {
    this.advance(timePs);
    this.#up[port] = state === 'up' ? 1 : 0;
    if (state === 'down') this.#loseQueues(port);
    this.#pauses.forget(port);
    this.#memory.forgetPauses(port);
    this.#trySend(port);
  }

  #run(timePs: number, through: 0 | 1): void {
    if (!(timePs >= this.#nowPs)) {
      const allowed = { min: this.#nowPs, multipleOf: 1, unit: 'ps' };
      const what = 'the time of an arrival';
      throw new RoceError('invalid-argument', { what, got: timePs, allowed, where: 'timePs' });
    }
    for (;;) {
      const port = this.#times.first();
      const freePs = port === NONE ? Infinity : this.#times.freePs[port];
      const nextPs = Math.min(freePs, this.#pauses.nextPs);
      if (nextPs === Infinity || nextPs > timePs || (through === 0 && nextPs === timePs)) break;
      this.#nowPs = nextPs;
      if (freePs > nextPs) {
        this.#pauses.run(this.#onPauseEnded, this.#onPauseDue);
        continue;
      }
      this.#times.freePs[port] = Infinity;
      this.#trySend(port);
    }
    this.#nowPs = timePs;
  }

  readonly #onPauseEnded = (port: number): void => {
    this.#trySend(port);
  };

  readonly #onPauseDue = (port: number, trafficClass: number): void => {
    this.#sendPause(port, trafficClass, 'pause');
  };

  #rejection(port: number, lenBytes: number, originalLenBytes: number): SwitchDropReason | undefined {
    if (this.#up[port] === 0) return 'linkDown';
    if (lenBytes > this.pool.slotBytes) return 'oversize';
    if (originalLenBytes > lenBytes || lenBytes < ETHERNET_HEADER_BYTES) return 'cut';
    return this.pool.freeCount <= this.#keptSlots ? 'pool' : undefined;
  }

  #apply(port: number, slot: number): void {
    const counters = this.counters[port];
    counters.ended += 1;
    const { pool } = this;
    const at = pool.offsetOf(slot);
    const frame = { bytes: pool.bytes, at: this.#intake.facts.payloadOffset, end: at + pool.lenBytes[slot] };
    readPauses(frame, (trafficClass, quanta) => {
      if (quanta > 0) counters.pausesReceived += 1;
      this.#pauses.apply(port, trafficClass, quanta, this.#nowPs);
    });
    pool.release(slot);
    this.#trySend(port);
  }

  #route(arrival: number, slot: number): void {
    const { pool } = this;
    const egress = this.#forwarding.egressOf(this.#intake.facts, pool.bytes, pool.offsetOf(slot), arrival);
    if (egress === TO_ALL) this.#toAll(arrival, slot);
    else if (egress === NONE) this.#drops.in(this.#nowPs, arrival, 'noRoute', slot);
    else if (this.#up[egress] === 0) this.#drops.in(this.#nowPs, arrival, 'linkDown', slot);
    else this.#forward(arrival, egress, slot);
  }

  /** Sends a copy to each other port; the last port gets the frame itself. */
  #toAll(arrival: number, slot: number): void {
    let last = NONE;
    for (let egress = 0; egress < this.counters.length; egress += 1) {
      if (egress === arrival || this.#up[egress] === 0) continue;
      if (last !== NONE) this.#forwardCopy(arrival, last, slot);
      last = egress;
    }
    if (last === NONE) this.#drops.in(this.#nowPs, arrival, 'noRoute', slot);
    else this.#forward(arrival, last, slot);
  }

  #forwardCopy(arrival: number, egress: number, original: number): void {
    const { pool } = this;
    this.counters[arrival].copied += 1;
    if (pool.freeCount <= this.#keptSlots) {
      this.#drops.in(this.#nowPs, arrival, 'pool', NONE);
      return;
    }
    const slot = this.#intake.take(pool.bytes, pool.offsetOf(original), pool.lenBytes[original], arrival);
    this.#forward(arrival, egress, slot);
  }

  #forward(arrival: number, egress: number, slot: number): void {
    const { pool } = this;
    const trafficClass = pool.trafficClass[slot];
    const countedBytes = pool.countedBytes[slot];
    if (!this.#memory.admits(arrival, egress, trafficClass, countedBytes)) {
      this.#drops.in(this.#nowPs, arrival, 'buffer', slot);
      return;
    }
    this.#memory.store(arrival, egress, trafficClass, countedBytes);
    if (this.#memory.beginsPause(arrival, trafficClass)) this.#sendPause(arrival, trafficClass, 'pause');
    this.counters[arrival].forwarded += 1;
    this.counters[egress].enqueued += 1;
    this.#push(egress, trafficClass, slot);
    if (this.settings.markAt === 'enqueue') this.#judgeFrame(egress, slot);
    this.#trySend(egress);
  }

  #push(port: number, queue: number, slot: number): void {
    this.queues.push(port, queue, slot);
    this.queued += 1;
  }

  #trySend(port: number): void {
    if (this.#times.freePs[port] !== Infinity || this.#up[port] === 0) return;
    const slot = this.queues.shift(port, this.#pauses.paused[port]);
    if (slot === NONE) return;
    this.queued -= 1;
    if (this.pool.arrival[slot] !== NONE) this.#depart(port, slot);
    this.#transmit(port, slot);
  }

  #depart(port: number, slot: number): void {
    const { pool } = this;
    const arrival = pool.arrival[slot];
    const trafficClass = pool.trafficClass[slot];
    this.#memory.release(arrival, port, trafficClass, pool.countedBytes[slot]);
    if (this.settings.markAt === 'dequeue') this.#judgeFrame(port, slot);
    this.#hops.record(port, slot, this.#nowPs);
    if (this.#memory.endsPause(arrival, trafficClass)) this.#sendPause(arrival, trafficClass, 'resume', port);
  }

  #transmit(port: number, slot: number): void {
    const counters = this.counters[port];
    const { delayPs, lossOut } = this.settings.ports[port];
    const sentPs = this.#times.begin(port, this.pool.countedBytes[slot], this.#nowPs);
    this.#hops.noteSent(port, slot);
    const kind = this.pool.kind[slot];
    if (this.#faults.losesOut(lossOut, kind)) {
      this.#drops.out(this.#nowPs, port, 'loss', slot);
      return;
    }
    if (this.#faults.damages(this.pool, slot)) counters.damaged += 1;
    const laterPs = this.#faults.delayPs(kind);
    if (laterPs > 0) counters.reordered += 1;
    counters.out += 1;
    counters.outBytes += this.pool.lenBytes[slot];
    this.#sink.leaves(port, slot, sentPs + delayPs + laterPs);
  }

  #judgeFrame(port: number, slot: number): void {
    const verdict = this.#congestion.verdict(port, slot, this.#nowPs);
    if (verdict === 'nothing' || (verdict === 'notify' && this.#notify(port, slot))) return;
    if (this.#congestion.isMarkable(slot)) this.#mark(port, slot);
  }

  #mark(port: number, slot: number): void {
    const { pool } = this;
    markCe(pool.bytes, pool.offsetOf(slot) + pool.ipOffset[slot]);
    this.counters[port].marks += 1;
    this.#sink.marked?.(this.#nowPs, port, slot);
  }

  /** Sends a Fast CNP to the frame's sender. @returns false if none is possible. */
  #notify(port: number, slot: number): boolean {
    const { pool, settings, counters } = this;
    const frame = this.#congestion.responseTo(port, slot, this.#nowPs, this.#hops);
    if (frame === undefined) {
      this.unanswerable += 1;
      return false;
    }
    counters[port].fastCnps += 1;
    const made = this.#makeFrame(port, frame);
    if (made === NONE) return true;
    const egress = this.#forwarding.egressOf(this.#intake.facts, pool.bytes, pool.offsetOf(made), port);
    pool.trafficClass[made] = settings.cnpClass;
    if (egress < 0) {
      this.#drops.out(this.#nowPs, port, 'noRoute', made);
      return true;
    }
    this.#push(egress, settings.cnpClass, made);
    // The port being served will send it next without this call.
    if (egress !== port) this.#trySend(egress);
    return true;
  }

  /** @param served port that will send it without this call, if any. */
  #sendPause(port: number, trafficClass: number, kind: 'pause' | 'resume', served = NONE): void {
    const counters = this.counters[port];
    if (kind === 'pause') this.#pauses.noteSent(port, trafficClass, this.#nowPs);
    else this.#pauses.noteResumed(port, trafficClass);
    const slot = this.#makeFrame(port, pauseFrame(this.settings.ports[port].mac, trafficClass, kind));
    if (slot === NONE) return;
    if (kind === 'pause') counters.pausesSent += 1;
    else counters.resumesSent += 1;
    this.#push(port, 0, slot);
    if (port !== served) this.#trySend(port);
  }

  /** Stores a frame made by the switch; returns its slot, or NONE if none is free, which is counted. */
  #makeFrame(port: number, frame: Uint8Array): number {
    this.counters[port].made += 1;
    if (frame.length > this.pool.slotBytes || this.pool.freeCount === 0) {
      this.#drops.out(this.#nowPs, port, 'pool', NONE);
      return NONE;
    }
    return this.#intake.take(frame, 0, frame.length, NONE);
  }

  #loseQueues(port: number): void {
    for (let queue = 0; queue < CLASS_COUNT; queue += 1) {
      for (let slot = this.queues.shiftOf(port, queue); slot !== NONE; slot = this.queues.shiftOf(port, queue)) {
        this.queued -= 1;
        this.#giveBack(port, slot);
        this.#drops.out(this.#nowPs, port, 'linkDown', slot);
      }
    }
  }

  #giveBack(port: number, slot: number): void {
    const { pool } = this;
    const arrival = pool.arrival[slot];
    const trafficClass = pool.trafficClass[slot];
    if (arrival === NONE) return;
    this.#memory.release(arrival, port, trafficClass, pool.countedBytes[slot]);
    if (this.#memory.endsPause(arrival, trafficClass)) this.#sendPause(arrival, trafficClass, 'resume');
  }
}
