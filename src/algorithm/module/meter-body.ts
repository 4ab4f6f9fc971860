/**
 * Code that counts. At the entry of a function and of each iteration of a loop:
 *
 *     fuel -= units;  if (fuel < 0) { fuel = -1; trap }
 *
 * at instructions that fill or copy memory, fuel -= bytes / 64; where the stack pointer of C is set
 *
 *     if (pointer < stack.end) { fuel = -3; trap }
 *
 * and in functions that may call themselves
 *
 *     depth -= 1;  if (depth < 0) { fuel = -2; trap }  { … the function, where return leaves this block … }  depth += 1
 *
 * Indices of functions, globals and locals stay as they are: what is new is behind them.
 */
import { BULK_BYTES_SHIFT, FUEL_EXHAUSTED, FUEL_STACK_OVERFLOW, FUEL_TOO_DEEP } from './abi.js';
import { NO_RESULT, valueTypeByte } from './binary-format.js';
import { ByteWriter } from './byte-writer.js';
import type { FunctionBody, MeteringPoint } from './function-body.js';
import * as op from './instructions.js';

/** What the code of all functions of a module counts in. */
export interface Counters {
  /** Index of the global. */
  readonly fuel: number;
  /** Index of the global. */
  readonly depth: number;
  readonly stack: ShadowStack | undefined;
}

/** The stack that C and Rust keep in linear memory. */
export interface ShadowStack {
  /** Index of the global. */
  readonly pointer: number;
  /** Its first value. */
  readonly top: number;
  /** Lowest address that it may reach. */
  readonly end: number;
}

/** How one function is metered. */
export interface BodyPlan {
  readonly bytes: Uint8Array;
  readonly body: FunctionBody;
  readonly counters: Counters;
  /** Where the function may call itself: how a block with its results is written. Else its depth is not counted. */
  readonly block: ((to: ByteWriter) => void) | undefined;
}

/** The function with its locals and code, without its length. */
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

/** The code between its points as it is, and what is counted at each of them. */
function writeCode(to: ByteWriter, plan: BodyPlan): void {
  const { bytes, body } = plan;
  let from = body.codeAt;
  for (const point of body.points) {
    to.raw(bytes.subarray(from, point.at));
    from = point.at + writePoint(to, plan, point);
  }
  to.raw(bytes.subarray(from, body.end));
}

/** @returns the bytes of the module that what was written replaces */
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

/** The number of bytes is on top of the stack, and stays there. */
function chargeBytes(to: ByteWriter, fuel: number, scratch: number): void {
  to.byte(op.LOCAL_TEE).u32(scratch);
  to.byte(op.GLOBAL_GET).u32(fuel);
  to.byte(op.LOCAL_GET).u32(scratch).byte(op.I32_CONST).s32(BULK_BYTES_SHIFT).byte(op.I32_SHR_U);
  to.byte(op.I32_SUB);
  keep(to, fuel, scratch);
  trapBelowZero(to, fuel, FUEL_EXHAUSTED);
}

/** The new pointer is on top of the stack, and stays there. */
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

/** The last `end` of the function closed the block. */
function closeDepth(to: ByteWriter, { depth }: Counters): void {
  to.byte(op.GLOBAL_GET).u32(depth).byte(op.I32_CONST).s32(1).byte(op.I32_ADD).byte(op.GLOBAL_SET).u32(depth);
  to.byte(op.END);
}

/** The new value of a counter, which stays on the stack. */
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

/** What a wrapper does before it calls a function with the arguments that it got. */
export interface WrapperPlan {
  readonly counters: Counters;
  readonly budget: number;
  readonly depth: number;
  readonly callee: number;
  readonly parameterCount: number;
}

/** A function that fills the counters, empties the stack, which a trap leaves as it is, and calls another function. */
export function wrapperBody({ counters, budget, depth, callee, parameterCount }: WrapperPlan): Uint8Array {
  const to = new ByteWriter().u32(0);
  to.byte(op.I32_CONST).s32(budget).byte(op.GLOBAL_SET).u32(counters.fuel);
  to.byte(op.I32_CONST).s32(depth).byte(op.GLOBAL_SET).u32(counters.depth);
  const { stack } = counters;
  if (stack !== undefined) to.byte(op.I32_CONST).s32(stack.top | 0).byte(op.GLOBAL_SET).u32(stack.pointer);
  for (let index = 0; index < parameterCount; index++) to.byte(op.LOCAL_GET).u32(index);
  return to.byte(op.CALL).u32(callee).byte(op.END).done();
}
