/** The result of compiling a scenario. */
import type { Note } from '../note.js';
import type { NetworkPlan } from '../plan.js';
import type { DiscoveryResult, PacketRecord } from '../result.js';
import type { ScenarioSpec } from '../scenario/spec.js';
import type { Path } from './paths.js';
import type { RecordPlan } from './record-plan.js';

/** Everything that a run needs: the network in numbers, and the data that goes with it. */
export interface CompiledScenario {
  /** The scenario as given. */
  readonly spec: ScenarioSpec;
  /** The plan that the kernel runs. */
  readonly plan: NetworkPlan;
  /** Settings without effect here, and other facts that a reader should know. */
  readonly notes: readonly string[];
  /** The notes as data, in the same order. */
  readonly noteRecords: readonly Note[];
  /** What the run records. */
  readonly record: RecordPlan;
  /** Name of each port, `node:peer`. */
  readonly portNames: readonly string[];
  /** Names of the scenario's algorithms. */
  readonly algorithmNames: readonly string[];
  /** Index of each flow's algorithm. */
  readonly flowAlgorithms: Uint32Array;
  /** The egress ports on each flow's path, from the sender's port on, while all links are up. */
  readonly flowPaths: FlowPaths;
  /** What discovery found before the flows start, and its packets. Absent: the scenario has none. */
  readonly discovery?: {
    /** The outcome of discovery, as in the result. */
    readonly result: DiscoveryResult;
    /** Packets of discovery, in order of time. */
    readonly packets: readonly PacketRecord[];
  };
}

const USUAL_LENGTH = 6;

/** The paths of all flows, concatenated in one array of ports, in the order in which they were added. */
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
