/** The label of a data packet between its source leaf and its destination leaf. */
import type { Packet } from '../packet.js';
import type { LeafPath } from './leaf-paths.js';

export class PathLabel {
  readonly source: number;
  readonly destination: number;
  readonly path: LeafPath;
  #hop = 0;

  constructor(source: number, destination: number, path: LeafPath) {
    this.source = source;
    this.destination = destination;
    this.path = path;
  }

  /** The egress interface of the switch that the packet has reached. */
  nextInterface(): number {
    this.#hop += 1;
    return this.path.interfaces[this.#hop - 1];
  }
}

/** The label that a source leaf has put on a packet, if it is of a given kind. */
export function labelOf<Label extends object>(packet: Packet, Kind: new(...parts: never[]) => Label): Label
  | undefined {
  return packet.label instanceof Kind ? packet.label : undefined;
}
