import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { printable, printableJson, printableLines, printablePage } from '../../src/cli/printable.js';
import { runCharts, commonScale } from '../../src/cli/run/charts-text.js';
import { renderRuns, type RunReport } from '../../src/cli/run/report-text.js';
import { resultToJson } from '../../src/sim/index.js';
import { hashResult } from '../../src/sim/index.js';
import type { SimResult } from '../../src/sim/result.js';
import { fakeResult } from './support/fake-results.js';
import { run } from './support/run.js';

/**
 * Escape sequences of 7 and 8 bits that set the title and clear the screen, and a mark that reverses the text
 * direction.
 */
const HOSTILE = '\u001b]0;title\u0007\u001b[2J\u009b2J\u009d0;x\u009c\u202eabc\u0008\rname';
const COMMANDS = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'roce-cc-printable-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

function file(name: string, content: string | Uint8Array): string {
  const target = path.join(folder, name);
  writeFileSync(target, content);
  return target;
}

describe('Text from outside', () => {
  it('loses its terminal commands, and keeps its length', () => {
    expect(printable(HOSTILE)).not.toMatch(COMMANDS);
    expect(printable(HOSTILE)).toHaveLength(HOSTILE.length);
    expect(printable('a\nb – ünï…')).toBe('a?b – ünï…');
    expect(printableLines('a\nb\u001bc')).toBe('a\nb?c');
    expect(printablePage('\u001b[1mbold\u001b[22m\n\u001b]0;x\u0007')).toBe('\u001b[1mbold\u001b[22m\n?]0;x?');
  });

  it('keeps its meaning as JSON', () => {
    const json = JSON.stringify({ [HOSTILE]: HOSTILE });
    expect(printableJson(json)).not.toMatch(COMMANDS);
    expect(JSON.parse(printableJson(json))).toEqual({ [HOSTILE]: HOSTILE });
  });
});

describe('Terminal output without escapes', () => {
  it('contains no commands from the name, description and notes of a run, or from names in charts', () => {
    const { series, ...rest } = fakeResult({ name: HOSTILE, notes: [HOSTILE] });
    const queueBytes = Object.fromEntries(
      Object.entries(series.queueBytes).map(([name, values]) => [`${name}${HOSTILE}`, values]),
    );
    const result = {
      ...rest,
      scenario: { ...rest.scenario, description: HOSTILE },
      series: { ...series, queueBytes, mostQueueBytes: queueBytes },
    };
    const outcome = { scenario: { name: HOSTILE, spec: result.scenario }, result, wallSeconds: 1, captures: [] };
    const outcomes = [outcome, outcome] as unknown as RunReport['outcomes'];
    const style = { columns: 100, isBold: false };
    const text = renderRuns({ outcomes, skipped: [], files: [], hints: [] }, style);
    expect(text).toContain('title');
    expect(text).not.toMatch(COMMANDS);
    expect(runCharts(result, commonScale([result]), style).join('')).not.toMatch(COMMANDS);
  });

  it('contains none from a result on standard output, or from the file name of craft', async () => {
    const name = 'x\u009b2J\u202e\u001b]0;t\u0007';
    const scenario = file('scenario.json', JSON.stringify({
      name,
      topology: { kind: 'star', hosts: 3 },
      workload: { kind: 'incast', senders: 1, sizeBytes: 1000 },
    }));
    const piped = await run(['run', scenario, '--json', '-']);
    expect(piped.stdout).not.toMatch(COMMANDS);
    expect((JSON.parse(piped.stdout) as SimResult).scenario.name).toBe(name);
    const packets = file('packets.json', '{"packets":[]}');
    const crafted = await run(['craft', packets, '-o', packets.replace('packets.json', '\u009b2J.pcap')]);
    expect(crafted.exitCode).toBe(0);
    expect(crafted.stdout).not.toMatch(COMMANDS);
    const rejected = await run(['run', scenario, '-q', '--json', '/dev/full']);
    expect(rejected.stderr).not.toMatch(COMMANDS);
  });

  it('contains none from an explained result', async () => {
    const fake = fakeResult({ name: HOSTILE });
    const target = file('result.json', resultToJson({ ...fake, hash: hashResult(fake) }));
    for (const option of [[], ['--json']]) {
      const { exitCode, stdout } = await run(['explain', target, ...option]);
      expect(exitCode).toBe(0);
      expect(stdout).not.toMatch(COMMANDS);
    }
  });

  it('contains none from flow lists, file names, arguments and damaged files', async () => {
    const flows = file(`${HOSTILE.replaceAll('/', '')}.csv`,
      `flow,sender_addr,sender_qpn,peer_addr,peer_qpn\n"${HOSTILE}",10.0.0.1,1,10.0.0.2,2\n`);
    const bad = file('bad.csv', `${HOSTILE}\n`);
    const commands = [
      ['replay', '--flows', flows, '--no-progress'],
      ['replay', '--flows', flows, '--no-progress', '--json'],
      ['replay', '--flows', bad],
      ['replay', HOSTILE],
      ['dissect', HOSTILE],
      ['explain', HOSTILE],
      ['replay', `--${HOSTILE}`],
      ['dissect', flows, '--class', HOSTILE],
      [HOSTILE],
    ];
    for (const args of commands) {
      const { stdout, stderr } = await run(args);
      expect(`${stdout}${stderr}`).not.toBe('');
      expect(stdout).not.toMatch(COMMANDS);
      expect(stderr).not.toMatch(COMMANDS);
    }
  });
});
