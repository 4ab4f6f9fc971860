// Formats every source file, or with --check names those that are not formatted.
//
// The formatter is dprint's, as WebAssembly from its packages: no binary to download, the same text on every machine. It
// drops AssemblyScript's decorators of functions, which TypeScript has not; so they pass it as comments.

import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createFromBuffer } from '@dprint/formatter';
import { getPath } from '@dprint/typescript';
import { ROOT, at } from './paths.mjs';

const FOLDERS = ['algorithm', 'assembly', 'src', 'web', 'site', 'test', 'bench', 'examples', 'scripts', 'studies'];
const SOURCE = /\.(ts|mjs|cjs|js)$/;
/** Data of tests, and what the build writes. */
const LEFT_OUT = /^test\/data\/|^assembly\/records\/|wasm-bytes\.ts$|\/page-assets\.ts$/;

/** A call or list that is too long for a line continues on the next, as a sentence does. */
const OPTIONS = {
  quoteStyle: 'preferSingle',
  semiColons: 'prefer',
  operatorPosition: 'sameLine',
  bracePosition: 'sameLine',
  useBraces: 'maintain',
  'arrowFunction.useParentheses': 'force',
  'typeAssertion.spaceBeforeExpression': false,
  'module.sortImportDeclarations': 'maintain',
  'module.sortExportDeclarations': 'maintain',
  'importDeclaration.sortNamedImports': 'maintain',
  'exportDeclaration.sortNamedExports': 'maintain',
  'importDeclaration.preferHanging': true,
  'importDeclaration.preferSingleLine': true,
  'exportDeclaration.preferHanging': true,
  'exportDeclaration.preferSingleLine': true,
  'unionAndIntersectionType.preferHanging': true,
  'unionAndIntersectionType.preferSingleLine': true,
  'arguments.preferHanging': 'always',
  'arguments.preferSingleLine': true,
  'parameters.preferHanging': 'always',
  'parameters.preferSingleLine': true,
  'parentheses.preferSingleLine': true,
  'tupleType.preferSingleLine': true,
  'objectPattern.preferSingleLine': true,
  'arrayPattern.preferSingleLine': true,
};

const DECORATOR = /^([ \t]*)@(inline|unmanaged|lazy)\b/gm;
const DECORATOR_COMMENT = /\/\*@(inline|unmanaged|lazy)\*\//g;

const onlyCheck = process.argv.includes('--check');
const formatter = createFromBuffer(readFileSync(getPath()));
formatter.setConfig({ lineWidth: 120, indentWidth: 2 }, OPTIONS);
const diagnostics = formatter.getConfigDiagnostics();
if (diagnostics.length > 0) throw new Error(`dprint rejects its options: ${JSON.stringify(diagnostics)}`);

const changed = sourceFiles().filter(formatFile);
if (onlyCheck && changed.length > 0) {
  process.stderr.write(`${changed.length} files are not formatted; run npm run format:\n${changed.join('\n')}\n`);
  process.exitCode = 1;
}

function sourceFiles() {
  const inFolders = FOLDERS.flatMap((folder) =>
    readdirSync(at(folder), { recursive: true }).map((file) => `${folder}/${file.split(path.sep).join('/')}`)
  );
  return [...inFolders, ...readdirSync(ROOT)].filter((file) => SOURCE.test(file) && !LEFT_OUT.test(file)).sort();
}

/** Whether formatting changes the file. Writes it, unless files are only checked. */
function formatFile(file) {
  const fileText = readFileSync(at(file), 'utf8');
  const formatted = isAssembly(file) ? formatAssembly(file, fileText) : formatText(file, fileText);
  if (formatted === fileText) return false;
  if (!onlyCheck) writeFileSync(at(file), formatted);
  return true;
}

function isAssembly(file) {
  return /^(assembly|algorithm\/as)\/|\/assembly(script)?\//.test(file) || /entry\.ts$/.test(file);
}

function formatText(filePath, fileText) {
  return formatter.formatText({ filePath, fileText }) || fileText;
}

function formatAssembly(file, text) {
  const masked = text.replace(DECORATOR, '$1/*@$2*/');
  const formatted = formatText(file, masked).replace(DECORATOR_COMMENT, '@$1');
  const counts = [text, formatted].map((version) => version.match(DECORATOR)?.length ?? 0);
  if (counts[0] !== counts[1])
    throw new Error(`${file} has ${counts[0]} decorators, formatted it would have ${counts[1]}`);
  return formatted;
}
