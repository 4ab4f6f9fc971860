// Bundled CommonJS packages call require('events') and the like, which ES modules do not have: the call becomes an import.

import { isBuiltin } from 'node:module';

const NAMESPACE = 'builtin';

/** A plugin of esbuild. */
export const builtinsByImport = {
  name: 'builtins-by-import',
  setup(bundler) {
    bundler.onResolve({ filter: /^(node:)?[a-z_/]+$/ },
      ({ path: specifier, kind }) =>
        kind === 'require-call' && isBuiltin(specifier) ? { path: specifier, namespace: NAMESPACE } : undefined);
    bundler.onLoad({ filter: /./, namespace: NAMESPACE }, ({ path: specifier }) => ({
      contents: `import builtin from 'node:${specifier.replace(/^node:/, '')}';\nmodule.exports = builtin;\n`,
    }));
  },
};
