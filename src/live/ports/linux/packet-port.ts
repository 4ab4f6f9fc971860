/**
 * A network interface as a port: receives through the memory-mapped ring of a packet socket (TPACKET_V3), sends by
 * sendmmsg(2). Linux only, with koffi; needs CAP_NET_RAW, and CAP_NET_ADMIN if the system requires it.
 *
 * Frames sent by this host through the interface are not received (PACKET_IGNORE_OUTGOING), and so neither are our own.
 * Times are the kernel's. If the interface goes down, this is counted, and the port resumes automatically, even on a
 * new interface of the same name. The socket's options have the kernel's layout (linux/if_packet.h).
 */
import { checkRecord, type FieldRules, flag, resolveOptions, wholeIn } from '../../../config/field-rules.js';
import { RoceError } from '../../../errors.js';
import { type FrameBatch, type FramePort, type FramePortStats, type LiveClock, type PollTarget, PortCounters,
  startLiveClock } from '../frame-port.js';
import { interfaceName, requireBatch, requireClock, requireFrame, requireTimeout } from '../checks.js';
import { type Libc, loadLibc, systemError } from './libc.js';
import type { NetworkNamespace } from './network-namespace.js';
import { Poller, POLLERR } from './port-waiter.js';
import { type RingSize, RxRing } from './rx-ring.js';
import { SendQueue } from './send-queue.js';

/** Options of an interface. */
export interface PacketPortOptions {
  /** Whether to receive frames for other stations as well. Default true. */
  readonly promiscuous?: boolean | undefined;
  /**
   * Size of a ring block in bytes, which also limits the frame length; a power of two from 4,096 to 16 MiB. Default 1
   * MiB.
   */
  readonly blockBytes?: number | undefined;
  /**
   * Number of ring blocks, 2 to 4,096. Default 64; with the default block size 64 MiB, a tenth of a second at 600,000
   * frames/s.
   */
  readonly blocks?: number | undefined;
  /**
   * Time after which a partly filled block is returned, ms, 1 to 10,000. Default 8, as libpcap's authors advise 1 to
   * 10.
   */
  readonly blockTimeoutMs?: number | undefined;
  /** Maximum number of frames waiting to be sent, 1 to 65,536. Default 512. */
  readonly sendFrames?: number | undefined;
  /** Longest frame that can be sent, 14 to 65,535 bytes. Default 9,234: a jumbo frame of 9,216 bytes with VLAN tags. */
  readonly sendFrameBytes?: number | undefined;
  /** Clock that frame times refer to. Default: a separate clock. */
  readonly clock?: LiveClock | undefined;
}

type Settings = {
  readonly [Field in Exclude<keyof PacketPortOptions, 'clock'>]-?: NonNullable<PacketPortOptions[Field]>;
};

const DEFAULTS: Settings = {
  promiscuous: true,
  blockBytes: 2 ** 20,
  blocks: 64,
  blockTimeoutMs: 8,
  sendFrames: 512,
  sendFrameBytes: 9234,
};
const RULES: FieldRules<Settings> = {
  promiscuous: flag(),
  blockBytes: {
    allowed: 'a power of two from 4096 to 16777216',
    accepts: (value) =>
      typeof value === 'number' && value >= 4096 && value <= 2 ** 24 && Number.isInteger(Math.log2(value)),
  },
  blocks: wholeIn(2, 4096),
  blockTimeoutMs: wholeIn(1, 10_000, 'ms'),
  sendFrames: wholeIn(1, 65_536),
  sendFrameBytes: wholeIn(14, 65_535, 'bytes'),
};
const RING_BYTES_MAX = 2 ** 30;

/**
 * Opens an interface in the current network namespace.
 *
 * @param name as `ip link` lists it.
 * @throws RoceError `invalid-config` for invalid options, `invalid-argument` if the interface does not exist,
 * `unsupported` without koffi, Linux, or permission; the message explains how to grant it.
 * @example
 * const port = await openPacketPort('veth0', { blockTimeoutMs: 1 });
 * const batch = makeFrameBatch();
 * await port.wait(1000);
 * for (let n = port.receive(batch); n > 0; n = port.receive(batch)) handle(batch);
 * port.close();
 */
export async function openPacketPort(name: string, options: PacketPortOptions = {}): Promise<FramePort> {
  return openPacketPortIn(undefined, name, options);
}

