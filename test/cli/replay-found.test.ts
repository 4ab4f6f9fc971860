import { mkdtempSync, readFileSync, rmSync, writeFileSync, existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CaptureFrame } from '../../src/capture/index.js';
import { BUNDLED_CAPTURE } from '../../src/cli/shipped-files.js';
import { pcap } from '../replay/support/pcap.js';
import { back, frame, rep, req } from '../replay/support/roce-frames.js';
import { run } from './support/run.js';

const CASES = fileURLToPath(new URL('../replay/cases/', import.meta.url));
const LIST = 'flow,sender_addr,sender_qpn,peer_addr,peer_qpn\n' +
  'f1,192.0.2.1,0x200,192.0.2.2,0x118\nf2,192.0.2.2,0x118,192.0.2.1,0x200\n';
const [WRITE, ACK, CNP] = [0x0a, 0x11, 0x81] as const;

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'roce-cc-found-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});
const inFolder = (name: string): string => path.join(folder, name);
function captureOf(name: string, frames: readonly CaptureFrame[]): string {
  writeFileSync(inFolder(name), pcap(1, frames.map(({ bytes }, index) => ({ bytes, at: [1, 1000 * index] as const }))));
  return inFolder(name);
}
/** Standard output in one line, so that line breaks do not matter. */
async function textOf(...args: string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await run(['replay', ...args]);
  expect([exitCode, stderr]).toEqual([0, '']);
  return stdout.replaceAll(/\s+/g, ' ');
}

describe('PSNs', () => {
  it.each(['read-write-20.pcap', 'nvmf-write.pcap'])('have no gaps for READs without loss: %s', async (name) => {
    writeFileSync(inFolder('list.csv'), LIST);
    const sentence = 'PSN gaps: 0 (0 PSNs missing), retransmitted or reordered: 0';
    expect(await textOf(CASES + name, '--flows', inFolder('list.csv'))).toContain(sentence);
    expect(await textOf(CASES + name)).toContain(sentence);
  });

  it('are counted if they were missing and arrived later', async () => {
    const file = captureOf('reordered.pcap', [1, 4, 2].map((psn) => frame(WRITE, psn)));
    expect(await textOf(file)).toContain(
      'PSN gaps: 1 (2 PSNs missing, 1 of them seen later), retransmitted or reordered: 1',
    );
  });
});

describe('--icrc check', () => {
  it('names frames with a wrong ICRC without a flow list, and with connections found', async () => {
    const sentence = '4 of 11 frames have a wrong ICRC (frames 1, 4, 7, 10).';
    expect(await textOf(`${CASES}icrc-mix.pcap`, '--icrc', 'check')).toContain(sentence);
    const { stdout } = await run(['replay', `${CASES}icrc-mix.pcap`, '--icrc', 'check', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ icrc: { checked: 11, wrong: 4, wrongFrames: [1, 4, 7, 10] } });
  });

  it('states whether all are correct, how many are truncated, and which are not computed', async () => {
    expect(await textOf(`${CASES}notect.pcap`, '--icrc', 'check')).toContain(
      'All checked ICRCs are correct (20 frames).',
    );
    expect(await textOf(`${CASES}nvmf-write.pcap`, '--icrc', 'check')).toContain('cut by the snap length: 20 frames');
    const erased = frame(WRITE, 1, { spoil: (bytes) => bytes.fill(0, -4) });
    const text = await textOf(captureOf('zero.pcap', [erased]), '--icrc', 'check');
    expect(text).toContain('1 of 1 frame has a wrong ICRC (frame 1). It is 0, as in a capture at the sender');
  });

  it('lists at most ten frames', async () => {
    const wrong = Array.from({ length: 12 }, (_, psn) =>
      frame(WRITE, psn, {
        spoil: (bytes) => {
          bytes[bytes.length - 1]! ^= 1;
        },
      }));
    expect(await textOf(captureOf('wrong.pcap', wrong), '--icrc', 'check')).toContain(
      '12 of 12 frames have a wrong ICRC (frames 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, …).',
    );
  });

  it('reports nothing without the option', async () => {
    expect(await textOf(`${CASES}icrc-mix.pcap`)).not.toContain('ICRC');
  });
});

