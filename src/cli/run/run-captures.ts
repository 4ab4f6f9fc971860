/** Writes port captures during the run, because those of a long run do not fit into memory. */
import path from 'node:path';
import type { PacketRecord } from '../../sim/result.js';
import type { NoteRecord } from '../../note-record.js';
import { KeptFile, type Warn } from '../kept-file.js';
import { fileNamePart, UniqueNames } from './run-names.js';
import type { CaptureMaker, CaptureMakers } from './simulator.js';

/** A capture file of one port. */
export interface RunCapture {
  /** Name of the port: `node:peer`. */
  readonly port: string;
  readonly file: string;
  /** Differences between the file and the simulation. */
  readonly notes: readonly NoteRecord[];
}

interface OpenCapture extends Omit<RunCapture, 'file'> {
  readonly maker: CaptureMaker;
  readonly target: KeptFile;
}

/** Sorts packets by port and writes one file per port that sends anything. */
export class RunCaptures {
  readonly #openByPort = new Map<number, OpenCapture>();
  /** Makes file names unique: node names may contain dashes, so `a` and `b-c` give the same name as `a-b` and `c`. */
  readonly #names = new UniqueNames();
  readonly #makers: CaptureMakers;
  readonly #folder: string;
  readonly #warn: Warn;

  /** @param warn reports captures that could not be moved to their file. */
  constructor(makers: CaptureMakers, folder: string, warn: Warn) {
    this.#makers = makers;
    this.#folder = folder;
    this.#warn = warn;
  }

  readonly add = (records: readonly PacketRecord[]): void => {
    for (const record of records) this.#captureOf(record.port).maker.add(record);
    for (const { maker, target } of this.#openByPort.values()) writeAll(target, maker.drain());
  };

  /** Writes the remaining packets. @returns the files, ordered by port. */
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

  /** Removes unfinished files. */
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
