import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { flattenAccessList } from '../../src/engine/set-up.js';
import { createEngineSync } from '../../src/engine/create.js';
import type { AccessRule } from '../../src/config/fast-cnp.js';
import { dcqcnSigcomm15 } from '../../src/config/algorithms/dcqcn/preset-sigcomm15.js';
import { gbps, us } from '../../src/units.js';
import { formatIpv6Address, parseIpAddress, parsePrefix, prefixContains } from '../../src/wire/ip/ip-address.js';
import { BACKENDS, type BackendOption } from '../support/backends.js';

const parameterSets = { default: dcqcnSigcomm15({ lineRateBps: gbps(100) }) };

/** The longest match by definition: it compares every rule. */
function longestMatch(rules: readonly AccessRule[], defaultAction: 'allow' | 'deny', source: Uint8Array): 'allow'
  | 'deny' {
  let best = -1;
  let action = defaultAction;
  for (const rule of rules) {
    const prefix = parsePrefix(rule.prefix);
    if (prefix.lengthBits > best && prefixContains(prefix, source)) {
      best = prefix.lengthBits;
      action = rule.action;
    }
  }
  return action;
}

/** The decision of an engine with this list for a Fast CNP from each source. */
function admits(rules: readonly AccessRule[], defaultAction: 'allow' | 'deny', sources: readonly Uint8Array[],
  backend: BackendOption): string[] {
  const engine = createEngineSync({
    backend,
    parameterSets,
    fastCnp: { enabled: true, accessList: rules, defaultAction },
    capacity: { events: sources.length },
  });
  for (const source of sources) {
    engine.events.fastCnp(us(1), { endpoint: 0, source, originalDestination: parseIpAddress('::1'), destQpn: 1 });
  }
  engine.applyEvents();
  return [...engine.actions].map((
    action,
  ) => (action.kind === 'fast-cnp-rejected' && action.reason === 'fast-cnp-rejected' ? 'deny' : 'allow'));
}

/** Few distinct bytes and lengths at and near byte boundaries, so that prefixes often nest. */
const arbitraryRule = fc.record({
  data: fc.array(fc.constantFrom(0, 1, 0x20, 0x80, 0xff), { minLength: 16, maxLength: 16 }),
  lengthBits: fc.constantFrom(0, 1, 3, 7, 8, 9, 12, 16, 32, 63, 64, 65, 120, 127, 128),
  action: fc.constantFrom('allow' as const, 'deny' as const),
});

function toRules(entries: readonly { data: number[]; lengthBits: number; action: 'allow' | 'deny' }[]): AccessRule[] {
  const rules = new Map<string, AccessRule>();
  for (const { data, lengthBits, action } of entries) {
    const bytes = Uint8Array.from(data, (byte, i) => {
      const kept = Math.min(8, Math.max(0, lengthBits - 8 * i));
      return byte & (0xff00 >> kept);
    });
    const prefix = `${formatIpv6Address(bytes)}/${lengthBits}`;
    rules.set(prefix, { prefix, action });
  }
  return [...rules.values()];
}

describe.each(BACKENDS)('the access list of the %s engine', (_, backend) => {
  it('applies the longest matching prefix of any list', () => {
    const source = fc.array(fc.constantFrom(0, 1, 2, 0x20, 0x7f, 0x80, 0x81, 0xff), { minLength: 16, maxLength: 16 });
    const lists = fc.record({
      entries: fc.array(arbitraryRule, { maxLength: 30 }),
      sources: fc.array(source, { minLength: 1, maxLength: 30 }),
      defaultAction: fc.constantFrom('allow' as const, 'deny' as const),
    });
    fc.assert(fc.property(lists, ({ entries, sources, defaultAction }) => {
      const rules = toRules(entries);
      const addresses = sources.map((data) => Uint8Array.from(data));
      const expected = addresses.map((address) => longestMatch(rules, defaultAction, address));
      expect(admits(rules, defaultAction, addresses, backend)).toEqual(expected);
    }), { numRuns: 60, verbose: true });
  });
});

describe('an access list of thousands of prefixes', () => {
  it('compiles to at most two ranges per prefix', () => {
    const rules = Array.from({ length: 5000 },
      (_, i): AccessRule => ({ prefix: `2001:db8:${(i * 2).toString(16)}::/48`, action: 'allow' }));
    const ranges = flattenAccessList(rules, false);
    expect(ranges.length).toBe(10_001);
    const inside = [
      parseIpAddress('2001:db8:10::1'),
      parseIpAddress('2001:db8:11::1'),
      parseIpAddress('2001:db8:270e:ffff:ffff:ffff:ffff:ffff'),
    ];
    expect(admits(rules, 'deny', inside, 'wasm')).toEqual(['allow', 'deny', 'allow']);
  });
});
