// What a discrete-event simulator has anyway: a clock with events, and ports that send what waits for them.

/** Events by time; those of one time in the order in which they were scheduled. */
export class Clock {
  nowPs = 0;
  /** The next one is the last. */
  readonly #events: { timePs: number; handle: () => void }[] = [];

  at(timePs: number, handle: () => void): void {
    const place = this.#events.findLastIndex((event) => event.timePs > timePs) + 1;
    this.#events.splice(place, 0, { timePs, handle });
  }

  run(): void {
    for (let event = this.#events.pop(); event; event = this.#events.pop()) {
      this.nowPs = event.timePs;
      event.handle();
    }
  }
}

interface Frame {
  readonly lenBytes: number;
  readonly kind: string;
}

/** A link of 100 Gb/s and 1 us. */
export const LINK = { rateBps: 100e9, delayPs: 1e6 };

/** Serialisation with preamble and gap, 20 bytes. */
export function transmissionPs(lenBytes: number): number {
  return ((lenBytes + 20) * 8e12) / LINK.rateBps;
}

/** One end of a link: CNPs leave first, then other packets, then what `next` has to send. */
export class Port<Packet extends Frame> {
  queueBytes = 0;
  maxQueueBytes = 0;
  txBytes = 0;
  next: () => Packet | undefined = () => undefined;
  onDequeue: (packet: Packet) => void = () => undefined;
  readonly #clock: Clock;
  readonly #arrive: (packet: Packet) => void;
  readonly #cnps: Packet[] = [];
  readonly #others: Packet[] = [];
  #isBusy = false;

  constructor(clock: Clock, arrive: (packet: Packet) => void) {
    this.#clock = clock;
    this.#arrive = arrive;
  }

  send(packet: Packet): void {
    (packet.kind.endsWith('cnp') ? this.#cnps : this.#others).push(packet);
    this.queueBytes += packet.lenBytes;
    this.maxQueueBytes = Math.max(this.maxQueueBytes, this.queueBytes);
    this.serve();
  }

  serve(): void {
    if (this.#isBusy) return;
    const packet = this.#dequeue() ?? this.next();
    if (!packet) return;
    this.#isBusy = true;
    this.txBytes += packet.lenBytes;
    const endPs = this.#clock.nowPs + transmissionPs(packet.lenBytes);
    this.#clock.at(endPs, () => {
      this.#isBusy = false;
      this.serve();
    });
    this.#clock.at(endPs + LINK.delayPs, () => {
      this.#arrive(packet);
    });
  }

  #dequeue(): Packet | undefined {
    const packet = this.#cnps.shift() ?? this.#others.shift();
    if (!packet) return undefined;
    this.queueBytes -= packet.lenBytes;
    this.onDequeue(packet);
    return packet;
  }
}
