// Who may import whom (docs/internals/design.md), types included. An upper room may import a lower one, never the reverse:
//
//   cli, web > view > types of sim/flow-path, sim/metrics; cli/report/page, web > charts > view
//   cli > index > engine, reference > packet > wire, capture, config > errors, units, abi; engine > algorithm > config
//   flow-control > tunnel > wire; discovery > wire; qos > analysis > config; cli > sweep > sim > engine;
//   cli > gym > sim; cli > live > sim, replay; cli > replay > engine, packet, capture, config, wire; sim > workloads > capture;
//   sim > discovery, profiles of qos; sim, live > switching > wire

/** A rule that files under `from` import nothing of the library but what matches `allowed`. */
const onlyImports = (name, from, allowed) => ({
  name,
  severity: 'error',
  from: { path: from },
  to: { path: '^(src|assembly)/', pathNot: allowed },
});

/** Checks of settings by name, which every room with settings shares. */
const FIELD_RULES = '^src/config/field-rules[.]ts$';
/** What JSON from outside may look like. */
const JSON_LIMITS = '^src/config/json-limits[.]ts$';
const LEAVES = [
  '^src/abi/',
  '^src/error(s|-text|-fields)[.]ts$',
  '^src/(exact-numbers|note-record|units)[.]ts$',
];

/** Modules of assembly/, lowest first, and the modules that each may import. */
const ASSEMBLY_MODULES = {
  records: [],
  memory: [],
  wire: [],
  cp: [],
  trace: ['memory'],
  table: ['memory'],
  algorithms: ['memory', 'wire', 'trace'],
  rp: ['memory', 'wire', 'trace', 'table', 'algorithms'],
  np: ['memory', 'table'],
  batch: ['memory', 'wire', 'trace', 'table', 'algorithms', 'rp', 'np'],
  uet: [],
  simulator: ['memory', 'trace', 'cp', 'table', 'algorithms', 'rp', 'np', 'batch'],
};

/** A module of assembly/ imports only the modules listed for it, and the records. */
const assemblyModule = ([folder, below]) => ({
  name: `assembly-${folder}`,
  comment: `assembly/${folder} imports ${below.join(', ') || 'no other module'}, and src/abi.`,
  severity: 'error',
  from: { path: `^assembly/${folder}/` },
  to: { path: '^assembly/', pathNot: `^assembly/(${[folder, 'records', ...below].join('|')})/` },
});

/** The folder of an algorithm, on any side, imports no other algorithm's, but HPCC's kin the core of HPCC. */
const algorithmsStandAlone = [{
  name: 'algorithms-stand-alone',
  severity: 'error',
  from: { path: '^(assembly|src/config|src/reference)/algorithms/([^/]+)/', pathNot: '/algorithms/hpcc-(pp|pint)/' },
  to: { path: '^$1/algorithms/[^/]+/', pathNot: '^$1/algorithms/$2/' },
}, {
  name: 'kin-of-hpcc-stand-on-hpcc',
  severity: 'error',
  from: { path: '^(assembly|src/config|src/reference)/algorithms/(hpcc-pp|hpcc-pint)/' },
  to: { path: '^$1/algorithms/[^/]+/', pathNot: '^$1/algorithms/($2|hpcc)/' },
}];

