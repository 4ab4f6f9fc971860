// Bundled CommonJS packages call require('events') and the like, which ES modules do not have: the call becomes an import.

import { isBuiltin } from 'node:module';

const NAMESPACE = 'builtin';
/** commander needs them to start executables as subcommands, and roce-cc has no such commands. They take 10 ms to load. */
const UNUSED = { package: /\/node_modules\/commander\//, modules: ['child_process', 'fs'] };

/** A plugin of esbuild. */
export const builtinsByImport = {
  name: 'builtins-by-import',
  setup(bundler) {
    bundler.onResolve({ filter: /^(node:)?[a-z_/]+$/ }, ({ path: specifier, kind, importer }) => {
      if (kind !== 'require-call' || !isBuiltin(specifier)) return undefined;
      const name = specifier.replace(/^node:/, '');
      const isUnused = UNUSED.package.test(importer) && UNUSED.modules.includes(name);
      return { path: name, namespace: NAMESPACE, pluginData: { isUnused }, suffix: isUnused ? '?unused' : '' };
    });
    bundler.onLoad({ filter: /./, namespace: NAMESPACE }, ({ path: name, pluginData: { isUnused } }) => ({
      contents: isUnused ? 'module.exports = {};\n' : contentsOf(name),
    }));
  },
};

function contentsOf(name) {
  // An import would call all getters of the object, and one of them takes 5 ms.
  if (name === 'process') return 'module.exports = process;\n';
  return `import builtin from 'node:${name}';\nmodule.exports = builtin;\n`;
}
