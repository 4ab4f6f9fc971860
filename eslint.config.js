import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';

const noDefaultExport = {
  selector: 'ExportDefaultDeclaration, ExportSpecifier[exported.name="default"]',
  message: 'Export by name: a default export has as many names as importers.',
};

/** Rules for every TypeScript file that the host runs. */
const hostRules = {
  '@typescript-eslint/consistent-type-imports': 'error',
  '@typescript-eslint/dot-notation': ['error', { allowIndexSignaturePropertyAccess: true }],
  '@typescript-eslint/explicit-module-boundary-types': 'error',
  '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
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
  'no-restricted-syntax': ['error', noDefaultExport],
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

export default defineConfig(
  globalIgnores([
    'dist/',
    'build/',
    'coverage/',
    'bench/native/',
    'src/engine/wasm-bytes.ts',
    'src/sim/kernel/wasm-bytes.ts',
    'src/cli/report/page-assets.ts',
  ]),
  // AssemblyScript, whose types the TypeScript rules cannot know; asc checks it.
  globalIgnores(['assembly/', 'test/**/assembly/', 'test/*/support/*entry.ts']),
  {
    files: ['src/**/*.ts', 'test/**/*.ts', 'bench/**/*.ts', 'examples/**/*.ts', 'scripts/**/*.ts', 'vitest.config.ts'],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: {
      parserOptions: { project: './tsconfig.check.json', tsconfigRootDir: import.meta.dirname },
    },
    rules: hostRules,
  },
  { files: ['src/cli/**/*.ts', 'bench/**/*.ts', 'examples/**/*.ts'], rules: { 'no-console': 'off' } },
  { files: ['test/**/*.ts'], rules: testRules },
  { files: ['vitest.config.ts'], rules: { 'no-restricted-syntax': 'off' } },
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
