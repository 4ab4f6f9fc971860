/**
 * The session of a live command: its ports, the record of its frames, lines redrawn in place in the terminal, and the
 * signals that stop it.
 */
import type { FrameToWrite } from '../../capture/index.js';
import { RoceError } from '../../errors.js';
import type { FramePort, LiveClock, FramePortStats } from '../../live/index.js';
import { openPacketPort } from '../../live/ports/linux/packet-port.js';
import { openTapPort } from '../../live/ports/linux/tap-port.js';
import { openUdpPort, ROCE_UDP_PORT, type UdpAddress } from '../../live/ports/udp-port.js';
import { formatBytes, formatCount, formatCountOf } from '../../view/format.js';
import type { Output } from '../output.js';
import { heading, wrap, type TextStyle } from '../terminal.js';

/** Options of the command line for opening a port. */
export interface PortFlags {
  /** Interfaces only: also receive frames addressed to other stations. */
  readonly promiscuous?: boolean | undefined;
  /** Interfaces only: milliseconds after which the ring returns a block that is not full. */
  readonly blockTimeout?: number | undefined;
  readonly clock?: LiveClock | undefined;
}

const DROP_WORDS: Readonly<Record<string, string>> = {
  'kernel-ring-full': 'no room in the ring of the kernel',
  'queue-full': 'no room in the queue',
  'too-long': 'too long',
  'too-short': 'too short',
  error: 'errors of the system',
  'interface-down': 'the interface was down',
  'peer-gone': 'nothing listened at the peer',
  closed: 'not sent before the end',
};

const WAITING_MAX = 65_536;
const SIGNALS = ['SIGINT', 'SIGTERM'] as const;
const MS_PER_SECOND = 1000;

/**
 * Opens a port.
 *
 * @throws RoceError for an invalid name, a port that can not be opened, or a missing permission.
 */
export async function openPort(name: string, flags: PortFlags = {}): Promise<FramePort> {
  const { promiscuous, blockTimeout, clock } = flags;
  if (name.startsWith('tap:')) return openTapPort(name.slice('tap:'.length), { clock });
  if (name.startsWith('udp:')) {
    const [local = '', peer] = name.slice('udp:'.length).split(',');
    return openUdpPort({ local: addressOf(local), peer: peer === undefined ? undefined : addressOf(peer), clock });
  }
  return openPacketPort(name, { promiscuous, blockTimeoutMs: blockTimeout, clock });
}

/** `127.0.0.1:4791`, `[::1]:4791`, or an address alone. */
function addressOf(text: string): UdpAddress {
  const match = /^(?:\[([^\]]*)\]|([^:]*))(?::(\d{1,5}))?$/.exec(text);
  if (match === null) {
    const allowed = 'such as 127.0.0.1:4791 or [::1]:4791';
    throw new RoceError('invalid-argument', { what: 'the UDP address', got: text, allowed, where: 'source' });
  }
  return { address: match[1] ?? match[2] ?? '', port: match[3] === undefined ? ROCE_UDP_PORT : Number(match[3]) };
}

/** The counters of a port, below a heading. */
export function portLines(name: string, stats: FramePortStats, style: TextStyle): string[] {
  const { receivedFrames, receivedBytes, sentFrames, sentBytes, rejectedFrames, linkDowns } = stats;
  const sentences = [
    `received ${formatCountOf(receivedFrames, 'frame')}, ${formatBytes(receivedBytes)}; ${dropsOf(stats.receiveDrops)}`,
  ];
  if (sentFrames + rejectedFrames + sumOf(stats.sendDrops) > 0) {
    const rejected = rejectedFrames === 0 ? '' : `; no room for ${formatCount(rejectedFrames)}`;
    sentences.push(
      `sent ${formatCountOf(sentFrames, 'frame')}, ${formatBytes(sentBytes)}; ${dropsOf(stats.sendDrops)}${rejected}`,
    );
  }
  if (linkDowns > 0) sentences.push(`down ${formatCountOf(linkDowns, 'time')}`);
  return [...heading(`Port ${name}`, style), ...sentences.flatMap((sentence) => wrap(sentence, style))];
}

/** Total of dropped frames, over all reasons. */
export function sumOf(drops: Readonly<Record<string, number>>): number {
  return Object.values(drops).reduce((sum, count) => sum + count, 0);
}

function dropsOf(drops: Readonly<Record<string, number>>): string {
  const reasons = Object.entries(drops).filter(([, count]) => count > 0);
  if (reasons.length === 0) return 'none dropped';
  return `dropped: ${
    reasons.map(([reason, count]) => `${formatCount(count)} ${DROP_WORDS[reason] ?? reason}`).join(', ')
  }`;
}

/**
 * Queues frames to be written to a file. The queue is limited and frames beyond it are only counted, since live traffic
 * can't wait for a disk.
 */
export class FrameRecord {
  /** Number of frames that did not fit into the queue. */
  dropped = 0;
  #waiting: FrameToWrite[] = [];
  #ended = false;
  #wake: (() => void) | undefined;

  add(frame: FrameToWrite): void {
    if (this.#waiting.length >= WAITING_MAX) this.dropped += 1;
    else this.#waiting.push(frame);
    this.#wake?.();
  }

  end(): void {
    this.#ended = true;
    this.#wake?.();
  }

  /** Yields frames as they arrive, until `end` is called. */
  async *frames(): AsyncGenerator<FrameToWrite, undefined> {
    for (;;) {
      const frames = this.#waiting;
      this.#waiting = [];
      yield* frames;
      if (this.#waiting.length > 0) continue;
      if (this.#ended) return;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}

/** Redraws a few lines in place; does nothing if standard error is not a terminal. */
export class Screen {
  readonly #output: Output;
  #lines = 0;

  constructor(output: Output) {
    this.#output = output;
  }

  /** Whether standard error is a terminal. */
  get isOn(): boolean {
    return this.#output.stderr.isTTY === true;
  }

  /** Replaces the previous lines. */
  draw(lines: readonly string[]): void {
    if (!this.isOn) return;
    this.#output.stderr.write(`${this.#back()}${lines.map((line) => `${line}\n`).join('')}`);
    this.#lines = lines.length;
  }

  /** Erases the lines. */
  clear(): void {
    if (!this.isOn) return;
    this.#output.stderr.write(this.#back());
    this.#lines = 0;
  }

  /** Moves to the first line, and erases everything below. */
  #back(): string {
    return this.#lines === 0 ? '' : `\u001b[${this.#lines}A\u001b[0J`;
  }
}

/** The signal that live commands watch; `dispose` removes its listeners and timer. */
export interface Stop {
  readonly signal: AbortSignal;
  dispose(): void;
}

/**
 * Stops on SIGINT or SIGTERM, or after a time. A second signal ends the process at once.
 *
 * @param seconds time until it stops automatically; undefined: never.
 */
export function stopOn(seconds: number | undefined): Stop {
  const abort = new AbortController();
  const end = (): void => {
    abort.abort();
  };
  for (const name of SIGNALS) process.once(name, end);
  const timer = seconds === undefined ? undefined : setTimeout(end, seconds * MS_PER_SECOND);
  return {
    signal: abort.signal,
    dispose() {
      clearTimeout(timer);
      for (const name of SIGNALS) process.removeListener(name, end);
    },
  };
}
