/**
 * `npm run native`: the engine and the simulator as a library for C.
 *
 *   assembly/ ─asc─► build/*-scalar.wasm ─wasm2c─► generated/*.c ┐
 *   src/config, src/abi ─► generated/tables.c, abi.h             ├─cc─► build/native/libroce_cc.a, libroce_cc.so
 *   native/, include/ ───────────────────────────────────────────┘
 *
 * The C sources with Makefile and CMake file are packed as build/native/roce-cc-native-VERSION.tar.gz, which needs neither Node nor wasm2c.
 * `--sources` stops there; with `--scenarios` the library reads scenarios as JSON too; `--if-stale`
 * builds nothing where the library is newer than its sources. Needs wasm2c (Debian: wabt), a C compiler and make.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { create } from 'tar';
import { withLock } from '../lock.mjs';
import { at } from '../paths.mjs';
import { adaptHeader, adaptSource } from './adapt-module.js';
import { packageVersion } from './c-source.js';
import { isFresh } from './is-fresh.js';
import { QUICKJS_FILE, writeScenarioSources } from './scenario-sources.js';
import { ENGINE_SCALAR_FILE, ensureScalarModules, SIM_SCALAR_FILE } from './scalar-modules.mjs';
import { writeTables } from './tables.js';

const OUT = at('build', 'native');
const NAME = `roce-cc-native-${packageVersion()}`;
const TREE = path.join(OUT, NAME);
const RUNTIME_HEADERS = ['/usr/include/wasm-rt.h', '/usr/local/include/wasm-rt.h', '/opt/homebrew/include/wasm-rt.h'];
const NOTICE = `generated/*_module.c and generated/*_module.h are written by wasm2c, and src/wasm-rt.h is a part, of
WABT: The WebAssembly Binary Toolkit, https://github.com/WebAssembly/wabt
Copyright 2016-2023 WebAssembly Community Group participants
Licensed under the Apache License, Version 2.0: LICENSE

generated/scenarios/quickjs_module.* are made of quickjs.wasm of quickjs-wasi, Copyright 2026 Vercel, Inc., which is made of QuickJS-ng,
Copyright 2017-2024 Fabrice Bellard, Charlie Gordon, 2023-2026 Ben Noordhuis, Saul Ibarra Corretge, both under the MIT License.
generated/scenarios/scenario_program.c holds the packages that THIRD_PARTY_LICENSES names, with their licences.
`;

await ensureScalarModules();
await withLock(async () => {
  if (hasOption('if-stale') && isFresh(path.join(OUT, 'libroce_cc.so'), hasOption('scenarios'))) return;
  await writeTree();
  const compiled = hasOption('sources') ? undefined : compile();
  pack();
  await compiled;
});

function hasOption(name: string): boolean {
  return process.argv.includes(`--${name}`);
}

async function writeTree(): Promise<void> {
  rmSync(TREE, { recursive: true, force: true });
  for (const folder of ['src/scenarios', 'include', 'generated/scenarios'])
    mkdirSync(path.join(TREE, folder), { recursive: true });
  for (
    const { name, parentPath } of readdirSync(at('native'), { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile()
    )
  ) {
    const file = path.relative(at('native'), path.join(parentPath, name));
    copyFileSync(at('native', file), path.join(TREE, /\.[ch]$/.test(file) ? 'src' : '.', file));
  }
  for (const file of ['roce_cc.h', 'roce_cc.hpp', 'roce_cc_astra.hpp']) {
    if (existsSync(at('include', file))) copyFileSync(at('include', file), path.join(TREE, 'include', file));
  }
  copyFileSync(at('LICENSE'), path.join(TREE, 'LICENSE'));
  writeFileSync(path.join(TREE, 'NOTICE'), NOTICE);
  const licences = [at('dist', 'THIRD_PARTY_LICENSES'), path.join(path.dirname(QUICKJS_FILE), 'LICENSE')];
  writeFileSync(path.join(TREE, 'THIRD_PARTY_LICENSES'), licences.map((file) => readFileSync(file, 'utf8')).join('\n'));
  copyFileSync(runtimeHeader(), path.join(TREE, 'src', 'wasm-rt.h'));
  writeTables(path.join(TREE, 'generated'));
  translate(ENGINE_SCALAR_FILE, 'engine');
  translate(SIM_SCALAR_FILE, 'sim');
  translate(QUICKJS_FILE, 'quickjs', 'scenarios');
  await writeScenarioSources(path.join(TREE, 'generated', 'scenarios'),
    readFileSync(path.join(TREE, 'generated', 'sim_module.h'), 'utf8'));
}

/** wasm2c's own header, next to which it is installed. */
function runtimeHeader(): string {
  const given = process.env['WASM_RT_H'];
  const found = [...(given === undefined ? [] : [given]), ...RUNTIME_HEADERS].find((file) => existsSync(file));
  if (found === undefined) throw new Error('wasm-rt.h is not there: install wabt, or set WASM_RT_H');
  return found;
}

/** A module into C. */
function translate(wasm: string, name: string, folder = '.'): void {
  const source = path.join(TREE, 'generated', folder, `${name}_module.c`);
  const header = path.join(TREE, 'generated', folder, `${name}_module.h`);
  try {
    execFileSync('wasm2c', [wasm, '-n', name, '--no-debug-names', '-o', source], {
      stdio: ['ignore', 'inherit', 'inherit'],
    });
  } catch (cause) {
    throw new Error('wasm2c failed: install wabt 1.0.32', { cause });
  }
  writeFileSync(source, adaptSource(readFileSync(source, 'utf8'), name));
  writeFileSync(header, adaptHeader(readFileSync(header, 'utf8')));
}

/** With fixed owners and times, so that the same sources give the same bytes. */
function pack(): void {
  create({ cwd: OUT, file: `${TREE}.tar.gz`, gzip: true, portable: true, mtime: new Date(0), sync: true }, [NAME]);
}

async function compile(): Promise<void> {
  const args = ['--no-print-directory', '-C', TREE, `-j${Math.max(2, availableParallelism())}`, `OUT=${OUT}`];
  if (hasOption('scenarios')) args.push('SCENARIOS=1');
  const [status] = (await once(spawn('make', args, { stdio: ['ignore', 'ignore', 'inherit'] }), 'exit')) as [number];
  if (status !== 0) throw new Error('make failed');
}
