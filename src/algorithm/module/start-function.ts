/**
 * The one kind of start function that is accepted: wasm-ld generates it for zero-initialised static data of C and Rust
 * when bulk memory is enabled and memory is imported. It only runs `memory.fill` with zeros at constant addresses.
 */
import { ByteReader } from './byte-reader.js';
import type { FunctionBody } from './function-body.js';
import { END, I32_CONST, InstructionReader, MEMORY_FILL } from './instructions.js';
import type { ByteRange } from './types.js';

/** The ranges that a function sets to zero; undefined if it does anything else. */
export function readZeroing(bytes: Uint8Array, { codeAt, end }: FunctionBody): readonly ByteRange[] | undefined {
  const instruction = new InstructionReader(new ByteReader(bytes, 'code section', codeAt, end));
  const zeroed: ByteRange[] = [];
  while (instruction.next().code !== END) {
    const operands: number[] = [];
    for (; instruction.code === I32_CONST; instruction.next()) operands.push(instruction.operand >>> 0);
    const [address, value, lenBytes] = operands;
    if (instruction.code !== MEMORY_FILL || operands.length !== 3 || value !== 0) return undefined;
    zeroed.push({ address, lenBytes });
  }
  return zeroed;
}
