/** Converts links between files of the repository to links between pages of the site. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from './catalog.js';

/** Pages, by the file or part of a file that they are made from. */
export interface LinkTargets {
  /** Pages by their file. */
  readonly pages: ReadonlyMap<string, string>;
  /** For files that become several pages: the page by file and anchor, such as `docs/reference/wire.md#bth`. */
  readonly parts: ReadonlyMap<string, string>;
  /** Called for each picture and data file that the site must include. */
  readonly needFile: (file: string) => void;
}

const { repository } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as {
  repository: { url: string };
};
/** Address for links to files that are not pages of the site. */
export const REPOSITORY_URL = repository.url.replace(/^git\+/, '').replace(/\.git$/, '');
const BRANCH = 'main';

/** Path from one page of the site to another. */
export function relativeLink(fromPage: string, toPage: string): string {
  const relative = path.posix.relative(path.posix.dirname(fromPage), toPage);
  return relative === '' ? path.posix.basename(toPage) : relative;
}

/**
 * Converts a link of a Markdown file for its page.
 * @param source the file with the link. @param page the page made from it.
 * @throws Error naming file and link if it leads nowhere.
 */
export function siteLink(href: string, source: string, page: string, targets: LinkTargets): string {
  if (/^[a-z]+:/.test(href)) return href;
  const [file = '', anchor] = href.split('#');
  const target = file === '' ? source : path.posix.join(path.posix.dirname(source), decodeURI(file));
  const hash = anchor === undefined ? '' : `#${anchor}`;
  const found = targets.parts.get(`${target}${hash}`) ?? targets.pages.get(target);
  if (found !== undefined) return found === page && hash !== '' ? hash : relativeLink(page, found) + hash;
  if (!existsSync(path.join(ROOT, target)))
    throw new Error(`${source} links to ${href}, but ${target} does not exist.`);
  return repositoryLink(target) + hash;
}

/** Address of a file or folder in the published repository. */
export function repositoryLink(target: string): string {
  const clean = target.replace(/\/$/, '');
  const kind = statSync(path.join(ROOT, clean)).isDirectory() ? 'tree' : 'blob';
  return `${REPOSITORY_URL}/${kind}/${BRANCH}/${clean}`;
}

/** Address of a picture in a Markdown file; the site includes it under `files/`. */
export function siteImage(href: string, source: string, page: string, targets: LinkTargets): string {
  const target = path.posix.join(path.posix.dirname(source), href);
  if (!existsSync(path.join(ROOT, target))) throw new Error(`${source} shows ${href}, but ${target} does not exist.`);
  targets.needFile(target);
  return relativeLink(page, `files/${target}`);
}
