// The schemas of scenarios and results to their types: src/sim/scenario/spec.ts, src/sim/result-types.ts.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { BUILD_DIR, RESULT_TYPES_FILE, SPEC_FILE, at } from './paths.mjs';

/** Writes both; equal files stay untouched. */
export async function buildSchemaTypes() {
  const outfile = path.join(BUILD_DIR, 'schema-types.mjs');
  await build({
    entryPoints: [at('scripts', 'schema-types.ts')],
    bundle: true,
    outfile,
    format: 'esm',
    platform: 'node',
  });
  const { resultTypes, specTypes } = await import(pathToFileURL(outfile));
  writeIfChanged(SPEC_FILE, specTypes());
  writeIfChanged(RESULT_TYPES_FILE, resultTypes());
}

function writeIfChanged(file, text) {
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return;
  writeFileSync(file, text);
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) await buildSchemaTypes();
