/**
 * The data of a QP by sequence numbers. A flow with its own QP counts bytes. A QP with several messages counts PSN *
 * MTU: each message begins at a whole packet, and its last packet may be short.
 */

/** The data of a QP from sequence number 0 on. */
export interface SendStream {
  /** The sequence number after all posted data. */
  readonly end: number;
  /** Whether nothing more will be posted. */
  readonly isComplete: boolean;
  payloadAt(sequence: number): number;
  /** Sequence number of the packet after the one that begins here. */
  after(sequence: number): number;
  /** Payload between two sequence numbers at which packets begin. */
  bytesBetween(from: number, to: number): number;
}

/** One flow. */
export class FlowStream implements SendStream {
  readonly isComplete = true;
  readonly end: number;
  readonly #mtuBytes: number;

  constructor(sizeBytes: number, mtuBytes: number) {
    this.end = sizeBytes;
    this.#mtuBytes = mtuBytes;
  }

  payloadAt(sequence: number): number {
    return Math.min(this.#mtuBytes, this.end - sequence);
  }

  after(sequence: number): number {
    return sequence + this.payloadAt(sequence);
  }

  bytesBetween(from: number, to: number): number {
    return to - from;
  }
}

/** A message of a QP with several messages. */
export interface QpMessage {
  /** Index of its flow. */
  readonly index: number;
  readonly sizeBytes: number;
  readonly first: number;
  readonly end: number;
  readonly postedPs: number;
  readonly restarted: boolean;
  /** Whether it was posted to a failed QP, which does not send it. */
  readonly isFlushed: boolean;
  /** The time when its first packet left, and the rate of the QP then. */
  beganPs?: number;
  beganRateBps?: number;
  isDelivered: boolean;
  isAcknowledged: boolean;
}

/** The messages of a QP, in the order in which they were posted. */
export class MessageStream implements SendStream {
  readonly messages: QpMessage[] = [];
  readonly #mtuBytes: number;
  readonly #count: number;

  /** @param count number of messages that will be posted. */
  constructor(mtuBytes: number, count: number) {
    this.#mtuBytes = mtuBytes;
    this.#count = count;
  }

  get end(): number {
    return this.messages.at(-1)?.end ?? 0;
  }

  get isComplete(): boolean {
    return this.messages.length === this.#count;
  }

  post(index: number, sizeBytes: number, postedPs: number,
    { restarted, isFlushed }: Pick<QpMessage, 'restarted' | 'isFlushed'>): void {
    const first = this.end;
    const end = first + Math.ceil(sizeBytes / this.#mtuBytes) * this.#mtuBytes;
    this.messages.push({
      index,
      sizeBytes,
      first,
      end,
      postedPs,
      restarted,
      isFlushed,
      isDelivered: false,
      isAcknowledged: false,
    });
  }

  payloadAt(sequence: number): number {
    const { first = 0, sizeBytes = 0 } = this.messageAt(sequence) ?? {};
    return Math.min(this.#mtuBytes, first + sizeBytes - sequence);
  }

  after(sequence: number): number {
    return sequence + this.#mtuBytes;
  }

  bytesBetween(from: number, to: number): number {
    let bytes = 0;
    for (let sequence = from; sequence < to; sequence += this.#mtuBytes) bytes += this.payloadAt(sequence);
    return bytes;
  }

  messageAt(sequence: number): QpMessage | undefined {
    return this.messages.find(({ first, end }) => first <= sequence && sequence < end);
  }

  /** Takes the messages that end at or before the sequence number expected by the receiver. */
  takeDelivered(expected: number): QpMessage[] {
    const taken = this.messages.filter(({ end, isDelivered }) => !isDelivered && end <= expected);
    for (const message of taken) message.isDelivered = true;
    return taken;
  }

  /** Takes the messages that end at or before the first unacknowledged sequence number. */
  takeAcknowledged(sndUna: number): QpMessage[] {
    const taken = this.messages.filter(({ end, isAcknowledged }) => !isAcknowledged && end <= sndUna);
    for (const message of taken) message.isAcknowledged = true;
    return taken;
  }
}
