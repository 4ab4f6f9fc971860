/** Connects emulated hosts to ports and wall-clock time: feeds them arrivals, and sends their frames. */
import { makeFrameBatch, type FrameBatch, type FramePort } from '../ports/frame-port.js';
import { Ipv6 } from '../../wire/ip/ipv6.js';
import { FrameFacts, KIND_MAC_CONTROL } from '../switch/frame-facts.js';
import { EmulatedHosts } from './emulated-hosts.js';
import type { HostSettings, HostsSettings } from './settings.js';

const DESTINATION = Ipv6.offsetOf('destination');

/** A host and its port. */
export interface HostPort {
  /** Index of the host in the plan. */
  readonly node: number;
  readonly port: FramePort;
}

/** A frame received or sent by a host. */
export interface HostFrame {
  /** Name of the host. */
  readonly host: string;
  /** Whether it was received or sent. */
  readonly direction: 'in' | 'out';
  /** When the role read or sent it, picoseconds since the role started. */
  readonly timePs: number;
  /** Frame without FCS; valid until the callback returns. */
  readonly frame: Uint8Array;
}

export class HostsDriver implements Disposable {
  readonly hosts: EmulatedHosts;
  /** Frames sent, and frames that a port rejected. */
  sent = 0;
  rejected = 0;
  readonly #ports: ReadonlyMap<number, FramePort>;
  /** Hosts at each distinct port. */
  readonly #nodesAt: ReadonlyMap<FramePort, readonly HostSettings[]>;
  readonly #facts = new FrameFacts();
  readonly #onFrame: ((frame: HostFrame) => void) | undefined;
  #nowPs = 0;
  readonly #batch: FrameBatch = makeFrameBatch({ frames: 256, bytes: 2 ** 21 });

  /** @param at hosts and their ports; several hosts may share a port. */
  constructor(settings: HostsSettings, at: readonly HostPort[], onFrame?: (frame: HostFrame) => void) {
    this.#onFrame = onFrame;
    this.#ports = new Map(at.map(({ node, port }) => [node, port]));
    const byNode = new Map(settings.hosts.map((host) => [host.node, host]));
    const nodesAt = new Map<FramePort, HostSettings[]>();
    for (const [node, port] of this.#ports) {
      const host = byNode.get(node);
      if (host !== undefined) nodesAt.set(port, [...(nodesAt.get(port) ?? []), host]);
    }
    this.#nodesAt = nodesAt;
    this.hosts = new EmulatedHosts(settings, at.map(({ node }) => node), (node, frame) => {
      this.#onFrame?.({ host: byNode.get(node)?.name ?? '', direction: 'out', timePs: this.#nowPs, frame });
      if (this.#ports.get(node)?.send(frame, 0, frame.length) === true) this.sent += 1;
      else this.rejected += 1;
    });
  }

  /** Hosts emulated here, in the order of their ports. */
  get nodes(): readonly number[] {
    return [...this.#ports.keys()];
  }

  /** Handles all arrivals and all work due up to `timePs`. @returns number of frames received. */
  poll(timePs: number): number {
    this.#nowPs = timePs;
    let frames = 0;
    for (const [port, hosts] of this.#nodesAt) frames += this.#receive(hosts, port, timePs);
    this.hosts.run(timePs);
    for (const port of this.#nodesAt.keys()) port.flush();
    return frames;
  }

  [Symbol.dispose](): void {
    this.hosts[Symbol.dispose]();
  }

  #receive(hosts: readonly HostSettings[], port: FramePort, timePs: number): number {
    const batch = this.#batch;
    port.receive(batch);
    for (let index = 0; index < batch.count; index += 1) {
      const at = batch.offsets[index];
      const frame = batch.bytes.subarray(at, at + batch.lenBytes[index]);
      for (const { node, name } of this.#receiversOf(frame, hosts)) {
        this.#onFrame?.({ host: name, direction: 'in', timePs, frame });
        this.hosts.receive(node, frame, timePs);
      }
    }
    return batch.count;
  }

  /**
   * Hosts that receive a frame. A pause applies to all hosts at the port; a frame that matches none goes to the first
   * host.
   */
  #receiversOf(frame: Uint8Array, hosts: readonly HostSettings[]): readonly HostSettings[] {
    if (hosts.length === 1) return hosts;
    const facts = this.#facts;
    facts.read(frame, 0, frame.length);
    if (facts.kind === KIND_MAC_CONTROL) return hosts;
    const at = facts.ipOffset + DESTINATION;
    const own = hosts.filter(({ address }) => address.every((byte, index) => byte === frame[at + index]));
    return facts.ipVersion === 6 && own.length > 0 ? own : hosts.slice(0, 1);
  }
}
