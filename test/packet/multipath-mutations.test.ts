import { readFileSync } from 'node:fs';
import { describe as suite, expect, it } from 'vitest';
import { readCapture } from '../../src/capture/index.js';
import { build, createDissector, describe, describeTree, layersFromJson, packetToJson,
  type Packet } from '../../src/packet/index.js';
import { Chance, mutate } from '../parser/support/random-frames.js';
import { caseCount } from '../support/effort.js';

const FRAMES = caseCount('ROCE_FUZZ', { few: 3000, all: 100_000 });
const SEED = Number(process.env['ROCE_FUZZ_SEED'] ?? 20_260_321);

/** A million frames take several minutes. */
const MAX_MS = 3_600_000;

async function framesOf(name: 'mrc' | 'uet'): Promise<Uint8Array[]> {
  const capture = readFileSync(new URL(`../captures/${name}/${name}.pcap`, import.meta.url));
  const frames: Uint8Array[] = [];
  for await (const frame of readCapture(new Uint8Array(capture))) frames.push(frame.bytes);
  return frames;
}

/** The first property that a frame and its dissection violate; undefined if none. */
function faultOf(bytes: Uint8Array, packet: Packet): string | undefined {
  let at = 0;
  for (const { offset, lenBytes } of packet.layers) {
    if (offset !== at || lenBytes <= 0) return `a gap at ${at}`;
    at += lenBytes;
  }
  if (at !== bytes.length) return `layers end at ${at}`;
  if (!Buffer.from(build(packet.layers)).equals(bytes)) return 'built otherwise';
  if (describe(packet) === '') return 'no description';
  if (!describeTree(packet).includes('Frame: ')) return 'no tree';
  const json = JSON.parse(JSON.stringify(packetToJson(packet))) as { layers: unknown };
  return Buffer.from(build(layersFromJson(json.layers))).equals(bytes) ? undefined : 'built otherwise from JSON';
}

/** Dissects mutated frames, each of which must have layers, text and JSON. @returns numbers of frames by `counts`. */
function mutated<Name extends string>(frames: readonly Uint8Array[],
  counts: Readonly<Record<Name, (packet: Packet) => boolean>>): Record<Name, number> {
  const chance = new Chance(SEED);
  const read = createDissector();
  const found = Object.fromEntries(Object.keys(counts).map((name) => [name, 0])) as Record<Name, number>;
  for (let i = 0; i < FRAMES; i++) {
    const bytes = mutate(chance, frames[chance.below(frames.length)]!);
    const original = bytes.length + (chance.below(6) === 0 ? chance.below(600) : 0);
    const packet = read(bytes, original);
    const fault = faultOf(bytes, packet);
    if (fault !== undefined)
      expect.fail(`${fault}: ${Buffer.from(bytes).toString('hex')}, ${original} bytes on the wire`);
    for (const name of Object.keys(counts) as Name[]) found[name] += Number(counts[name](packet));
  }
  return found;
}

suite(`mutated frames have layers that cover and rebuild them, words and JSON: ${FRAMES} from seed ${SEED}`, () => {
  it('of MRC', async () => {
    const { mrc, malformed, trimmed } = mutated(await framesOf('mrc'), {
      mrc: (packet) => packet.mrc !== undefined,
      trimmed: (packet) => packet.mrc?.isTrimmed === true,
      malformed: (packet) => (packet.mrc?.problems.length ?? 0) > 0,
    });
    expect(mrc).toBeGreaterThan(FRAMES / 4);
    expect(trimmed).toBeGreaterThan(FRAMES / 100);
    expect(malformed).toBeGreaterThan(FRAMES / 100);
  }, MAX_MS);

  it('of Ultra Ethernet', async () => {
    const { uet, incomplete } = mutated(await framesOf('uet'), {
      uet: (packet) => packet.uet !== undefined,
      incomplete: (packet) => packet.uet !== undefined && packet.trouble !== undefined,
    });
    expect(uet).toBeGreaterThan(FRAMES / 4);
    expect(incomplete).toBeGreaterThan(FRAMES / 100);
  }, MAX_MS);
});
