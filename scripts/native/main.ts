/**
 * `npm run native`: the engine and the simulator as a library for C.
 *
 *   assembly/ ─asc─► build/*-scalar.wasm ─wasm2c─► generated/*.c ┐
 *   src/config, src/abi ─► generated/tables.c, abi.h             ├─cc─► build/native/libroce_cc.a, libroce_cc.so
 *   native/, include/ ───────────────────────────────────────────┘
 *
 * The C sources with Makefile and CMake file are packed as build/native/roce-cc-native-VERSION.tar.gz, which needs neither Node nor wasm2c.
 * `--sources` stops there. Needs wasm2c (Debian: wabt), a C compiler and make.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { create } from 'tar';
import { withLock } from '../lock.mjs';
import { at } from '../paths.mjs';
import { adaptHeader, adaptSource } from './adapt-module.js';
import { packageVersion } from './c-source.js';
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
`;

await ensureScalarModules();
await withLock(() => {
  writeTree();
  pack();
  if (!process.argv.includes('--sources')) compile();
});

function writeTree(): void {
  rmSync(TREE, { recursive: true, force: true });
  for (const folder of ['src', 'include', 'generated']) mkdirSync(path.join(TREE, folder), { recursive: true });
  for (const file of readdirSync(at('native'))) {
    copyFileSync(at('native', file), path.join(TREE, /\.[ch]$/.test(file) ? 'src' : '.', file));
  }
  for (const file of ['roce_cc.h', 'roce_cc.hpp', 'roce_cc_astra.hpp']) {
    if (existsSync(at('include', file))) copyFileSync(at('include', file), path.join(TREE, 'include', file));
  }
  copyFileSync(at('LICENSE'), path.join(TREE, 'LICENSE'));
  writeFileSync(path.join(TREE, 'NOTICE'), NOTICE);
  copyFileSync(runtimeHeader(), path.join(TREE, 'src', 'wasm-rt.h'));
  writeTables(path.join(TREE, 'generated'));
  translate(ENGINE_SCALAR_FILE, 'engine');
  translate(SIM_SCALAR_FILE, 'sim');
}

/** wasm2c's own header, next to which it is installed. */
function runtimeHeader(): string {
  const given = process.env['WASM_RT_H'];
  const found = [...(given === undefined ? [] : [given]), ...RUNTIME_HEADERS].find((file) => existsSync(file));
  if (found === undefined) throw new Error('wasm-rt.h is not there: install wabt, or set WASM_RT_H');
  return found;
}

/** A module into C. */
function translate(wasm: string, name: string): void {
  const source = path.join(TREE, 'generated', `${name}_module.c`);
  const header = path.join(TREE, 'generated', `${name}_module.h`);
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

function compile(): void {
  const args = ['--no-print-directory', '-C', TREE, `-j${Math.max(2, availableParallelism())}`, `OUT=${OUT}`];
  const { status } = spawnSync('make', args, { stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) throw new Error('make failed');
}
