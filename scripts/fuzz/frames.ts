/** Frames: the parser of the engine and the readable one say the same of every frame, under every rule. */
import { isDeepStrictEqual } from 'node:util';
import { LINK_ETHERNET, LINK_RAW_IP } from '../../src/abi/codes.js';
import { dissect, packetToJson } from '../../src/packet/index.js';
import { readCorpus } from '../../test/parser/support/corpus.js';
import { parsers } from '../../test/parser/support/parsers.js';
import { assemble, mutate } from '../../test/parser/support/random-frames.js';
import { DOMAIN_RULES, SPLIT_TYPE_RULES, STRICT_RULES } from '../../test/parser/support/rules.js';
import { makeFuzzer } from './fuzzer.js';
import type { Random } from './random.js';

const RULES = [DOMAIN_RULES, STRICT_RULES, SPLIT_TYPE_RULES];
const LINK_TYPES = [1, 101, 113, 228, 229, 276];
const corpus = readCorpus();

interface FrameInput {
  readonly hex: string;
  readonly original: number;
  readonly link: number;
  readonly rules: number;
}

function make(random: Random): FrameInput {
  const base = random.of(corpus).frame;
  const frame = random.oneIn(3) ? assemble(random) : mutate(random, base.bytes);
  return {
    hex: Buffer.from(frame).toString('hex'),
    original: frame.length + (random.oneIn(6) ? random.below(60) : 0),
    link: random.oneIn(10) ? LINK_RAW_IP : random.oneIn(2) ? LINK_ETHERNET : base.link,
    rules: random.below(RULES.length),
  };
}

function check({ hex, original, link, rules }: FrameInput): void {
  const bytes = Uint8Array.from(Buffer.from(hex, 'hex'));
  const expected = parsers.dissector(bytes, original, link, RULES[rules]);
  const got = parsers.wasm(bytes, original, link, RULES[rules]);
  if (!isDeepStrictEqual({ ...got }, { ...expected })) {
    throw new Error(`parsers differ: ${JSON.stringify(got)} and ${JSON.stringify(expected)}`);
  }
  for (const linkType of LINK_TYPES) {
    const packet = dissect(bytes, { linkType, originalBytes: original });
    const covered = packet.layers.reduce((sum, { lenBytes }) => sum + lenBytes, 0);
    if (covered !== bytes.length) throw new Error(`layers of ${covered} bytes in a frame of ${bytes.length}`);
    JSON.stringify(packetToJson(packet));
  }
}

export const frames = makeFuzzer('frames', make, check);
