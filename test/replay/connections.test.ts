import { describe, expect, it } from 'vitest';
import type { CaptureFrame } from '../../src/capture/index.js';
import { foundFlows, formatFlows, parseFlows, replay, type Flow, type ReplayReport } from '../../src/replay/index.js';
import { capture, flows, options, replayCapture } from './support/incast.js';
import { A, B, QP_A, QP_B, back, cm, frame, rej, rep, req, rtu } from './support/roce-frames.js';

const { parameters } = options;
const WRITE = 0x0a;
const READ = 0x0c;
const RESPONSE = 0x10;
const ACK = 0x11;
const CNP = 0x81;
const CE = { ecn: 3 } as const;

const replayed = (frames: readonly CaptureFrame[]): Promise<ReplayReport> => replay([...frames], { parameters });
const connection = (qpnA: number, qpnB: number): object => ({
  a: { address: A, qpn: qpnA },
  b: { address: B, qpn: qpnB },
});
const PAIR = connection(QP_A, QP_B);

describe('connections from REQ and REP', () => {
  it('are reported as stated rather than inferred, even without data', async () => {
    const { connections, connectionMessages } = await replayed([req(7, QP_A), rep(9, 7, QP_B), rtu(7, 9)]);
    expect(connections).toEqual([{ ...PAIR, from: 'cm', inferred: false, evidence: 2 }]);
    expect(connectionMessages).toEqual({ requests: 1, replies: 1, readyToUse: 1, rejections: 0, elsewhere: 0 });
  });

  it('are merged if messages are repeated, and distinguished by the ID in the request', async () => {
    const frames = [req(7, QP_A), req(7, QP_A), req(8, 0x201), rep(9, 7, QP_B), rep(9, 7, QP_B), rep(10, 8, 0x119)];
    const { connections } = await replayed(frames);
    expect(connections).toMatchObject([PAIR, connection(0x201, 0x119)]);
  });

  it('have the queue pair of an XRC target, which the reply states as an end-to-end context', async () => {
    expect((await replayed([req(7, QP_A), rep(9, 7, 0, QP_B)])).connections).toMatchObject([PAIR]);
  });

  it.each<[string, readonly CaptureFrame[]]>([
    ['a request without a reply', [req(7, QP_A)]],
    ['a reply without a request', [rep(9, 7, QP_B)]],
    ['a reply to another request', [req(7, QP_A), rep(9, 8, QP_B)]],
    ['a rejected request', [req(7, QP_A), rej(0, 7), rep(9, 7, QP_B)]],
    ['a rejected reply', [req(7, QP_A), rep(9, 7, QP_B), rej(9, 7)]],
    ['a message of another class', [cm(0x10, new Uint8Array(100))]],
    ['a message cut by the snap length', [req(7, QP_A, 0, { snapBytes: 120 }), rep(9, 7, QP_B)]],
  ])('are not made by %s', async (_what, frames) => {
    expect((await replayed(frames)).connections).toEqual([]);
  });

  it('of IPv6 hosts have IPv6 addresses', async () => {
    const [a, b] = ['2001:db8::1', '2001:db8::2'];
    const request = req(7, QP_A, 0, { source: a, destination: b });
    const reply = cm(0x13, Uint8Array.from([0, 0, 0, 9, 0, 0, 0, 7, 0, 0, 0, 0, 0, 1, 0x18]), {
      source: b,
      destination: a,
    });
    expect((await replayed([request, reply])).connections).toMatchObject([
      { a: { address: a, qpn: QP_A }, b: { address: b, qpn: QP_B } },
    ]);
  });

  it('are not continued by another connection that reuses a queue pair number', async () => {
    const frames = [req(7, QP_A), rep(9, 7, QP_B), req(8, 0x333), rep(10, 8, QP_B), frame(WRITE, 1)];
    const { connections, unpaired } = await replayed(frames);
    expect(connections).toHaveLength(1);
    expect(unpaired).toMatchObject([{ reason: 'reused-qp' }]);
  });
});