/** Opens an interface in a namespace created by this process. */
export async function openPacketPortIn(space: NetworkNamespace | undefined, name: string,
  options: PacketPortOptions): Promise<FramePort> {
  const interfaceToOpen = interfaceName(name);
  checkRecord(options, 'options');
  const { clock = startLiveClock(), ...rest } = options;
  requireClock(clock);
  const settings = resolveOptions<Settings>(rest, DEFAULTS, RULES, 'options');
  const { blockBytes, blocks } = settings;
  if (blockBytes * blocks > RING_BYTES_MAX) {
    const allowed = { max: RING_BYTES_MAX, unit: 'bytes' };
    throw new RoceError('invalid-config', {
      what: 'the ring',
      got: blockBytes * blocks,
      allowed,
      where: 'options.blocks',
    });
  }
  const libc = await loadLibc('a port of an interface');
  const open = (): FramePort => new PacketPort(libc, interfaceToOpen, settings, clock.originNs);
  return space === undefined ? open() : space.within(open);
}

class PacketPort implements FramePort {
  readonly name: string;
  readonly originNs: bigint;
  readonly poll: PollTarget;
  readonly #socket: PacketSocket;
  readonly #ring: RxRing;
  readonly #queue: SendQueue;
  readonly #poller: Poller;
  readonly #counters = new PortCounters();
  readonly #promiscuous: boolean;
  #isDown = false;
  #closed = false;

