/** Splits docs/reference/wire.md into pages, one for each part. */
import { WIRE_SOURCE } from './catalog.js';
import { Slugs } from './markdown/slug.js';

export interface FormatPart {
  readonly path: string;
  /** Markdown of the page. */
  readonly text: string;
}

export interface FormatPages {
  /** The text before the first part, for the section's first page. */
  readonly intro: string;
  readonly parts: readonly FormatPart[];
  /** Page of each file and anchor. */
  readonly anchors: ReadonlyMap<string, string>;
}

/** @param text of docs/reference/wire.md. */
export function formatPages(text: string): FormatPages {
  const [intro = '', ...parts] = text.split(/^## /m);
  const pages = parts.map((part) => {
    const title = part.slice(0, part.indexOf('\n'));
    // Move headings up one level: the page's title is level 1 and each format level 2.
    const lines = `# ${part}`.replaceAll(/^###/gm, '##');
    return { path: `formats/${new Slugs().next(title)}.html`, text: lines };
  });
  return { intro: intro.replace(/^# .*\n/, ''), parts: pages, anchors: anchorsOf(pages) };
}

function anchorsOf(pages: readonly FormatPart[]): Map<string, string> {
  const anchors = new Map<string, string>();
  const slugs = new Slugs();
  for (const { path, text } of pages) {
    for (const [, heading] of text.matchAll(/^#{1,2} (.+)$/gm))
      anchors.set(`${WIRE_SOURCE}#${slugs.next(heading)}`, path);
  }
  return anchors;
}
