// The reference of the public entry points: `npm run api-docs`. Whatever they export has a comment, and each link leads somewhere.

import { readFileSync } from 'node:fs';

/** Names of the members of a union. */
const PLAIN = ['roce-cc.AlgorithmState.__type.algorithm'];

const { exports, repository } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'));
/** The modules for pages have the exports of other entries. */
const isOfSource = (types) => types?.endsWith('.d.ts');
const sourceOf = (types) => types.replace(/^\.\/dist\//, 'src/').replace(/\.d\.ts$/, '.ts');

const home = repository.url.replace(/^git\+/, '').replace(/\.git$/, '');

export default {
  entryPoints: Object.values(exports).map(({ types }) => types).filter(isOfSource).map(sourceOf),
  plugin: ['./scripts/typedoc-import-paths.mjs'],
  tsconfig: 'tsconfig.build.json',
  out: 'build/api-docs',
  readme: 'none',
  // Links to sources do not depend on where this copy came from, nor on there being a repository at all; paths begin in src/.
  disableGit: true,
  sourceLinkTemplate: `${home}/blob/main/src/{path}#L{line}`,
  excludePrivate: true,
  intentionallyNotDocumented: PLAIN,
  // Types that an entry point only passes on are documented where they are declared.
  validation: { notDocumented: true, notExported: false, invalidLink: true, invalidPath: true },
  treatWarningsAsErrors: true,
  treatValidationWarningsAsErrors: true,
};
