/** Descriptions of packets: `dissect` of good frames, changed, and built again. */
import { parseDescription } from '../../src/cli/craft/description.js';
import { build, completeStack, dissect, packetToJson } from '../../src/packet/index.js';
import { readCorpus } from '../../test/parser/support/corpus.js';
import { makeFuzzer } from './fuzzer.js';
import { mutateJson, mutateText } from './mutate.js';
import type { Random } from './random.js';

const bases = readCorpus().map(({ frame }) =>
  JSON.parse(JSON.stringify(packetToJson(dissect(frame.bytes)))) as unknown
);

function make(random: Random): string {
  const text = JSON.stringify(mutateJson(random, random.of(bases)));
  return random.oneIn(10) ? mutateText(random, text) : text;
}

function check(text: string): void {
  for (const { layers } of parseDescription(text, 'fuzz.json')) build(completeStack(layers), { icrcPolicy: 'literal' });
}

export const craft = makeFuzzer('craft', make, check);
