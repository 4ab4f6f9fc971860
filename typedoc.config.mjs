// The reference of the public entry points: `npm run api-docs`. Whatever they export has a comment, and each link leads somewhere.

import { readFileSync } from 'node:fs';

/** Entry points whose fields have no comments yet; those of headers are drawn on docs/wire.md. */
const NOT_YET = ['src/wire/index.ts', 'src/packet/index.ts', 'src/replay/index.ts'];

/** Fields that entry points take over from headers, and names of the members of a union. */
const PLAIN = [
  'tunnel.EndConSettings.optionType1',
  'tunnel.EndConSettings.optionType2',
  'tunnel.WanNodeAnswer.udpChecksum',
  'tunnel.WanNodeAnswer.optionType1',
  'tunnel.WanNodeAnswer.optionType2',
  'index.AlgorithmState.__type.algorithm',
];

const { exports } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'));
const sourceOf = (types) => types.replace(/^\.\/dist\//, 'src/').replace(/\.d\.ts$/, '.ts');

export default {
  entryPoints: Object.values(exports).map(({ types }) => types).filter(Boolean).map(sourceOf).filter((source) =>
    !NOT_YET.includes(source)
  ),
  tsconfig: 'tsconfig.build.json',
  out: 'build/api-docs',
  readme: 'none',
  excludePrivate: true,
  intentionallyNotDocumented: PLAIN,
  // Types that an entry point only passes on are documented where they are declared.
  validation: { notDocumented: true, notExported: false, invalidLink: true, invalidPath: true },
  treatWarningsAsErrors: true,
  treatValidationWarningsAsErrors: true,
};
