/**
 * Inserts the counting code. At the entry of a function and of each iteration of a loop:
 *
 *     fuel -= units;  if (fuel < 0) { fuel = -1; trap }
 *
 * at instructions that fill or copy memory, fuel -= bytes / 64; where C's stack pointer is set
 *
 *     if (pointer < stack.end) { fuel = -3; trap }
 *
 * and in functions that may be recursive
 *
 *     depth -= 1;  if (depth < 0) { fuel = -2; trap }  { … the function, where return leaves this block … }  depth += 1
 *
 * Indices of functions, globals and locals do not change: new ones are appended.
 */
import { BULK_BYTES_SHIFT, FUEL_EXHAUSTED, FUEL_STACK_OVERFLOW, FUEL_TOO_DEEP } from './abi.js';
import { NO_RESULT, valueTypeByte } from './binary-format.js';
import { ByteWriter } from './byte-stream.js';
import type { FunctionBody, MeteringPoint } from './function-body.js';
import * as op from './instructions.js';

/** Counters shared by all functions of a module. */
export interface Counters {
  /** Index of the global with the remaining budget. */
  readonly fuel: number;
  /** Index of the global with the remaining call depth. */
  readonly depth: number;
  readonly stack: ShadowStack | undefined;
}

/** The stack in linear memory that C and Rust use. */
export interface ShadowStack {
  /** Index of the global that is the stack pointer. */
  readonly pointer: number;
  /** Initial value of the stack pointer. */
  readonly top: number;
  /** Lowest address that the stack may reach. */
  readonly end: number;
}

/** How one function is metered. */
export interface BodyPlan {
  readonly bytes: Uint8Array;
  readonly body: FunctionBody;
  readonly counters: Counters;
  /**
   * For a function that may be recursive: writes the type of a block with its results. Else its depth is not counted.
   */
  readonly block: ((to: ByteWriter) => void) | undefined;
}

/** The function with its locals and metered code, without its length. */
export function meterBody(plan: BodyPlan): Uint8Array {
  const { bytes, body, counters, block } = plan;
  const to = new ByteWriter();
  to.u32(body.localGroups + 1).raw(bytes.subarray(body.localsAt, body.codeAt));
  to.u32(1).byte(valueTypeByte('i32'));
  const scratch = body.localCount;
  charge(to, counters.fuel, scratch, body.units);
  if (block !== undefined) openDepth(to, counters, scratch, block);
  writeCode(to, plan);
  if (block !== undefined) closeDepth(to, counters);
  return to.done();
}

/** Copies the code between metering points, and inserts counting code at each point. */
function writeCode(to: ByteWriter, plan: BodyPlan): void {
  const { bytes, body } = plan;
  let from = body.codeAt;
  for (const point of body.points) {
    to.raw(bytes.subarray(from, point.at));
    from = point.at + writePoint(to, plan, point);
  }
  to.raw(bytes.subarray(from, body.end));
}

/** @returns the number of original bytes that the inserted code replaces */
function writePoint(to: ByteWriter, { body: { localCount: scratch }, counters, block }: BodyPlan,
  point: MeteringPoint): number {
  switch (point.kind) {
    case 'loop':
      charge(to, counters.fuel, scratch, point.units);
      return 0;
    case 'bulk':
      chargeBytes(to, counters.fuel, scratch);
      return 0;
    case 'return':
      if (block === undefined) return 0;
      to.byte(op.BRANCH).u32(point.depth);
      return 1;
    case 'global':
      if (point.index === counters.stack?.pointer) checkStack(to, counters.fuel, scratch, counters.stack.end);
      return 0;
  }
}

function charge(to: ByteWriter, fuel: number, scratch: number, units: number): void {
  to.byte(op.GLOBAL_GET).u32(fuel).byte(op.I32_CONST).s32(units).byte(op.I32_SUB);
  keep(to, fuel, scratch);
  trapBelowZero(to, fuel, FUEL_EXHAUSTED);
}

/** Expects the number of bytes on top of the stack, and leaves it there. */
function chargeBytes(to: ByteWriter, fuel: number, scratch: number): void {
  to.byte(op.LOCAL_TEE).u32(scratch);
  to.byte(op.GLOBAL_GET).u32(fuel);
  to.byte(op.LOCAL_GET).u32(scratch).byte(op.I32_CONST).s32(BULK_BYTES_SHIFT).byte(op.I32_SHR_U);
  to.byte(op.I32_SUB);
  keep(to, fuel, scratch);
  trapBelowZero(to, fuel, FUEL_EXHAUSTED);
}

/** Expects the new pointer on top of the stack, and leaves it there. */
function checkStack(to: ByteWriter, fuel: number, scratch: number, end: number): void {
  to.byte(op.LOCAL_TEE).u32(scratch).byte(op.LOCAL_GET).u32(scratch).byte(op.I32_CONST).s32(end | 0);
  trapIf(to, op.I32_LT_U, fuel, FUEL_STACK_OVERFLOW);
}

function openDepth(to: ByteWriter, { fuel, depth }: Counters, scratch: number, block: (to: ByteWriter) => void): void {
  to.byte(op.GLOBAL_GET).u32(depth).byte(op.I32_CONST).s32(1).byte(op.I32_SUB);
  keep(to, depth, scratch);
  trapBelowZero(to, fuel, FUEL_TOO_DEEP);
  to.byte(op.BLOCK);
  block(to);
}

/** Called after the function's last `end`, which closed the block. */
function closeDepth(to: ByteWriter, { depth }: Counters): void {
  to.byte(op.GLOBAL_GET).u32(depth).byte(op.I32_CONST).s32(1).byte(op.I32_ADD).byte(op.GLOBAL_SET).u32(depth);
  to.byte(op.END);
}

/** Stores the new value of a counter, and leaves it on the stack. */
function keep(to: ByteWriter, counter: number, scratch: number): void {
  to.byte(op.LOCAL_TEE).u32(scratch).byte(op.GLOBAL_SET).u32(counter).byte(op.LOCAL_GET).u32(scratch);
}

function trapBelowZero(to: ByteWriter, fuel: number, reason: number): void {
  to.byte(op.I32_CONST).s32(0);
  trapIf(to, op.I32_LT_S, fuel, reason);
}

function trapIf(to: ByteWriter, comparison: number, fuel: number, reason: number): void {
  to.byte(comparison, op.IF, NO_RESULT);
  to.byte(op.I32_CONST).s32(reason).byte(op.GLOBAL_SET).u32(fuel).byte(op.UNREACHABLE);
  to.byte(op.END);
}

/** What a wrapper does before it calls a function with the same arguments. */
export interface WrapperPlan {
  readonly counters: Counters;
  readonly budget: number;
  readonly depth: number;
  readonly callee: number;
  readonly parameterCount: number;
}

/**
 * A function that resets the counters and the stack pointer, which a trap leaves as they were, and calls another
 * function.
 */
export function wrapperBody({ counters, budget, depth, callee, parameterCount }: WrapperPlan): Uint8Array {
  const to = new ByteWriter().u32(0);
  to.byte(op.I32_CONST).s32(budget).byte(op.GLOBAL_SET).u32(counters.fuel);
  to.byte(op.I32_CONST).s32(depth).byte(op.GLOBAL_SET).u32(counters.depth);
  const { stack } = counters;
  if (stack !== undefined) to.byte(op.I32_CONST).s32(stack.top | 0).byte(op.GLOBAL_SET).u32(stack.pointer);
  for (let index = 0; index < parameterCount; index++) to.byte(op.LOCAL_GET).u32(index);
  return to.byte(op.CALL).u32(callee).byte(op.END).done();
}
