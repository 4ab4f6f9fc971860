/**
 * An algorithm's wasm behind the interface of its readable model, for tests that run both.
 *
 * The module is compiled from an entry that exports `<name>Open`, `<name>Sent`, `<name>Ack` and, where the algorithm
 * reacts to losses, `<name>Loss`. The harness does what the engine does around them: it checks times and keeps
 * lastEventPs.
 */
import asc from 'assemblyscript/asc';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as layout from '../../../src/abi/ack-layout.js';
import { PARAMETER_SET_BYTES, QP_BYTES, QP_LAST_EVENT, QP_NEXT_SEND, QP_RATE } from '../../../src/abi/layout.js';
import { writeParameterRecord, type ParameterRecord } from '../../../src/config/algorithms/algorithm.js';
import { eventRejection, type Ack, type AckOutcome, type EventOutcome } from '../../../src/reference/algorithms/ack.js';
import type { Telemetry } from '../../../src/reference/algorithms/hpcc/hops.js';
import { CONTROLLER, CONTROLLER_STARTED } from '../../../src/abi/records/controllers.js';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const SOURCE_FOLDERS = ['assembly', 'src/abi', 'test/algorithms/support', 'test/sim/support'];
const PAGE_BYTES = 65536;
const PAGES = 8;
const POISON = 0xa5;
const FIRST_ADDRESS = PAGE_BYTES;
/** Poisoned bytes between the records. */
const GAP_BYTES = 128;
const RECORD_BYTES = layout.ACK_HOPS + layout.EXACT_HOPS_MAX * layout.ACK_HOP_BYTES;
const HOPS_BYTES = layout.EXACT_HOPS_MAX * layout.KEPT_HOP_BYTES;
/** Outcomes by result code. */
const OUTCOMES: readonly AckOutcome[] = ['first', 'update', 'fast', 'new-path', 'skipped', 'no-signal'];

/** Exports of a module; all take and return numbers. */
export type WasmExports = Readonly<Record<string, (...values: number[]) => number>> & {
  readonly memory: WebAssembly.Memory;
};

/** A place in linear memory. */
interface Region {
  readonly address: number;
  readonly bytes: number;
}

function sourcesHash(command: string): string {
  const hash = createHash('sha256').update(command);
  for (const folder of SOURCE_FOLDERS) {
    for (
      const name of readdirSync(join(ROOT, folder), { recursive: true }).map(String).filter((file) =>
        file.endsWith('.ts')
      ).sort()
    ) {
      hash.update(name).update(readFileSync(join(ROOT, folder, name)));
    }
  }
  return hash.digest('hex').slice(0, 16);
}

async function compile(entry: string, options: readonly string[]): Promise<Uint8Array> {
  let binary: Uint8Array | undefined;
  const built = [
    '-o',
    'part.wasm',
    '-O3',
    '--noAssert',
    '--runtime',
    'stub',
    '--enable',
    'simd',
    '--use',
    'abort=',
    '--use',
    'ROCE_SIMD=1',
  ];
  const { error, stderr } = await asc.main([entry, ...built, ...options], {
    readFile: (name: string) => {
      if (name.endsWith('asconfig.json')) return '{}';
      return existsSync(join(ROOT, name)) ? readFileSync(join(ROOT, name), 'utf8') : null;
    },
    writeFile: (_name: string, contents: Uint8Array | string) => {
      if (typeof contents !== 'string') binary = contents;
    },
    listFiles: () => [],
  });
  if (error || !binary) throw new Error(`${entry} does not compile: ${stderr.toString()}`);
  return binary;
}

/** Compiles once per version of the sources; test files share the result through the temporary folder. */
async function binaryOf(entry: string, options: readonly string[]): Promise<Uint8Array> {
  const cached = join(tmpdir(), `roce-cc-part-${sourcesHash([entry, ...options].join(' '))}.wasm`);
  if (existsSync(cached)) return readFileSync(cached);
  const binary = await compile(entry, options);
  const partial = `${cached}.${process.pid}`;
  writeFileSync(partial, binary);
  renameSync(partial, cached);
  return binary;
}

/** Compiles an entry, a path relative to the project's root, with additional options of asc. */
export async function compilePart(entry: string, options: readonly string[] = []): Promise<WebAssembly.Module> {
  return WebAssembly.compile(Uint8Array.from(await binaryOf(entry, options)));
}

/** A new instance of the module of an entry. */
export async function instantiatePart(entry: string): Promise<WasmExports> {
  const { exports: made } = new WebAssembly.Instance(await compilePart(entry));
  const exports = made as unknown as WasmExports;
  exports.memory.grow(PAGES - exports.memory.buffer.byteLength / PAGE_BYTES);
  return exports;
}

/** The four records of one QP under one algorithm, in sequence, with poison around each. */
class Records {
  readonly all: Uint8Array;
  readonly view: DataView;
  readonly q: Region;
  readonly p: Region;
  readonly hops: Region;
  readonly ack: Region;
  readonly #end: number;

