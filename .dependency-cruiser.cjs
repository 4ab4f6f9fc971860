// Who may import whom (docs/design.md). An upper room may import a lower one, never the reverse:
//
//   cli > index, engine > reference > wire, capture, config > errors, units, abi

/** A rule that files under `from` import nothing of the library but what matches `allowed`. */
const onlyImports = (name, from, allowed) => ({
  name,
  severity: 'error',
  from: { path: from },
  to: { path: '^(src|assembly)/', pathNot: allowed },
});

const LEAVES = ['^src/abi/', '^src/errors[.]ts$', '^src/units[.]ts$'];

module.exports = {
  forbidden: [
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    { name: 'resolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
    onlyImports('abi-stands-alone', '^src/abi/', ['^src/abi/']),
    onlyImports('leaves-stand-alone', '^src/(errors|units)[.]ts$', ['^$']),
    onlyImports('config-knows-no-engine', '^src/config/', [...LEAVES, '^src/config/', '^src/wire/']),
    onlyImports('wire-knows-no-engine', '^src/wire/', [...LEAVES, '^src/wire/']),
    onlyImports('capture-knows-no-engine', '^src/capture/', [...LEAVES, '^src/capture/', '^src/wire/']),
    onlyImports('reference-is-a-model', '^src/reference/', [
      ...LEAVES,
      '^src/reference/',
      '^src/config/',
      '^src/wire/',
    ]),
    onlyImports('engine-hosts-the-wasm', '^src/engine/', [
      ...LEAVES,
      '^src/engine/',
      '^src/reference/',
      '^src/config/',
      '^src/wire/',
    ]),
    onlyImports('assembly-shares-only-the-abi', '^assembly/', ['^assembly/', '^src/abi/']),
    {
      name: 'hot-path-is-compiled-not-imported',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^assembly/' },
    },
    {
      name: 'nobody-imports-the-cli',
      severity: 'error',
      from: { path: '^(src|bench)/', pathNot: '^src/cli/' },
      to: { path: '^src/cli/' },
    },
    {
      name: 'library-runs-everywhere',
      comment: 'Browsers have no node: modules; only what reads files and the command line may use them.',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/cli/', '^src/capture/node-file[.]ts$', '^src/config/importers/node-'] },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'library-has-no-dependencies',
      comment: 'Packages are bundled into the CLI; the library itself has none.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/cli/' },
      to: { path: 'node_modules' },
    },
  ],
  options: {
    // Types are imports too: a layer is broken by `import type` as well.
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(dist|build)/' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'types', 'default'],
      extensions: ['.ts', '.mts', '.js', '.mjs', '.cjs', '.json'],
    },
  },
};
