/** A build evaluates every check of a record layout (`ERROR('…')` in assembly). */
import asc from 'assemblyscript/asc';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** A check that fails the build when two layouts differ. */
const CHECK = /if \([^;]*?\)\s*ERROR\('([^']*)'\)/g;

const SOURCES = readdirSync(path.join(ROOT, 'assembly'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => readFileSync(path.join(ROOT, 'assembly', name), 'utf8'));

/** The messages of all checks in a build, with their conditions removed. */
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

it('evaluates every layout check in the builds of the engine and the simulator', async () => {
  const checks = SOURCES.flatMap((text) => [...text.matchAll(CHECK)].map(([, message]) => message!));
  const said = `${await checksMade('asconfig.json')}${await checksMade('asconfig.sim.json')}`;
  expect(checks.length).toBeGreaterThan(50);
  expect(checks.filter((message) => !said.includes(`<${message}>`))).toStrictEqual([]);
}, 180_000);

it('matches every layout check with the pattern', () => {
  const calls = SOURCES.join('\n').match(/\bERROR\(/g)?.length;
  expect(SOURCES.flatMap((text) => [...text.matchAll(CHECK)])).toHaveLength(calls ?? 0);
});
