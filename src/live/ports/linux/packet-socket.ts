/**
 * A packet socket: creates, sizes and binds it to an interface, with its options in the kernel's layout
 * (linux/if_packet.h).
 */
import { type Libc, systemError } from './libc.js';
import type { RingSize } from './rx-ring.js';
import { RoceError } from '../../../errors.js';

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
