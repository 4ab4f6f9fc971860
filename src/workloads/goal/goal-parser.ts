/**
 * Parses GOAL text piece by piece (docs/specs/workloads.md, 1.1; LogGOPSim's format, T. Hoefler et al., HPDC 2010).
 *
 *   num_ranks N      rank R { lines }
 *   line   [LABEL:] send SIZEb to RANK [tag T] [cpu C] [nic K]      recv SIZEb from RANK …      calc NS [cpu C]
 *          LABEL requires LABEL      LABEL irequires LABEL
 *
 * It accepts more than the format's original converter: blocks in any order, labels that are used before their
 * definition, leading blanks, comments after an operation.
 */
import { PS_PER_NS } from '../../units.js';
import { GraphBuilder } from '../graph/graph-builder.js';
import { ANY, COMPUTE, RECEIVE, SEND, type WorkloadGraph } from '../graph/workload-graph.js';
import { rejectWorkload } from '../workload-error.js';
import { LeftOut } from '../notes.js';
import { GoalScanner } from './goal-scanner.js';
import { LabelTable, UNDEFINED } from './label-table.js';
import { DEPENDENCY, NOT_PLAIN, PlainLines } from './plain-lines.js';

/** Options for reading a schedule, including deviations to accept. */
export interface GoalOptions {
  /** Name of the file in errors. Default `goal`. */
  readonly name?: string;
  /** Messages of 0 bytes: rejected, or treated as 1 byte (as in ATLAHS). Default `reject`. */
  readonly zeroLengthMessages?: 'reject' | 'one-byte';
  /** Messages of a rank to itself: rejected, or completed immediately. Default `reject`. */
  readonly selfMessages?: 'reject' | 'no-time';
}

const RANKS_MAX = 2 ** 20;
const TAG_MAX = ANY - 1;
const LANE_MAX = 255;
const CALC_MAX_NS = Math.floor(Number.MAX_SAFE_INTEGER / PS_PER_NS);
const [NEWLINE, COLON, OPEN, CLOSE] = [10, 58, 123, 125];
const word = (text: string): Uint8Array => new TextEncoder().encode(text);
const WORD_NUM_RANKS = word('num_ranks');
const WORD_RANK = word('rank');
const WORD_SEND = word('send');
const WORD_RECV = word('recv');
const WORD_CALC = word('calc');
const WORD_B = word('b');
const WORD_TO = word('to');
const WORD_FROM = word('from');
const [WORD_TAG, WORD_CPU, WORD_NIC] = [word('tag'), word('cpu'), word('nic')];
const WORD_REQUIRES = word('requires');
const WORD_IREQUIRES = word('irequires');

/** Parses whole lines as they arrive, and returns the graph at the end. */
export class GoalParser {
  readonly #scanner: GoalScanner;
  readonly #builder: GraphBuilder;
  readonly #labels = new LabelTable();
  readonly #plain = new PlainLines();
  readonly #options: GoalOptions;
  #ranks = 0;
  /** Line of each rank's block; 0 if it has not come yet. */
  #blockLines = new Uint32Array(0);
  #inBlock = false;
  #rank = 0;
  /** Dependencies of this block on labels that are not defined yet. */
  #waiting: number[] = [];
  readonly #leftOut = new LeftOut();

  constructor(options: GoalOptions) {
    const { name = 'goal' } = options;
    this.#options = options;
    this.#scanner = new GoalScanner(name);
    this.#builder = new GraphBuilder(name);
  }

