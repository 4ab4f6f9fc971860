/** The layout of every page: head, bar, list of the section's pages, content. */
import { SECTIONS } from './catalog.js';
import { escapeHtml } from '../src/view/format.js';
import { relativeLink, REPOSITORY_URL } from './links.js';

/** A page of the site, without its layout. */
export interface SitePage {
  /** Its path from the top of the site. */
  readonly path: string;
  readonly title: string;
  /** One sentence, for lists and search engines. */
  readonly about: string;
  /** Its section; the start page has none. */
  readonly section?: string;
  /** Its content. */
  readonly html: string;
  /** Headings for the list at the side. */
  readonly parts: readonly { readonly text: string; readonly anchor: string }[];
  /** The file that it is made from. */
  readonly source?: string;
  /** Names of further scripts in assets/. */
  readonly scripts?: readonly string[];
}

/** Forbids eval, except of WebAssembly, and everything from other hosts. */
export const CONTENT_POLICY =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; style-src 'self'; img-src 'self' data:; " +
  "connect-src 'self'; base-uri 'none'; form-action 'none'";

/** Entries of the navigation next to the sections, with their targets. */
const LAB = { title: 'Lab', path: 'lab/index.html' };
const API = { title: 'API', path: 'api/index.html' };
/** The section in the bar after which the API is listed. */
const API_BEHIND = 'formats';
const DESCRIPTION_MAX = 200;

/** The complete HTML of a page. @param pages of its section. */
export function pageHtml(page: SitePage, pages: readonly SitePage[]): string {
  const title = page.section === undefined ? page.title : `${page.title} · roce-cc`;
  const to = (path: string): string => relativeLink(page.path, path);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${CONTENT_POLICY}">
<meta name="description" content="${escapeHtml(shortened(page.about, DESCRIPTION_MAX))}">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<title>${escapeHtml(title)}</title>
<link rel="stylesheet" href="${to('assets/style.css')}">
<script src="${to('assets/theme-start.js')}"></script>
${
    ['main', ...page.scripts ?? []].map((name) => `<script type="module" src="${to(`assets/${name}.js`)}"></script>`)
      .join('\n')
  }
</head>
<body class="${page.section === undefined ? 'start' : 'inner'}">
<a class="skip" href="#content">To the content</a>
${headerHtml(page)}
${page.section === undefined ? `<main id="content">\n${page.html}</main>` : columnsHtml(page, pages)}
${footerHtml(page)}
</body>
</html>
`;
}

/** @param text to be cut between words, with an ellipsis. */
export function shortened(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, text.lastIndexOf(' ', length))} …`;
}

function headerHtml(page: SitePage): string {
  const entries = SECTIONS.flatMap(({ id, title }) => {
    const own = { title, path: `${id}/index.html`, isHere: page.section === id };
    return id === API_BEHIND ? [own, { ...API, isHere: false }] : [own];
  });
  const links = [{ ...LAB, isHere: false }, ...entries].map(({ title, path, isHere }) =>
    `<a href="${relativeLink(page.path, path)}"${isHere ? ' class="here"' : ''}>${title}</a>`
  );
  return `<header class="bar">
<a class="brand" href="${relativeLink(page.path, 'index.html')}">roce-cc</a>
<nav aria-label="Site">${links.join('')}</nav>
<div class="tools">
<div class="search" role="search">
<input id="search" type="search" placeholder="Search  /" aria-label="Search the site" autocomplete="off" spellcheck="false">
<div id="search-panel" hidden><p id="search-status" role="status"></p><ul id="search-results"></ul></div>
</div>
<button id="theme" type="button">Dark</button>
</div>
</header>`;
}

function columnsHtml(page: SitePage, pages: readonly SitePage[]): string {
  const section = SECTIONS.find(({ id }) => id === page.section);
  return `<div class="columns">
<nav class="side" aria-label="${escapeHtml(section?.title ?? '')}">
<p class="side-title"><a href="${relativeLink(page.path, `${page.section ?? ''}/index.html`)}">${
    escapeHtml(section?.title ?? '')
  }</a></p>
<ul>${pages.map((other) => sideEntry(other, page)).join('\n')}</ul>
</nav>
<main id="content" class="text">
${page.html}</main>
</div>`;
}

function sideEntry(other: SitePage, page: SitePage): string {
  const isHere = other.path === page.path;
  const link = `<a href="${relativeLink(page.path, other.path)}"${isHere ? ' aria-current="page"' : ''}>${
    escapeHtml(other.title)
  }</a>`;
  if (!isHere || page.parts.length === 0) return `<li>${link}</li>`;
  const parts = page.parts.map(({ text, anchor }) => `<li><a href="#${anchor}">${escapeHtml(text)}</a></li>`);
  return `<li>${link}<ul>${parts.join('')}</ul></li>`;
}

function footerHtml({ source, path }: SitePage): string {
  const made = source === undefined ?
    '' :
    `Made of <a href="${REPOSITORY_URL}/blob/main/${source}">${escapeHtml(source)}</a>. `;
  return `<footer>${made}<a href="${relativeLink(path, 'project/overview.html')}">The package</a> ·
<a href="${REPOSITORY_URL}">Repository</a> · Apache-2.0. Nothing on this site is sent anywhere; it works offline.</footer>`;
}
