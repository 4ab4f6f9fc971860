/**
 * What a library that reads scenarios has in addition (native/scenarios): QuickJS as C, the program that it runs, and the kernel's functions that the
 * program calls.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { build as bundleFiles, type Plugin } from 'esbuild';
import { at } from '../paths.mjs';
import { note } from './c-source.js';

/** QuickJS, of the package quickjs-wasi. */
export const QUICKJS_FILE = path.join(path.dirname(createRequire(import.meta.url).resolve('quickjs-wasi/package.json')),
  'quickjs.wasm');
/** The kernel is compiled C here, so its bytes are left out. */
const WITHOUT_MODULES: Plugin = {
  name: 'without modules',
  setup(build) {
    build.onLoad({ filter: /wasm-bytes\.ts$/ }, ({ path: file }) => ({
      contents: readFileSync(file, 'utf8').replaceAll(/'[^']{1000,}'/g, "''"),
      loader: 'ts',
    }));
  },
};
/** package.json says that imports have no effects; this one has. */
const WITH_GLOBALS: Plugin = {
  name: 'with globals',
  setup(build) {
    build.onResolve({ filter: /^\.\/script-globals\.js$/ }, () => ({
      path: at('scripts', 'native', 'script-globals.ts'),
      sideEffects: true,
    }));
  },
};
const BYTES_PER_LINE = 32;

/** @param simHeader of the kernel, as wasm2c writes it. */
export async function writeScenarioSources(folder: string, simHeader: string): Promise<void> {
  writeFileSync(path.join(folder, 'host_functions.h'), hostFunctions(simHeader));
  const program = await bundle();
  writeFileSync(path.join(folder, 'scenario_program.h'),
    `${note('The scenario program.')}extern const char SCENARIO_PROGRAM[];\n` +
      `#define SCENARIO_PROGRAM_BYTES ${program.length}u\n`);
  writeFileSync(path.join(folder, 'scenario_program.c'),
    `${note('The scenario program, as UTF-8.')}#include "scenario_program.h"\n\nconst char SCENARIO_PROGRAM[] = {\n${
      bytesOf(program)
    }};\n`);
}

async function bundle(): Promise<Uint8Array> {
  const { outputFiles } = await bundleFiles({
    entryPoints: [at('scripts', 'native', 'scenario-program.ts')],
    plugins: [WITHOUT_MODULES, WITH_GLOBALS],
    bundle: true,
    write: false,
    minify: true,
    format: 'iife',
    target: 'es2022',
    charset: 'utf8',
    legalComments: 'none',
    logLevel: 'warning',
    // The value of a program is that of its last expression.
    footer: { js: 'scenarioResult' },
  });
  return outputFiles[0].contents;
}

function bytesOf(bytes: Uint8Array): string {
  const lines: string[] = [];
  for (let from = 0; from < bytes.length; from += BYTES_PER_LINE) {
    lines.push(Array.from(bytes.subarray(from, from + BYTES_PER_LINE), (byte) => (byte << 24) >> 24).join(','));
  }
  return `${lines.join(',\n')}\n`;
}

/** A function and a line of the table for each export. */
function hostFunctions(simHeader: string): string {
  const exported = [...simHeader.matchAll(/^(void|u32|f64) Z_simZ_(\w+)\(Z_sim_instance_t\*(.*)\);$/gm)];
  if (exported.length === 0) throw new Error("wasm2c's header has no functions");
  const functions = exported.map(([, result, name, rest]) => {
    const types = rest.split(',').map((type) => type.trim()).filter((type) => type !== '');
    const args = types.map((type, i) => `, ${type === 'f64' ? 'number_of' : 'word_of'}(self, arguments, ${i})`);
    const call = `Z_simZ_${name}(&self->kernel${args.join('')})`;
    const body = result === 'void' ?
      `  ${call};\n  return nothing(self);` :
      `  return number(self, ${result === 'u32' ? '(int32_t)' : ''}${call});`;
    return `static uint32_t host_${name}(script *self, const uint32_t *arguments) {\n  (void)arguments;\n${body}\n}\n`;
  });
  const lines = exported.map(([, , name]) => `  {"${name}", host_${name}},`);
  return `${note("The kernel's functions, as the scenario program calls them.")}\n${functions.join('\n')}\n` +
    `static const struct host_function HOST_FUNCTIONS[] = {\n${lines.join('\n')}\n};\n`;
}