describe('inferred connections', () => {
  it.each<[string, readonly CaptureFrame[], string]>([
    ['ACKs', [frame(WRITE, 1), back(ACK, 1)], 'acknowledgements'],
    ['READ responses', [frame(READ, 1), back(RESPONSE, 1)], 'responses'],
    ['CNPs behind CE marks', [frame(WRITE, 1, CE), back(CNP, 0)], 'cnps'],
    ['CNPs of unreliable connections', [frame(0x2a, 1, CE), back(CNP, 0)], 'cnps'],
  ])('from %s', async (_what, frames, from) => {
    const { connections, unpaired } = await replayed(frames);
    expect(connections).toEqual([{ ...PAIR, from, inferred: true, evidence: 1 }]);
    expect(unpaired).toEqual([]);
  });

  it('distinguish queue pairs between the same hosts by their PSNs', async () => {
    const frames = [
      frame(WRITE, 100),
      frame(WRITE, 5000, { destQpn: 0x119 }),
      back(ACK, 5000, { destQpn: 0x201 }),
      back(ACK, 100),
    ];
    expect((await replayed(frames)).connections).toMatchObject([PAIR, connection(0x201, 0x119)]);
  });

  it('distinguish queue pairs as soon as their PSNs differ', async () => {
    const frames = [
      frame(WRITE, 1),
      frame(WRITE, 1, { destQpn: 0x119 }),
      back(ACK, 1),
      back(ACK, 1, { destQpn: 0x201 }),
      frame(WRITE, 2),
      back(ACK, 2),
    ];
    expect((await replayed(frames)).connections).toMatchObject([PAIR, connection(0x201, 0x119)]);
  });

  it('remain unresolved if several queue pairs cannot be distinguished', async () => {
    const frames = [
      frame(WRITE, 1),
      frame(WRITE, 1, { destQpn: 0x119 }),
      back(ACK, 1),
      back(ACK, 1, { destQpn: 0x201 }),
    ];
    const { connections, unpaired } = await replayed(frames);
    expect(connections).toEqual([]);
    expect(unpaired).toEqual([
      { stream: 0, reason: 'several-candidates', candidates: 2 },
      { stream: 1, reason: 'several-candidates', candidates: 2 },
    ]);
  });

  it('are matched to marked data if there are only CNPs', async () => {
    const frames = [
      frame(WRITE, 1, CE),
      frame(WRITE, 1, { destQpn: 0x119 }),
      back(CNP, 0),
      frame(WRITE, 2, { ...CE, destQpn: 0x119 }),
      back(CNP, 0, { destQpn: 0x201 }),
    ];
    const { connections } = await replayed(frames);
    expect(connections).toMatchObject([{ ...PAIR, from: 'cnps' }, { ...connection(0x201, 0x119), from: 'cnps' }]);
  });

  it('remain unresolved if CNPs follow marks of several queue pairs', async () => {
    const frames = [frame(WRITE, 1, CE), frame(WRITE, 1, { ...CE, destQpn: 0x119 }), back(CNP, 0)];
    const { connections, unpaired } = await replayed(frames);
    expect(connections).toEqual([]);
    expect(unpaired.map(({ reason }) => reason)).toEqual(['several-candidates', 'several-candidates']);
  });

  it('are not inferred from CNPs without an earlier mark, since marks may be set after the capture point', async () => {
    const frames = [back(CNP, 0), frame(WRITE, 1, CE), back(CNP, 0)];
    expect((await replayed(frames)).connections).toEqual([]);
  });

  it('are not inferred from ACKs of PSNs without a request', async () => {
    expect((await replayed([frame(WRITE, 1), back(ACK, 70_000)])).connections).toEqual([]);
  });

  it('remain unresolved if only one direction was captured', async () => {
    const { connections, unpaired, findings } = await replayed([frame(WRITE, 1), frame(WRITE, 2)]);
    expect(connections).toEqual([]);
    expect(unpaired).toEqual([{ stream: 0, reason: 'no-reply', candidates: 0 }]);
    expect(findings).toMatchObject([{ code: 'one-direction', stream: 0, frames: 2 }]);
  });

  it('of the incast equal those of its flow list', async () => {
    const { connections } = await replayCapture(capture(), [], { parameters });
    const found = connections.map(({ a, b }) => `${a.address} ${a.qpn} ${b.address} ${b.qpn}`);
    const listed = flows.map((f) => `${f.senderAddress} ${f.senderQpn} ${f.peerAddress} ${f.peerQpn}`);
    expect(found.sort()).toEqual(listed.sort());
  });
});

describe('flows of connections in a report', () => {
  it('exist for each direction with data, and round-trip through CSV', async () => {
    const frames = [frame(WRITE, 1), back(ACK, 1), back(WRITE, 50), frame(ACK, 50)];
    const found = foundFlows(await replayed(frames));
    expect(found).toMatchObject([
      { name: 'f1', senderAddress: A, senderQpn: QP_A, peerAddress: B, peerQpn: QP_B, from: 'acknowledgements' },
      { name: 'f2', senderAddress: B, senderQpn: QP_B, peerAddress: A, peerQpn: QP_A },
    ]);
    const csv = formatFlows(found);
    expect(csv).toContain(
      'flow,sender_addr,sender_qpn,peer_addr,peer_qpn,from\nf1,192.0.2.1,0x200,192.0.2.2,0x118,ack',
    );
    const read = parseFlows(csv, 'found.csv');
    const ends = (list: readonly Flow[]): object[] =>
      list.map(({ name, senderAddress, senderQpn, peerAddress, peerQpn }) => ({
        name,
        senderAddress,
        senderQpn,
        peerAddress,
        peerQpn,
      }));
    expect(ends(read)).toEqual(ends(found));
  });

  it('give the same report as the flow list', async () => {
    const found = foundFlows(await replayCapture(capture(), [], options));
    const byList = await replayCapture(capture(), flows, options);
    const byFound = await replayCapture(capture(), found, options);
    expect(byFound.totals).toEqual(byList.totals);
    expect(byFound.notifications).toEqual(byList.notifications);
    const rates = ({ flows: all }: ReplayReport): object[] =>
      all.map((flow) => ({ ...flow, flow: '' })).sort((x, y) =>
        x.sender.qpn - y.sender.qpn || x.receiver.qpn - y.receiver.qpn
      );
    expect(rates(byFound)).toEqual(rates(byList));
  });

  it('are rejected from input that is not a report, and have quoted names', async () => {
    expect(() => foundFlows({} as never)).toThrow('report.connections');
    expect(() => formatFlows([{}] as never)).toThrow('flows[0].name');
    const [flow] = foundFlows(await replayed([frame(WRITE, 1), back(ACK, 1)]));
    const name = 'a "b", c';
    expect(parseFlows(formatFlows([{ ...flow!, name }]), 'x')[0]?.name).toBe(name);
  });
});
