/**
 * The pages of the site: the repository's Markdown files, each in a section. A new file in docs/ is included
 * automatically.
 */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** Root folder of the repository. */
export const ROOT = fileURLToPath(new URL('../', import.meta.url));

/** A section of the site: a folder, and an entry in the bar at the top. */
export interface Section {
  /** Its folder in the site. */
  readonly id: string;
  readonly title: string;
  /** One line for the section's first page. */
  readonly about: string;
  /** Markdown files in order; missing ones are omitted. */
  readonly sources: readonly string[];
}

/** A page made from a Markdown file. */
export interface CatalogPage {
  readonly source: string;
  /** Its path in the site. */
  readonly path: string;
  readonly section: string;
}

export const WIRE_SOURCE = 'docs/reference/wire.md';
export const BENCHMARK_SOURCE = 'bench/RESULTS.md';

/** Section for files in docs/ that no list names. */
const OTHERS = 'guides';

const LISTED: readonly Section[] = [
  {
    id: 'getting-started',
    title: 'Getting started',
    about: 'The first ten minutes, for each kind of work.',
    sources: ['simulator-author', 'ns3-htsim', 'nic-engineer', 'operator', 'ai-cluster', 'teacher'].map((name) =>
      `docs/getting-started/${name}.md`
    ),
  },
  {
    id: 'guides',
    title: 'Guides',
    about: 'How to describe a network, run it, read the results, and build on the library.',
    sources: [
      'scenarios',
      'results',
      'lab',
      'sweeps',
      'tuning',
      'gym',
      'workloads',
      'from-other-simulators',
      'uet-reference',
      'mrc',
      'operators',
      'wan',
      'trace',
      'browsers',
    ].map((name) => docs(`guides/${name}`)),
  },
  {
    id: 'reference',
    title: 'Reference',
    about:
      'Every entry point, command, setting and member of a result; what agrees with what, and where sources disagree.',
    sources: ['entry-points', 'commands', 'settings', 'result-members', 'fidelity', 'closed-forms', 'sources'].map((
      name,
    ) => docs(`reference/${name}`)),
  },
  {
    id: 'formats',
    title: 'Formats',
    about: 'Every header that is read and written: layout, fields, source.',
    sources: [WIRE_SOURCE],
  },
  {
    id: 'specs',
    title: 'Specifications',
    about: 'What the code implements, fact by fact, each with its origin: comments cite these pages by section.',
    sources: [
      'wire',
      'dcqcn',
      'hpcc',
      'reference',
      'reference-lossy',
      'tunnels-and-qos',
      'transports-and-switches',
      'uet-reference',
      'mrc-formats',
      'mrc-transport',
      'workloads',
    ].map((name) => docs(`specs/${name}`)),
  },
  {
    id: 'benchmarks',
    title: 'Benchmarks',
    about: 'Times of the engine, the codecs and the simulator, compared with native C.',
    sources: [BENCHMARK_SOURCE],
  },
  {
    id: 'studies',
    title: 'Studies',
    about: 'Studies with the simulator; each page is generated from its runs.',
    sources: ['fast-cnp', 'wan', 'paths', 'multipath', 'loss', 'configurations'].map((name) =>
      docs(`studies/${name}-study`)
    ),
  },
  {
    id: 'internals',
    title: 'Internals',
    about: 'How the library is built and checked, for those who change it.',
    sources: ['design', 'adding-an-algorithm', 'memory', 'verification', 'security'].map((name) =>
      docs(`internals/${name}`)
    ),
  },
  {
    id: 'project',
    title: 'Project',
    about: 'The package as a whole, its changes, and how to take part.',
    sources: [
      'README.md',
      'CHANGELOG.md',
      'CONTRIBUTING.md',
      'SECURITY.md',
      'examples/data/README.md',
      'examples/figures/README.md',
      'examples/jobs/README.md',
    ],
  },
];

/** The sections with all existing files, including those that no list names. */
export const SECTIONS: readonly Section[] = withOthers(LISTED, markdownFiles());

/** All pages made from one file each. The formats are several pages from one file: site/format-pages.ts. */
export const CATALOG: readonly CatalogPage[] = SECTIONS.flatMap(({ id, sources }) =>
  sources.filter((source) => source !== WIRE_SOURCE)
    .map((source) => ({ source, path: pathOf(id, source), section: id }))
);

function docs(name: string): string {
  return `docs/${name}.md`;
}

function pathOf(section: string, source: string): string {
  if (source === BENCHMARK_SOURCE) return `${section}/index.html`;
  const { dir, name } = path.posix.parse(source);
  const own = name === 'README' ? dir.replace('/', '-') || 'overview' : name.toLowerCase();
  return `${section}/${own}.html`;
}

/** All files in docs/ and its folders, and listed files from elsewhere. */
function markdownFiles(): string[] {
  const inDocs = readdirSync(path.join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .map((file) => `docs/${file.split(path.sep).join('/')}`)
    .filter((file) => file.endsWith('.md')).sort();
  return [...inDocs, ...LISTED.flatMap(({ sources }) => sources).filter((source) => !source.startsWith('docs/'))];
}

function withOthers(sections: readonly Section[], files: readonly string[]): Section[] {
  const listed = new Set(sections.flatMap(({ sources }) => sources));
  const others = files.filter((file) => !listed.has(file));
  return sections.map((section) => ({
    ...section,
    sources: [
      ...section.sources.filter((source) => files.includes(source)),
      ...others.filter((file) => sectionOf(file) === section.id),
    ],
  }));
}

/** The section of a file, from its folder in docs/. */
function sectionOf(file: string): string {
  const [, folder = ''] = file.split('/');
  return LISTED.some(({ id }) => id === folder) ? folder : OTHERS;
}
