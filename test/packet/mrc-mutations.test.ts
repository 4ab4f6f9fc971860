import { readFileSync } from 'node:fs';
import { describe as suite, expect, it } from 'vitest';
import { readCapture } from '../../src/capture/index.js';
import { build, createDissector, describe, describeTree, layersFromJson,
  packetToJson } from '../../src/packet/index.js';
import { Chance, mutate } from '../parser/support/random-frames.js';
import { caseCount } from '../support/effort.js';

const FRAMES = caseCount('ROCE_FUZZ', { few: 3000, all: 100_000 });
const SEED = Number(process.env['ROCE_FUZZ_SEED'] ?? 20_260_321);
/** One in this many frames also runs through the slow functions. */
const SLOW_EVERY = 10;

const frames: Uint8Array[] = [];
const capture = readFileSync(new URL('../captures/mrc/mrc.pcap', import.meta.url));
for await (const frame of readCapture(new Uint8Array(capture))) frames.push(frame.bytes);

suite('mutated MRC frames', () => {
  it(`have layers that cover and rebuild them: ${FRAMES} from seed ${SEED}`, () => {
    const chance = new Chance(SEED);
    const read = createDissector();
    let [mrc, malformed, trimmed] = [0, 0, 0];
    for (let i = 0; i < FRAMES; i++) {
      const bytes = mutate(chance, frames[chance.below(frames.length)]!);
      const original = bytes.length + (chance.below(6) === 0 ? chance.below(600) : 0);
      const packet = read(bytes, original);
      let at = 0;
      for (const { offset, lenBytes } of packet.layers) {
        if (offset !== at || lenBytes <= 0) expect.fail(`a gap at ${at}: ${Buffer.from(bytes).toString('hex')}`);
        at += lenBytes;
      }
      expect(at).toBe(bytes.length);
      mrc += Number(packet.mrc !== undefined);
      trimmed += Number(packet.mrc?.isTrimmed === true);
      malformed += Number((packet.mrc?.problems.length ?? 0) > 0);
      if (i % SLOW_EVERY > 0) continue;
      if (!Buffer.from(build(packet.layers)).equals(bytes)) expect.fail(Buffer.from(bytes).toString('hex'));
      expect(describe(packet)).not.toBe('');
      expect(describeTree(packet)).toContain('Frame: ');
      const json = JSON.parse(JSON.stringify(packetToJson(packet))) as { layers: unknown };
      expect(Buffer.from(build(layersFromJson(json.layers))).equals(bytes)).toBe(true);
    }
    expect(mrc).toBeGreaterThan(FRAMES / 4);
    expect(trimmed).toBeGreaterThan(FRAMES / 100);
    expect(malformed).toBeGreaterThan(FRAMES / 100);
  }, 600_000);
});
