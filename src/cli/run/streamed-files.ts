/**
 * Files that are written piece by piece, because those of a long run do not fit into memory: captures of ports during
 * the run, and rate changes by a second run.
 */
import path from 'node:path';
import { formatTraceLine } from '../../engine/rate-changes.js';
import type { NoteRecord } from '../../note-record.js';
import type { PacketRecord } from '../../sim/result.js';
import { KeptFile, type Warn } from '../write-file.js';
import { fileNamePart, UniqueNames } from './run-names.js';
import type { CaptureMaker, CaptureMakers, PreparedScenario } from './simulator.js';

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

/** The file of `--trace`: each rate change as a JSON line (docs/guides/trace.md). */
export interface RateTraceFile {
  readonly file: string;
  /** The flow to trace; undefined: all flows. */
  readonly flow: number | undefined;
}

/** Characters that are buffered before they are written. */
const PART_LENGTH = 1 << 16;
/** Slices of the run between yields to the event loop, which let Ctrl-C be handled. */
const SLICES_PER_TURN = 100;

/** Runs the scenario again to trace it. @returns the file's path; undefined if it was not written or the scenario cannot be traced. */
export async function writeRateTrace({ traceRates }: PreparedScenario, { file, flow }: RateTraceFile,
  signal: AbortSignal, warn: Warn): Promise<string | undefined> {
  if (traceRates === undefined) return undefined;
  const target = new KeptFile(file, warn);
  let pending = '';
  let lost = 0;
  try {
    const slices = traceRates({
      ...(flow !== undefined && { flow }),
      signal,
      onChange: (change) => {
        if ('lost' in change) lost += change.lost;
        pending += formatTraceLine(change);
      },
    });
    for (let slice = 1; slices.next().done !== true; slice++) {
      if (pending.length >= PART_LENGTH) pending = written(target, pending);
      if (slice % SLICES_PER_TURN === 0) await nextTurn();
    }
    written(target, pending);
    if (lost > 0) warn(`${file}: ${lost} changes were lost for lack of memory; lines {"lost":n} mark the gaps`);
    return target.finish();
  } catch (error) {
    target.abandon();
    throw error;
  }
}

function written(target: KeptFile, text: string): string {
  target.write(text);
  return '';
}

/** Yields to the event loop, so that a Ctrl-C that was pressed during synchronous work is handled. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