module.exports = {
  forbidden: [
    {
      name: 'no-circular',
      comment:
        'A parameter set of a custom algorithm holds its algorithm, which makes such sets: their types know each other.',
      severity: 'error',
      from: { pathNot: '^src/config/algorithms/(custom/|registry[.]ts)' },
      to: { circular: true },
    },
    // What the lab's build compiles is not there before it.
    { name: 'resolvable', severity: 'error', from: {}, to: { couldNotResolve: true, pathNot: '^[./]+/build/' } },
    onlyImports('abi-stands-alone', '^src/abi/', ['^src/abi/']),
    onlyImports('leaves-stand-alone', '^src/(error-text|errors|exact-numbers|note-record|units)[.]ts$', [
      '^src/(errors|error-text)[.]ts$',
    ]),
    onlyImports('config-knows-no-engine', '^src/config/', [...LEAVES, '^src/config/', '^src/wire/']),
    onlyImports('wire-knows-no-engine', '^src/wire/', [...LEAVES, '^src/wire/']),
    onlyImports('capture-knows-no-engine', '^src/capture/', [...LEAVES, '^src/capture/', '^src/wire/']),
    onlyImports('packet-is-made-of-headers', '^src/packet/', [
      ...LEAVES,
      '^src/packet/',
      '^src/wire/',
      '^src/tunnel/ecn[.]ts$',
      '^src/capture/link-types[.]ts$',
    ]),
    onlyImports('tunnels-are-made-of-headers', '^src/tunnel/', [...LEAVES, '^src/tunnel/', '^src/wire/', FIELD_RULES]),
    onlyImports('flow-control-knows-no-engine', '^src/flow-control/', [
      ...LEAVES,
      '^src/flow-control/',
      '^src/tunnel/',
      '^src/wire/',
      FIELD_RULES,
    ]),
    onlyImports('discovery-knows-no-engine', '^src/discovery/', [
      ...LEAVES,
      '^src/discovery/',
      '^src/wire/',
      FIELD_RULES,
    ]),
    onlyImports('qos-stands-alone', '^src/qos/', [...LEAVES, '^src/qos/', '^src/analysis/', FIELD_RULES, JSON_LIMITS]),
    onlyImports('analysis-stands-alone', '^src/analysis/', [...LEAVES, '^src/analysis/', '^src/config/']),
    onlyImports('algorithm-modules-stand-alone', '^src/algorithm/module/', [...LEAVES, '^src/algorithm/module/']),
    onlyImports('reference-is-a-model', '^src/reference/', [
      ...LEAVES,
      '^src/reference/',
      '^src/packet/',
      '^src/capture/link-types[.]ts$',
      '^src/config/',
      '^src/wire/',
    ]),
    {
      name: 'reference-knows-no-simulator',
      comment: 'src/sim is built on the models of src/reference; never the reverse.',
      severity: 'error',
      from: { path: '^src/reference/' },
      to: { path: '^src/sim/' },
    },
    {
      name: 'models-know-no-backend',
      comment: 'The js backend is built from the modules that src/reference and assembly/ have in common.',
      severity: 'error',
      from: { path: '^src/reference/', pathNot: ['^src/reference/backend/', '^src/reference/index[.]ts$'] },
      to: { path: '^src/reference/backend/' },
    },
    {
      name: 'models-know-no-memory',
      comment: 'A model is plain state: only traces and the doors of a QP know the records of the js backend.',
      severity: 'error',
      from: { path: '^src/reference/(algorithms|np|cp|table|wire)/' },
      to: { path: '^src/reference/(memory|rp)/' },
    },
    onlyImports('custom-algorithms-know-no-engine', '^src/algorithm/', [...LEAVES, '^src/algorithm/', '^src/config/']),
    onlyImports('engine-hosts-the-wasm', '^src/engine/', [
      ...LEAVES,
      '^src/engine/',
      '^src/algorithm/',
      '^src/config/',
      '^src/wire/',
    ]),
    onlyImports('view-draws-data', '^src/view/', [
      ...LEAVES,
      '^src/view/',
      '^src/sim/flow-path/flow-path[.]ts$',
      '^src/sim/metrics[.]ts$',
    ]),
    onlyImports('charts-draw-data', '^src/view/charts/', ['^src/view/']),
    {
      name: 'library-shows-nothing',
      comment: 'Drawings and words of src/view are for the command line and web/.',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/cli/', '^src/view/'] },
      to: { path: '^src/view/' },
    },
    {
      name: 'charts-are-for-pages',
      comment: 'They need a document and uPlot: the script of reports and web/ bundle them, nothing else has them.',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/cli/report/page/', '^src/view/charts/'] },
      to: { path: '^src/view/charts/' },
    },
    onlyImports('assembly-shares-only-the-abi', '^assembly/', ['^assembly/', '^src/abi/']),
    ...Object.entries(ASSEMBLY_MODULES).map(assemblyModule),
    ...algorithmsStandAlone,
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
      name: 'cli-imports-no-index',
      comment:
        'A command would load whatever of the module any command uses. The index of src/reference defines what it exports.',
      severity: 'error',
      from: { path: '^src/cli/' },
      to: {
        path: '^src/.*/index[.]ts$',
        pathNot: '^src/reference/index[.]ts$',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'library-runs-everywhere',
      comment: 'Browsers have no node: modules; only what reads files, live ports and the command line may use them.',
      severity: 'error',
      from: {
        path: '^src/',
        pathNot: ['^src/cli/', '^src/live/', '^src/capture/node-file[.]ts$', '^src/config/importers/node-'],
      },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'library-has-no-dependencies',
      comment:
        'Packages are bundled into the CLI, and the loader into dist/engine/instantiate.js; the library itself has none.',
      severity: 'error',
      from: {
        path: '^src/',
        pathNot: [
          '^src/cli/',
          '^src/view/charts/',
          '^src/sim/(scenario/schema|result-schema/|files/result-json)',
          '^src/sim/features/[^/]+/(result-)?schema[.]ts$',
          '^src/engine/instantiate[.]ts$',
          '^src/live/ports/linux/libc[.]ts$',
          '^src/workloads/chakra/protobuf[.]ts$',
        ],
      },
      to: { path: 'node_modules' },
    },
    {
      name: 'scenarios-and-results-are-checked-by-zod',
      comment: 'Bundled into dist/sim/index.js, which so has no dependency either.',
      severity: 'error',
      from: { path: '^src/sim/(scenario/schema|result-schema/|files/result-json)' },
      to: { path: 'node_modules', pathNot: 'node_modules/zod/' },
    },
    onlyImports('replay-stands-on-the-library', '^src/replay/', [
      ...LEAVES,
      '^src/replay/',
      '^src/engine/',
      '^src/packet/',
      '^src/capture/',
      '^src/config/',
      '^src/wire/',
    ]),
    onlyImports('live-stands-on-the-library', '^src/live/', [
      ...LEAVES,
      '^src/live/',
      '^src/sim/',
      '^src/switching/',
      '^src/replay/',
      '^src/engine/',
      '^src/reference/',
      '^src/flow-control/',
      '^src/tunnel/',
      '^src/packet/',
      '^src/capture/',
      '^src/config/',
      '^src/wire/',
    ]),
    {
      name: 'live-imports-what-is-built',
      comment: 'dist/sim is one file: of values, only those of its entry are there.',
      severity: 'error',
      from: { path: '^src/live/' },
      to: { path: '^src/sim/', pathNot: '^src/sim/index[.]ts$', dependencyTypesNot: ['type-only'] },
    },
    onlyImports('sweep-stands-on-the-simulator', '^src/sweep/', [
      ...LEAVES,
      '^src/sweep/',
      '^src/sim/',
      '^src/config/',
      '^src/reference/cp/random[.]ts$',
    ]),
    {
      name: 'sweep-imports-what-is-built',
      comment: 'dist/sim is one file: of values, only those of its entry are there.',
      severity: 'error',
      from: { path: '^src/sweep/' },
      to: { path: '^src/sim/', pathNot: '^src/sim/index[.]ts$', dependencyTypesNot: ['type-only'] },
    },
    onlyImports('gym-stands-on-the-simulator', '^src/gym/', [
      ...LEAVES,
      '^src/gym/',
      '^src/sim/',
      FIELD_RULES,
    ]),
    {
      name: 'gym-imports-what-is-built',
      comment: 'dist/sim is one file: of values, only those of its entry are there.',
      severity: 'error',
      from: { path: '^src/gym/' },
      to: { path: '^src/sim/', pathNot: '^src/sim/index[.]ts$', dependencyTypesNot: ['type-only'] },
    },
    onlyImports('uet-stands-apart', '^src/uet/', [
      ...LEAVES,
      '^src/uet/',
      '^src/engine/instantiate[.]ts$',
      '^src/workloads/htsim/',
      FIELD_RULES,
    ]),
    onlyImports('workloads-know-no-engine', '^src/workloads/', [
      ...LEAVES,
      '^src/workloads/',
      '^src/capture/',
      FIELD_RULES,
    ]),
    onlyImports('switching-is-what-switches-share', '^src/switching/', [
      ...LEAVES,
      '^src/switching/',
      '^src/wire/',
      '^src/reference/cp/random[.]ts$',
    ]),
    onlyImports('sim-stands-on-the-library', '^src/sim/', [
      ...LEAVES,
      '^src/sim/',
      '^src/switching/',
      '^src/workloads/',
      '^src/flow-control/',
      '^src/tunnel/',
      '^src/algorithm/',
      '^src/engine/',
      '^src/reference/',
      '^src/packet/',
      '^src/capture/',
      '^src/analysis/',
      '^src/config/',
      '^src/wire/',
      '^src/qos/network-profiles[.]ts$',
      '^src/discovery/',
      '^src/uet/(results|run-uet-reference)[.]ts$',
    ]),
    {
      name: 'simulator-knows-uet-by-type',
      comment:
        'Scenarios of fidelity reference-uet take the option uetReference, so that no other run loads that kernel.',
      severity: 'error',
      from: { path: '^src/sim/' },
      to: { path: '^src/uet/', dependencyTypesNot: ['type-only'] },
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
      // assembly/ imports without an extension.
      extensions: ['.ts', '.mts', '.js', '.mjs', '.cjs', '.json'],
    },
  },
};
