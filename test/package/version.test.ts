/** The version is the same everywhere. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const read = (name: string) => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8');
const { version } = JSON.parse(read('package.json')) as { version: string };

describe('the version', () => {
  it('is the same in the lock file', () => {
    const lock = JSON.parse(read('package-lock.json')) as {
      version: string;
      packages: Record<'', { version: string }>;
    };
    expect([lock.version, lock.packages[''].version]).toEqual([version, version]);
  });

  it('is the newest of the changelog', () => {
    const headings = [...read('CHANGELOG.md').matchAll(/^## (.*)$/gm)].map(([, heading]) => heading!);
    expect(headings[0]).toMatch(/^\d+\.\d+\.\d+( \(unreleased\))?$/);
    expect(headings[0]!.split(' ')[0]).toBe(version);
  });
});