  constructor(memory: WebAssembly.Memory) {
    this.all = new Uint8Array(memory.buffer);
    this.view = new DataView(memory.buffer);
    let next = FIRST_ADDRESS;
    const region = (bytes: number): Region => {
      const address = next + GAP_BYTES;
      next = address + bytes;
      return { address, bytes };
    };
    this.q = region(QP_BYTES);
    this.p = region(PARAMETER_SET_BYTES);
    this.hops = region(HOPS_BYTES);
    this.ack = region(RECORD_BYTES);
    this.#end = next + GAP_BYTES;
  }

  /** Poisons everything except the state and the kept hops, which it zeroes. */
  clear(): void {
    this.all.fill(POISON, FIRST_ADDRESS, this.#end);
    for (const { address, bytes } of [this.q, this.hops]) this.all.fill(0, address, address + bytes);
  }

  copy({ address, bytes }: Region): Uint8Array {
    return this.all.slice(address, address + bytes);
  }

  equals({ address, bytes }: Region, before: Uint8Array): boolean {
    return Buffer.compare(this.all.subarray(address, address + bytes), before) === 0;
  }

  /** Whether the poison between the records is unchanged. */
  isContained(): boolean {
    return [this.q, this.p, this.hops, this.ack]
      .flatMap(({ address, bytes }) => [address - GAP_BYTES, address + bytes])
      .every((from) => this.all.subarray(from, from + GAP_BYTES).every((byte) => byte === POISON));
  }
}

/** One QP under one algorithm. */
export class WasmController {
  readonly #exports: WasmExports;
  readonly #name: string;
  readonly #records: Records;
  readonly #written: Uint8Array;
  readonly #hopsUsed: Region;

