import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { columnsOf, inLocale, textStyle } from '../../src/cli/terminal.js';
import { run } from './support/run.js';

const pipe = new Writable();
const terminal = Object.assign(new Writable(), { isTTY: true, columns: 90 });

describe('Terminal capabilities', () => {
  it.each([
    ['a pipe', pipe, {}, 100],
    ['a terminal', terminal, {}, 90],
    ['COLUMNS on a terminal', terminal, { COLUMNS: '80' }, 80],
    ['COLUMNS in a pipe', pipe, { COLUMNS: '72' }, 72],
    ['COLUMNS that is no width', terminal, { COLUMNS: 'wide' }, 90],
    ['COLUMNS below what tables need', pipe, { COLUMNS: '20' }, 60],
  ])('include the width from %s', (_what, stdout, env, columns) => {
    expect(textStyle({ stdout, env }).columns).toBe(columns);
  });

  it('include no fixed width without a terminal', () => {
    expect(columnsOf(pipe)).toBeUndefined();
  });

  it.each([
    [pipe, {}, false],
    [terminal, {}, true],
    [terminal, { NO_COLOR: '1' }, false],
    [terminal, { NO_COLOR: '' }, true],
    [terminal, { TERM: 'dumb' }, false],
    [pipe, { FORCE_COLOR: '1' }, true],
    [pipe, { FORCE_COLOR: '' }, true],
    [terminal, { FORCE_COLOR: '0' }, false],
    [pipe, { FORCE_COLOR: '1', NO_COLOR: '1' }, true],
  ])('include colours by stream and environment (%#)', (stdout, env, isBold) => {
    expect(textStyle({ stdout, env }).isBold).toBe(isBold);
  });

  it.each([
    [{}, '▁█…'],
    [{ LANG: 'C' }, '_#~'],
    [{ LANG: 'C.UTF-8' }, '▁█…'],
    [{ LC_ALL: 'POSIX', LANG: 'de_DE.UTF-8' }, '_#~'],
    [{ LC_ALL: '', LC_CTYPE: 'en_US.utf8', LANG: 'C' }, '▁█…'],
  ])('include the characters of the locale %o', (env, text) => {
    expect(inLocale('▁█…', env)).toBe(text);
  });
});

describe('Commands', () => {
  it('print ASCII within COLUMNS, and bold if colours are forced', async () => {
    const { stdout } = await run(['replay'], undefined, { LANG: 'C', COLUMNS: '90', FORCE_COLOR: '1' });
    expect(stdout).toMatch(/^[\x1b\n -~]*$/);
    expect(stdout).toContain('\u001b[1mFrames\u001b[22m');
    const lengths = stdout.replaceAll(/\u001b\[\d+m/g, '').split('\n').map((line) => line.length);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(90);
  });
});