describe('ECN, DSCP and priorities', () => {
  it('are reported for data that no switch can mark', async () => {
    const text = await textOf(`${CASES}notect.pcap`);
    expect(text).toContain(
      'All 20 data frames are Not-ECT: no switch can mark them, only drop (…1 to …2, QPN 0x000118).',
    );
    expect(text).toContain('Only one direction was captured (…1 to …2, QPN 0x000118)');
  });

  it('are reported in one sentence for several streams', async () => {
    const file = captureOf('several.pcap', [
      frame(WRITE, 1, { ecn: 0 }),
      frame(WRITE, 1),
      frame(WRITE, 1, { ecn: 0, destQpn: 7 }),
      req(1, 2),
    ]);
    expect(await textOf(file)).toContain(
      '2 of 3 data frames are Not-ECT: no switch can mark them, only drop (…1 to …2, QPN 0x000118 and 1 more stream).',
    );
  });

  it('are reported for CNPs among the data, changing DSCPs and priorities, ECT(1) and ECT(0)', async () => {
    const file = captureOf('faults.pcap', [
      frame(WRITE, 1, { pcp: 3 }),
      frame(WRITE, 2, { dscp: 0, pcp: 0, ecn: 1 }),
      back(CNP, 0, { dscp: 26, pcp: 3 }),
    ]);
    const text = await textOf(file);
    expect(text).toContain(
      'The data frames of one stream have several DSCPs (…1 to …2, QPN 0x000118): DSCP 0: 1 frame, DSCP 26: 1 frame.',
    );
    expect(text).toContain('The data frames of one stream have several VLAN priorities');
    expect(text).toContain('1 of 2 data frames is ECT(1), others ECT(0) (…1 to …2, QPN 0x000118)');
    expect(text).toContain('The only CNP has the DSCP of the data (26) (…2 to …1, QPN 0x000200)');
    expect(text).toContain('The only CNP has the VLAN priority of the data (3)');
  });
});

describe('Connections found in a capture', () => {
  it('are followed as with a list', async () => {
    const text = await textOf(`${CASES}icrc-mix.pcap`);
    expect(text).toContain('No flow list: 1 flow of the connections found in the capture');
    expect(text).toContain(
      'Connections: 1 found - …1 QPN 0x000200 and …2 QPN 0x000118: inferred from CNPs behind CE marks',
    );
    expect(text).toContain('Reaction points: rate of each sender');
    const { stdout } = await run(['replay', `${CASES}icrc-mix.pcap`, '--json']);
    expect(JSON.parse(stdout)).toMatchObject({
      flowsFile: null,
      flowsFrom: 'connections',
      flows: [{ flow: 'f1', sender: { address: '192.0.2.1', qpn: 0x200 }, cnpsSeen: 1, cnpsHandled: 1 }],
      connections: [{ from: 'cnps', inferred: true }],
    });
  });

  it('are reported with their source, REQ and REP', async () => {
    const file = captureOf('cm.pcap', [req(7, 0x200), rep(9, 7, 0x118), frame(WRITE, 1)]);
    expect(await textOf(file)).toContain('…1 QPN 0x000200 and …2 QPN 0x000118: stated by REQ and REP');
  });

  it('are not followed if nothing needs it, and are overridden by a list', async () => {
    const text = await textOf(`${CASES}nvmf-write.pcap`);
    expect(text).toContain('No flow list; no mark and no notification to follow on the connections found.');
    expect(text).not.toContain('--flows FLOWS');
    writeFileSync(inFolder('other.csv'), LIST.replaceAll('0x200', '0x201'));
    const listed = await textOf(`${CASES}icrc-mix.pcap`, '--flows', inFolder('other.csv'));
    expect(listed).not.toContain('Connections: ');
    expect(listed).toContain('led to no QP of the flow list');
  });

  it('are named with the reason if they remain unresolved', async () => {
    const file = captureOf('open.pcap', [
      frame(WRITE, 1),
      frame(WRITE, 1, { destQpn: 0x119 }),
      back(ACK, 1),
      back(ACK, 1, { destQpn: 0x201 }),
    ]);
    const text = await textOf(file);
    expect(text).toContain('Connections: 0 found');
    expect(text).toContain(
      "Sender's QPN unknown: …1 to …2, QPN 0x000118 and 1 more stream; several queue pairs fit the evidence equally.",
    );
    expect(text).toContain('--flows FLOWS');
  });

  it('are written as a list that --flows reads', async () => {
    const list = inFolder('found.csv');
    await textOf(BUNDLED_CAPTURE, '--write-flows', list);
    expect(readFileSync(list, 'utf8').trim().split('\n')).toHaveLength(29);
    expect(await textOf(BUNDLED_CAPTURE, '--flows', list)).toContain('as many as due on each of 12 flows');
  });

  it('are not written if there are none', async () => {
    const list = inFolder('none.csv');
    const { exitCode, stderr } = await run(['replay', `${CASES}notect.pcap`, '--write-flows', list]);
    expect([exitCode, existsSync(list)]).toEqual([1, false]);
    expect(stderr).toContain('no connection was found, so');
  });

  it('explain each rate change with --trace', async () => {
    const trace = inFolder('trace.jsonl');
    await textOf(`${CASES}icrc-mix.pcap`, '--trace', trace);
    expect(readFileSync(trace, 'utf8')).toContain('"flow":"f1"');
    const { exitCode, stderr } = await run(['replay', `${CASES}notect.pcap`, '--trace', trace]);
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('so the trace is empty')]);
  });

  it.each([
    [
      ['--flows', 'a.csv', '--write-flows', 'b.csv'],
      "option '--write-flows <file>' cannot be used with option '-f, --flows <file>'",
    ],
    [['--write-flows', '/nowhere/at/all.csv'], 'no such f'],
  ])('rejects %j', async (args, message) => {
    const { exitCode, stderr } = await run(['replay', `${CASES}notect.pcap`, ...args]);
    expect(exitCode).toBeGreaterThan(0);
    expect(stderr).toContain(message);
  });
});
