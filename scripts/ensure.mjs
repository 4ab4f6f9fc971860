// Makes ready what a command needs, and nothing when it is ready:
//
//   node scripts/ensure.mjs install   the dependencies that package-lock.json names
//   node scripts/ensure.mjs build     those, and a build of the present sources
//
// Uses Node only, for it runs before anything is installed.

import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { staleReason } from './fingerprint.mjs';
import { withLock } from './lock.mjs';
import { ROOT, at } from './paths.mjs';

/** Major and minor release, by `engines` of package.json. */
const NEEDED_NODE = neededNode();
const say = (text) => process.stderr.write(`roce-cc: ${text}\n`);

await main(process.argv[2]);

async function main(goal) {
  if (goal !== 'install' && goal !== 'build') {
    fail(`got ${JSON.stringify(goal)}, allowed: install, build`);
    return;
  }
  if (!checkNode() || !(await ensureInstalled())) return;
  if (goal === 'build') ensureBuilt();
}

function fail(text) {
  say(text);
  process.exitCode = 1;
}

function neededNode() {
  const { engines } = JSON.parse(readFileSync(at('package.json'), 'utf8'));
  return engines.node.replace('>=', '').split('.').slice(0, 2).map(Number);
}

function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  const enough = major > NEEDED_NODE[0] || (major === NEEDED_NODE[0] && minor >= NEEDED_NODE[1]);
  if (!enough) fail(`building needs Node ${NEEDED_NODE.join('.')} or newer, this is ${process.versions.node}`);
  return enough;
}

async function ensureInstalled() {
  if (installReason() === undefined) return true;
  return withLock(() => {
    // Another process may have installed while this one waited.
    const reason = installReason();
    return reason === undefined || install(reason);
  });
}

function install(reason) {
  const command = existsSync(at('package-lock.json')) ? 'ci' : 'install';
  say(`npm ${command} (${reason})`);
  const done = npm([command, '--include=dev', '--no-audit', '--no-fund', '--loglevel=error']);
  if (done.status === 0) return true;
  fail(`npm ${command} failed`);
  return false;
}

function npm(args) {
  const options = { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'] };
  const cli = process.env.npm_execpath;
  if (cli?.endsWith('npm-cli.js')) return spawnSync(process.execPath, [cli, ...args], options);
  return spawnSync('npm', args, { ...options, shell: process.platform === 'win32' });
}

/** The reason for which dependencies must be installed; undefined when those of the lock file are there. */
function installReason() {
  if (!existsSync(at('node_modules', '.package-lock.json'))) return 'node_modules is missing';
  if (!existsSync(at('package-lock.json'))) return undefined;
  const wanted = lockedPackages(at('package-lock.json'));
  const present = lockedPackages(at('node_modules', '.package-lock.json'));
  for (const [name, entry] of Object.entries(wanted)) {
    if (name === '' || (present[name] === undefined && entry.optional)) continue;
    if (present[name]?.version !== entry.version) return `${name} is not ${entry.version}`;
  }
  return undefined;
}

function lockedPackages(file) {
  return JSON.parse(readFileSync(file, 'utf8')).packages;
}

function ensureBuilt() {
  const reason = staleReason();
  if (reason === undefined) return;
  say(`building (${reason})`);
  const done = spawnSync(process.execPath, [at('scripts', 'build.mjs'), '--if-stale'], {
    cwd: ROOT,
    stdio: ['ignore', 2, 'inherit'],
  });
  if (done.status !== 0) fail('build failed');
}
