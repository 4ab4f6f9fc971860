/** Every page and section of docs/specs that a comment cites exists. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const FOLDERS = ['assembly', 'src', 'test', 'scripts', 'studies'];
/** A page and the sections after it: `section 9`, `sections 5.2 to 5.4`, `sections 6, 7, 9`, or `4.2` as in lists. */
const CITATION = /docs\/specs\/([\w-]+)\.md(?:, (?:sections? )?((?:\d+(?:\.\d+)*(?:, | and | to )?)+))?/g;

interface Citation {
  readonly file: string;
  readonly page: string;
  readonly sections: readonly string[];
}

function citationsIn(file: string): Citation[] {
  const text = readFileSync(ROOT + file, 'utf8').replaceAll(/\n\s*(?:\*|\/\/)?\s*/g, ' ');
  return [...text.matchAll(CITATION)].map(([, page = '', sections = '']) => ({
    file,
    page,
    sections: sections.match(/\d+(?:\.\d+)*/g) ?? [],
  }));
}

function sectionsOf(page: string): Set<string> {
  const text = readFileSync(`${ROOT}docs/specs/${page}.md`, 'utf8');
  return new Set([...text.matchAll(/^#{2,} (\d+(?:\.\d+)*)\.? /gm)].map(([, number = '']) => number));
}

const PAGES = readdirSync(`${ROOT}docs/specs`).map((name) => name.replace('.md', ''));
const CITATIONS = FOLDERS.flatMap((folder) =>
  readdirSync(ROOT + folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))
    .map((name) => `${folder}/${name}`)
).flatMap(citationsIn);

describe('citations of the specifications', () => {
  it('are found, more than 80 of them with sections', () => {
    expect(CITATIONS.filter(({ sections }) => sections.length > 0).length).toBeGreaterThan(80);
  });

  it('name existing pages', () => {
    expect(CITATIONS.filter(({ page }) => !PAGES.includes(page))).toEqual([]);
  });

  it.each(PAGES)('name existing sections of %s', (page) => {
    const there = sectionsOf(page);
    expect(there.size).toBeGreaterThan(0);
    const missing = CITATIONS.filter((citation) => citation.page === page)
      .flatMap(({ file, sections }) =>
        sections.filter((section) => !there.has(section)).map((section) => [file, section])
      );
    expect(missing).toEqual([]);
  });
});
