/** Captures of ports, written during a run: those of a long run don't fit into memory. */
import path from 'node:path';
import type { PacketRecord } from '../../sim/result.js';
import { KeptFile, type Warn } from '../kept-file.js';
import { fileNamePart, UniqueNames } from './run-names.js';
import type { CaptureMaker, CaptureMakers } from './simulator.js';

/** A capture file of one port. */
export interface RunCapture {
  /** `node:peer`. */
  readonly port: string;
  readonly file: string;
  /** What a reader of the file should know. */
  readonly notes: readonly string[];
}

interface OpenCapture extends Omit<RunCapture, 'file'> {
  readonly maker: CaptureMaker;
  readonly target: KeptFile;
}

/** Sorts packets by port, a file for each that sends something. */
export class RunCaptures {
  readonly #openByPort = new Map<number, OpenCapture>();
  /** Nodes `a` and `b-c` have a port as `a-b` and `c`. */
  readonly #names = new UniqueNames();
  readonly #makers: CaptureMakers;
  readonly #folder: string;
  readonly #warn: Warn;

  /** @param warn reports captures that are not where they should be. */
  constructor(makers: CaptureMakers, folder: string, warn: Warn) {
    this.#makers = makers;
    this.#folder = folder;
    this.#warn = warn;
  }

  readonly add = (records: readonly PacketRecord[]): void => {
    for (const record of records) this.#captureOf(record.port).maker.add(record);
    for (const { maker, target } of this.#openByPort.values()) writeAll(target, maker.drain());
  };

  /** Writes what is left; the files in order of their ports. */
  finish(): RunCapture[] {
    const inOrder = [...this.#openByPort].sort(([a], [b]) => a - b).map(([, capture]) => capture);
    const finished = inOrder.flatMap(({ port, notes, maker, target }) => {
      writeAll(target, [maker.finish()]);
      const file = target.finish();
      return file === undefined ? [] : [{ port, file, notes }];
    });
    this.#openByPort.clear();
    return finished;
  }

  /** Leaves nothing of files that are not finished. */
  close(): void {
    for (const { target } of this.#openByPort.values()) target.abandon();
    this.#openByPort.clear();
  }

  #captureOf(index: number): OpenCapture {
    const known = this.#openByPort.get(index);
    if (known !== undefined) return known;
    const maker = this.#makers.make();
    const port = this.#makers.portNames[index] ?? `port-${index}`;
    const file = path.join(this.#folder, `${fileNamePart(this.#names.add(port))}.pcap`);
    const capture = { port, notes: maker.notes, maker, target: new KeptFile(file, this.#warn) };
    this.#openByPort.set(index, capture);
    return capture;
  }
}

function writeAll(target: KeptFile, chunks: readonly Uint8Array[]): void {
  for (const chunk of chunks) target.write(chunk);
}
