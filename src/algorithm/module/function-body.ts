/** One pass over the code of a function: finds loops, calls, returns and memory fills, and counts instructions. */
import { readValueType } from './binary-format.js';
import type { ByteReader } from './byte-stream.js';
import * as op from './instructions.js';
import { InstructionReader } from './instructions.js';
import { INSTRUCTIONS_PER_UNIT, LOCALS_MAX } from './abi.js';

/** A place where metering changes the code; offsets are relative to the start of the module. */
export type MeteringPoint = LoopPoint | ReturnPoint | BulkPoint | GlobalPoint;

/** A loop: each iteration passes `at`, the first instruction of its body. */
interface LoopPoint {
  readonly kind: 'loop';
  readonly at: number;
  /** Cost of an iteration. */
  units: number;
}

/** A `return` instruction, one byte. */
interface ReturnPoint {
  readonly kind: 'return';
  readonly at: number;
  /** Number of enclosing blocks. */
  readonly depth: number;
}

/** An instruction whose top operand is a number of bytes. */
interface BulkPoint {
  readonly kind: 'bulk';
  readonly at: number;
}

/** A `global.set` instruction, which may move the stack pointer. */
interface GlobalPoint {
  readonly kind: 'global';
  readonly at: number;
  readonly index: number;
}

/** A function that the module defines. */
export interface FunctionBody {
  /** Number of parameters and locals. */
  readonly localCount: number;
  readonly localGroups: number;
  /** Offsets of the locals, of the instructions, and of the final `end`. */
  readonly localsAt: number;
  readonly codeAt: number;
  readonly end: number;
  /** Cost of a call. */
  readonly units: number;
  readonly points: readonly MeteringPoint[];
  /** Indices of the functions it calls, one entry per call. */
  readonly callees: readonly number[];
  readonly callsTable: boolean;
  readonly growsMemory: boolean;
  /** Global that the function subtracts from as C does at the start of a function: the stack pointer. */
  readonly stackPointer: number | undefined;
}

/** @param reader of the body, after its length */
export function readFunctionBody(reader: ByteReader, parameterCount: number): FunctionBody {
  const locals = readLocals(reader, parameterCount);
  const pass = new CodePass(reader);
  pass.run();
  reader.requireEnd();
  const { points, callees, callsTable, growsMemory, stackPointer } = pass;
  const units = unitsOf(pass.instructions + locals.localCount);
  return { ...locals, end: reader.end, units, points, callees, callsTable, growsMemory, stackPointer };
}

function readLocals(reader: ByteReader,
  parameterCount: number): Pick<FunctionBody, 'localCount' | 'localGroups' | 'localsAt' | 'codeAt'> {
  const localGroups = reader.count(2);
  const localsAt = reader.at;
  let localCount = parameterCount;
  for (let left = localGroups; left > 0; left--) {
    localCount += reader.u32();
    readValueType(reader);
  }
  if (localCount > LOCALS_MAX) {
    const allowed = { min: 0, max: LOCALS_MAX };
    throw reader.fault({ what: 'number of parameters and locals', got: localCount, allowed }, localsAt);
  }
  return { localCount, localGroups, localsAt, codeAt: reader.at };
}

function unitsOf(instructions: number): number {
  return Math.max(1, Math.ceil(instructions / INSTRUCTIONS_PER_UNIT));
}

/** A block, loop or if, or the function itself. */
interface OpenBlock {
  readonly loop: LoopPoint | undefined;
  /** Number of instructions before it. */
  readonly before: number;
}

class CodePass {
  readonly points: MeteringPoint[] = [];
  readonly callees: number[] = [];
  callsTable = false;
  growsMemory = false;
  stackPointer: number | undefined;
  instructions = 0;
  readonly #open: OpenBlock[] = [{ loop: undefined, before: 0 }];
  readonly #instruction: InstructionReader;
  readonly #prologue = new PrologueMatch();

  constructor(reader: ByteReader) {
    this.#instruction = new InstructionReader(reader);
  }

  /** Reads up to the `end` that closes the function. */
  run(): void {
    while (this.#open.length > 0) {
      this.#take(this.#instruction.next());
      this.instructions++;
    }
    this.stackPointer = this.#prologue.global;
  }

  #take(instruction: InstructionReader): void {
    this.#prologue.take(instruction);
    const { code, operand, start } = instruction;
    switch (code) {
      case op.BLOCK:
      case op.IF:
        this.#open.push({ loop: undefined, before: 0 });
        return;
      case op.LOOP:
        this.#openLoop(instruction.reader.at);
        return;
      case op.END:
        this.#close();
        return;
      case op.RETURN:
        this.points.push({ kind: 'return', at: start, depth: this.#open.length - 1 });
        return;
      case op.GLOBAL_SET:
        this.points.push({ kind: 'global', at: start, index: operand });
        return;
      case op.CALL:
        this.callees.push(operand);
        return;
      case op.CALL_INDIRECT:
        this.callsTable = true;
        return;
      case op.MEMORY_GROW:
        this.growsMemory = true;
        return;
      case op.MEMORY_INIT:
      case op.MEMORY_COPY:
      case op.MEMORY_FILL:
        this.points.push({ kind: 'bulk', at: start });
    }
  }

  #openLoop(at: number): void {
    const loop: LoopPoint = { kind: 'loop', at, units: 1 };
    this.points.push(loop);
    this.#open.push({ loop, before: this.instructions });
  }

  #close(): void {
    const closed = this.#open.pop();
    if (closed?.loop !== undefined) closed.loop.units = unitsOf(this.instructions - closed.before);
  }
}

/**
 * Matches the allocation of a stack frame: `global.get g; i32.const n; i32.sub; local.tee` (or `local.set`), n > 0 a
 * multiple of 16.
 */
class PrologueMatch {
  global: number | undefined;
  #candidate = 0;
  #matched = 0;

  take({ code, operand }: InstructionReader): void {
    if (this.global !== undefined) return;
    if (code === op.GLOBAL_GET) {
      this.#candidate = operand;
      this.#matched = 1;
    } else if (this.#matched === 1 && code === op.I32_CONST && operand > 0 && operand % 16 === 0) this.#matched = 2;
    else if (this.#matched === 2 && code === op.I32_SUB) this.#matched = 3;
    else if (this.#matched === 3 && (code === op.LOCAL_TEE || code === op.LOCAL_SET)) this.global = this.#candidate;
    else this.#matched = 0;
  }
}
