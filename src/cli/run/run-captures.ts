/** Captures of ports, written while a run goes on: a long run's don't fit into memory. */
import path from 'node:path';
import type { PacketRecord } from '../../sim/result.js';
import { FileWriter } from '../write-file.js';
import { fileNamePart } from './run-names.js';
import type { CaptureMaker, CaptureMakers } from './simulator.js';

/** A capture file of one port. */
export interface RunCapture {
  /** `node:peer`. */
  readonly port: string;
  readonly file: string;
  /** What a reader of the file should know. */
  readonly notes: readonly string[];
}

interface OpenCapture extends RunCapture {
  readonly maker: CaptureMaker;
  readonly writer: FileWriter;
}

/** Sorts packets by port, a file for each that sends something. */
export class RunCaptures {
  readonly #openByPort = new Map<number, OpenCapture>();
  readonly #makers: CaptureMakers;
  readonly #folder: string;

  constructor(makers: CaptureMakers, folder: string) {
    this.#makers = makers;
    this.#folder = folder;
  }

  /** @throws errors of the system, which name the file. */
  readonly add = (records: readonly PacketRecord[]): void => {
    for (const record of records) this.#captureOf(record.port).maker.add(record);
    for (const { maker, writer } of this.#openByPort.values()) writeAll(writer, maker.drain());
  };

  /** Writes what is left; the files in order of their ports. */
  finish(): RunCapture[] {
    const inOrder = [...this.#openByPort].sort(([a], [b]) => a - b).map(([, capture]) => capture);
    for (const { maker, writer } of inOrder) {
      writeAll(writer, [maker.finish()]);
      writer.finish();
    }
    this.#openByPort.clear();
    return inOrder.map(({ port, file, notes }) => ({ port, file, notes }));
  }

  /** Leaves nothing of files that are not finished. */
  close(): void {
    for (const { writer } of this.#openByPort.values()) writer.abandon();
    this.#openByPort.clear();
  }

  #captureOf(index: number): OpenCapture {
    const known = this.#openByPort.get(index);
    if (known !== undefined) return known;
    const maker = this.#makers.make();
    const port = this.#makers.portNames[index] ?? `port-${index}`;
    const file = path.join(this.#folder, `${fileNamePart(port)}.pcap`);
    const capture = { port, file, notes: maker.notes, maker, writer: new FileWriter(file) };
    this.#openByPort.set(index, capture);
    return capture;
  }
}

function writeAll(writer: FileWriter, chunks: readonly Uint8Array[]): void {
  for (const chunk of chunks) writer.write(chunk);
}
