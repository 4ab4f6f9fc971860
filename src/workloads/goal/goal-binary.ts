/**
 * Parses GOAL's binary form (docs/specs/workloads.md, 1.6): little-endian, without padding. The header has the position
 * of each rank's block; a block has its operations, 39 bytes each, followed by the dependents of each. Blocks are
 * parsed as they arrive, so only one block of the file is in memory.
 */
import { PS_PER_NS } from '../../units.js';
import { GraphBuilder } from '../graph/graph-builder.js';
import { ANY, COMPUTE, RECEIVE, SEND, type WorkloadGraph } from '../graph/workload-graph.js';
import { LeftOut } from '../notes.js';
import { rejectWorkload } from '../workload-error.js';
import type { GoalOptions } from './goal-parser.js';

const MAGIC = 4223;
const MAGIC_OF_CONSUMED = 2342;
/** Offsets in the table are relative to this position. */
const TABLE_BASE = 8;
const HEADER_BYTES = 14;
const RANK_BYTES = 16;
const RECORD_BYTES = 39;
const FIRST_BUFFER_BYTES = 65536;
const RANKS_MAX = 2 ** 20;
const KINDS: Readonly<Record<number, number>> = { 1: SEND, 2: RECEIVE, 3: COMPUTE };
const TYPE_SEND = 1;

/** Positions of the highest numbers in the header. */
const LANE_AT = 12;
const NIC_AT = 13;

interface Highest {
  lane: number;
  nic: number;
}

interface Block {
  readonly begin: number;
  readonly end: number;
}

/** Parses bytes as they arrive. */
export class GoalBinaryParser {
  readonly #name: string;
  readonly #options: GoalOptions;
  readonly #builder: GraphBuilder;
  #buffer = new Uint8Array(FIRST_BUFFER_BYTES);
  #length = 0;
  /** Position in the file of the first byte in memory. */
  #base = 0;
  #ranks = 0;
  readonly #blocks: Block[] = [];
  readonly #leftOut = new LeftOut();
  /** Highest lane and port: as stated in the header, and as found in the operations. */
  #stated: Highest = { lane: 0, nic: 0 };
  readonly #found: Highest = { lane: 0, nic: 0 };
  #next = 0;

  constructor(options: GoalOptions) {
    const { name = 'goal' } = options;
    this.#name = name;
    this.#options = options;
    this.#builder = new GraphBuilder(name, 'byte');
  }

