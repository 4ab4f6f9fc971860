// dist/THIRD_PARTY_LICENSES: name, version and licence text of every package that something in dist/ is made of.

import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { at } from './paths.mjs';

const TEXT = /^(licen[cs]e|copying)([-.].*)?$/i;
const NOTICE = /^notice(\..*)?$/i;
/** Packages that come without the text, with the one of the same repository that has it. */
const LICENSED_WITH = { '@assemblyscript/loader': 'node_modules/assemblyscript' };
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

/** @throws where a package comes without the text of its licence: the build must not go on without it. */
function licenseOf(dir) {
  const { name, version, license } = JSON.parse(readFileSync(at(dir, 'package.json'), 'utf8'));
  const licenseDir = LICENSED_WITH[name] ?? dir;
  const files = readdirSync(at(licenseDir));
  const texts = files.filter((file) => TEXT.test(file));
  if (texts.length === 0) throw new Error(`the package ${name} ${version} (${license}) has no file with its licence`);
  const contents = [...texts, ...files.filter((file) => NOTICE.test(file))].map((file) =>
    readFileSync(at(licenseDir, file), 'utf8').trim()
  );
  return `${name} ${version} (${license})\n\n${contents.join('\n\n')}\n`;
}