  constructor(libc: Libc, name: string, settings: Settings, originNs: bigint) {
    this.name = name;
    this.originNs = originNs;
    this.#promiscuous = settings.promiscuous;
    const socket = new PacketSocket(libc, name);
    this.#socket = socket;
    const opened: { free(): void }[] = [];
    try {
      socket.prepare(settings, settings.blockTimeoutMs);
      this.#ring = new RxRing(libc, socket.fd, settings, originNs, name);
      opened.push(this.#ring);
      const size = { frames: settings.sendFrames, frameBytes: settings.sendFrameBytes };
      this.#queue = new SendQueue(libc, socket.fd, this.#counters, size, name);
      opened.push(this.#queue);
      socket.bind();
      if (settings.promiscuous) socket.bePromiscuous();
    } catch (error) {
      for (const memory of opened) memory.free();
      socket.close();
      throw error;
    }
    this.poll = {
      get fd() {
        return socket.fd;
      },
      polled: (revents) => {
        this.#polled(revents);
      },
    };
    this.#poller = new Poller(libc, [this.poll]);
  }

  receive(batch: FrameBatch): number {
    requireBatch(batch);
    const frames = this.#ring.receive(batch);
    this.#counters.receivedFrames += frames;
    return frames;
  }

  send(bytes: Uint8Array, offset: number, lenBytes: number): boolean {
    requireFrame(bytes, offset, lenBytes);
    if (this.#closed) {
      this.#counters.rejectedFrames++;
      return false;
    }
    return this.#queue.add(bytes, offset, lenBytes);
  }

  flush(): void {
    if (!this.#closed) this.#queue.flush();
  }

  wait(timeoutMs: number): Promise<void> {
    requireTimeout(timeoutMs);
    return this.#poller.wait(timeoutMs);
  }

  stats(): FramePortStats {
    const counters = this.#counters;
    counters.receivedBytes = this.#ring.handedBytes;
    counters.receiveDrops['too-long'] = this.#ring.tooLong;
    if (!this.#closed) counters.receiveDrops['kernel-ring-full'] += this.#socket.takeDrops();
    return counters.stats(this.#queue.queuedFrames);
  }

  close(): void {
    if (this.#closed) return;
    this.stats();
    this.#closed = true;
    this.#poller.close();
    this.#queue.free();
    this.#ring.free();
    this.#socket.close();
  }

  #polled(revents: number): void {
    if (this.#closed) return;
    if ((revents & POLLERR) !== 0 && this.#socket.takeError() !== 0) {
      this.#counters.linkDowns++;
      this.#isDown = true;
    }
    // A received frame shows that the interface is up again; a recreated interface is found by its name.
    if (this.#isDown) this.#comeBack();
  }

  #comeBack(): void {
    const change = this.#socket.tryBind();
    if (change === 'bound-again' && this.#promiscuous) this.#socket.bePromiscuous();
    if (change !== 'gone') this.#isDown = false;
  }
}

const AF_PACKET = 17;
/** SOCK_RAW, close-on-exec, non-blocking. */
const SOCKET_TYPE = 3 | 0o2000000 | 0o4000;
const ETH_P_ALL = 3;
const SOL_SOCKET = 1;
const SO_ERROR = 4;
const SOL_PACKET = 263;
const PACKET_ADD_MEMBERSHIP = 1;
const PACKET_RX_RING = 5;
const PACKET_STATISTICS = 6;
const PACKET_VERSION = 10;
const PACKET_IGNORE_OUTGOING = 23;
const TPACKET_V3 = 2;
const PACKET_MR_PROMISC = 1;
/** Nominal frame size of the ring. In version 3, frames have any length, and a block holds whole frames. */
const FRAME_BYTES = 2048;

function words(...values: readonly number[]): Uint8Array {
  return new Uint8Array(Uint32Array.from(values).buffer);
}

export class PacketSocket {
  readonly #libc: Libc;
  readonly #name: string;
  fd: number;
  /** Index of the interface; 0 if there is none. */
  #ifIndex = 0;

  /** @throws RoceError `unsupported` without CAP_NET_RAW. */
  constructor(libc: Libc, name: string) {
    this.#libc = libc;
    this.#name = name;
    // No protocol yet, so that nothing arrives before the ring exists.
    this.fd = libc.socket(AF_PACKET, SOCKET_TYPE, 0);
    if (this.fd < 0) throw systemError(`a packet socket for ${name}`, libc.errno(), name);
  }

  /** Sets up the ring and all options needed before frames arrive. */
  prepare(ring: RingSize, blockTimeoutMs: number): void {
    const frames = (ring.blockBytes * ring.blocks) / FRAME_BYTES;
    this.#set(PACKET_VERSION, words(TPACKET_V3), 'PACKET_VERSION');
    this.#set(PACKET_IGNORE_OUTGOING, words(1), 'PACKET_IGNORE_OUTGOING');
    const request = words(ring.blockBytes, ring.blocks, FRAME_BYTES, frames, blockTimeoutMs, 0, 0);
    this.#set(PACKET_RX_RING, request, 'PACKET_RX_RING');
  }

  /** Starts to receive frames of the interface. @throws RoceError if it does not exist. */
  bind(): void {
    if (this.tryBind() !== 'gone') return;
    if (this.#libc.ifIndex(this.#name) === 0) {
      throw new RoceError('invalid-argument', {
        what: 'the interface',
        got: this.#name,
        allowed: 'one that `ip link` lists in this network namespace',
        where: 'interface',
      });
    }
    throw systemError(`binding to ${this.#name}`, this.#libc.errno(), this.#name);
  }

  /** Binds to the interface that currently has this name, if it is a different one. */
  tryBind(): 'as-before' | 'bound-again' | 'gone' {
    const ifIndex = this.#libc.ifIndex(this.#name);
    if (ifIndex === 0) return 'gone';
    if (ifIndex === this.#ifIndex) return 'as-before';
    const address = new Uint8Array(20);
    const view = new DataView(address.buffer);
    view.setUint16(0, AF_PACKET, true);
    view.setUint16(2, ETH_P_ALL);
    view.setInt32(4, ifIndex, true);
    if (this.#libc.bind(this.fd, address, address.length) < 0) return 'gone';
    this.#ifIndex = ifIndex;
    return 'bound-again';
  }

  /** Receives frames for other stations as well, until the socket is closed. */
  bePromiscuous(): void {
    const request = new Uint8Array(16);
    const view = new DataView(request.buffer);
    view.setInt32(0, this.#ifIndex, true);
    view.setUint16(4, PACKET_MR_PROMISC, true);
    this.#set(PACKET_ADD_MEMBERSHIP, request, 'PACKET_ADD_MEMBERSHIP');
  }

  /** Number of frames that did not fit in the ring since the last call. */
  takeDrops(): number {
    const value = new Uint8Array(12);
    if (this.#libc.getsockopt(this.fd, SOL_PACKET, PACKET_STATISTICS, value, words(value.length)) < 0) return 0;
    return new DataView(value.buffer).getUint32(4, true);
  }

  /** The socket's pending error, e.g. when its interface went down; 0 if there is none. */
  takeError(): number {
    const value = new Uint8Array(4);
    this.#libc.getsockopt(this.fd, SOL_SOCKET, SO_ERROR, value, words(value.length));
    return new DataView(value.buffer).getInt32(0, true);
  }

  close(): void {
    if (this.fd >= 0) this.#libc.close(this.fd);
    this.fd = -1;
  }

  #set(option: number, value: Uint8Array, optionName: string): void {
    if (this.#libc.setsockopt(this.fd, SOL_PACKET, option, value, value.length) === 0) return;
    throw systemError(`${optionName} of ${this.#name}`, this.#libc.errno(), this.#name);
  }
}
