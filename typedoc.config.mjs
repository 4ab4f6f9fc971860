// The reference of every public entry point: `npm run api-docs`. Whatever is exported has a comment, and each link leads somewhere.

import { readFileSync } from 'node:fs';

const { exports } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'));
const sourceOf = (types) => types.replace(/^\.\/dist\//, 'src/').replace(/\.d\.ts$/, '.ts');

export default {
  entryPoints: Object.values(exports).map(({ types }) => types).filter(Boolean).map(sourceOf),
  tsconfig: 'tsconfig.build.json',
  out: 'build/api-docs',
  readme: 'none',
  excludePrivate: true,
  validation: { notDocumented: true, notExported: true, invalidLink: true, invalidPath: true },
  treatWarningsAsErrors: true,
  treatValidationWarningsAsErrors: true,
};
