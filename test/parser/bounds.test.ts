import { describe, expect, it } from 'vitest';
import { readCorpus } from './support/corpus.js';
import { wasmParser } from './support/parsers.js';
import { assemble, Chance } from './support/random-frames.js';
import { DOMAIN_RULES } from './support/rules.js';
import { LINK_ETHERNET } from '../../src/abi/codes.js';

const frames = readCorpus()
  .filter((_entry, i) => i % 4 === 0)
  .map(({ frame }) => frame);
const chance = new Chance(7);
for (let i = 0; i < 60; i++) {
  const data = assemble(chance);
  frames.push({ bytes: data, original: data.length, link: LINK_ETHERNET });
}

describe('the wasm parser', () => {
  it('does not read past the end of a frame, truncated at any length', () => {
    wasmParser.configure(DOMAIN_RULES);
    for (const { bytes: data, original, link } of frames) {
      for (let bytes = 0; bytes <= data.length; bytes++) {
        const start = data.subarray(0, bytes);
        for (const wire of [bytes, original]) {
          const atEnd = wasmParser.parseAtMemoryEnd(start, wire, link);
          expect(JSON.stringify(atEnd)).toBe(JSON.stringify(wasmParser.parse(start, wire, link)));
        }
      }
    }
  });

  it('returns the same record whatever bytes surround a frame', () => {
    wasmParser.configure(DOMAIN_RULES);
    for (const { bytes: data, original, link } of frames) {
      for (let bytes = 0; bytes <= data.length; bytes++) {
        const start = data.subarray(0, bytes);
        const results = [0x00, 0x11, 0x81, 0xff].map((poison) =>
          JSON.stringify(wasmParser.parseAmidst(poison, start, original, link))
        );
        expect(new Set(results).size, `truncated to ${bytes}`).toBe(1);
      }
    }
  });
});
