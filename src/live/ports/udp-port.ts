/**
 * A UDP socket as a port, for emulated peers: each datagram carries one whole Ethernet frame. This way ECN bits,
 * extension headers and IPv4 identifications arrive as sent; in the datagram's own header, node:dgram could neither set
 * nor read them. Needs no permission and no package, and works wherever Node does.
 *
 * Received frames are stored in a queue of fixed size; if it is full, further frames are dropped and counted.
 */
import { createSocket, type Socket } from 'node:dgram';
import { isIP } from 'node:net';
import { checkRecord, wholeIn, type FieldRules, resolveOptions } from '../../config/field-rules.js';
import { RoceError } from '../../errors.js';
import { requireBatch, requireClock, requireFrame, requireTimeout } from './checks.js';
import { startLiveClock, type LiveClock, type FrameBatch, type FramePort, type FramePortStats,
  PortCounters } from './frame-port.js';

/** UDP port of RoCEv2 (IANA, Service Name and Transport Protocol Port Number Registry). */
export const ROCE_UDP_PORT = 4791;

/** An address and a UDP port. */
export interface UdpAddress {
  /** IPv4 or IPv6 address, not a name. */
  readonly address: string;
  /** Port number, 0 to 65,535; for a local socket, 0 lets the system choose. */
  readonly port: number;
}

/** Options of a UDP socket. */
export interface UdpPortOptions {
  /** Address to listen on. Default 127.0.0.1, port 4791. */
  readonly local?: UdpAddress | undefined;
  /** Destination of frames, and the only accepted source. Default: none, and any source. */
  readonly peer?: UdpAddress | undefined;
  /** Maximum number of received frames queued, 1 to 1,048,576. Default 4,096. */
  readonly queueFrames?: number | undefined;
  /** Maximum number of bytes in this queue, 65,536 to 1 GiB. Default 8 MiB. */
  readonly queueBytes?: number | undefined;
  /** Maximum number of frames waiting to be sent, 1 to 65,536. Default 512. */
  readonly sendFrames?: number | undefined;
  /** Clock that frame times refer to. Default: a separate clock. */
  readonly clock?: LiveClock | undefined;
}

/** A port with its local address. */
export interface UdpPort extends FramePort {
  /** Local address, with the port number chosen by the system. */
  readonly local: UdpAddress;
}

interface Settings {
  readonly queueFrames: number;
  readonly queueBytes: number;
  readonly sendFrames: number;
}

const DEFAULTS: Settings = { queueFrames: 4096, queueBytes: 2 ** 23, sendFrames: 512 };
const RULES: FieldRules<Settings> = {
  queueFrames: wholeIn(1, 2 ** 20),
  queueBytes: wholeIn(2 ** 16, 2 ** 30, 'bytes'),
  sendFrames: wholeIn(1, 65_536),
};
const DEFAULT_LOCAL: UdpAddress = { address: '127.0.0.1', port: ROCE_UDP_PORT };
const ANY_LOCAL = { address: '127.0.0.1', port: 0 };
const PAIR_TRIES = 10;

const ETHERNET_BYTES = 14;
const PORT_MAX = 65_535;

/**
 * Opens a UDP socket.
 *
 * @throws RoceError `invalid-config` for invalid options; `unsupported` if the system does not accept the address.
 * @example
 * const left = await openUdpPort({ local: { address: '127.0.0.1', port: 0 } });
 * const right = await openUdpPort({ local: { address: '127.0.0.1', port: 0 }, peer: left.local });
 */
export async function openUdpPort(options: UdpPortOptions = {}): Promise<UdpPort> {
  checkRecord(options, 'options');
  const { clock = startLiveClock(), local = DEFAULT_LOCAL, peer, ...rest } = options;
  requireClock(clock);
  const settings = resolveOptions<Settings>(rest, DEFAULTS, RULES, 'options');
  const family = checkAddress(local, 0, 'options.local');
  if (peer !== undefined && checkAddress(peer, 1, 'options.peer') !== family) {
    const allowed = `an address of IPv${family}, as the socket's own`;
    throw new RoceError('invalid-config', { got: peer.address, allowed, where: 'options.peer.address' });
  }
  const socket = createSocket(family === 6 ? 'udp6' : 'udp4');
  try {
    await done(socket, 'listening', () => socket.bind(local.port, local.address));
    if (peer !== undefined) {
      await done(socket, 'connect', () => {
        socket.connect(peer.port, peer.address);
      });
    }
  } catch (error) {
    socket.close();
    const what = `UDP port ${local.port} of ${local.address}`;
    throw new RoceError('unsupported', { what, problem: 'cannot be opened', cause: error, where: 'options.local' });
  }
  return new DgramPort(socket, peer !== undefined, settings, clock);
}

