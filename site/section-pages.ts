/** Makes the pages of every section: those from one file each, the formats, and a first page that lists them. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { BENCHMARK_SOURCE, CATALOG, ROOT, SECTIONS, WIRE_SOURCE, type CatalogPage } from './catalog.js';
import { withCharts } from './charts/benchmark-charts.js';
import { studyText } from './charts/study-charts.js';
import { formatPages } from './format-pages.js';
import { escapeHtml } from '../src/view/format.js';
import { shortened, type SitePage } from './layout.js';
import { relativeLink, type LinkTargets } from './links.js';
import { renderMarkdown, type Heading, type Rendered } from './markdown/render.js';

/** A page with its headings and texts for the search. */
export interface TextPage extends SitePage {
  readonly headings: readonly Heading[];
}

const FORMATS = 'formats';
const ABOUT_MAX = 160;
const SIDE_LEVEL = 2;

/** @param needFile called for each file of the repository that a page shows. */
export function sectionPages(needFile: (file: string) => void): readonly TextPage[] {
  const formats = formatPages(readFileSync(path.join(ROOT, WIRE_SOURCE), 'utf8'));
  const targets: LinkTargets = {
    pages: new Map([...CATALOG.map(({ source, path: page }) => [source, page] as const), [
      WIRE_SOURCE,
      `${FORMATS}/index.html`,
    ]]),
    parts: formats.anchors,
    needFile,
  };
  const parts = formats.parts.map(({ path: page, text }) =>
    pageOf({ source: WIRE_SOURCE, path: page, section: FORMATS }, text, targets)
  );
  const pages = [...CATALOG.map((entry) => pageOf(entry, textOf(entry.source), targets)), ...parts];
  const intro = renderMarkdown(formats.intro, { source: WIRE_SOURCE, page: `${FORMATS}/index.html`, targets }).html;
  const indexes = SECTIONS.map(({ id }) => `${id}/index.html`).filter((file) =>
    pages.every((page) => page.path !== file)
  );
  return [...pages, ...indexes.map((file) => indexPage(file, pages, file.startsWith(FORMATS) ? intro : ''))];
}

/** Pages of a section for lists: without its first page, unless that is the only one. */
export function listedPages(section: string | undefined, pages: readonly TextPage[]): readonly TextPage[] {
  const own = pages.filter((page) => page.section === section);
  return own.length === 1 ? own : own.filter((page) => !page.path.endsWith('/index.html'));
}

function textOf(source: string): string {
  const text = readFileSync(path.join(ROOT, source), 'utf8');
  return source === BENCHMARK_SOURCE ? withCharts(text) : studyText(source, text);
}

function pageOf({ source, path: page, section }: CatalogPage, text: string, targets: LinkTargets): TextPage {
  const rendered = renderMarkdown(text, { source, page, targets });
  return {
    path: page,
    title: rendered.title,
    about: aboutOf(rendered),
    section,
    html: rendered.html,
    parts: rendered.headings.filter(({ level }) => level === SIDE_LEVEL),
    headings: rendered.headings,
    source,
  };
}

/** The first paragraph, or if there is none the names of its parts. */
function aboutOf({ lead, headings }: Rendered): string {
  const names = headings.filter(({ level }) => level === SIDE_LEVEL).map(({ text }) => text);
  return shortened(lead.length > 20 && names.length > 0 ? lead : names.join(', ') || lead, ABOUT_MAX);
}

/** @param intro HTML before the list. */
function indexPage(file: string, pages: readonly TextPage[], intro: string): TextPage {
  const { id, title, about } = SECTIONS.find((section) => file === `${section.id}/index.html`) ?? SECTIONS[0];
  const entries = pages.filter((page) => page.section === id).map((page) => {
    const names = id === FORMATS ? page.parts.map(({ text }) => text).join(' · ') : page.about;
    return `<li><a href="${relativeLink(file, page.path)}">${escapeHtml(page.title)}</a><p>${
      escapeHtml(names)
    }</p></li>`;
  });
  return {
    path: file,
    title,
    about,
    section: id,
    html: `<h1>${escapeHtml(title)}</h1>\n<p class="lead">${escapeHtml(about)}</p>\n${intro}<ul class="list">${
      entries.join('\n')
    }</ul>\n`,
    parts: [],
    headings: [{ level: 1, text: title, anchor: '', body: about }],
  };
}
