/** Every check of a record's layout (`ERROR('…')` in assembly) is one that a build makes. */
import asc from 'assemblyscript/asc';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** A check, which stops the build only while two layouts disagree. */
const CHECK = /if \([^;]*?\)\s*ERROR\('([^']*)'\)/g;

const SOURCES = readdirSync(path.join(ROOT, 'assembly'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => readFileSync(path.join(ROOT, 'assembly', name), 'utf8'));

/** What the checks of a build say when each of them speaks in any case. */
async function checksMade(config: string): Promise<string> {
  const { error, stderr } = await asc.main(['--config', config, '--noEmit', '--optimizeLevel', '0'], {
    readFile: (name: string) => {
      const file = path.join(ROOT, name);
      if (!existsSync(file)) return null;
      const text = readFileSync(file, 'utf8');
      return name.endsWith('.ts') ? text.replace(CHECK, "WARNING('<$1>')") : text;
    },
    writeFile: () => undefined,
    listFiles: () => [],
  });
  expect(error).toBeNull();
  return stderr.toString();
}

it('runs every layout check when all tables of the engine and the simulator are built', async () => {
  const checks = SOURCES.flatMap((text) => [...text.matchAll(CHECK)].map(([, message]) => message!));
  const said = `${await checksMade('asconfig.json')}${await checksMade('asconfig.sim.json')}`;
  expect(checks.length).toBeGreaterThan(50);
  expect(checks.filter((message) => !said.includes(`<${message}>`))).toStrictEqual([]);
}, 180_000);

it('has no check in another form', () => {
  const calls = SOURCES.join('\n').match(/\bERROR\(/g)?.length;
  expect(SOURCES.flatMap((text) => [...text.matchAll(CHECK)])).toHaveLength(calls ?? 0);
});