/**
 * Opens two UDP sockets on the loopback, connected to each other.
 *
 * Each socket needs the other's port number, so one is opened twice; if another program takes its number meanwhile,
 * both are.
 */
export async function openUdpPair(
  options: Omit<UdpPortOptions, 'local' | 'peer'>,
): Promise<readonly [UdpPort, UdpPort]> {
  for (let tries = 1;; tries++) {
    const first = await openUdpPort({ ...options, local: ANY_LOCAL });
    const { local } = first;
    // While the first one is open, the second one gets a different port number.
    const second = await openUdpPort({ ...options, local: ANY_LOCAL, peer: local });
    first.close();
    try {
      return [await openUdpPort({ ...options, local, peer: second.local }), second];
    } catch (error) {
      second.close();
      if (tries === PAIR_TRIES || !(error instanceof RoceError) || error.code !== 'unsupported') throw error;
    }
  }
}

/** Resolves on the event, rejects on an earlier error. */
function done(socket: Socket, event: 'listening' | 'connect', begin: () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once('error', reject);
    socket.once(event, () => {
      socket.off('error', reject);
      resolve();
    });
    begin();
  });
}

function checkAddress(given: UdpAddress, leastPort: number, where: string): 4 | 6 {
  checkRecord(given, where);
  const { address, port } = given;
  const family = typeof address === 'string' ? isIP(address) : 0;
  if (family === 0) {
    throw new RoceError('invalid-config', { got: address, allowed: 'an IP address', where: `${where}.address` });
  }
  if (!Number.isInteger(port) || port < leastPort || port > PORT_MAX) {
    const allowed = { min: leastPort, max: PORT_MAX, multipleOf: 1 };
    throw new RoceError('invalid-config', { got: port, allowed, where: `${where}.port` });
  }
  return family === 6 ? 6 : 4;
}

class DgramPort implements UdpPort {
  readonly name: string;
  readonly originNs: bigint;
  readonly local: UdpAddress;
  readonly #socket: Socket;
  readonly #hasPeer: boolean;
  readonly #clock: LiveClock;
  readonly #queue: FrameQueue;
  readonly #sendFrames: number;
  readonly #counters = new PortCounters();
  #sending = 0;
  #waiting: { readonly promise: Promise<void>; readonly end: () => void } | undefined;
  #closed = false;

  constructor(socket: Socket, hasPeer: boolean, settings: Settings, clock: LiveClock) {
    const { address, port } = socket.address();
    this.name = `udp:${address}:${port}`;
    this.local = { address, port };
    this.originNs = clock.originNs;
    this.#socket = socket;
    this.#hasPeer = hasPeer;
    this.#clock = clock;
    this.#queue = new FrameQueue(settings.queueFrames, settings.queueBytes);
    this.#sendFrames = settings.sendFrames;
    socket.on('message', (bytes) => {
      this.#take(bytes);
    });
    // The peer's host reports that nothing is listening, but not for which frame.
    socket.on('error', () => {
      this.#counters.linkDowns++;
    });
  }

  receive(batch: FrameBatch): number {
    requireBatch(batch);
    const { receiveDrops } = this.#counters;
    const before = this.#queue.tooLong;
    const frames = this.#queue.moveTo(batch);
    receiveDrops['too-long'] += this.#queue.tooLong - before;
    this.#counters.receivedFrames += frames;
    for (let index = 0; index < frames; index++) this.#counters.receivedBytes += batch.lenBytes[index];
    return frames;
  }

