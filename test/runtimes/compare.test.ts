/** The comparison of `npm run runtimes` reports differences; only that command runs the runtimes themselves. */
import { describe, expect, it } from 'vitest';
import { differencesOf, factsOfLines, type Findings } from './compare.js';

const KNOWN = factsOfLines('result a.json 00\nstate mixed 11\n');
const FACTS = {
  'import roce-cc': 'createEngine',
  'import roce-cc/capture/node': 'openCaptureFile',
  'result a.json': '00',
  'state mixed': '11',
  'replay': '22',
  'cli --version': '1.2.3',
  'cli result a.json': '00',
};
const { 'import roce-cc': imported, 'result a.json': result, 'state mixed': state, 'replay': replayed } = FACTS;
const PAGE_FACTS = { 'import roce-cc': imported, 'result a.json': result, 'state mixed': state, 'replay': replayed };

const base: Findings = { name: 'node', kind: 'process', facts: FACTS };
const bun = (facts: Findings['facts']): Findings => ({ name: 'bun', kind: 'process', facts });
const firefox = (facts: Findings['facts']): Findings => ({ name: 'firefox', kind: 'page', facts });
const differences = (...findings: readonly Findings[]) => differencesOf([base, ...findings], base, KNOWN);

describe('the comparison of runtimes', () => {
  it('reports no differences if all facts are equal, and requires only process facts of processes', () => {
    expect(differences(bun(FACTS), firefox(PAGE_FACTS))).toEqual([]);
  });

  it.each(Object.keys(FACTS))('names the runtime in which "%s" differs', (fact) => {
    expect(differences(bun({ ...FACTS, [fact]: 'ff' }))).toEqual([
      `bun: ${fact} is ff, expected ${FACTS[fact as keyof typeof FACTS]}`,
    ]);
  });

  it('names facts that are missing, and facts that only one runtime has', () => {
    const less = { 'import roce-cc': imported, 'result a.json': result, 'state mixed': state };
    expect(differences(firefox({ ...less, more: 'x' }))).toEqual([
      'firefox: replay is missing, expected 22',
      'firefox: more is x, expected missing',
    ]);
  });

  it('reports hashes of the base that differ from bench/hashes.txt, also those of the command line', () => {
    const wrong: Findings = { ...base, facts: { ...FACTS, 'state mixed': '12', 'cli result a.json': '01' } };
    expect(differencesOf([wrong], wrong, KNOWN)).toEqual([
      'node: state mixed is 12, expected 11',
      'node: cli result a.json is 01, expected 00',
    ]);
  });
});
