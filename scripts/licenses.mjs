// dist/THIRD_PARTY_LICENSES: name, version and licence text of every package that something in dist/ is made of.

import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { at } from './paths.mjs';

const TEXT = /^(licen[cs]e|copying)([-.].*)?$/i;
const NOTICE = /^notice(\..*)?$/i;
/** Packages that come without the text, with the one of the same repository that has it. */
const LICENSED_WITH = { '@assemblyscript/loader': 'node_modules/assemblyscript' };
/** Packages whose repository's text is not in the package: the Apache licence is ours too, the other one heads a file. */
const LICENSED_BY = {
  '@bufbuild/protobuf': { whole: ['LICENSE'], heads: ['node_modules/@bufbuild/protobuf/dist/esm/wire/varint.js'] },
};
const RULE = `\n${'-'.repeat(80)}\n\n`;

/**
 * Writes the file.
 *
 * @param inputs paths of all files that went into bundles; those of packages count.
 */
export function writeLicenses(distDir, inputs) {
  const packages = [...new Set([...inputs].map(packageDirOf).filter(Boolean))].sort();
  writeFileSync(path.join(distDir, 'THIRD_PARTY_LICENSES'), packages.map(licenseOf).join(RULE));
}

function packageDirOf(input) {
  return /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0];
}

/** @throws where a package comes without the text of its licence: the build must not continue without it. */
function licenseOf(dir) {
  const { name, version, license } = JSON.parse(readFileSync(at(dir, 'package.json'), 'utf8'));
  const known = LICENSED_BY[name];
  if (known !== undefined) return `${name} ${version} (${license})\n\n${textsOf(known).join('\n\n')}\n`;
  const licenseDir = LICENSED_WITH[name] ?? dir;
  const files = readdirSync(at(licenseDir));
  const texts = files.filter((file) => TEXT.test(file));
  if (texts.length === 0) throw new Error(`the package ${name} ${version} (${license}) has no file with its licence`);
  const contents = [...texts, ...files.filter((file) => NOTICE.test(file))].map((file) =>
    readFileSync(at(licenseDir, file), 'utf8').trim()
  );
  return `${name} ${version} (${license})\n\n${contents.join('\n\n')}\n`;
}

function textsOf({ whole, heads }) {
  return [...whole.map((file) => readFileSync(at(file), 'utf8').trim()), ...heads.map(headOf)];
}

/** The comment that a file begins with. */
function headOf(file) {
  const lines = readFileSync(at(file), 'utf8').split('\n');
  const end = lines.findIndex((line) => !line.startsWith('//'));
  if (end < 1) throw new Error(`${file} does not begin with its licence`);
  return lines.slice(0, end).map((line) => line.replace(/^\/\/ ?/, '')).join('\n').trim();
}
