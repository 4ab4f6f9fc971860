// src/sim/scenario/schema.ts to src/sim/scenario/spec.ts: the types of scenarios, with each setting's meaning, range and default.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { BUILD_DIR, SPEC_FILE, at } from './paths.mjs';

/** Writes spec.ts; an equal file stays untouched. */
export async function buildSpec() {
  const text = await specText();
  if (existsSync(SPEC_FILE) && readFileSync(SPEC_FILE, 'utf8') === text) return;
  writeFileSync(SPEC_FILE, text);
}

async function specText() {
  const outfile = path.join(BUILD_DIR, 'spec-types.mjs');
  await build({
    entryPoints: [at('scripts', 'spec-types.ts')],
    bundle: true,
    outfile,
    format: 'esm',
    platform: 'node',
  });
  const { specTypes } = await import(pathToFileURL(outfile));
  return specTypes();
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) await buildSpec();