  push(chunk: Uint8Array): void {
    this.#append(chunk);
    if (this.#ranks === 0) this.#readHeader();
    while (this.#ranks > 0 && this.#next < this.#ranks && this.#readBlock(this.#blocks[this.#next])) this.#next++;
  }

  #append(chunk: Uint8Array): void {
    if (this.#length + chunk.length > this.#buffer.length) {
      const longer = new Uint8Array(Math.max(2 * this.#buffer.length, this.#length + chunk.length));
      longer.set(this.#buffer.subarray(0, this.#length));
      this.#buffer = longer;
    }
    this.#buffer.set(chunk, this.#length);
    this.#length += chunk.length;
  }

  finish(): WorkloadGraph {
    if (this.#ranks === 0 || this.#next < this.#ranks) {
      const problem = this.#ranks === 0 ? 'ends within its table' : `ends within the block of rank ${this.#next}`;
      rejectWorkload('TRUNCATED', { what: 'the file', problem, where: this.#where(this.#base + this.#length) });
    }
    this.#noteHighest();
    for (const note of this.#leftOut.notes()) this.#builder.note(note);
    return this.#builder.finish(this.#ranks);
  }

  #noteHighest(): void {
    const [stated, found] = [this.#stated, this.#found];
    if (stated.lane !== found.lane) this.#leftOut.add('highest-number', this.#where(LANE_AT), 1, { field: 'cpu' });
    if (stated.nic !== found.nic) this.#leftOut.add('highest-number', this.#where(NIC_AT), 1, { field: 'nic' });
  }

  #where(at: number): string {
    return `${this.#name}, byte ${at}`;
  }

  #readHeader(): void {
    if (this.#length < HEADER_BYTES) return;
    const view = viewOf(this.#buffer);
    const magic = view.getUint32(0, true) + view.getUint32(4, true) * 2 ** 32;
    if (magic === MAGIC_OF_CONSUMED) {
      const problem = 'has been consumed by a run that was allowed to overwrite it';
      rejectWorkload('INVALIDATED', { what: 'the schedule', problem, where: this.#where(0) });
    }
    if (magic !== MAGIC) {
      rejectWorkload('BAD_MAGIC', { what: 'the magic number', got: magic, allowed: [MAGIC], where: this.#where(0) });
    }
    const ranks = view.getUint32(8, true);
    if (ranks < 1 || ranks > RANKS_MAX) {
      const allowed = { min: 1, max: RANKS_MAX, multipleOf: 1 };
      rejectWorkload('BAD_COUNT', { what: 'the number of ranks', got: ranks, allowed, where: this.#where(8) });
    }
    // Wait until the table's bytes have arrived before allocating it.
    if (this.#length < HEADER_BYTES + ranks * RANK_BYTES) return;
    this.#readTable(view, ranks);
  }

  #readTable(view: DataView, ranks: number): void {
    let behind = HEADER_BYTES + ranks * RANK_BYTES;
    for (let rank = 0; rank < ranks; rank++) {
      const at = HEADER_BYTES + rank * RANK_BYTES;
      const [begin, end] = [at, at + 8].map((place) =>
        view.getUint32(place, true) + view.getUint32(place + 4, true) * 2 ** 32 + TABLE_BASE
      );
      if (begin < behind || end < begin + 8) {
        const allowed = `a block that starts at byte ${behind}, after the previous one, and is not empty`;
        rejectWorkload('GOAL_SYNTAX', {
          what: `the block of rank ${rank}`,
          got: { begin, end },
          allowed,
          where: this.#where(at),
        });
      }
      this.#blocks.push({ begin, end });
      behind = end;
    }
    this.#ranks = ranks;
    this.#stated = { lane: view.getUint8(LANE_AT), nic: view.getUint8(NIC_AT) };
  }

  /** Returns false if the block is incomplete. */
  #readBlock({ begin, end }: Block): boolean {
    if (this.#base + this.#length < end) {
      this.#forget(Math.min(begin, this.#base + this.#length));
      return false;
    }
    this.#forget(begin);
    new BlockReader(this.#buffer.subarray(0, end - begin), {
      builder: this.#builder,
      rank: this.#next,
      ranks: this.#ranks,
      begin,
      name: this.#name,
      options: this.#options,
      highest: this.#found,
      leftOut: this.#leftOut,
    }).read();
    this.#forget(end);
    return true;
  }

  #forget(upTo: number): void {
    if (upTo <= this.#base) return;
    const count = upTo - this.#base;
    this.#buffer.copyWithin(0, count, this.#length);
    this.#length -= count;
    this.#base = upTo;
  }
}

interface BlockContext {
  readonly builder: GraphBuilder;
  readonly rank: number;
  readonly ranks: number;
  readonly begin: number;
  readonly name: string;
  readonly options: GoalOptions;
  readonly highest: Highest;
  readonly leftOut: LeftOut;
}

class BlockReader {
  readonly #view: DataView;
  readonly #context: BlockContext;
  /** Number of dependencies of each operation. */
  #waits = new Uint32Array(0);

  constructor(bytes: Uint8Array, context: BlockContext) {
    this.#view = viewOf(bytes);
    this.#context = context;
  }

  read(): void {
    const { builder, rank } = this.#context;
    const [count, free] = [this.#view.getUint32(0, true), this.#view.getUint32(4, true)];
    const records = 8 + 4 * free;
    const lists = records + RECORD_BYTES * count;
    if (lists > this.#view.byteLength) this.#rejectEnd(`${count} operations`, 0);
    builder.beginRank(rank);
    const first = builder.length;
    for (let index = 0; index < count; index++) this.#record(records + index * RECORD_BYTES);
    let next = lists;
    this.#waits = new Uint32Array(count);
    for (let index = 0; index < count; index++) {
      const at = records + index * RECORD_BYTES;
      for (const [place, isStart] of [[23, false], [31, true]] as const) {
        next = this.#dependents(next, { count, first, index, many: this.#view.getUint32(at + place, true), isStart });
      }
    }
    this.#requireWaits(records, free);
  }

  /** Dependencies are stated twice, as dependents and as counts; checks that both agree. */
  #requireWaits(records: number, free: number): void {
    let found = 0;
    this.#waits.forEach((waits, index) => {
      const at = records + index * RECORD_BYTES;
      const stated = this.#view.getUint32(at, true);
      if (stated !== waits) this.#rejectCount(`the number of dependencies of operation ${index}`, stated, waits, at);
      if (waits === 0) found++;
    });
    if (found !== free) this.#rejectCount('the number of operations without dependencies', free, found, 4);
  }

  #rejectCount(what: string, got: number, count: number, at: number): never {
    return rejectWorkload('BAD_COUNT', { what, got, allowed: [count], where: this.#where(at) });
  }

  #dependents(at: number, { count, first, index, many, isStart }: {
    readonly count: number;
    readonly first: number;
    readonly index: number;
    readonly many: number;
    readonly isStart: boolean;
  }): number {
    if (at + 4 * many > this.#view.byteLength) this.#rejectEnd(`${many} dependents of operation ${index}`, at);
    for (let place = at; place < at + 4 * many; place += 4) {
      const waiting = this.#view.getUint32(place, true);
      if (waiting >= count) {
        const allowed = { below: count };
        rejectWorkload('UNKNOWN_NODE', { what: 'a dependent', got: waiting, allowed, where: this.#where(place) });
      }
      this.#waits[waiting]++;
      this.#context.builder.depend(first + waiting, first + index, isStart);
    }
    return at + 4 * many;
  }

  #record(at: number): void {
    const view = this.#view;
    const type = view.getUint8(at + 4);
    const kind = KINDS[type];
    if (kind === undefined) {
      const allowed = [1, 2, 3];
      rejectWorkload('UNKNOWN_NODE_TYPE', {
        what: 'the type of an operation',
        got: type,
        allowed,
        where: this.#where(at + 4),
      });
    }
    const amount = this.#amount(at + 9, kind);
    const isMessage = kind !== COMPUTE;
    const peer = isMessage ? this.#peer(at + 5, type) : 0;
    const tag = isMessage ? view.getUint32(at + 17, true) : 0;
    if (type === TYPE_SEND && tag === ANY) {
      rejectWorkload('BAD_TAG', {
        what: 'the tag of a send',
        got: tag,
        allowed: { below: ANY },
        where: this.#where(at + 17),
      });
    }
    const place = this.#context.begin + at;
    const [lane, nic] = [view.getUint8(at + 21), view.getUint8(at + 22)];
    const { highest, leftOut } = this.#context;
    highest.lane = Math.max(highest.lane, lane);
    highest.nic = Math.max(highest.nic, nic);
    if (isMessage && nic > 0) leftOut.add('port-of-message', this.#where(at + 22), 1);
    this.#context.builder.addRow(kind, amount, peer, tag, lane, nic, place);
  }

  #amount(at: number, kind: number): number {
    const amount = this.#view.getUint32(at, true) + this.#view.getUint32(at + 4, true) * 2 ** 32;
    const isCompute = kind === COMPUTE;
    const isZeroTaken = isCompute || this.#context.options.zeroLengthMessages === 'one-byte';
    const min = isZeroTaken ? 0 : 1;
    const max = isCompute ? Math.floor(Number.MAX_SAFE_INTEGER / PS_PER_NS) : Number.MAX_SAFE_INTEGER;
    if (amount < min || amount > max) {
      const allowed = { min, max, multipleOf: 1, unit: isCompute ? 'ns' : 'bytes' };
      rejectWorkload('BAD_SIZE', { what: 'the size of an operation', got: amount, allowed, where: this.#where(at) });
    }
    return isCompute ? amount * PS_PER_NS : Math.max(1, amount);
  }

  #peer(at: number, type: number): number {
    const { rank, ranks, options } = this.#context;
    const peer = this.#view.getUint32(at, true);
    if (peer === ANY && type !== TYPE_SEND) return ANY;
    if (peer >= ranks) {
      const allowed = { min: 0, max: ranks - 1, multipleOf: 1 };
      rejectWorkload('RANK_OUT_OF_RANGE', {
        what: 'the peer of an operation',
        got: peer,
        allowed,
        where: this.#where(at),
      });
    }
    if (peer === rank && options.selfMessages !== 'no-time') {
      const problem = 'sends to itself, or receives from itself';
      rejectWorkload('SELF_MESSAGE', { what: `rank ${peer}`, problem, where: this.#where(at) });
    }
    return peer;
  }

  #where(at: number): string {
    return `${this.#context.name}, byte ${this.#context.begin + at}`;
  }

  #rejectEnd(what: string, at: number): never {
    const problem = `do not fit into the block of rank ${this.#context.rank}`;
    return rejectWorkload('TRUNCATED', { what, problem, where: this.#where(at) });
  }
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
