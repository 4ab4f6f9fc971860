import { defineConfig, globalIgnores } from 'eslint/config';
import regexp from 'eslint-plugin-regexp';
import tseslint from 'typescript-eslint';
import * as assemblyParser from './scripts/lint/assembly-parser.mjs';

const noDefaultExport = {
  selector: 'ExportDefaultDeclaration, ExportSpecifier[exported.name="default"]',
  message: 'Export by name: a default export has as many names as importers.',
};

const UNIT_SIZES =
  '/^(PS_PER_(NS|US|MS|S|SECOND)|NS_PER_(US|S|SECOND)|US_PER_(MS|S|SECOND)|BITS_PER_BYTE|BPS_PER_[GM]BPS|BYTES_PER_(KB|MIB))$/';
const noOwnUnits = {
  selector: `VariableDeclarator[id.name=${UNIT_SIZES}][init.type="Literal"]:not([init.bigint])`,
  message: 'src/units.ts has the sizes of units.',
};
const noZodObject = {
  selector: 'ImportDeclaration[source.value="zod"] > ImportSpecifier[imported.name="z"]',
  message: 'Import all of zod as z: bundlers then leave out what is not used.',
};

/** No pattern takes more than linear time, whatever text it meets. */
const patternRules = {
  'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
  'regexp/no-super-linear-move': ['error', { report: 'potential' }],
};

/** Rules for every TypeScript file that the host runs. */
const hostRules = {
  '@typescript-eslint/consistent-type-imports': 'error',
  '@typescript-eslint/dot-notation': ['error', { allowIndexSignaturePropertyAccess: true }],
  '@typescript-eslint/explicit-module-boundary-types': 'error',
  '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
  // The value and the fields of a header have a name each, and their members from its table.
  '@typescript-eslint/no-empty-object-type': ['error', { allowInterfaces: 'with-single-extends' }],
  '@typescript-eslint/no-explicit-any': 'error',
  '@typescript-eslint/no-non-null-assertion': 'error',
  // Indexing is typed as always found, so a check of what it found, or a default for it, would count as needless.
  '@typescript-eslint/no-unnecessary-condition': 'off',
  '@typescript-eslint/no-useless-default-assignment': 'off',
  '@typescript-eslint/prefer-readonly': 'error',
  '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
  '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
  complexity: ['error', { max: 15, variant: 'modified' }],
  eqeqeq: 'error',
  'max-depth': ['error', 3],
  'max-lines': ['error', { max: 300, skipBlankLines: true, skipComments: true }],
  'max-lines-per-function': ['error', { max: 60, skipBlankLines: true, skipComments: true }],
  'max-params': ['error', 6],
  'no-console': 'error',
  'no-restricted-syntax': ['error', noDefaultExport, noOwnUnits, noZodObject],
  'no-warning-comments': ['error', { terms: ['todo', 'fixme', 'xxx'] }],
  'prefer-const': 'error',
};

/** A test reads as one story, however long, and may say that it knows better than the compiler. */
const testRules = {
  '@typescript-eslint/explicit-module-boundary-types': 'off',
  '@typescript-eslint/no-base-to-string': 'off',
  '@typescript-eslint/no-non-null-assertion': 'off',
  '@typescript-eslint/no-unnecessary-type-assertion': 'off',
  'max-lines': ['error', { max: 650, skipBlankLines: true, skipComments: true }],
  'max-lines-per-function': 'off',
  'max-params': 'off',
  'no-console': 'off',
};

/** Custom algorithms: their kit and examples. */
const ALGORITHM_KIT = ['algorithm/as/*.ts', 'examples/algorithms/assemblyscript/*.ts'];
const ASSEMBLY = ['assembly/**/*.ts', 'test/**/assembly/**/*.ts', 'test/*/support/*entry.ts', ...ALGORITHM_KIT];

/** Strings that the compiler reads and no program keeps: field names and messages of static checks. */
const STATIC_TEXT = 'CallExpression[callee.name=/^(offsetof|ERROR)$/] > Literal';
const MODULE_NAME = ':matches(ImportDeclaration, ExportNamedDeclaration, ExportAllDeclaration) > Literal';

/** All that would allocate, or needs a runtime that the engine is built without. */
const noHeap = [{ selector: 'NewExpression', message: 'Nothing is allocated: records lie in the memory map.' }, {
  selector: 'ArrowFunctionExpression, FunctionExpression:not(MethodDefinition > FunctionExpression)',
  message: 'A closure is allocated: write a function, and pass its index.',
}, {
  selector: `Literal[raw=/^["']/]:not(${STATIC_TEXT}):not(${MODULE_NAME}), TemplateLiteral`,
  message: 'A string is allocated: pass a number of src/abi.',
}, {
  selector: 'ArrayExpression:not(CallExpression > ArrayExpression)',
  message: 'An array is allocated: use memory.data.',
}, {
  selector: 'Identifier[name=/^(Array|StaticArray|Map|Set|String|ArrayBuffer|\\w+(8|16|32|64)(Clamped)?Array)$/]',
  message: 'This type lives on a heap, which the engine has not.',
}, { selector: 'ThrowStatement, TryStatement', message: 'No input traps: return a code of src/abi.' }];

