import { describe, expect, it } from 'vitest';
import type { CaptureFrame } from '../../src/capture/index.js';
import { replay, type ReplayFinding, type ReplayReport } from '../../src/replay/index.js';
import { options } from './support/incast.js';
import { back, frame, req } from './support/roce-frames.js';

const { parameters } = options;
const WRITE = 0x0a;
const READ = 0x0c;
const ACK = 0x11;
const CNP = 0x81;

const replayed = (frames: readonly CaptureFrame[]): Promise<ReplayReport> => replay([...frames], { parameters });
/** All findings except that only one direction was captured. */
async function findingsOf(frames: readonly CaptureFrame[]): Promise<readonly ReplayFinding[]> {
  return (await replayed(frames)).findings.filter(({ code }) => code !== 'one-direction');
}

describe('marks of a stream', () => {
  it('are counted by kind: ECN, DSCPs and VLAN priorities', async () => {
    const { streams } = await replayed([
      frame(WRITE, 1, { ecn: 0, pcp: 3 }),
      frame(WRITE, 2, { ecn: 1, dscp: 24, pcp: 3 }),
      frame(READ, 3, { ecn: 2 }),
      frame(WRITE, 4, { ecn: 3, pcp: 0 }),
      frame(ACK, 9, { dscp: 10 }),
      back(CNP, 0, { dscp: 48, ecn: 1, pcp: 6 }),
    ]);
    expect(streams.map(({ marks }) => marks)).toEqual([
      {
        data: {
          notEct: 1,
          ect0: 1,
          ect1: 1,
          ce: 1,
          dscps: [{ value: 24, frames: 1 }, { value: 26, frames: 3 }],
          pcps: [{ value: 0, frames: 1 }, { value: 3, frames: 2 }],
        },
        ack: { notEct: 0, ect0: 1, ect1: 0, ce: 0, dscps: [{ value: 10, frames: 1 }], pcps: [] },
      },
      {
        cnp: { notEct: 0, ect0: 0, ect1: 1, ce: 0, dscps: [{ value: 48, frames: 1 }], pcps: [{ value: 6, frames: 1 }] },
      },
    ]);
  });
});

describe('findings', () => {
  it.each<[string, readonly CaptureFrame[], readonly object[]]>([
    ['nothing of data with ECT and CNPs in their own class', [
      frame(WRITE, 1, { pcp: 3 }),
      frame(WRITE, 2, { ecn: 3, pcp: 3 }),
      back(ACK, 2),
      back(CNP, 0, { dscp: 48, pcp: 6 }),
    ], []],
    ['Not-ECT data, all of it', [frame(WRITE, 1, { ecn: 0 }), frame(WRITE, 2, { ecn: 0 })], [
      { code: 'data-not-ect', stream: 0, kind: 'data', frames: 2, ofFrames: 2, values: [] },
    ]],
    ['Not-ECT data, some of it', [frame(WRITE, 1), frame(WRITE, 2, { ecn: 0 })], [
      { code: 'data-not-ect', frames: 1, ofFrames: 2 },
    ]],
    ['nothing of Not-ECT ACKs and datagrams of connection management', [
      frame(WRITE, 1),
      back(ACK, 1, { ecn: 0 }),
      req(1, 2),
    ], []],
    ['CNPs with the DSCP of the data', [
      frame(WRITE, 1, { ecn: 3 }),
      back(CNP, 0, { dscp: 26 }),
      back(CNP, 0, { dscp: 48 }),
    ], [
      { code: 'dscp-changes', kind: 'cnp' },
      { code: 'cnp-in-data-class', stream: 1, kind: 'cnp', frames: 1, ofFrames: 2, values: [{ value: 26, frames: 1 }] },
    ]],
    ['CNPs with DSCP 0, as the data has', [frame(WRITE, 1, { dscp: 0 }), back(CNP, 0, { dscp: 0 })], [
      { code: 'cnp-in-data-class', values: [{ value: 0, frames: 1 }] },
    ]],
    ['CNPs with the VLAN priority of the data', [frame(WRITE, 1, { pcp: 3 }), back(CNP, 0, { dscp: 48, pcp: 3 })], [
      { code: 'cnp-in-data-priority', stream: 1, values: [{ value: 3, frames: 1 }] },
    ]],
    ['nothing of CNPs with the DSCP of data between other hosts', [
      frame(WRITE, 1, { dscp: 48, source: '192.0.2.9' }),
      frame(WRITE, 1),
      back(CNP, 0, { dscp: 48 }),
    ], []],
    ['DSCPs and priorities that change', [frame(WRITE, 1, { pcp: 3 }), frame(WRITE, 2, { dscp: 0, pcp: 0 })], [
      { code: 'dscp-changes', kind: 'data', frames: 1, ofFrames: 2, values: [{ value: 0 }, { value: 26 }] },
      { code: 'pcp-changes', kind: 'data', values: [{ value: 0 }, { value: 3 }] },
    ]],
    ['ECT(1) and ECT(0)', [frame(WRITE, 1), frame(WRITE, 2, { ecn: 1 }), frame(WRITE, 3, { ecn: 1 })], [
      { code: 'ect1-and-ect0', frames: 2, ofFrames: 3 },
    ]],
  ])('are %s', async (_what, frames, expected) => {
    expect(await findingsOf(frames)).toMatchObject(expected);
    expect(await findingsOf(frames)).toHaveLength(expected.length);
  });

  it.each<[string, readonly CaptureFrame[], number]>([
    ['requests', [frame(WRITE, 1)], 1],
    ['responses', [back(0x10, 1)], 1],
    ['ACKs', [back(ACK, 1)], 1],
    ['unreliable connections, which need no response', [frame(0x2a, 1)], 0],
    ['requests and the CNPs for them', [frame(WRITE, 1), back(CNP, 0)], 0],
  ])('report that one direction is missing: only %s', async (_what, frames, count) => {
    const { findings } = await replayed(frames);
    expect(findings.filter(({ code }) => code === 'one-direction')).toHaveLength(count);
  });
});
