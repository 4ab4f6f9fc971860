import { describe, expect, it } from 'vitest';
import type { EcnMode } from '../../src/tunnel/ecn.js';
import { createEcnTunnelCounters, decapsulateEcn, decapsulateEcnCounted, encapsulateEcn,
  totalEcnTunnelCounters } from '../../src/tunnel/ecn.js';

const NOT_ECT = 0b00;
const ECT_1 = 0b01;
const ECT_0 = 0b10;
const CE = 0b11;

/** Figure 5 of draft-hu-rtgwg-rocev2-fcn-00: incoming, compatibility mode, normal mode. */
const FIGURE_5 = [
  [NOT_ECT, NOT_ECT, NOT_ECT],
  [ECT_0, NOT_ECT, ECT_0],
  [ECT_1, NOT_ECT, ECT_1],
  [CE, NOT_ECT, CE],
] as const;

/** Figure 6, and figure 4 of RFC 6040: inner, outer, leaving, mark. */
const FIGURE_6 = [
  [NOT_ECT, NOT_ECT, NOT_ECT, 'none'],
  [NOT_ECT, ECT_0, NOT_ECT, 'dangerous'],
  [NOT_ECT, ECT_1, NOT_ECT, 'dangerous'],
  [NOT_ECT, CE, 'drop', 'dangerous'],
  [ECT_0, NOT_ECT, ECT_0, 'none'],
  [ECT_0, ECT_0, ECT_0, 'none'],
  [ECT_0, ECT_1, ECT_1, 'none'],
  [ECT_0, CE, CE, 'none'],
  [ECT_1, NOT_ECT, ECT_1, 'none'],
  [ECT_1, ECT_0, ECT_1, 'unused-combination'],
  [ECT_1, ECT_1, ECT_1, 'none'],
  [ECT_1, CE, CE, 'none'],
  [CE, NOT_ECT, CE, 'none'],
  [CE, ECT_0, CE, 'none'],
  [CE, ECT_1, CE, 'dangerous'],
  [CE, CE, CE, 'none'],
] as const;

describe('ECN at the entry of a tunnel', () => {
  it.each(FIGURE_5)('Checklist 24: maps %i to %i in compatibility mode, to %i in normal mode', (inner, low, high) => {
    expect(encapsulateEcn(inner, 'compatibility')).toBe(low);
    expect(encapsulateEcn(inner, 'normal')).toBe(high);
  });

  it('rejects other codes and modes', () => {
    expect(() => encapsulateEcn(4, 'normal')).toThrow(/ecn\.inner/);
    expect(() => encapsulateEcn(0, 'full' as EcnMode)).toThrow(
      /^ecnMode must be "normal" or "compatibility" \(got "full"\)\.$/,
    );
  });
});

describe('ECN at the exit of a tunnel', () => {
  it.each(FIGURE_6)('of inner %i and outer %i is %s, warning %s', (inner, outer, ecn, warning) => {
    expect(decapsulateEcn(inner, outer)).toEqual({ ecn, warning });
    expect(Object.isFrozen(decapsulateEcn(inner, outer))).toBe(true);
  });

  it('has the whole table tested', () => {
    expect(new Set(FIGURE_6.map(([inner, outer]) => inner * 4 + outer)).size).toBe(16);
  });

  it('rejects other codes', () => {
    expect(() => decapsulateEcn(-1, 0)).toThrow(/ecn\.inner/);
    expect(() => decapsulateEcn(0, 0.5)).toThrow(/ecn\.outer/);
    const counters = createEcnTunnelCounters();
    expect(() => decapsulateEcnCounted(counters, 0, 4)).toThrow(/ecn\.outer/);
    expect(totalEcnTunnelCounters(counters).packets).toBe(0);
  });

  it('counts each packet in its cell, and the sums account for all of them', () => {
    const counters = createEcnTunnelCounters();
    // Cell k of the figure occurs k + 1 times, so no two cells can be confused.
    FIGURE_6.forEach(([inner, outer, ecn, warning], index) => {
      for (let i = 0; i <= index; i++) expect(decapsulateEcnCounted(counters, inner, outer)).toEqual({ ecn, warning });
    });
    FIGURE_6.forEach(([inner, outer], index) => expect(counters.cells[inner * 4 + outer]).toBe(index + 1));
    expect(totalEcnTunnelCounters(counters)).toEqual({
      packets: 136,
      forwarded: 132,
      dropped: 4,
      unusedCombination: 10,
      dangerous: 2 + 3 + 4 + 15,
    });
  });
});
