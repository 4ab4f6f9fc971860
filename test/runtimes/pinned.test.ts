import { describe, expect, it } from 'vitest';
import { PINS, pinnedProgram } from './pinned.js';

const pins = Object.entries(PINS).flatMap(([name, platforms]) =>
  Object.values(platforms).map((pin) => ({ name, pin }))
);

describe('the pinned runtimes', () => {
  it('are every even release of Node from the oldest supported one, Bun and Deno', () => {
    expect(Object.keys(PINS)).toEqual(['node20', 'node22', 'node24', 'node26', 'bun', 'deno']);
  });

  it.each(pins)('pin $name to one release with its integrity hash', ({ name, pin }) => {
    const major = /^node(\d+)$/.exec(name)?.[1] ?? '\\d+';
    expect(pin.version).toMatch(new RegExp(`^${major}\\.\\d+\\.\\d+$`));
    expect(pin.integrity).toMatch(/^sha512-[\w+/]{86}==$/);
  });

  it('are listed in the error for an unknown runtime', async () => {
    await expect(pinnedProgram('node21')).rejects.toThrow('got node21, allowed: node20, node22');
  });
});