  send(bytes: Uint8Array, offset: number, lenBytes: number): boolean {
    requireFrame(bytes, offset, lenBytes);
    if (this.#closed || !this.#hasPeer || this.#sending >= this.#sendFrames) {
      this.#counters.rejectedFrames++;
      return false;
    }
    this.#sending++;
    // node:dgram references the buffer until it is sent, so it needs a copy.
    this.#socket.send(Buffer.from(bytes.subarray(offset, offset + lenBytes)), (error) => {
      this.#sent(error, lenBytes);
    });
    return true;
  }

  flush(): void {
    // Nothing to do: `send` passes each frame on immediately.
  }

  wait(timeoutMs: number): Promise<void> {
    requireTimeout(timeoutMs);
    if (this.#closed || this.#queue.count > 0) return Promise.resolve();
    this.#waiting ??= this.#beginWait(timeoutMs);
    return this.#waiting.promise;
  }

  stats(): FramePortStats {
    return this.#counters.stats(this.#sending);
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#counters.sendDrops.closed += this.#sending;
    this.#sending = 0;
    this.#socket.close();
    this.#waiting?.end();
  }

  #take(bytes: Uint8Array): void {
    const { receiveDrops } = this.#counters;
    if (bytes.length < ETHERNET_BYTES) receiveDrops['too-short']++;
    else if (!this.#queue.add(bytes, this.#clock.nowNs())) receiveDrops['queue-full']++;
    else this.#waiting?.end();
  }

  #sent(error: Error | null, lenBytes: number): void {
    if (this.#closed) return;
    this.#sending--;
    if (error === null) {
      this.#counters.sentFrames++;
      this.#counters.sentBytes += lenBytes;
      return;
    }
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ECONNREFUSED') this.#counters.sendDrops['peer-gone']++;
    else this.#counters.sendDrops[code === 'EMSGSIZE' ? 'too-long' : 'error']++;
  }

  #beginWait(timeoutMs: number): { promise: Promise<void>; end: () => void } {
    let end = (): void => undefined;
    const promise = new Promise<void>((resolve) => {
      const timer = setTimeout(() => {
        end();
      }, timeoutMs);
      end = () => {
        clearTimeout(timer);
        this.#waiting = undefined;
        resolve();
      };
    });
    return { promise, end };
  }
}

/** Received frames, in two rings of fixed size: their bytes, and their metadata. */
export class FrameQueue {
  /** Number of frames. */
  count = 0;
  /** Frames dropped because no batch of the receiver can hold them. */
  tooLong = 0;
  readonly #bytes: Uint8Array;
  readonly #offsets: Float64Array;
  readonly #lenBytes: Uint32Array;
  readonly #timesNs: Float64Array;
  #head = 0;
  /** Position for the next frame's bytes. */
  #tail = 0;

  constructor(frames: number, lenBytes: number) {
    this.#bytes = new Uint8Array(lenBytes);
    this.#offsets = new Float64Array(frames);
    this.#lenBytes = new Uint32Array(frames);
    this.#timesNs = new Float64Array(frames);
  }

  /** Returns false if the queue is full. */
  add(frame: Uint8Array, timeNs: number): boolean {
    if (this.count === this.#offsets.length) return false;
    const at = this.#placeFor(frame.length);
    if (at < 0) return false;
    const index = (this.#head + this.count) % this.#offsets.length;
    this.#bytes.set(frame, at);
    this.#offsets[index] = at;
    this.#lenBytes[index] = frame.length;
    this.#timesNs[index] = timeNs;
    this.#tail = at + frame.length;
    this.count++;
    return true;
  }

  /** Moves as many frames as fit into the batch; returns their number. */
  moveTo(batch: FrameBatch): number {
    let usedBytes = 0;
    batch.count = 0;
    while (this.count > 0 && batch.count < batch.offsets.length) {
      const lenBytes = this.#lenBytes[this.#head];
      if (lenBytes > batch.bytes.length) this.tooLong++;
      else if (usedBytes + lenBytes > batch.bytes.length) break;
      else {
        this.#copyHead(batch, usedBytes);
        usedBytes += lenBytes;
      }
      this.#head = (this.#head + 1) % this.#offsets.length;
      this.count--;
    }
    return batch.count;
  }

  #copyHead(batch: FrameBatch, offset: number): void {
    const at = this.#offsets[this.#head];
    const lenBytes = this.#lenBytes[this.#head];
    const index = batch.count++;
    batch.bytes.set(this.#bytes.subarray(at, at + lenBytes), offset);
    batch.offsets[index] = offset;
    batch.lenBytes[index] = lenBytes;
    batch.originalLenBytes[index] = lenBytes;
    batch.timesNs[index] = this.#timesNs[this.#head];
  }

  /** Position at which a frame fits contiguously; −1 if there is none. */
  #placeFor(lenBytes: number): number {
    if (this.count === 0) return lenBytes <= this.#bytes.length ? 0 : -1;
    const first = this.#offsets[this.#head];
    if (this.#tail > first) {
      if (this.#tail + lenBytes <= this.#bytes.length) return this.#tail;
      return lenBytes <= first ? 0 : -1;
    }
    return this.#tail + lenBytes <= first ? this.#tail : -1;
  }
}
