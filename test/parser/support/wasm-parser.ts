/** The wasm parser with the interface of the reference parser, for tests that run both. */
import asc from 'assemblyscript/asc';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import { NONE } from '../../../src/abi/codes.js';
import * as layout from '../../../src/abi/layout.js';
import type { ParsedFrame, ParseRules } from '../../../src/reference/parse-frame.js';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const ENTRY = 'test/parser/support/entry.ts';
const PAGE_BYTES = 65536;
const PAGES = 8;
const TABLE_ADDRESS = PAGE_BYTES;
const RECORD_ADDRESS = 2 * PAGE_BYTES;
const FRAME_ADDRESS = 3 * PAGE_BYTES;
const POISON_BYTES = 128;

interface ParserExports {
  readonly memory: WebAssembly.Memory;
  configureParser(mode: number, type1: number, type2: number, icrcCheck: number, icrcPolicy: number): void;
  initIcrc(tableAddress: number): void;
  parseFrame(frame: number, captured: number, original: number, link: number, out: number): number;
  parseMany(descriptors: number, count: number, out: number): number;
}

function sourcesHash(): string {
  const hash = createHash('sha256');
  const folders = ['assembly/wire', 'src/abi'];
  const files = folders.flatMap((folder) => readdirSync(join(ROOT, folder)).map((name) => join(folder, name)))
    .filter((name) => name.endsWith('.ts'));
  for (const file of [...files, ENTRY]) hash.update(file).update(readFileSync(join(ROOT, file)));
  return hash.digest('hex').slice(0, 16);
}

async function compile(): Promise<Uint8Array> {
  let binary: Uint8Array | undefined;
  const options = [
    ENTRY,
    '-o',
    'parser.wasm',
    '-O3',
    '--noAssert',
    '--runtime',
    'stub',
    '--enable',
    'simd',
    '--use',
    'abort=',
  ];
  const { error, stderr } = await asc.main(options, {
    readFile: (name: string) => {
      if (name.endsWith('asconfig.json')) return '{}';
      return existsSync(join(ROOT, name)) ? readFileSync(join(ROOT, name), 'utf8') : null;
    },
    writeFile: (_name: string, contents: Uint8Array | string) => {
      if (typeof contents !== 'string') binary = contents;
    },
    listFiles: () => [],
  });
  if (error || !binary) throw new Error(`the parser does not compile: ${stderr.toString()}`);
  return binary;
}

/** Compiles the parser once per version of the sources; test files share the result in the temporary folder. */
async function binaryOf(): Promise<Uint8Array> {
  const cached = join(tmpdir(), `roce-cc-parser-${sourcesHash()}.wasm`);
  if (existsSync(cached)) return readFileSync(cached);
  const binary = await compile();
  const partial = `${cached}.${process.pid}`;
  writeFileSync(partial, binary);
  renameSync(partial, cached);
  return binary;
}

function decodeRecord(view: DataView): ParsedFrame {
  return {
    classCode: view.getUint8(layout.PACKET_CLASS),
    why: view.getUint8(layout.PACKET_WHY),
    ipVersion: view.getUint8(layout.PACKET_IP_VERSION),
    trafficClass: view.getUint8(layout.PACKET_TRAFFIC_CLASS),
    opcode: view.getUint8(layout.PACKET_OPCODE),
    icrc: view.getUint8(layout.PACKET_ICRC),
    ipOffset: view.getUint16(layout.PACKET_IP_OFFSET, true),
    bthOffset: view.getUint16(layout.PACKET_BTH_OFFSET, true),
    originalDestinationOffset: view.getUint16(layout.PACKET_ORIGINAL_DESTINATION_OFFSET, true),
    ioamOffset: view.getUint16(layout.PACKET_IOAM_OFFSET, true),
    ioamBytes: view.getUint16(layout.PACKET_IOAM_BYTES, true),
    destQpn: view.getUint32(layout.PACKET_DEST_QPN, true),
    fromReceiver: view.getUint8(layout.PACKET_FROM_RECEIVER),
    endOffset: view.getUint16(layout.PACKET_END_OFFSET, true),
  };
}

export class WasmParser {
  readonly exports: ParserExports;
  private readonly memory: Uint8Array;
  private readonly record: DataView;

  private constructor(exports: ParserExports) {
    this.exports = exports;
    exports.memory.grow(PAGES - exports.memory.buffer.byteLength / PAGE_BYTES);
    this.memory = new Uint8Array(exports.memory.buffer);
    this.record = new DataView(exports.memory.buffer, RECORD_ADDRESS, layout.PACKET_BYTES);
    exports.initIcrc(TABLE_ADDRESS);
  }

  static async create(): Promise<WasmParser> {
    const { instance } = await WebAssembly.instantiate(Uint8Array.from(await binaryOf()), {});
    return new WasmParser(instance.exports as unknown as ParserExports);
  }

  configure(rules: ParseRules): void {
    const { mode, optionType1, optionType2, checksIcrc, icrcPolicy } = rules;
    this.exports.configureParser(mode, optionType1, optionType2, checksIcrc ? 1 : 0, icrcPolicy);
  }

  parse(bytes: Uint8Array, original: number, link: number): ParsedFrame {
    return this.parseAt(FRAME_ADDRESS, bytes, original, link);
  }

  /** Parses a frame at the very end of memory, where a read past it traps. */
  parseAtMemoryEnd(bytes: Uint8Array, original: number, link: number): ParsedFrame {
    return this.parseAt(this.memory.length - bytes.length, bytes, original, link);
  }

  /** Parses a frame with `poison` in the bytes before and after it. */
  parseAmidst(poison: number, bytes: Uint8Array, original: number, link: number): ParsedFrame {
    this.memory.fill(poison, FRAME_ADDRESS - POISON_BYTES, FRAME_ADDRESS + bytes.length + POISON_BYTES);
    return this.parse(bytes, original, link);
  }

  private parseAt(address: number, bytes: Uint8Array, original: number, link: number): ParsedFrame {
    this.memory.set(bytes, address);
    this.memory.fill(0xa5, RECORD_ADDRESS, RECORD_ADDRESS + layout.PACKET_BYTES);
    const classCode = this.exports.parseFrame(address, bytes.length, original, link, RECORD_ADDRESS);
    const parsed = decodeRecord(this.record);
    const isCallersPartBlank = this.record.getUint32(layout.PACKET_QP, true) === NONE &&
      this.record.getUint8(layout.PACKET_OUTCOME) === 0 &&
      this.record.getUint32(28, true) === 0;
    if (classCode !== parsed.classCode || !isCallersPartBlank) throw new Error('the record is not whole');
    return parsed;
  }
}
