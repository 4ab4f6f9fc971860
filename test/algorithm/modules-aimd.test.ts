/** AIMD as a module in C and in Rust: it behaves as its header comment states, and imports only the memory. */
import { describe, expect, it } from 'vitest';
import { type Ack, isNewer } from '../../src/reference/algorithms/ack.js';
import { describeNeeding } from '../support/foreign-tools.js';
import { Stream } from '../algorithms/support/streams.js';
import { Seeded } from '../support/seeded.js';
import { compileModule, MISSING } from './support/build-module.js';
import { declarationIn, declarationOf } from './support/declarations.js';
import { ModuleQp } from './support/module-qp.js';

const LINE_RATE_BPS = 100e9;
const MIN_RATE_BPS = 10e6;
const FACTOR = 0.5;
const STEP_BPS = 1e9;
const EVENTS = 2000;

/** The algorithm as the header comment of the module describes it. */
class Aimd {
  rateBps = LINE_RATE_BPS;
  #cutUntilSeq: number | undefined;

  onAck({ ackSeq, sndNxt, ecnEcho }: Ack, sequence: 'psn24' | 'u32'): 'used' | 'not-used' {
    if (this.#cutUntilSeq !== undefined && isNewer(sequence, ackSeq, this.#cutUntilSeq)) this.#cutUntilSeq = undefined;
    if (!ecnEcho) {
      this.rateBps = Math.min(LINE_RATE_BPS, this.rateBps + STEP_BPS);
      return 'used';
    }
    if (this.#cutUntilSeq !== undefined) return 'not-used';
    this.rateBps = Math.max(MIN_RATE_BPS, this.rateBps * FACTOR);
    this.#cutUntilSeq = sndNxt;
    return 'used';
  }
}

for (const language of ['c', 'rust'] as const) {
  describeNeeding(MISSING[language], `AIMD in ${language}`, () => {
    it.each(['psn24', 'u32'] as const)('cuts the rate once per round trip and adds per ACK, with sequence numbers %s',
      async (sequence) => {
        const module = await compileModule(language, 'aimd');
        for (let seed = 1; seed <= 5; seed += 1) {
          const stream = new Stream(new Seeded(seed));
          const model = new Aimd();
          const parameters = [MIN_RATE_BPS, FACTOR, STEP_BPS];
          const frame = { sendGap: 'picoseconds', timers: 'before-event', pacing: 'next-packet' } as const;
          const qp = new ModuleQp(module, { ...frame, parameters, sequence, lineRateBps: LINE_RATE_BPS });
          for (let i = 0; i < EVENTS; i += 1) {
            const ack = stream.nextAck();
            if (ack.timePs < qp.lastEventPs) continue;
            expect([qp.onAck(ack), qp.rateBps]).toStrictEqual([model.onAck(ack, sequence), model.rateBps]);
          }
        }
      });

    it('declares its parameters in its custom section, and imports only the memory', async () => {
      const module = await compileModule(language, 'aimd');
      expect(declarationIn(module)).toMatchObject({
        name: `aimd-${language}`,
        parameters: { minRateBps: { default: MIN_RATE_BPS }, decreaseFactor: { default: FACTOR }, aiRateBps: {} },
        state: { isCut: 0, cutUntilSeq: 0 },
      });
      expect(WebAssembly.Module.imports(module)).toStrictEqual([{ module: 'env', name: 'memory', kind: 'memory' }]);
    });
  });
}

describeNeeding(MISSING.c, 'modules in C with a declaration file', () => {
  it.each(['dcqcn', 'hpcc'])('%s has the declaration in its custom section', async (name) => {
    const module = await compileModule('c', name);
    expect(declarationIn(module)).toStrictEqual(declarationOf(name));
  });
});

describe('declarations', () => {
  it.each(['dcqcn', 'hpcc'])('%s has parameters and state that fit the records', (name) => {
    const { parameters, state } = declarationOf(name);
    expect(Object.keys(parameters).length).toBeLessThanOrEqual(34);
    expect(Object.values(state).flat().length).toBeLessThanOrEqual(128);
  });
});