  readonly read = (bytes: Uint8Array, from: number, to: number): void => {
    const scanner = this.#scanner;
    scanner.load(bytes, from, to);
    while (scanner.skipLines()) {
      if (this.#inBlock) this.#readPlainLines(to);
      if (!scanner.skipLines()) return;
      if (this.#inBlock) this.#readLine();
      else if (this.#ranks === 0) this.#readNumRanks();
      else this.#beginBlock();
    }
  };

  finish(): WorkloadGraph {
    const scanner = this.#scanner;
    if (this.#ranks === 0) scanner.rejectToken(['num_ranks'], 'NO_NUM_RANKS');
    if (scanner.isInComment) scanner.rejectToken(['*/']);
    if (this.#inBlock) scanner.rejectToken(['}']);
    const missing = this.#blockLines.indexOf(0);
    if (missing >= 0) {
      rejectWorkload('MISSING_RANK', {
        what: `the block of rank ${missing}`,
        problem: 'is missing',
        allowed: `a block for each of ${this.#ranks} ranks`,
        where: scanner.where(),
      });
    }
    for (const note of this.#leftOut.notes()) this.#builder.note(note);
    return this.#builder.finish(this.#ranks);
  }

  #readNumRanks(): void {
    const scanner = this.#scanner;
    if (!scanner.takeIf(WORD_NUM_RANKS)) scanner.rejectToken(['num_ranks'], 'NO_NUM_RANKS');
    const ranks = scanner.takeNumber();
    if (!(ranks >= 1 && ranks <= RANKS_MAX)) {
      const fault = Number.isNaN(ranks) ? 'GOAL_SYNTAX' : 'BAD_COUNT';
      const got = Number.isNaN(ranks) ? scanner.token() : ranks;
      rejectWorkload(fault, {
        what: 'the number of ranks',
        got,
        allowed: { min: 1, max: RANKS_MAX, multipleOf: 1 },
        where: scanner.where(),
      });
    }
    this.#ranks = ranks;
    this.#blockLines = new Uint32Array(ranks);
  }

  #beginBlock(): void {
    const scanner = this.#scanner;
    if (!scanner.takeIf(WORD_RANK)) scanner.rejectToken(['rank']);
    const rank = scanner.takeNumber();
    if (Number.isNaN(rank)) scanner.rejectToken('a rank');
    this.#requireRank(rank, 'the rank of the block');
    if (this.#blockLines[rank] > 0) {
      rejectWorkload('DUPLICATE_RANK', {
        what: `rank ${rank}`,
        problem: `has a second block; the first is in line ${this.#blockLines[rank]}`,
        where: scanner.where(),
      });
    }
    this.#blockLines[rank] = scanner.line;
    if (!scanner.skipLines() || !scanner.take(OPEN)) scanner.rejectToken(['{']);
    this.#rank = rank;
    this.#inBlock = true;
    this.#builder.beginRank(rank);
  }

  #requireRank(rank: number, what: string): void {
    if (rank >= 0 && rank < this.#ranks) return;
    const allowed = { min: 0, max: this.#ranks - 1, multipleOf: 1 };
    rejectWorkload('RANK_OUT_OF_RANGE', { what, got: rank, allowed, where: this.#scanner.where() });
  }

  /** Reads consecutive lines in the common form, which are most of a large file. The last line may have no line end. */
  #readPlainLines(end: number): void {
    const [scanner, plain] = [this.#scanner, this.#plain];
    const { bytes } = scanner;
    if (bytes[end - 1] !== NEWLINE) return;
    while (scanner.at < end) {
      const what = plain.read(bytes, scanner.at);
      if (what === NOT_PLAIN || !(what === DEPENDENCY ? this.#addDependency() : this.#addOperation())) return;
      scanner.at = plain.at + 1;
      scanner.line++;
    }
  }

  #addDependency(): boolean {
    const { bytes, labelBegin, labelEnd, labelHash, awaitedBegin, awaitedEnd, awaitedHash } = this.#plain;
    const { line } = this.#scanner;
    const label = this.#labels.findHashed(bytes, labelBegin, labelEnd, labelHash, line);
    this.#depend(label, this.#labels.findHashed(bytes, awaitedBegin, awaitedEnd, awaitedHash, line), false);
    return true;
  }

  /** Returns false if the line is invalid or unusual, and needs the full parser. */
  #addOperation(): boolean {
    const { bytes, kind, amount, peer, tag, lane, nic, labelBegin, labelEnd, labelHash } = this.#plain;
    const { line } = this.#scanner;
    const isCompute = kind === COMPUTE;
    if (lane > LANE_MAX || (isCompute ? amount > CALC_MAX_NS : amount === 0 || !this.#isPlainMessage(peer, nic)))
      return false;
    const label = this.#labels.findHashed(bytes, labelBegin, labelEnd, labelHash, line);
    if (this.#labels.operationOf(label) !== UNDEFINED) return false;
    const operation = this.#builder.length;
    this.#labels.define(label, operation);
    if (isCompute) this.#builder.addRow(COMPUTE, amount * PS_PER_NS, 0, 0, lane, 0, line);
    else this.#builder.addRow(kind, amount, peer, tag, lane, nic, line);
    if (nic > 0) this.#leftOut.add('port-of-message', this.#scanner.where(line), 1);
    this.#builder.name(operation, bytes, labelBegin, labelEnd);
    return true;
  }

  #isPlainMessage(peer: number, nic: number): boolean {
    return peer < this.#ranks && peer !== this.#rank && nic <= LANE_MAX;
  }

  /** Reads an operation, a dependency, or the end of the block. */
  #readLine(): void {
    const scanner = this.#scanner;
    if (scanner.take(CLOSE)) {
      this.#endBlock();
      return;
    }
    if (!scanner.takeWord()) scanner.rejectToken(['an operation', 'a label', '}']);
    if (!this.#readIfOperation(-1)) this.#readLabelled();
    if (!scanner.isLineEnd() && scanner.bytes[scanner.at] !== CLOSE) scanner.rejectToken('the end of the line');
  }

  #readLabelled(): void {
    const scanner = this.#scanner;
    const label = this.#labels.find(scanner.bytes, scanner.wordBegin, scanner.wordEnd, scanner.line);
    if (scanner.take(COLON)) {
      const begin = scanner.wordBegin;
      const end = scanner.wordEnd;
      if (this.#labels.operationOf(label) !== UNDEFINED) this.#rejectDuplicate(label);
      const operation = this.#builder.length;
      if (!scanner.takeWord() || !this.#readIfOperation(label)) scanner.rejectToken(['send', 'recv', 'calc']);
      this.#builder.name(operation, scanner.bytes, begin, end);
      return;
    }
    const isKnown = scanner.takeWord();
    const isStart = isKnown && scanner.isWord(WORD_IREQUIRES);
    if (!isStart && !(isKnown && scanner.isWord(WORD_REQUIRES))) {
      if (isKnown) scanner.at = scanner.wordBegin;
      scanner.rejectToken([':', 'requires', 'irequires']);
    }
    if (!scanner.takeWord()) scanner.rejectToken('a label');
    const awaited = this.#labels.find(scanner.bytes, scanner.wordBegin, scanner.wordEnd, scanner.line);
    this.#depend(label, awaited, isStart);
  }

  #rejectDuplicate(label: number): never {
    return rejectWorkload('DUPLICATE_LABEL', {
      what: `the label ${this.#labels.textOf(label)}`,
      problem: `of rank ${this.#rank} names two operations`,
      where: this.#scanner.where(),
    });
  }

  #depend(label: number, awaited: number, isStart: boolean): void {
    const operation = this.#labels.operationOf(label);
    const other = this.#labels.operationOf(awaited);
    if (operation !== UNDEFINED && other !== UNDEFINED) this.#builder.depend(operation, other, isStart);
    else this.#waiting.push(label, awaited, Number(isStart));
  }

  /** Reads an operation if the last word begins one; returns whether it did. */
  #readIfOperation(label: number): boolean {
    const scanner = this.#scanner;
    const isSend = scanner.isWord(WORD_SEND);
    const { line } = scanner;
    if (label >= 0) this.#labels.define(label, this.#builder.length);
    if (isSend || scanner.isWord(WORD_RECV)) this.#readMessage(isSend, line);
    else if (scanner.isWord(WORD_CALC)) this.#readCompute(line);
    else {
      // Move back, so that the error points at the word where an operation should be.
      if (label >= 0) scanner.at = scanner.wordBegin;
      return false;
    }
    return true;
  }

  #readMessage(isSend: boolean, line: number): void {
    const scanner = this.#scanner;
    const size = this.#readSize();
    const direction = isSend ? 'to' : 'from';
    if (!scanner.takeIf(isSend ? WORD_TO : WORD_FROM)) scanner.rejectToken([direction]);
    const peer = this.#readPeer(isSend);
    const tag = scanner.takeIf(WORD_TAG) ? this.#readTag(isSend) : 0;
    const lane = scanner.takeIf(WORD_CPU) ? this.#readSmall('cpu') : 0;
    const nic = scanner.takeIf(WORD_NIC) ? this.#readSmall('nic') : 0;
    if (nic > 0) this.#leftOut.add('port-of-message', scanner.where(line), 1);
    this.#builder.addRow(isSend ? SEND : RECEIVE, size, peer, tag, lane, nic, line);
  }

  #readSize(): number {
    const scanner = this.#scanner;
    const size = scanner.takeNumber();
    if (Number.isNaN(size)) scanner.rejectToken('a size');
    const isZeroTaken = this.#options.zeroLengthMessages === 'one-byte';
    const min = isZeroTaken ? 0 : 1;
    if (!(size >= min && size <= Number.MAX_SAFE_INTEGER)) {
      const allowed = { min, max: Number.MAX_SAFE_INTEGER, multipleOf: 1, unit: 'bytes' };
      rejectWorkload('BAD_SIZE', { what: 'the size of a message', got: size, allowed, where: scanner.where() });
    }
    if (!scanner.takeIf(WORD_B)) scanner.rejectToken(['b']);
    return Math.max(1, size);
  }

  #readPeer(isSend: boolean): number {
    const scanner = this.#scanner;
    const peer = scanner.takeNumber();
    if (Number.isNaN(peer)) scanner.rejectToken('a rank');
    if (!isSend && peer === -1) return ANY;
    this.#requireRank(peer, `the rank ${isSend ? 'that is sent to' : 'that is received from'}`);
    if (peer === this.#rank && this.#options.selfMessages !== 'no-time') {
      rejectWorkload('SELF_MESSAGE', {
        what: `rank ${peer}`,
        problem: 'sends to itself, or receives from itself',
        where: scanner.where(),
      });
    }
    return peer;
  }

  #readTag(isSend: boolean): number {
    const scanner = this.#scanner;
    const tag = scanner.takeNumber();
    if (Number.isNaN(tag)) scanner.rejectToken('a tag');
    if (!isSend && tag === -1) return ANY;
    if (tag >= 0 && tag <= TAG_MAX) return tag;
    const allowed = { min: 0, max: TAG_MAX, multipleOf: 1 };
    return rejectWorkload('BAD_TAG', { what: 'the tag', got: tag, allowed, where: scanner.where() });
  }

  #readSmall(what: string): number {
    const scanner = this.#scanner;
    const number = scanner.takeNumber();
    if (Number.isNaN(number)) scanner.rejectToken('a number');
    if (number >= 0 && number <= LANE_MAX) return number;
    const allowed = { min: 0, max: LANE_MAX, multipleOf: 1 };
    return rejectWorkload('BAD_LANE', { what, got: number, allowed, where: scanner.where() });
  }

  #readCompute(line: number): void {
    const scanner = this.#scanner;
    const durationNs = scanner.takeNumber();
    if (Number.isNaN(durationNs)) scanner.rejectToken('a duration');
    if (!(durationNs >= 0 && durationNs <= CALC_MAX_NS)) {
      const allowed = { min: 0, max: CALC_MAX_NS, multipleOf: 1, unit: 'ns' };
      rejectWorkload('BAD_SIZE', { what: 'the duration', got: durationNs, allowed, where: scanner.where() });
    }
    const lane = scanner.takeIf(WORD_CPU) ? this.#readSmall('cpu') : 0;
    this.#builder.addRow(COMPUTE, durationNs * PS_PER_NS, 0, 0, lane, 0, line);
  }

  #endBlock(): void {
    const waiting = this.#waiting;
    for (let at = 0; at < waiting.length; at += 3) {
      this.#builder.depend(this.#resolve(waiting[at]), this.#resolve(waiting[at + 1]), waiting[at + 2] === 1);
    }
    this.#waiting = [];
    this.#labels.clear();
    this.#inBlock = false;
  }

  #resolve(label: number): number {
    const operation = this.#labels.operationOf(label);
    if (operation !== UNDEFINED) return operation;
    return rejectWorkload('UNKNOWN_LABEL', {
      what: `the label ${this.#labels.textOf(label).slice(0, 60)}`,
      problem: `names no operation of rank ${this.#rank}`,
      where: this.#scanner.where(this.#labels.lineOf(label)),
    });
  }
}
