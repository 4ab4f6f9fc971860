/** The paths of all flows, concatenated in one array of ports. */
import type { Path } from './paths.js';

const USUAL_LENGTH = 6;

/** Paths by flow, in the order in which they were added. */
export class FlowPaths implements Iterable<Path> {
  /** Offset of each path, followed by the end of the last one. */
  readonly #begins: Uint32Array;
  #ports: Uint32Array;
  #length = 0;

  /** Allocates space for paths. @param flows number of flows. */
  constructor(flows: number) {
    this.#begins = new Uint32Array(flows + 1);
    this.#ports = new Uint32Array(flows * USUAL_LENGTH);
  }

  add(path: Path): void {
    const begin = this.#begins[this.#length];
    const end = begin + path.length;
    if (end > this.#ports.length) this.#grow(end);
    this.#ports.set(path, begin);
    this.#begins[++this.#length] = end;
  }

  /** The egress ports on a flow's path, from the sender's port on. @param flow 0 to length - 1. */
  get(flow: number): Path {
    const path: number[] = [];
    for (let at = this.#begins[flow]; at < this.#begins[flow + 1]; at++) path.push(this.#ports[at]);
    return path;
  }

  /** The names of the ports on a flow's path. */
  namesOf(flow: number, portNames: readonly string[]): string[] {
    const names: string[] = [];
    for (let at = this.#begins[flow]; at < this.#begins[flow + 1]; at++) names.push(portNames[this.#ports[at]]);
    return names;
  }

  /** The paths of all flows, in order. */
  *[Symbol.iterator](): Generator<Path> {
    for (let flow = 0; flow < this.#length; flow++) yield this.get(flow);
  }

  #grow(least: number): void {
    const before = this.#ports;
    this.#ports = new Uint32Array(Math.max(least, 2 * before.length));
    this.#ports.set(before);
  }
}
