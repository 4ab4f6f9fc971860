/** Values passed as objects instead of JSON text: a list can have members that JSON cannot express. */
import { describe, expect, it } from 'vitest';
import { requirePlainJson } from '../../src/config/json-limits.js';

describe('a list with a member forEach', () => {
  it('is checked like any other list', () => {
    const inner = Object.assign([JSON.parse('{"__proto__":1}') as unknown], { forEach: 'x' });
    expect(() => {
      requirePlainJson({ list: inner }, 'invalid-scenario', 'x.json');
    }).toThrow(expect.objectContaining({ where: 'x.json, list.0.__proto__' }) as Error);
  });
});

describe('a name that every object inherits', () => {
  it.each(['__proto__', 'toString', 'valueOf'])('%s is rejected as a key, and the error states its path', (key) => {
    const given = JSON.parse(`{"list":[{"a":{"${key}":1}}]}`) as unknown;
    expect(() => {
      requirePlainJson(given, 'invalid-scenario', 'x.json');
    }).toThrow(expect.objectContaining({ code: 'invalid-scenario', where: `x.json, list.0.a.${key}` }) as Error);
  });
});
