// Chunks that esbuild names by a hash, by what is in them: lint-run-lint.js, shared-qos-lint-path.js.

import path from 'node:path';

/** esbuild's own, of no source. */
const HELPERS = 'shared-helpers.js';

/**
 * Names chunks after the source that is imported, or, where several sources share a chunk, after the largest one in it.
 *
 * @param outputFiles what esbuild made, and `metafile` what it says of it.
 * @returns names and texts of all files.
 */
export function nameChunks(outputFiles, { outputs }) {
  const names = new Map(Object.entries(outputs).filter(([file]) => file.endsWith('.js')).map(([file, output]) => [
    path.basename(file),
    nameOf(path.basename(file), output),
  ]));
  requireUnique([...names.values()]);
  const pattern = new RegExp([...names.keys()].map((name) => name.replaceAll('.', '\\.')).join('|'), 'g');
  const renamed = (text) => text.replace(pattern, (name) => names.get(name));
  return outputFiles.map((file) => ({ name: renamed(path.basename(file.path)), text: renamed(file.text) }));
}

function nameOf(given, { entryPoint, inputs }) {
  if (!/-[A-Z0-9]{8}\.js$/.test(given)) return given;
  if (entryPoint !== undefined) return `${wordsOf(entryPoint).replace(/^cli-/, '')}.js`;
  const [largest] = Object.entries(inputs).sort(([, a], [, b]) => b.bytesInOutput - a.bytesInOutput);
  return largest === undefined ? HELPERS : `shared-${wordsOf(largest[0])}.js`;
}

/** `src/cli/lint/run-lint.ts`: cli-lint-run-lint. */
function wordsOf(input) {
  const words = input.replace(/^(src|node_modules)\//, '').replace(/\.[a-z]+$/, '');
  return words.replaceAll('@', '').replaceAll(/[/:]/g, '-');
}

function requireUnique(names) {
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new Error(`two chunks of the command line would be ${twice}`);
}
