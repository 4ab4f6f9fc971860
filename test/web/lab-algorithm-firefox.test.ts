import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { linkOf } from '../../web/page/share/link.js';
import { BROWSERS, browserProgram, factsFromPage, whyNoBrowser } from '../runtimes/browsers.js';
import { describeNeeding } from '../support/foreign-tools.js';
import { buildLab, SUB_PATH, type BuiltLab } from './built-lab.js';
import { AIMD, codeThatCallsHome, hashWithCode, SCENARIO_TEXT } from './custom-code.js';

/** What the page with the lab in a frame reports. */
interface AlgorithmFacts {
  /** The number of runs before the user has allowed the code. */
  readonly before: number;
  readonly good: string;
  readonly faults: Readonly<Record<'home' | 'thrown' | 'endless', string>>;
}

const firefox = BROWSERS.find(({ name }) => name === 'firefox')!;

const linkWith = (code: string): Promise<string> =>
  linkOf({ a: SCENARIO_TEXT, b: SCENARIO_TEXT, code, view: { port: '', flow: -1, timePs: -1 }, hash: '' });

describeNeeding(whyNoBrowser(firefox), 'Code of a link in the lab in Firefox', () => {
  let lab: BuiltLab;
  let outside: Server;
  const requests: string[] = [];

  beforeAll(async () => {
    outside = createServer((request, response) => {
      requests.push(request.url ?? '');
      response.writeHead(200, { 'access-control-allow-origin': '*' }).end();
    }).listen(0, '127.0.0.1');
    await once(outside, 'listening');
    const links = {
      good: await linkWith(AIMD),
      home: await linkWith(codeThatCallsHome(`http://127.0.0.1:${(outside.address() as AddressInfo).port}/`)),
      thrown: await linkWith(AIMD.replace('state.isCut = 0;', 'state.none.x = 0;')),
      endless: await linkWith(AIMD.replace('state.isCut = 0;', 'for (;;) {}')),
    };
    const page = readFileSync(new URL('firefox-algorithm-page.html', import.meta.url), 'utf8')
      .replace('LINKS', JSON.stringify(links)).replace('LAB', `/${SUB_PATH}/index.html`);
    lab = await buildLab(page);
  });

  afterAll(() => {
    outside.close();
    lab.remove();
  });

  it('runs on request, with the same hash as in Node and without network; errors have lines, and endless loops end',
    async () => {
      const facts = await factsFromPage(firefox, browserProgram(firefox), lab.dir) as unknown as AlgorithmFacts;
      expect(facts).toMatchObject({ before: 1, good: await hashWithCode(AIMD) });
      expect(facts.faults.home).toContain('open: blob; tried: 15; origin: null');
      expect(requests).toEqual([]);
      expect(facts.faults.thrown).toMatch(/^Line 41: aimd, ack, flow \d+, at \d+ ps: /);
      expect(facts.faults.endless).toContain('No progress for 2 s during the run');
    }, 240_000);
});
