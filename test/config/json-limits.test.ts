/** Values that are given as JSON, but never were text: a list may have members that JSON can't hold. */
import { describe, expect, it } from 'vitest';
import { requirePlainJson } from '../../src/config/json-limits.js';

describe('a list with a member forEach', () => {
  it('is gone through as any other', () => {
    const inner = Object.assign([JSON.parse('{"__proto__":1}') as unknown], { forEach: 'x' });
    expect(() => {
      requirePlainJson({ list: inner }, 'invalid-scenario', 'x.json');
    }).toThrow(expect.objectContaining({ where: 'x.json, list.0.__proto__' }) as Error);
  });
});

describe('a name that objects use themselves', () => {
  it.each(['__proto__', 'toString', 'valueOf'])('%s is rejected as a key, and its place is named', (key) => {
    const given = JSON.parse(`{"list":[{"a":{"${key}":1}}]}`) as unknown;
    expect(() => {
      requirePlainJson(given, 'invalid-scenario', 'x.json');
    }).toThrow(expect.objectContaining({ code: 'invalid-scenario', where: `x.json, list.0.a.${key}` }) as Error);
  });
});