/** AssemblyScript: what asc does not check. Types are its matter, as TypeScript does not know them. */
const assemblyRules = {
  '@typescript-eslint/naming-convention': [
    'error',
    { selector: 'default', format: ['camelCase'] },
    { selector: 'import', format: null },
    { selector: 'variable', modifiers: ['const', 'global'], format: ['UPPER_CASE', 'camelCase'] },
    { selector: 'typeLike', format: ['PascalCase'] },
    // AssemblyScript has no `#private`, and a getter may stand before the field of its name.
    { selector: 'classProperty', format: ['camelCase'], leadingUnderscore: 'allow' },
  ],
  // A function in the table of dispatch has the arguments of its column. A sink keeps a read alive whose only purpose is
  // to have been made.
  '@typescript-eslint/no-unused-vars': ['error', { args: 'none', varsIgnorePattern: '^(sink|reads)$' }],
  complexity: ['error', { max: 15, variant: 'modified' }],
  'max-depth': ['error', 3],
  'max-lines': ['error', { max: 300, skipBlankLines: true, skipComments: true }],
  'max-lines-per-function': ['error', { max: 60, skipBlankLines: true, skipComments: true }],
  // Above the host's six: what is not passed would have to be kept in memory between calls.
  'max-params': ['error', 9],
  'no-var': 'error',
  'no-warning-comments': ['error', { terms: ['todo', 'fixme', 'xxx'] }],
  'prefer-const': 'error',
};

export default defineConfig(
  globalIgnores([
    'dist/',
    'build/',
    'coverage/',
    'bench/native/',
    'assembly/**/*.d.ts',
    'assembly/records/',
    'src/engine/wasm-bytes.ts',
    'src/engine/dcqcn-wasm-bytes.ts',
    'src/sim/result-types.ts',
    'src/sim/scenario/spec.ts',
    'src/sim/kernel/wasm-bytes.ts',
    'src/uet/kernel/wasm-bytes.ts',
    'src/cli/report/page-assets.ts',
  ]),
  {
    files: ASSEMBLY,
    languageOptions: { parser: assemblyParser },
    plugins: { '@typescript-eslint': tseslint.plugin },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: assemblyRules,
  },
  { files: ['assembly/**/*.ts', ...ALGORITHM_KIT], rules: { 'no-restricted-syntax': ['error', ...noHeap] } },
  // The names of handlers are those of every language.
  { files: ALGORITHM_KIT, rules: { '@typescript-eslint/naming-convention': 'off' } },
  // Chains of static assertions, which leave nothing in the binary.
  { files: ['assembly/memory/records.ts', 'assembly/simulator/records.ts'], rules: { complexity: 'off' } },
  // The parser makes all its checks in one function, so that their order is visible.
  { files: ['assembly/wire/parser.ts'], rules: { complexity: ['error', { max: 20, variant: 'modified' }] } },
  // The calls from the host are wide until capacities are a record.
  { files: ['assembly/engine*.ts', 'assembly/sim.ts'], rules: { 'max-params': ['error', 11] } },
  {
    files: [
      'src/**/*.ts',
      'web/**/*.ts',
      'site/**/*.ts',
      'test/**/*.ts',
      'bench/**/*.ts',
      'examples/**/*.ts',
      'scripts/**/*.ts',
      'studies/**/*.ts',
      'vitest.config.ts',
    ],
    ignores: ASSEMBLY,
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { project: './tsconfig.check.json', tsconfigRootDir: import.meta.dirname } },
    rules: hostRules,
  },
  {
    files: ['src/**/*.ts', 'web/**/*.ts', 'site/**/*.ts', 'scripts/**/*.ts', 'scripts/**/*.mjs', 'studies/**/*.ts'],
    plugins: { regexp },
    rules: patternRules,
  },
  { files: ['src/cli/**/*.ts', 'bench/**/*.ts', 'examples/**/*.ts'], rules: { 'no-console': 'off' } },
  // A program that is read from top to bottom.
  { files: ['examples/embed/star.ts'], rules: { 'max-lines-per-function': 'off' } },
  { files: ['test/**/*.ts'], ignores: ASSEMBLY, rules: testRules },
  { files: ['vitest.config.ts', 'src/units.ts'], rules: { 'no-restricted-syntax': 'off' } },
  {
    files: ['scripts/**/*.mjs'],
    rules: {
      complexity: ['error', { max: 15, variant: 'modified' }],
      eqeqeq: 'error',
      'max-lines': ['error', 300],
      'max-lines-per-function': ['error', 60],
      'no-unused-vars': 'error',
      'prefer-const': 'error',
    },
  },
);
