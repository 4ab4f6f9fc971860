/** The contents of a report. */
import { describe, expect, it } from 'vitest';
import { inflateRawSync } from 'node:zlib';
import { networkSvg } from '../../src/cli/figures/network-svg.js';
import { labLink } from '../../src/cli/report/lab-link.js';
import { reportHtml } from '../../src/cli/report/report-html.js';
import { fakeResult, mainJobResults } from '../cli/support/fake-results.js';
import { run } from '../cli/support/run.js';
import { ASSETS, html } from './support/report-page.js';

describe('the network of a report', () => {
  const result = fakeResult();

  it('has each node and port once, with its queues and pauses', () => {
    const ports = result.ports.map((port, index) => ({ ...port, pausedPs: index === 0 ? 5e6 : 0 }));
    const svg = networkSvg({ ...result, ports });
    const nodes = new Set(result.ports.flatMap(({ node, peer }) => [node, peer]));
    // A paused port is a dashed line and a bar across it.
    expect(svg.match(/<line [^>]*><title>/g)).toHaveLength(ports.length + 1);
    expect(svg.match(/<(circle|rect) [^>]*><title>/g)).toHaveLength(nodes.size);
    expect(svg).toMatch(/longest queue 900 kB/);
    expect(svg.match(/stroke-dasharray="5 4"><title>[^<]*paused for 5 µs/g)).toHaveLength(1);
  });

  it('is colored by the thresholds that the longest queue reached', () => {
    const [port] = result.ports;
    const colorAt = (maxQueueBytes: number): string | undefined =>
      /stroke="([^"]*)"[^>]*><title>/.exec(networkSvg({
        ...result,
        ports: [{ ...port!, maxQueueBytes, kminBytes: 100, kmaxBytes: 200, pausedPs: 0, txPackets: 0 }],
      }))?.[1];
    expect([0, 99, 100, 200].map(colorAt)).toEqual(
      ['idle', 'sending', 'marking', 'full'].map((state) => expect.stringContaining(`var(--${state},`) as string),
    );
  });

  it('is omitted if there are too many nodes, and escapes names', () => {
    const [port] = result.ports;
    const many = Array.from({ length: 400 }, (_, index) => ({ ...port!, node: `n${index}`, peer: 's' }));
    expect(networkSvg({ ...result, ports: many })).toBe('');
    const odd = networkSvg({ ...result, ports: [{ ...port!, node: '<b>', name: '<b>:s0' }] });
    expect(odd).not.toContain('<b>');
  });
});

describe('links into the lab', () => {
  it('contain the scenarios, and the result hashes for comparison', () => {
    const results = [fakeResult({ name: 'one' }), fakeResult({ name: 'two' })];
    const [address, data] = labLink('https://example.org/lab/', results)!.split('#1.');
    const state = JSON.parse(inflateRawSync(Buffer.from(data!, 'base64url')).toString()) as Record<string, string>;
    expect([address, state.hash]).toEqual(['https://example.org/lab/', '0123456789abcdef 0123456789abcdef']);
    expect([state.a, state.b].map((text) => JSON.parse(text!) as unknown)).toEqual(
      results.map(({ scenario }) => scenario),
    );
  });

  it('are only in reports with the address of a lab', () => {
    const text = reportHtml(mainJobResults(), { ...ASSETS, lab: '../lab/index.html' });
    expect(text.match(/<a href="\.\.\/lab\/index\.html#1\.[\w-]+">/g)).toHaveLength(3);
    expect(html(mainJobResults())).not.toContain('<a ');
  });

  it.each(['javascript:alert(1)', 'data:text/html,x', 'https://x/#y', ''])('are rejected for %j', async (lab) => {
    expect(await run(['run', 'incast-16', '--report', 'none.html', '--lab', lab])).toMatchObject({ exitCode: 2 });
  });
});

describe('the text of a report', () => {
  it('is the same for the same results', () => {
    expect(html(mainJobResults())).toBe(html(mainJobResults()));
  });

  it('refers to no external resources, and forbids them by its content security policy', () => {
    const text = html(mainJobResults());
    expect(text).toMatch(
      /content="default-src 'none'; style-src 'sha256-[\w+/]{43}='; script-src 'sha256-[\w+/]{43}='; base-uri 'none'; form-action 'none'"/,
    );
    expect(text).not.toContain('unsafe-inline');
    expect(text).toContain('Copyright (c) 2022 Leon Sorokin');
    expect(text.match(/\s(?:src|href)=|@import|url\(/g)).toBeNull();
  });

  it('escapes names, notes and scenarios', () => {
    const odd = '</script><img src=x onerror=alert(1)>&"\'';
    const text = html([fakeResult({ name: odd, notes: [odd] })]);
    expect(text).not.toContain('<img');
    expect(text.match(/<\/script>/g)).toHaveLength(2);
    expect(text).toContain('<h1>&lt;/script&gt;&lt;img src=x onerror=alert(1)&gt;&amp;&quot;&#39;</h1>');
  });

  it('has the table, the notes, the scenario, and the command and hashes to reproduce the results', () => {
    const text = html(mainJobResults());
    expect(text).toMatch(
      /<th scope="row">queue, max<\/th><td class="number">900 kB<\/td><td class="number">500 kB<\/td><td class="number">80 kB<\/td>/,
    );
    expect(text).toContain('<li>An example of a note.</li>');
    expect(text).toContain('&quot;preset&quot;: &quot;dcqcn-sigcomm15&quot;');
    expect(text).toContain('roce-cc run a.json b.json --compare');
    expect(text.match(/result hash <code>0123456789abcdef<\/code>/g)).toHaveLength(3);
  });

  it('shows only the slowest flows if there are too many, unfinished ones first', () => {
    const result = fakeResult({ senders: 1000 });
    const flows = result.flows.map((
      flow,
    ) => (flow.index === 500 ? { ...flow, completionPs: null, slowdown: null } : flow));
    const text = html([{ ...result, flows }]);
    expect(text).toContain('the 400 slowest of 1,000');
    expect(text).toMatch(/<tbody>\n<tr><th scope="row" data-value="500">500<\/th>.*not done: 1 MB/);
  });

  it('has at most 2 MB for many flows over a long time', () => {
    expect(html([fakeResult({ senders: 64, samples: 2000 })]).length).toBeLessThan(2e6);
  });

  it('limits the flows and ports of a chart, and states the total number of flows', () => {
    const result = fakeResult({ senders: 100 });
    const values = result.series.timesPs.map(() => 5);
    const queueBytes = {
      ...result.series.queueBytes,
      ...Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`s1:x${index}`, values])),
    };
    const text = html([{ ...result, series: { ...result.series, queueBytes } }]);
    expect(text).toContain('Allowed rate of the first 64 of 100 flows, over time');
    expect(text.match(/<option value="[^"]+">/g)).toHaveLength(16);
    expect(text).toContain('<option value="s0:h100">');
  });

  it('shows a sentence instead of an empty chart', () => {
    const { series, ...rest } = fakeResult({ ended: 'time', senders: 1 });
    const text = html([{
      ...rest,
      series: { ...series, timesPs: [], queueBytes: {}, utilization: {}, rateBps: {}, fairness: [] },
    }]);
    for (
      const words of [
        'No series were recorded.',
        'No rates were recorded.',
        'No two flows were running at once.',
        'No flow was done.',
        'No port was paused.',
      ]
    ) {
      expect(text).toContain(words);
    }
    expect(text).not.toContain('class="chart"');
  });
});
