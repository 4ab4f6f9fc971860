import { describe, expect, it } from 'vitest';
import { createEngineSync, dcqcnSigcomm15, gbps } from '../../src/index.js';
import { parseFlows } from '../../src/replay/flows.js';
import { openFlows } from '../../src/replay/open-flows.js';

const HEADER = 'sender_addr,sender_qpn,peer_addr,peer_qpn\n';
const newEngine = () => createEngineSync({ parameterSets: { p: dcqcnSigcomm15({ lineRateBps: gbps(100) }) } });
const open = (text: string) => openFlows(newEngine(), parseFlows(text, 'f.csv'));
const rejection = (where: string) =>
  expect.objectContaining({ name: 'RoceError', code: 'invalid-flows', where }) as Error;

describe('parseFlows', () => {
  it('identifies columns by name, in any order and case, and ignores others', () => {
    const text =
      '\uFEFFrole,Peer_QPN,peer_addr,SENDER_QPN,sender_addr,flow\r\nincast, 0x7 ,10.0.0.2,0xFFFFFF,2001:DB8:0::1,a\r\n';
    expect(parseFlows(text, 'f.csv')).toEqual([
      {
        name: 'a',
        senderAddress: '2001:db8::1',
        senderQpn: 0xffffff,
        peerAddress: '10.0.0.2',
        peerQpn: 7,
        where: 'f.csv:2',
      },
    ]);
  });

  it('numbers flows without a name, and skips comments and empty lines', () => {
    const flows = parseFlows(`# a list\n${HEADER}10.0.0.1,1,10.0.0.2,2\n\n# more\n10.0.0.1,3,10.0.0.2,4\n`, 'f.csv');
    expect(flows.map(({ name, where }) => [name, where])).toEqual([['0', 'f.csv:3'], ['1', 'f.csv:6']]);
  });

  it('reads quoted fields that contain commas, quotes and line breaks', () => {
    const text = `flow,${HEADER}"a, ""b""\nc" ,10.0.0.1,1, "10.0.0.2" ,2\n,10.0.0.1,3,10.0.0.2,4`;
    expect(parseFlows(text, 'f.csv').map(({ name, peerAddress, where }) => [name, peerAddress, where])).toEqual([
      ['a, "b"\nc', '10.0.0.2', 'f.csv:2'],
      ['1', '10.0.0.2', 'f.csv:4'],
    ]);
  });

  it.each([
    ['an empty file', '', 'f.csv'],
    ['a header alone', HEADER, 'f.csv'],
    ['a missing column', 'sender_addr,sender_qpn,peer_addr\n1.1.1.1,1,1.1.1.2\n', 'f.csv:1'],
    ['a short row', `${HEADER}10.0.0.1,1,10.0.0.2\n`, 'f.csv:2'],
    ['a long row', `${HEADER}10.0.0.1,1,10.0.0.2,2,3\n`, 'f.csv:2'],
    ['a bad address', `${HEADER}10.0.0.1,1,10.0.0.2,2\n10.0.0.300,1,10.0.0.2,2\n`, 'f.csv:3, sender_addr'],
    ['QPN 0', `${HEADER}10.0.0.1,0,10.0.0.2,2\n`, 'f.csv:2'],
    ['a QPN of 25 bits', `${HEADER}10.0.0.1,1,10.0.0.2,0x1000000\n`, 'f.csv:2'],
    ['a QPN that is not a number', `${HEADER}10.0.0.1,one,10.0.0.2,2\n`, 'f.csv:2'],
    ['an open quote', `${HEADER}"10.0.0.1,1,10.0.0.2,2\n`, 'f.csv:2'],
    ['a quote within a field', `${HEADER}\n10.0.0.1,1,10.0"0.2,2\n`, 'f.csv:3'],
  ])('rejects %s with its position', (_what, text, where) => {
    expect(() => parseFlows(text, 'f.csv')).toThrow(rejection(where));
  });
});

describe('openFlows', () => {
  it('opens a QP at either end, found by the fields of notifications', () => {
    const engine = newEngine();
    const [sender, receiver] = openFlows(engine, parseFlows(`${HEADER}2001:db8::1,5,2001:db8::2,7\n`, 'f.csv'));
    expect(engine.findLocal(0, 5)).toBe(sender!.qp);
    expect(engine.findFlow(0, '2001:db8::2', 7)).toBe(sender!.qp);
    expect(engine.findLocal(1, 7)).toBe(receiver!.qp);
    expect([sender!.peerQp, receiver!.peerQp]).toEqual([receiver!.qp, sender!.qp]);
  });

  it('treats two rows of opposite directions as one connection', () => {
    const qps = open(`flow,${HEADER}a,10.0.0.1,1,10.0.0.2,2\nb,10.0.0.2,2,10.0.0.1,1\n`);
    expect(qps.map(({ flow, listed }) => ({ flow, listed }))).toEqual([{ flow: 'a', listed: true }, {
      flow: 'b',
      listed: true,
    }]);
  });

  it('allows one QPN at several addresses', () => {
    expect(open(`${HEADER}10.0.0.1,1,10.0.0.9,1\n10.0.0.2,1,10.0.0.8,1\n`)).toHaveLength(4);
  });

  it.each([
    ['the same row twice', '10.0.0.1,1,10.0.0.2,2\n10.0.0.1,1,10.0.0.2,2\n'],
    ['a sender QPN with two peers', '10.0.0.1,1,10.0.0.2,2\n10.0.0.1,1,10.0.0.3,2\n'],
    ['a receiver QPN with two peers', '10.0.0.1,1,10.0.0.2,2\n10.0.0.3,1,10.0.0.2,2\n'],
  ])('rejects %s with both lines', (_what, rows) => {
    expect(() => open(HEADER + rows)).toThrow(rejection('f.csv:3'));
    expect(() => open(HEADER + rows)).toThrow(/f\.csv:2/);
  });

  it('rejects a QP that is its own peer', () => {
    expect(() => open(`${HEADER}10.0.0.1,1,10.0.0.1,1\n`)).toThrow(rejection('f.csv:2'));
  });
});