  /**
   * @param exports of `instantiatePart`; each new controller reuses the same memory.
   * @param name prefix of the algorithm's exports.
   * @param parameters the parameter set.
   * @param hops how many hops the QP keeps; the bytes after them must stay unchanged.
   */
  constructor(exports: WasmExports, name: string, parameters: ParameterRecord, hops = 0) {
    this.#exports = exports;
    this.#name = name;
    this.#records = new Records(exports.memory);
    const { q, p } = this.#records;
    this.#records.clear();
    writeParameterRecord(this.#records.view, p.address, parameters);
    this.#written = this.#records.copy(p);
    this.#hopsUsed = { address: this.#records.hops.address, bytes: hops * layout.KEPT_HOP_BYTES };
    this.#call('Open', q.address, p.address, this.#records.hops.address);
  }

  get rateBps(): number {
    return this.f64(QP_RATE);
  }

  get windowBytes(): number {
    return this.f64(CONTROLLER.at.windowBytes);
  }

  get nextSendPs(): number {
    return this.f64(QP_NEXT_SEND);
  }

  get started(): boolean {
    return (this.u8(CONTROLLER.at.flags) & CONTROLLER_STARTED) !== 0;
  }

  get lastUpdateSeq(): number {
    return this.u32(CONTROLLER.at.lastUpdateSeq);
  }

  get lastEventPs(): number {
    return this.f64(QP_LAST_EVENT);
  }

  /** A field of the QP's record, by its offset. */
  f64(offset: number): number {
    return this.#records.view.getFloat64(this.#records.q.address + offset, true);
  }

  u32(offset: number): number {
    return this.#records.view.getUint32(this.#records.q.address + offset, true);
  }

  u16(offset: number): number {
    return this.#records.view.getUint16(this.#records.q.address + offset, true);
  }

  u8(offset: number): number {
    return this.#records.view.getUint8(this.#records.q.address + offset);
  }

  /** The kept hops as bytes: KEPT_HOP_BYTES each. */
  get hops(): DataView {
    return new DataView(this.#exports.memory.buffer, this.#hopsUsed.address, this.#hopsUsed.bytes);
  }

  /** The whole QP record as bytes, to read or to change. */
  get state(): DataView {
    const { address, bytes } = this.#records.q;
    return new DataView(this.#exports.memory.buffer, address, bytes);
  }

  get parameterSetAddress(): number {
    return this.#records.p.address;
  }

  get stateAddress(): number {
    return this.#records.q.address;
  }

  onSent(timePs: number, lenBytes: number): EventOutcome {
    const rejection = eventRejection(timePs, this.lastEventPs);
    if (rejection !== undefined) return rejection;
    this.#setLastEvent(timePs);
    const { q, p, hops } = this.#records;
    this.#call('Sent', q.address, p.address, hops.address, timePs, lenBytes);
    return 'handled';
  }

  onAck(ack: Ack): AckOutcome {
    const rejection = eventRejection(ack.timePs, this.lastEventPs);
    if (rejection !== undefined) return rejection;
    const { q, p, hops, ack: record } = this.#records;
    writeAck(this.#records.view, record.address, ack);
    const before = this.#records.copy(q);
    const hopsBefore = this.#records.copy(hops);
    const result = this.#call('Ack', q.address, p.address, hops.address, record.address, ack.timePs);
    const outcome = OUTCOMES[result & layout.ACK_RESULT_MASK];
    if (outcome === undefined) throw new Error(`result ${result}`);
    if (outcome !== 'no-signal') this.#setLastEvent(ack.timePs);
    else if (!this.#records.equals(q, before) || !this.#records.equals(hops, hopsBefore)) {
      throw new Error('an ACK without a signal has changed something');
    }
    return outcome;
  }

  onLoss(timePs: number, found: 'fast' | 'timeout'): EventOutcome {
    const rejection = eventRejection(timePs, this.lastEventPs);
    if (rejection !== undefined) return rejection;
    const code = found === 'fast' ? layout.LOSS_FAST : layout.LOSS_TIMEOUT;
    const { q, p, hops } = this.#records;
    this.#call('Loss', q.address, p.address, hops.address, timePs, code);
    this.#setLastEvent(timePs);
    return 'handled';
  }

  /** Throws if anything outside this QP's state was written. */
  checkContained(): void {
    const { p, hops } = this.#records;
    const unused = this.#records.all.subarray(hops.address + this.#hopsUsed.bytes, hops.address + hops.bytes);
    if (!this.#records.equals(p, this.#written)) throw new Error('the parameters have changed');
    if (unused.some((byte) => byte !== 0)) throw new Error('a write behind the kept hops');
    if (!this.#records.isContained()) throw new Error('a write outside of the records');
  }

  #setLastEvent(timePs: number): void {
    this.#records.view.setFloat64(this.#records.q.address + QP_LAST_EVENT, timePs, true);
  }

  #call(event: string, ...values: number[]): number {
    const entry = this.#exports[`${this.#name}${event}`];
    if (entry === undefined) throw new Error(`no export ${this.#name}${event}`);
    return entry(...values);
  }
}

/** Writes an AckEvent record, without changing the bytes after its last hop. */
export function writeAck(view: DataView, at: number, ack: Ack): void {
  view.setUint32(at + layout.ACK_SEQ, ack.ackSeq, true);
  view.setUint32(at + layout.ACK_SND_NXT, ack.sndNxt, true);
  view.setFloat64(at + layout.ACK_SENT_TIME, ack.sentTimePs ?? NaN, true);
  view.setFloat64(at + layout.ACK_HOST_DELAY, ack.hostDelayPs ?? 0, true);
  view.setFloat64(at + layout.ACK_ACKED_PACKETS, ack.ackedPackets ?? 1, true);
  view.setUint32(at + layout.ACK_PATH_HOPS, ack.hopCount ?? 0, true);
  view.setUint32(at + layout.ACK_PINT_POWER, ack.pintPower ?? layout.ACK_NO_POWER, true);
  view.setUint8(at + layout.ACK_ECN_ECHO, ack.ecnEcho ? 1 : 0);
  writeTelemetry(view, at, ack.telemetry);
}

function writeTelemetry(view: DataView, at: number, telemetry: Telemetry | undefined): void {
  const hopCount = telemetry?.kind === 'int64' ? telemetry.hopCount : (telemetry?.hops.length ?? 0);
  view.setUint32(at + layout.ACK_PATH_ID, telemetry?.kind === 'exact' ? (telemetry.pathId ?? 0) : 0, true);
  view.setUint8(at + layout.ACK_TELEMETRY, telemetryCode(telemetry));
  view.setUint8(at + layout.ACK_HOP_COUNT, hopCount);
  const first = at + layout.ACK_HOPS;
  if (telemetry?.kind === 'exact') {
    telemetry.hops.slice(0, layout.EXACT_HOPS_MAX).forEach((hop, i) => {
      const to = first + i * layout.ACK_HOP_BYTES;
      view.setFloat64(to + layout.HOP_TIME, hop.timePs, true);
      view.setFloat64(to + layout.HOP_TX_BYTES, hop.txBytes, true);
      view.setFloat64(to + layout.HOP_QLEN_BYTES, hop.qlenBytes, true);
      view.setFloat64(to + layout.HOP_LINE_RATE, hop.lineRateBps, true);
      view.setUint32(to + layout.HOP_ID, hop.hopId ?? 0, true);
    });
  } else if (telemetry?.kind === 'int64') {
    telemetry.hops.slice(0, layout.INT64_HOPS_MAX).forEach((hop, i) => {
      const to = first + i * layout.ACK_HOP_BYTES;
      view.setUint32(to + layout.RAW_HOP_LINE_RATE, hop.lineRateCode, true);
      view.setUint32(to + layout.RAW_HOP_TIME, hop.time, true);
      view.setUint32(to + layout.RAW_HOP_BYTES, hop.bytes, true);
      view.setUint32(to + layout.RAW_HOP_QLEN, hop.qlen, true);
    });
  }
}

function telemetryCode(telemetry: Telemetry | undefined): number {
  if (telemetry === undefined) return layout.TELEMETRY_NONE;
  return telemetry.kind === 'exact' ? layout.TELEMETRY_EXACT : layout.TELEMETRY_INT64;
}
