/** The version and the minimum release of Node are consistent in all files. */
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

describe('the minimum release of Node', () => {
  const { engines: { node } } = JSON.parse(read('package.json')) as { engines: { node: string } };
  const release = node.replace(/^>=(.*)\.0$/, '$1');

  it('supports require() of the package', () => {
    expect(node).toBe('>=20.19.0');
  });

  it('is the same in the lock file', () => {
    const lock = JSON.parse(read('package-lock.json')) as { packages: Record<'', { engines: { node: string } }> };
    expect(lock.packages[''].engines.node).toBe(node);
  });

  it.each(['README.md', 'CONTRIBUTING.md'])('is the same in %s', (page) => {
    expect([...read(page).matchAll(/Node (\S+) or newer/g)].map(([, said]) => said)).toEqual([release]);
  });

  it('is the build target of the command line', () => {
    expect(read('scripts/build-cli.mjs')).toContain(`target: 'node${release}'`);
  });
});
