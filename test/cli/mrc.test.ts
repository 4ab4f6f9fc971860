import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readCapture } from '../../src/capture/index.js';
import { run } from './support/run.js';

const FILE = fileURLToPath(new URL('../captures/mrc/mrc.pcap', import.meta.url));
const SACK = {
  packets: [{
    layers: [
      { kind: 'ethernet', destination: '02:00:00:00:00:02', source: '02:00:00:00:00:01' },
      { kind: 'ipv6', source: '2001:db8::b', destination: '2001:db8::a', dscp: 46, ecn: 2, flowLabel: 3 },
      { kind: 'udp', sourcePort: 4 },
      { kind: 'mrc-bth', opcode: 0xdc, destQpn: 195, psn: 4 },
      { kind: 'seth', cumulativePsn: 4, sackOffset: 1, ackPsnOffset: 3, bitmap: '0x76', entropy: 7, mark: 1 },
      { kind: 'mrc-cc-state', outOfOrder: 5 },
    ],
  }],
};

let folder = '';
const at = (name: string): string => path.join(folder, name);

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'roce-cc-mrc-'));
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

async function bytesOf(file: string): Promise<Uint8Array[]> {
  const frames: Uint8Array[] = [];
  for await (const { bytes } of readCapture(new Uint8Array(readFileSync(file)))) frames.push(bytes);
  return frames;
}

describe('roce-cc dissect on MRC', () => {
  it('prints a line for each frame, and selects by class and QP', async () => {
    const all = await run(['dissect', FILE, '--class', 'mrc']);
    expect(all.stdout.trimEnd().split('\n')).toHaveLength(62);
    const some = await run(['dissect', FILE, '--qpn', '0xc3']);
    expect(some.stdout.trimEnd().split('\n')).toHaveLength(20);
    expect((await run(['dissect', FILE, '--class', 'data'])).stdout).toBe('');
  });

  it('reads DSCPs, port and field order of the entropy value as the options specify', async () => {
    const trimmed = async (...flags: string[]): Promise<number> =>
      (await run(['dissect', FILE, ...flags])).stdout.split('\n').filter((line) => line.includes('trimmed')).length;
    expect(await trimmed()).toBe(7);
    expect(await trimmed('--mrc-dscps', 'trimmed-lasthop=none')).toBe(5);
    const swapped = await run(['dissect', FILE, '--mrc-ev-order', 'source-port-high', '--limit', '1']);
    expect(swapped.stdout).toContain('EV 0xc0de0001');
    for (const bad of ['trimmed=64', 'trimmed', 'trimed=4', 'trimmed=4']) {
      const { exitCode, stderr } = await run(['dissect', FILE, '--mrc-dscps', bad]);
      expect([exitCode, stderr]).toEqual([expect.any(Number), expect.stringContaining('--mrc-dscps')]);
      expect(exitCode).not.toBe(0);
    }
    expect((await run(['dissect', FILE, '--mrc-port', '65536'])).exitCode).not.toBe(0);
  });
});

describe('roce-cc craft on MRC', () => {
  it('builds the same frames from the JSON of dissect', async () => {
    const { stdout } = await run(['dissect', FILE, '--json']);
    writeFileSync(at('mrc.jsonl'), stdout);
    expect(await run(['craft', at('mrc.jsonl'), '-o', at('again.pcap')])).toMatchObject({ exitCode: 0, stderr: '' });
    expect(await bytesOf(at('again.pcap'))).toEqual(await bytesOf(FILE));
  });

  it('completes a SACK that a user describes', async () => {
    writeFileSync(at('sack.json'), JSON.stringify(SACK));
    expect(await run(['craft', at('sack.json'), '-o', at('sack.pcap')])).toMatchObject({ exitCode: 0, stderr: '' });
    const { stdout } = await run(['dissect', at('sack.pcap')]);
    expect(stdout).toContain(
      'MRC SACK QP 0x0000c3, cumulative PSN 4, holes 5 8, about EV 0x00000007, skip once, EV 0x00030004',
    );
    expect(stdout).not.toContain('ICRC wrong');
  });
});

describe('roce-cc replay on MRC', () => {
  it('reports each QP and the findings', async () => {
    const { stdout, exitCode } = await run(['replay', FILE, '--no-progress', '--icrc', 'check']);
    expect(exitCode).toBe(0);
    const section = stdout.slice(stdout.indexOf('Multipath Reliable'), stdout.indexOf('Totals'));
    expect(section.trimEnd()).toMatchInlineSnapshot(`
      "Multipath Reliable Connection (MRC)
        62 frames: data 36, ACK or NAK 2, SACK 11, NACK 7, probe 1, endpoint request 2, endpoint response
          2, reserved opcode 1. The engine knows RoCEv2 only: in the table above they are discarded,
          malformed or other frames.
        In an SRv6 carrier: 8 frames.
        NACKs (…1 to …2, QPN 0x00a1b2): TRIMMED 2, TRIMMED_LASTHOP 1, NO_BITMAP 1, PSN_OOR_WINDOW 1,
          UNEXP_EVENT 1, 0x42 1.
        Round trips to the SACK (…1 to …2, QPN 0x00a1b2): minimum 13.00 us, median 13.00 us, over 2
          packets sent once.
        Round trips to the SACK (10.31.0.1 to 10.31.0.2, QPN 0x00a1b2): minimum 25.00 us, median 25.00 us,
          over 1 packet sent once.
        2 frames with a repeated PSN, but no rtx mark (…1 to …2, QPN 0x00a1b2).
                                   dest.    data       spray-           retrans-  reorder.  SACKs,
        source     destination       QPN  frames  EVs      ed  trimmed    mitted     depth   holes  NACKs
        …1         …2           0x00a1b2      33   31      30        6         1         0    9, 3      7
        10.31.0.1  10.31.0.2    0x00a1b2       3    3       2        1         0         0    1, 0      0
        4 frames trimmed before the last hop (…1 to …2, QPN 0x00a1b2): a queue on one of the paths is
          full.
        2 frames trimmed at the last hop (…1 to …2, QPN 0x00a1b2): more arrives for the receiver than its
          link carries.
        1 NACK with UNEXP_EVENT (…1 to …2, QPN 0x00a1b2): the receiver ends the connection.
        1 frame trimmed before the last hop (10.31.0.1 to 10.31.0.2, QPN 0x00a1b2): a queue on one of the
          paths is full.
        8 frames malformed: frame 49, 50, 51, 52, 53, 54, 57, 58; roce-cc dissect names the faults.
        1 of 54 frames checked has a wrong ICRC."
    `);
    expect(stdout).not.toContain('No RoCE at all');
  });

  it('prints the figures as JSON', async () => {
    const { stdout } = await run(['replay', FILE, '--json', '--mrc-dscps', 'trimmed-lasthop=none']);
    expect(JSON.parse(stdout)).toMatchObject({ mrc: { frames: 60, trimmed: 5 } });
  });
});
