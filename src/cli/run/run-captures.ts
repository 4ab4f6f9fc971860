/** Captures of ports, made while a run goes on. */
import type { PacketRecord, SimResult } from '../../sim/result.js';
import type { CaptureMaker } from './simulator.js';

/** A capture file of one port. */
export interface RunCapture {
  /** `node:peer`. */
  readonly port: string;
  readonly bytes: Uint8Array;
  /** What a reader of the file should know. */
  readonly notes: readonly string[];
}

/** Sorts packets by port, a file for each that sends something. */
export class RunCaptures {
  readonly #makerByPort = new Map<number, CaptureMaker>();
  readonly #make: () => CaptureMaker;

  constructor(make: () => CaptureMaker) {
    this.#make = make;
  }

  readonly add = (records: readonly PacketRecord[]): void => {
    for (const record of records) this.#makerOf(record.port).add(record);
  };

  /** The files in order of their ports, which the result names. */
  finish({ ports }: SimResult): RunCapture[] {
    const inOrder = [...this.#makerByPort].sort(([a], [b]) => a - b);
    return inOrder.map(([port, maker]) => ({ port: ports[port]?.name ?? `port-${port}`, bytes: maker.finish(), notes: maker.notes }));
  }

  #makerOf(port: number): CaptureMaker {
    const known = this.#makerByPort.get(port);
    if (known !== undefined) return known;
    const maker = this.#make();
    this.#makerByPort.set(port, maker);
    return maker;
  }
}
