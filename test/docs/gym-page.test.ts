/** docs/guides/gym.md has the tables of the code. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { withGymTables } from '../../scripts/gym-tables.js';
import { DECLARED } from '../../src/gym/gym.js';
import { REWARDS } from '../../src/gym/options.js';

const PAGE = readFileSync(new URL('../../docs/guides/gym.md', import.meta.url), 'utf8');

describe('docs/guides/gym.md', () => {
  it('has all observations, actions and rewards, as npm run docs writes them', () => {
    expect(withGymTables(PAGE)).toBe(PAGE);
    for (const { observations, actions } of Object.values(DECLARED)) {
      for (const name of [...Object.keys(observations), ...Object.keys(actions)])
        expect(PAGE).toContain(`| \`${name}\` |`);
    }
    for (const name of Object.keys(REWARDS)) expect(PAGE).toContain(`| \`${name}\` |`);
  });
});
