/** Checks that the search ranks the most relevant page first, and that studies begin with their results. */
import { readFileSync } from 'node:fs';
import MiniSearch from 'minisearch';
import { describe, expect, it } from 'vitest';
import { studyText } from '../../site/charts/study-charts.js';
import { INDEX_OPTIONS, SEARCH_OPTIONS, type SearchEntry } from '../../site/client/search-options.js';
import { hitParts } from '../../site/client/hit-parts.js';
import { searchIndex } from '../../site/search-index.js';
import { WORDS_OF_PARTS } from '../../site/search-words.js';
import { sectionPages } from '../../site/section-pages.js';

const PAGES = sectionPages(() => undefined);
const INDEX = MiniSearch.loadJSON<SearchEntry>(searchIndex(PAGES, undefined), INDEX_OPTIONS);
const STUDIES = ['fast-cnp', 'wan', 'paths', 'loss', 'configurations'];

/** Typical queries, and the expected first result. */
const EXPECTED: readonly (readonly [query: string, first: string])[] = [
  ['incast', 'getting-started/teacher.html#five-experiments'],
  ['install', 'getting-started/simulator-author.html'],
  ['pcap', 'getting-started/nic-engineer.html'],
  ['capture', 'getting-started/nic-engineer.html'],
  ['replay', 'getting-started/nic-engineer.html#what-happened-to-the-flows'],
  ['ns-3', 'getting-started/ns3-htsim.html'],
  ['htsim', 'getting-started/ns3-htsim.html'],
  ['two jobs', 'getting-started/ai-cluster.html#two-jobs-on-one-fabric'],
  ['kmin', 'reference/settings.html#switches'],
  ['ecn threshold', 'reference/settings.html#switches'],
  ['dcqcn parameters', 'guides/scenarios.html#presets'],
  ['hpcc', 'guides/scenarios.html#presets'],
  ['load balancing', 'guides/scenarios.html#load-balancing'],
  ['spraying', 'guides/scenarios.html#load-balancing'],
  ['deadlock', 'guides/scenarios.html#pfcs-hazards'],
  ['pause storm', 'guides/scenarios.html#pfcs-hazards'],
  ['retransmission', 'guides/scenarios.html#transports'],
  ['rnr', 'guides/scenarios.html#verbs'],
  ['fat tree', 'guides/scenarios.html#topologies'],
  ['topology', 'guides/scenarios.html#topologies'],
  ['json schema', 'guides/scenarios.html'],
  ['pfc headroom', 'guides/operators.html#headroom'],
  ['lint', 'guides/operators.html#lint'],
  ['sonic', 'guides/operators.html#sonics-tables'],
  ['mlxconfig', 'guides/operators.html#what-is-read'],
  ['explain', 'guides/results.html#explanations'],
  ['fct slowdown', 'reference/result-members.html#flows'],
  ['metrics', 'guides/sweeps.html#metrics'],
  ['redis', 'guides/sweeps.html#many-machines'],
  ['tune', 'guides/tuning.html'],
  ['lab', 'guides/lab.html'],
  ['command line', 'reference/commands.html'],
  ['browser', 'guides/browsers.html'],
  ['custom algorithm', 'guides/your-own-algorithm.html'],
  ['reinforcement learning', 'guides/gym.html'],
  ['all-reduce', 'guides/workloads.html#collectives'],
  ['chakra', 'guides/workloads.html#chakra-execution-traces'],
  ['rate trace', 'guides/trace.html'],
  ['fast cnp', 'formats/fast-cnp.html'],
  ['bth', 'formats/infiniband-transport.html#bth'],
  ['wan', 'guides/wan.html'],
  ['deterministic', 'internals/verification.html'],
];

describe('the search', () => {
  it.each(EXPECTED)('for "%s" ranks %s first', (query, first) => {
    expect(INDEX.search(query, SEARCH_OPTIONS)[0]?.['url']).toBe(first);
  });

  it('has additional words only for existing pages and sections', () => {
    const urls = new Set(PAGES.flatMap(({ path, headings }) => [
      path,
      ...headings.map(({ anchor }) => `${path}#${anchor}`),
    ]));
    expect(Object.keys(WORDS_OF_PARTS).filter((url) => !urls.has(url))).toEqual([]);
  });
});

describe('a study', () => {
  it.each(STUDIES)('of %s begins with its result and a chart, and ends with the method', (name) => {
    const source = `docs/studies/${name}-study.md`;
    const text = readFileSync(new URL(`../../${source}`, import.meta.url), 'utf8');
    const shown = studyText(source, text);
    expect(shown.indexOf('```bar-chart')).toBeLessThan(shown.indexOf('\n## '));
    expect(shown.match(/^## .*/gm)!.at(-1)).toBe('## How it was made');
    for (const line of text.split('\n')) expect(shown).toContain(line);
    const page = PAGES.find(({ path }) => path === `studies/${name}-study.html`)!;
    expect(page.html).toMatch(/^<h1[\s\S]{1,900}<figure class="chart"><svg/);
  });

  it('shows an excerpt around a match, with the matching words marked', () => {
    const [hit] = INDEX.search('watchdog', SEARCH_OPTIONS);
    const { excerpt, terms } = hit as unknown as { readonly excerpt: string; readonly terms: readonly string[] };
    const parts = hitParts(excerpt, terms);
    expect(parts.filter(({ isHit }) => isHit).map(({ words }) => words.toLowerCase())).toContain('watchdog');
    expect(parts.map(({ words }) => words).join('').length).toBeLessThan(140);
    const text = `${'one two '.repeat(40)}the queue (Kmin) is ${'long '.repeat(60)}`;
    expect(hitParts(text, ['kmin'])).toEqual([
      { words: expect.stringMatching(/^… .*queue \($/) as string, isHit: false },
      { words: 'Kmin', isHit: true },
      { words: expect.stringMatching(/^\) is .* …$/) as string, isHit: false },
    ]);
    expect(hitParts('one two', [])).toEqual([{ words: 'one two', isHit: false }]);
  });
});
