/** The parsers under one interface, so that the same tests run on each. */
import { parseFrame, type ParsedFrame, type ParseRules } from '../../../src/reference/parse-frame.js';
import { WasmParser } from './wasm-parser.js';

export type Parse = (bytes: Uint8Array, original: number, link: number, rules: ParseRules) => ParsedFrame;

export const wasmParser = await WasmParser.create();

export const parsers: Readonly<Record<'dissector' | 'wasm', Parse>> = {
  dissector: parseFrame,
  wasm: (bytes, original, link, rules) => {
    wasmParser.configure(rules);
    return wasmParser.parse(bytes, original, link);
  },
};
