import { describe, expect, it } from 'vitest';
import { CLASS_COUNT, ICRC_NORMALISE, ICRC_OMIT, LINK_ETHERNET, LINK_RAW_IP } from '../../src/abi/codes.js';
import { parseFrame, type ParseRules } from '../../src/reference/parse-frame.js';
import { readCorpus } from './support/corpus.js';
import { wasmParser } from './support/parsers.js';
import { assemble, Chance, mutate } from './support/random-frames.js';
import { DOMAIN_RULES, SPLIT_TYPE_RULES, STRICT_RULES } from './support/rules.js';
import { hex } from './support/truth.js';
import { caseCount } from '../support/effort.js';

const RULES: [ParseRules, ...ParseRules[]] = [
  DOMAIN_RULES,
  STRICT_RULES,
  SPLIT_TYPE_RULES,
  { ...DOMAIN_RULES, icrcPolicy: ICRC_OMIT },
  { ...DOMAIN_RULES, icrcPolicy: ICRC_NORMALISE },
  { ...SPLIT_TYPE_RULES, checksIcrc: false },
];
const RANDOM_FRAMES = caseCount('ROCE_FUZZ', { few: 40_000, all: 1_000_000 });
const SEED = Number(process.env['ROCE_FUZZ_SEED'] ?? 20_250_701);
const FUZZ_TIMEOUT_MS = 600_000;

/** @returns the class of the frame on which both parsers agree; a failure prints the frame. */
function expectAgreement(data: Uint8Array, original: number, link: number, rules: ParseRules): number {
  const expected = parseFrame(data, original, link, rules);
  wasmParser.configure(rules);
  const got = wasmParser.parse(data, original, link);
  if (JSON.stringify(got) !== JSON.stringify(expected)) {
    const frame = `link ${link}, original ${original}, rules ${JSON.stringify(rules)}, bytes ${hex(data)}`;
    expect(got, frame).toEqual(expected);
  }
  return got.classCode;
}

const corpus = readCorpus();

describe('the wasm parser and the reference parser', () => {
  it('agree on every field of every corpus frame, under every set of rules', () => {
    for (const { frame } of corpus) {
      for (const rules of RULES) {
        for (const link of [LINK_ETHERNET, LINK_RAW_IP]) expectAgreement(frame.bytes, frame.original, link, rules);
      }
    }
  });

  it('agree on frames truncated at every length, on the wire and by the capture', () => {
    const kinds = new Map(
      corpus.map(({ row, frame }) => [`${row['capture']} ${row['class']} ${row['reason']}`, frame]),
    );
    const frames = [...kinds.values()].slice(0, 40).concat(corpus.slice(0, 60).map(({ frame }) => frame));
    for (const { bytes: data, link } of frames) {
      for (let bytes = 0; bytes <= data.length; bytes++) {
        const start = data.subarray(0, bytes);
        for (const original of [bytes, data.length, data.length - 1]) {
          expectAgreement(start, original, link, DOMAIN_RULES);
          expectAgreement(start, original, link, STRICT_RULES);
        }
      }
    }
  });

  it(`agree on ${RANDOM_FRAMES} random frames from seed ${SEED}`, () => {
    const chance = new Chance(SEED);
    const seen = new Array<number>(CLASS_COUNT).fill(0);
    for (let i = 0; i < RANDOM_FRAMES; i++) {
      const base = corpus[chance.below(corpus.length)]?.frame;
      const origin = chance.below(3);
      const made = origin === 0 || !base ? assemble(chance) : base.bytes;
      const data = origin === 0 && chance.below(3) > 0 ? made : mutate(chance, made);
      const original = data.length + (chance.below(6) === 0 ? chance.below(60) : 0);
      const link = chance.below(20) === 0 ? LINK_RAW_IP : origin === 0 ? LINK_ETHERNET : (base?.link ?? LINK_ETHERNET);
      const classCode = expectAgreement(data, original, link, chance.pick(RULES));
      seen[classCode] = (seen[classCode] ?? 0) + 1;
    }
    console.log(`seed ${SEED}: frames per class ${seen.join(' ')}`);
    expect(Math.min(...seen), 'a class that the random frames never reach').toBeGreaterThan(RANDOM_FRAMES / 1e4);
  }, FUZZ_TIMEOUT_MS);
});
