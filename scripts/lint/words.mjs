// Pages, comments, messages and names use the field's terms: a network engineer reads each sentence once.
//
// Each term of the table in a held file is reported with its line and the term to use. In Markdown, code, link targets and HTML
// are left out; in code, string literals of one word, which are values.

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../paths.mjs';

/** Files and folders whose Markdown is held to the table. */
const HELD_PAGES = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md', 'docs', 'examples', 'test'];

/** Folders whose code is held to the table. */
const HELD_CODE = ['assembly', 'src', 'web', 'site', 'bench', 'scripts', 'studies', 'test', 'examples'];

/** The table itself, and its test. */
const QUOTES = ['scripts/lint/words.mjs', 'test/rules/words.test.ts'];

/** A term as a regular expression over whole words, and what to write instead. */
const TERMS = [
  [
    '(?:the|its|all|more|several|possible|equal|other|their|of|two|four|eight|\\d+) exits|exits of|an exit(?! code)',
    'next hop, egress port',
  ],
  ['(?:the|its|all|their|no|of|such|other|late|whose|with) answers|an answer|answered', 'ACK, response; acknowledged'],
  ['settles?|settled|settling', 'resolve'],
  ['surroundings', 'context'],
  ['patience|patient', 'retransmission timeout'],
  ['steers?|steered|(?<!packet )steering', 'congestion control; control'],
  ['obeys?|obeyed|obeying|heeds?|heeded|heeding', 'apply, honor'],
  ['hastens?|hastened|hastening', 'bring forward'],
  ['complains?|complained|complaints?', 'warn, warning'],
  ['refuses?(?!:)|refused|refusing|refusals?', 'reject'],
  ['books?|bookkeeping', 'counters, accounting'],
  ['looks(?! (?:up|like|at|for|into)|[:,;)\\]])', 'polls, inspections'],
  ['in turns?|takes? turns|turns of', 'round-robin, in order'],
  ['(?:sent|sends?|sending) (?:it |them |packets |data )?again|again later', 'retransmit'],
  ['harms?|harmed|harming|harmless', 'corrupt, damage'],
  ['rooms', 'modules'],
  ['anew', 'again'],
  ['in place of', 'instead of'],
  ['of (?:its|their|your|our|his) own', 'its own, separate'],
  ['(?:of )?so many', 'that many, N'],
  ['used up|uses? up|using up', 'exhausted, consume'],
  ['hangs? on|hung on', 'depends on'],
  ['beside', 'next to, in addition to'],
  ['stands?|stood|standing', 'is, appears, stops'],
  ['by (?:itself|themselves)', 'automatically, alone'],
  ['is told|are told|was told|been told|be told', 'is notified'],
  ['hand(?:s|ed|ing)? (?:it |them )?(?:in|over|out|on|back)', 'pass, return'],
  ['(?:come|comes|came|coming) (?:out|back)', 'result, return'],
  ['nobody|whoever|somebody', 'nothing, no node'],
  ['(?<![<(/])circles?', 'cycle'],
  ['says (?:in words )?(?:what|how|why|which|who)', 'state, explain'],
  ['goes on|go on|went on', 'continue, resume'],
  ['as good as', 'effectively'],
  ['under way', 'in flight'],
  ['alike', 'the same, in common'],
  ['thrice', 'three times'],
  ['a quarter of an hour', '15 minutes'],
];

/** What is no prose in Markdown: code blocks, code spans, HTML, link targets and definitions. */
const NOT_PROSE = /^ *```.*?^ *```$|`[^`]*`|<[^<>\n]*>|\]\([^)\s]*\)|^\[[^\]\n]+\]: .*$|\]\[[^\]\n]*\]/gms;

const patternOf = (term) => new RegExp(String.raw`\b(?:${term.replaceAll(' ', String.raw`\s+`)})\b`, 'gi');
const PATTERNS = TERMS.map(([term, better]) => ({ pattern: patternOf(term), better }));

/** Values in code, such as the choices of a setting. */
const VALUE = /['`][\w-]+['`]/g;

const blank = (text) => text.replace(/[^\n]/g, '_');

/** @returns the terms that a page's prose still uses: `{ line, term, better }`, in the order of the table. */
export function termsIn(page) {
  return termsOf(page.replace(NOT_PROSE, blank));
}

/** @returns the same of a file of code: comments, strings and names. */
export function termsInCode(code) {
  return termsOf(code.replace(VALUE, blank));
}

function termsOf(text) {
  return PATTERNS.flatMap(({ pattern, better }) =>
    [...text.matchAll(pattern)].map((found) => ({
      line: text.slice(0, found.index).split('\n').length,
      term: found[0].replace(/\s+/g, ' '),
      better,
    }))
  );
}

/** The tracked files of folders; outside a git checkout there is nothing to check. */
function trackedFiles(places) {
  if (!existsSync(path.join(ROOT, '.git'))) return [];
  return execFileSync('git', ['ls-files', '-z', '--', ...places], { cwd: ROOT, encoding: 'utf8' }).split('\0')
    .filter((file) => file !== '' && !QUOTES.includes(file) && existsSync(path.join(ROOT, file)));
}

function report(file, find) {
  for (const { line, term, better } of find(readFileSync(path.join(ROOT, file), 'utf8'))) {
    process.stderr.write(`${file}:${line}: "${term}": ${better}\n`);
    process.exitCode = 1;
  }
}

function main() {
  for (const file of trackedFiles(HELD_PAGES).filter((name) => name.endsWith('.md'))) report(file, termsIn);
  for (const file of trackedFiles(HELD_CODE).filter((name) => /\.(?:ts|mjs|js)$/.test(name))) report(file, termsInCode);
}

if (process.argv[1] === import.meta.filename) main();
