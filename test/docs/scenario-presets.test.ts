/** docs/guides/scenarios.md lists the presets that scenarios can name, with their published sets. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { PRESET_SETS } from '../../src/sim/compile/parameter-sets.js';

it('docs/guides/scenarios.md lists every preset with its sets, and no other', () => {
  const page = readFileSync(new URL('../../docs/guides/scenarios.md', import.meta.url), 'utf8');
  const section = /## Presets\n([^]*?)\n## /.exec(page)?.[1] ?? '';
  const rows = [...section.matchAll(/^\| `([\w-]+)` \| ([^|]*) ?\|/gm)];
  const listed = rows.map(([, name, sets]) => [name, [...(sets ?? '').matchAll(/`([^`]+)`/g)].map(([, set]) => set)]);
  expect(Object.fromEntries(listed)).toEqual(PRESET_SETS);
});
