/** Turns ports and wall-clock time into calls of emulated hosts, and what they send into frames on the wire. */
import { makeFrameBatch, type FrameBatch, type FramePort } from '../ports/frame-port.js';
import { EmulatedHosts } from './emulated-hosts.js';
import type { HostsSettings } from './settings.js';

/** A host and the port that it is at. */
export interface HostPort {
  /** Index in the plan. */
  readonly node: number;
  readonly port: FramePort;
}

export class HostsDriver implements Disposable {
  readonly hosts: EmulatedHosts;
  /** Frames that left, and that a port did not take. */
  sent = 0;
  refused = 0;
  readonly #ports: ReadonlyMap<number, FramePort>;
  readonly #batch: FrameBatch = makeFrameBatch({ frames: 256, bytes: 2 ** 21 });

  constructor(settings: HostsSettings, at: readonly HostPort[]) {
    this.#ports = new Map(at.map(({ node, port }) => [node, port]));
    this.hosts = new EmulatedHosts(settings, at.map(({ node }) => node), (node, frame) => {
      if (this.#ports.get(node)?.send(frame, 0, frame.length) === true) this.sent += 1;
      else this.refused += 1;
    });
  }

  /** Hosts that are emulated here, in the order of their ports. */
  get nodes(): readonly number[] {
    return [...this.#ports.keys()];
  }

  /** All that has come, and is due, up to `timePs`. @returns frames that came in. */
  poll(timePs: number): number {
    let frames = 0;
    for (const [node, port] of this.#ports) frames += this.#receive(node, port, timePs);
    this.hosts.run(timePs);
    for (const port of this.#ports.values()) port.flush();
    return frames;
  }

  [Symbol.dispose](): void {
    this.hosts[Symbol.dispose]();
  }

  #receive(node: number, port: FramePort, timePs: number): number {
    const batch = this.#batch;
    port.receive(batch);
    for (let index = 0; index < batch.count; index += 1) {
      const at = batch.offsets[index];
      this.hosts.receive(node, batch.bytes.subarray(at, at + batch.lenBytes[index]), timePs);
    }
    return batch.count;
  }
}
