/**
 * The package ships its pages, but not `src`, `test` and the like: a page that names a file of these links to it in the repository.
 * `npm run docs` makes the links, and test/docs/repository-links.test.ts fails where one is missing.
 *
 * In the text a path is a shortcut reference, as in [`src/index.ts`]; the addresses are at the end of the page. Commands and blocks of
 * code keep their paths: they need a clone in any case.
 */
import { existsSync, readFileSync, statSync } from 'node:fs';

const ROOT = new URL('../', import.meta.url);
const { repository } = JSON.parse(readFileSync(new URL('package.json', ROOT), 'utf8')) as {
  readonly repository: { readonly url: string };
};
/** Whatever the version of the package, the newest files: those of the branch main, as on the site. */
const ADDRESS = repository.url.replace(/^git\+|\.git$/g, '');

/** Pages for those who have a clone. */
export const PAGES_OF_CLONES: readonly string[] = ['CONTRIBUTING.md', 'docs/internals/adding-an-algorithm.md'];

const SHIPPED = 'bench/RESULTS.md';
/** Pages of docs/studies are in the package, files of the folder `studies` are not. */
const PATH = '(?:src|test|assembly|scripts|bench|site|web|studies(?!/[\\w-]+-study[.]))/[\\w./*{},-]+';
const CODE_BLOCK = /(^```[^]*?^```$)/m;
const SPAN = new RegExp(`(^|[^\`\\[])\`(${PATH})\`(:?)`, 'gm');
const LABEL = new RegExp(`\\[\`(${PATH})\`\\]`, 'g');
const DEFINITION = new RegExp(`^\\[\`${PATH}\`\\]: \\S+\n?`, 'gm');
const RELATIVE = new RegExp(`\\]\\((?:\\.\\./)*(${PATH})(#[\\w-]+)?\\)`, 'g');

/** The page with a link at each path, and their addresses at its end. */
export function withRepositoryLinks(page: string): string {
  const parts = page.replaceAll(DEFINITION, '').trimEnd().split(CODE_BLOCK);
  const linked = parts.map((part) => (part.startsWith('```') ? part : linkedText(part)));
  const paths = linked.flatMap((
    part,
  ) => (part.startsWith('```') ? [] : [...part.matchAll(LABEL)].map(([, path]) => path)));
  const addresses = [...new Set(paths)].sort().map((path) => `[\`${path}\`]: ${addressOf(path)}`);
  return `${linked.join('')}\n${addresses.length === 0 ? '' : `\n${addresses.join('\n')}\n`}`;
}

function linkedText(text: string): string {
  const spans = text.replaceAll(SPAN, (all, before: string, path: string, colon: string) => {
    if (path === SHIPPED) return all;
    // Where the line begins with it, a colon would make it an address.
    return `${before}[\`${path}\`]${colon !== '' && before === '' ? '[]:' : colon}`;
  });
  return spans.replaceAll(RELATIVE,
    (all, path: string, anchor = '') => (path === SHIPPED ? all : `](${addressOf(path)}${anchor})`));
}

/** Of a file or folder, or of the folder that holds what a pattern names. */
function addressOf(path: string): string {
  const found = [path, `${path}.ts`, `${path}.test.ts`].find((one) => existsSync(new URL(one, ROOT)));
  if (found === undefined) return addressOf(path.slice(0, path.lastIndexOf('/')));
  const kind = statSync(new URL(found, ROOT)).isDirectory() ? 'tree' : 'blob';
  return `${ADDRESS}/${kind}/main/${found.replace(/\/$/, '')}`;
}
