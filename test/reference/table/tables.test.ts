import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AccessListModel, type AccessEntry, FlowTableModel, type Flow } from '../../../src/reference/address-tables.js';

function address(...data: number[]): Uint8Array {
  const bytes = new Uint8Array(16);
  bytes.set(data);
  return bytes;
}

describe('the access list', () => {
  const entry = (prefixLength: number, action: 'allow' | 'deny', ...data: number[]): AccessEntry => ({
    prefixBytes: address(...data),
    prefixLength,
    action,
  });

  it('applies the longest matching prefix, in any order of the list', () => {
    const entries = [
      entry(16, 'allow', 0x20, 0x01),
      entry(128, 'allow', 0x20, 0x01, 9),
      entry(24, 'deny', 0x20, 0x01, 9),
    ];
    for (const order of [entries, entries.toReversed()]) {
      const list = new AccessListModel(order, 'deny');
      expect(list.allows(address(0x20, 0x01, 8))).toBe(true);
      expect(list.allows(address(0x20, 0x01, 9, 1))).toBe(false);
      expect(list.allows(address(0x20, 0x01, 9))).toBe(true);
      expect(list.allows(address(0x20, 0x02))).toBe(false);
    }
  });

  it('applies the default action if nothing matches; a prefix of length 0 matches everything', () => {
    expect(new AccessListModel([], 'allow').allows(address(1))).toBe(true);
    expect(new AccessListModel([], 'deny').allows(address(1))).toBe(false);
    expect(new AccessListModel([entry(0, 'allow', 0xff)], 'deny').allows(address(1))).toBe(true);
  });

  it('compares bits, not bytes, and only those of the prefix', () => {
    const list = new AccessListModel([entry(3, 'allow', 0b1011_1111, 0xff)], 'deny');
    expect(list.allows(address(0b1010_0000))).toBe(true);
    expect(list.allows(address(0b1001_1111))).toBe(false);
  });

  it('applies the first of two entries for one prefix', () => {
    expect(new AccessListModel([entry(8, 'deny', 1), entry(8, 'allow', 1)], 'allow').actionFor(address(1))).toBe(
      'deny',
    );
  });

  it('rejects invalid prefixes and addresses', () => {
    expect(() => new AccessListModel([entry(129, 'allow')], 'deny')).toThrow(/entry 0/);
    expect(() => new AccessListModel([entry(1.5, 'allow')], 'deny')).toThrow(/entry 0/);
    const short = { prefixBytes: new Uint8Array(4), prefixLength: 8, action: 'allow' } as const;
    expect(() => new AccessListModel([short], 'deny')).toThrow(
      expect.objectContaining({ got: short.prefixBytes.length, allowed: 16 }),
    );
    expect(() => new AccessListModel([], 'deny').allows(new Uint8Array(4))).toThrow(
      expect.objectContaining({ got: 4, allowed: 16 }),
    );
  });
});

describe('the flow table', () => {
  const FLOW: Flow = { qp: 5, endpoint: 1, localQpn: 0x11, peerAddress: address(1), peerQpn: 0x22 };

  it('finds a flow by either key, and by nothing else', () => {
    const table = new FlowTableModel();
    table.add(FLOW);
    expect(table.findByLocal(1, 0x11)).toBe(5);
    expect(table.findByLocal(0, 0x11)).toBeUndefined();
    expect(table.findByPeer(1, address(1), 0x22)).toBe(5);
    expect(table.findByPeer(1, address(1), 0x11)).toBeUndefined();
    expect(table.findByPeer(1, address(2), 0x22)).toBeUndefined();
    expect(table.findByPeer(0, address(1), 0x22)).toBeUndefined();
  });

  it('rejects a second flow with the same QP, local QPN or peer, and is then unchanged', () => {
    const table = new FlowTableModel();
    table.add(FLOW);
    const other: Flow = { qp: 6, endpoint: 1, localQpn: 0x12, peerAddress: address(1), peerQpn: 0x23 };
    for (const clash of [{ qp: 5 }, { localQpn: 0x11 }, { peerQpn: 0x22 }]) {
      expect(() => {
        table.add({ ...other, ...clash });
      }).toThrow(expect.objectContaining({ code: 'duplicate-qp' }));
    }
    expect(table.size).toBe(1);
    table.add(other);
    expect(table.size).toBe(2);
  });

  it('agrees with a list of flows after any additions and removals', () => {
    const small = fc.nat({ max: 3 });
    const step = fc.record({
      remove: fc.boolean(),
      qp: small,
      endpoint: fc.nat({ max: 1 }),
      local: small,
      peer: small,
      qpn: small,
    });
    fc.assert(fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const table = new FlowTableModel();
      let flows: Flow[] = [];
      for (const { remove, qp, endpoint, local, peer, qpn } of steps) {
        const clashes = (flow: Flow) =>
          flow.qp === qp ||
          (flow.endpoint === endpoint && flow.localQpn === local) ||
          (flow.endpoint === endpoint && flow.peerAddress[0] === peer && flow.peerQpn === qpn);
        if (remove) {
          expect(table.remove(qp)).toBe(flows.some((flow) => flow.qp === qp));
          flows = flows.filter((flow) => flow.qp !== qp);
        } else if (!flows.some(clashes)) {
          const flow = { qp, endpoint, localQpn: local, peerAddress: address(peer), peerQpn: qpn };
          table.add(flow);
          flows.push(flow);
        }
      }
      expect(table.size).toBe(flows.length);
      for (const flow of flows) {
        expect(table.findByLocal(flow.endpoint, flow.localQpn)).toBe(flow.qp);
        expect(table.findByPeer(flow.endpoint, flow.peerAddress, flow.peerQpn)).toBe(flow.qp);
      }
    }), { numRuns: 100 });
  });
});
