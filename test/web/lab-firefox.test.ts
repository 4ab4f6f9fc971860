import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { BROWSERS, browserProgram, factsFromPage, whyNoBrowser } from '../runtimes/browsers.js';
import { describeNeeding } from '../support/foreign-tools.js';
import { buildLab, GALLERY_FILES, hashesInNode, SUB_PATH, type BuiltLab } from './built-lab.js';

/** What the page with the lab in a frame reports. */
interface LabFacts {
  readonly found: Readonly<Record<string, readonly string[]>>;
  readonly shared: readonly string[];
  readonly capture: { readonly status: string; readonly tree: string };
  readonly errors: readonly string[];
}

const firefox = BROWSERS.find(({ name }) => name === 'firefox')!;

const items = Object.entries(GALLERY_FILES).map(([item, files]) => [item, files.length]);
const page = readFileSync(new URL('firefox-page.html', import.meta.url), 'utf8').replace('ITEMS', JSON.stringify(items))
  .replace('LAB', `/${SUB_PATH}/index.html`);

describeNeeding(whyNoBrowser(firefox), 'The lab in Firefox', () => {
  let lab: BuiltLab;

  beforeAll(async () => {
    lab = await buildLab(page);
  });

  afterAll(() => {
    lab.remove();
  });

  it('runs each gallery item with the same hash as in Node, opens a shared link, and reads a dropped capture',
    async () => {
      const facts = await factsFromPage(firefox, browserProgram(firefox), lab.dir) as unknown as LabFacts;
      const wanted = Object.fromEntries(Object.keys(GALLERY_FILES).map((item) => [item, hashesInNode(item)]));
      expect(facts.found).toEqual(wanted);
      expect(facts.shared).toEqual(Object.values(wanted).at(-1));
      expect(facts.capture.status).toMatch(/[\d,]+ frames in/);
      expect(facts.capture.tree).toContain('Base Transport Header');
      expect(facts.errors).toEqual([]);
    }, 240_000);
});
