import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LAYER_CODECS, build, dissect, layersFromJson, packetToJson, type LayerSpec } from '../../src/packet/index.js';
import { toHex } from '../wire/support/hex.js';
import { ARN_PORT } from './support/packets.js';
import { randomStack } from './support/random-stacks.js';
import { UET_PROTOCOL } from './support/random-uet-stacks.js';

const RUNS = 400;
/** Disables trimmed packets, since a random DSCP would turn a whole packet into one. */
const NO_TRIMMING = { dscps: { trimmed: 'none', trimmedLastHop: 'none' } } as const;

/** The fields of a layer, without those that request a computed value. */
function givenValue({ value = {} }: LayerSpec): object {
  return Object.fromEntries(Object.entries(value).filter(([, given]) => given !== 'computed'));
}

describe('a stack of any layers', () => {
  it('is recovered by a dissection, kind by kind and value by value', () => {
    fc.assert(fc.property(randomStack, ({ linkType, stack }) => {
      const packet = dissect(build(stack), {
        linkType,
        arnPort: ARN_PORT,
        mrc: NO_TRIMMING,
        uet: { ...NO_TRIMMING, ipProtocol: UET_PROTOCOL },
      });
      expect(packet.trouble).toBeUndefined();
      expect(packet.layers.map(({ kind }) => kind)).toEqual(stack.map(({ kind }) => kind));
      packet.layers.forEach(({ value }, index) => {
        expect(value).toMatchObject(givenValue(stack[index]!));
      });
      if (packet.icrc !== undefined) expect(packet.icrc).toBe('right');
    }), { numRuns: RUNS });
  });

  it('is rebuilt from its dissection, and from its JSON, byte for byte', () => {
    fc.assert(fc.property(randomStack, ({ linkType, stack }) => {
      const bytes = build(stack);
      const packet = dissect(bytes, { linkType, arnPort: ARN_PORT });
      expect(toHex(build(packet.layers))).toBe(toHex(bytes));
      const { layers } = JSON.parse(JSON.stringify(packetToJson(packet))) as { layers: unknown };
      expect(toHex(build(layersFromJson(layers)))).toBe(toHex(bytes));
    }), { numRuns: RUNS });
  });

  it('has every kind of layer but one in some hundred samples', () => {
    const kinds = new Set(
      fc.sample(randomStack, { numRuns: 6000, seed: 1 }).flatMap(({ stack }) => stack.map(({ kind }) => kind)),
    );
    // Undecodable bytes belong to no consistent packet.
    expect(Object.keys(LAYER_CODECS).filter((kind) => !kinds.has(kind as never))).toEqual(['undecoded']);
  });
});
