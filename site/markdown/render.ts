/** Renders the repository's Markdown as HTML: anchors, links, tables that scroll, and no style attributes. */
import MarkdownIt, { type Token } from 'markdown-it';
import { barChart, type BarChart } from '../charts/bar-chart.js';
import { escapeHtml } from '../../src/view/format.js';
import { siteImage, siteLink, type LinkTargets } from '../links.js';
import { Slugs } from './slug.js';

export interface Heading {
  readonly level: number;
  readonly text: string;
  readonly anchor: string;
  /** Plain text below it up to the next heading, for the search. */
  readonly body: string;
}

export interface Rendered {
  /** Text of the first heading. */
  readonly title: string;
  /** The first paragraph as plain text. */
  readonly lead: string;
  readonly html: string;
  readonly headings: readonly Heading[];
}

/** Source and target of a text. */
export interface Place {
  readonly source: string;
  readonly page: string;
  readonly targets: LinkTargets;
}

/** Code blocks of this language are charts as JSON, which the benchmarks and studies insert. */
export const CHART_LANGUAGE = 'bar-chart';
/** Comments in the Markdown file, such as why a block isn't run. */
const COMMENT_LINE = /^<!--[^>]*-->\n/gm;

const markdown = new MarkdownIt({ html: false });

markdown.renderer.rules['table_open'] = () =>
  '<div class="table" role="group" aria-label="Table" tabindex="0"><table>\n';
markdown.renderer.rules['table_close'] = () => '</table></div>\n';
markdown.renderer.rules['fence'] = (tokens, index) => fence(tokens[index]);
markdown.renderer.rules['heading_close'] = (tokens, index) => {
  const [open, inline] = [tokens[index - 2], tokens[index - 1]];
  const anchor = String(open.attrGet('id'));
  const label = escapeHtml(`Link to: ${plain(inline)}`);
  return ` <a class="anchor" href="#${anchor}" aria-label="${label}">#</a></${open.tag}>\n`;
};

/** @throws Error if a link leads nowhere. */
export function renderMarkdown(text: string, place: Place): Rendered {
  const tokens = markdown.parse(text.replaceAll(COMMENT_LINE, ''), {});
  const headings = headingsOf(tokens);
  for (const token of tokens) {
    alignByClass(token);
    for (const child of token.children ?? []) leadToSite(child, place);
  }
  const title = headings[0]?.text ?? place.page;
  return { title, lead: leadOf(tokens), html: markdown.renderer.render(tokens, markdown.options, {}), headings };
}

/** Gives headings their anchors, and collects the text below each. */
function headingsOf(tokens: readonly Token[]): Heading[] {
  const slugs = new Slugs();
  const headings: { level: number; text: string; anchor: string; body: string }[] = [];
  tokens.forEach((token, index) => {
    if (token.type === 'heading_open') {
      const text = plain(tokens[index + 1]);
      const anchor = slugs.next(text);
      token.attrSet('id', anchor);
      headings.push({ level: Number(token.tag.slice(1)), text, anchor, body: '' });
      return;
    }
    const heading = headings.at(-1);
    const isText = token.type === 'inline' && tokens[index - 1]?.type !== 'heading_open';
    if (heading !== undefined && isText) heading.body += `${plain(token)} `;
    else if (heading !== undefined && token.type === 'fence') heading.body += `${token.content} `;
  });
  return headings;
}

function leadOf(tokens: readonly Token[]): string {
  const at = tokens.findIndex((token, index) => token.type === 'inline' && tokens[index - 1].type === 'paragraph_open');
  return at < 0 ? '' : plain(tokens[at]);
}

/** Text of an inline token, without markup. */
function plain(token: Token): string {
  return (token.children ?? []).map(({ type, content }) => (type === 'softbreak' ? ' ' : content)).join('');
}

/** Replaces style attributes, which the content policy forbids, by a class. */
function alignByClass(token: Token): void {
  const style = token.attrGet('style');
  if (style === null) return;
  token.attrs = (token.attrs ?? []).filter(([name]) => name !== 'style');
  token.attrSet('class', String(style).replace('text-align:', 'align-'));
}

function leadToSite(token: Token, { source, page, targets }: Place): void {
  const href = token.attrGet('href');
  if (token.type === 'link_open' && href !== null) token.attrSet('href', siteLink(String(href), source, page, targets));
  const src = token.attrGet('src');
  if (token.type === 'image' && src !== null) token.attrSet('src', siteImage(String(src), source, page, targets));
}

/** Renders a code block; its language may be followed by a file name. */
function fence({ info, content }: Token): string {
  const [language = '', second = ''] = info.trim().split(/\s+/);
  const file = second.includes('.') ? second : '';
  if (language === CHART_LANGUAGE) return barChart(JSON.parse(content) as BarChart);
  const label = file === '' ? 'Code' : `Code of ${file}`;
  // Commands are wrapped on a narrow screen; drawings of headers and outputs must not be.
  const kind = language === 'sh' ? ' class="commands"' : '';
  const attributes = `${kind} tabindex="0" role="group" aria-label="${escapeHtml(label)}"`;
  const block = `<pre${attributes}><code>${escapeHtml(content)}</code></pre>\n`;
  if (file === '') return block;
  return `<figure class="code"><figcaption>${escapeHtml(file)}</figcaption>${block}</figure>\n`;
}
