import { describe as suite, expect, it } from 'vitest';
import { LINK_RAW_IP } from '../../src/abi/codes.js';
import { LINK_TYPE_ETHERNET, LINK_TYPE_LINUX_SLL, LINK_TYPE_LINUX_SLL2,
  LINK_TYPE_RAW } from '../../src/capture/link-types.js';
import { Dissection, build, createDissector, describe, describeTree, dissectInto, dissectionRules, layersFromJson,
  packetToJson, type Packet } from '../../src/packet/index.js';
import { readCorpus } from '../parser/support/corpus.js';
import { Chance, assemble, mutate } from '../parser/support/random-frames.js';
import { caseCount } from '../support/effort.js';

const FRAMES = caseCount('ROCE_FUZZ', { few: 10_000, all: 1_000_000 });
const SEED = Number(process.env['ROCE_FUZZ_SEED'] ?? 20_261_121);
/** One in this many frames is also passed to the slow functions. */
const SLOW_EVERY = 20;
/** Cooked headers for frames whose Ethernet header is removed: arbitrary addresses, EtherType last or first. */
const SLL = Uint8Array.from([0, 0, 0, 1, 0, 6, 2, 0, 0, 0, 0, 1, 0, 0]);
const SLL2_TAIL = Uint8Array.from([0, 0, 0, 0, 0, 3, 0, 1, 4, 6, 2, 0, 0, 0, 0, 2, 0, 0]);
const OPTIONS = { arnPort: 4790 };

interface Frame {
  readonly linkType: number;
  readonly bytes: Uint8Array;
  readonly original: number;
}

const corpus = readCorpus();
const dissectors = new Map(
  [LINK_TYPE_ETHERNET, LINK_TYPE_RAW, LINK_TYPE_LINUX_SLL, LINK_TYPE_LINUX_SLL2].map((linkType) => [
    linkType,
    createDissector({ linkType, ...OPTIONS }),
  ]),
);

function randomFrame(chance: Chance): Frame {
  const base = corpus[chance.below(corpus.length)]!.frame;
  const made = chance.below(3) === 0 ? assemble(chance) : base.bytes;
  const isRaw = made === base.bytes && base.link === LINK_RAW_IP;
  const bytes = chance.below(4) === 0 ? made : mutate(chance, made);
  const original = bytes.length + (chance.below(6) === 0 ? chance.below(60) : 0);
  if (isRaw) return { linkType: LINK_TYPE_RAW, bytes, original };
  const cooked = chance.below(10);
  if (cooked > 1 || bytes.length < 14) return { linkType: LINK_TYPE_ETHERNET, bytes, original };
  const head = cooked === 0 ? [...SLL, ...bytes.subarray(12, 14)] : [...bytes.subarray(12, 14), ...SLL2_TAIL];
  const linkType = cooked === 0 ? LINK_TYPE_LINUX_SLL : LINK_TYPE_LINUX_SLL2;
  return { linkType, bytes: Uint8Array.from([...head, ...bytes.subarray(14)]), original: original + head.length - 14 };
}

function dissected({ linkType, bytes, original }: Frame): Packet {
  return dissectors.get(linkType)!(bytes, original);
}

/** Layers are contiguous and cover every captured byte. */
function coversAll({ layers }: Packet, { bytes }: Frame): boolean {
  let at = 0;
  for (const { offset, lenBytes } of layers) {
    if (offset !== at || lenBytes <= 0) return false;
    at += lenBytes;
  }
  return at === bytes.length;
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}

/** Compares before `expect`, which for 10^5 frames would take longer than the code under test. */
function expectBytes(got: Uint8Array, { bytes, linkType }: Frame, what: string): void {
  if (Buffer.compare(got, bytes) !== 0) expect(hex(got), `${what}, link type ${linkType}`).toBe(hex(bytes));
}

suite('any bytes', () => {
  it(`have layers that cover and rebuild them: ${FRAMES} mutated frames from seed ${SEED}`, () => {
    const chance = new Chance(SEED);
    let troubled = 0;
    for (let i = 0; i < FRAMES; i++) {
      const frame = randomFrame(chance);
      const packet = dissected(frame);
      if (packet.trouble) troubled += 1;
      if (!coversAll(packet, frame)) expect.fail(`layers don't cover ${hex(frame.bytes)}`);
      if (i % SLOW_EVERY > 0) continue;
      expectBytes(build(packet.layers), frame, 'built');
      if (describe(packet) === '' || !describeTree(packet).includes('Frame: ')) {
        expect.fail(`not described: ${hex(frame.bytes)}`);
      }
      const json = JSON.parse(JSON.stringify(packetToJson(packet))) as { layers: unknown };
      expectBytes(build(layersFromJson(json.layers)), frame, 'built from JSON');
    }
    expect(troubled).toBeGreaterThan(FRAMES / 10);
  }, 900_000);

  it('leave no traces in a reused dissection', () => {
    const chance = new Chance(SEED + 1);
    const rules = dissectionRules(OPTIONS);
    const reused = new Dissection();
    for (let i = 0; i < 3000; i++) {
      const { bytes, original } = randomFrame(chance);
      const fresh = dissectInto(new Dissection(), bytes, original, rules);
      dissectInto(reused, bytes, original, rules);
      expect(summary(reused)).toEqual(summary(fresh));
    }
  });
});

/** All results of a dissection, without the unused part of its columns. */
function summary(d: Dissection): unknown {
  const { count, kinds, offsets, lengths, bytes, troubleKind, ...rest } = d;
  const trouble = troubleKind === 0 ? {} : { troubleKind };
  const told = Object.entries(rest).filter(([name]) => troubleKind !== 0 || !name.startsWith('trouble'));
  const kept = told.filter(([name]) => name !== 'fastCnpOptionOffset' || d.fastCnpCount > 0);
  return {
    count,
    kinds: kinds.slice(0, count),
    offsets: offsets.slice(0, count),
    lengths: lengths.slice(0, count),
    bytes,
    ...trouble,
    ...Object.fromEntries(kept),
  };
}
