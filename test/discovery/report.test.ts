import { describe, expect, it } from 'vitest';
import type { NodeQos } from '../../src/discovery/node.js';
import { RECOMMENDED_NODE_QOS } from '../../src/discovery/node.js';
import { ReplyPacket } from '../../src/wire/discovery/packets.js';
import { QosData } from '../../src/wire/discovery/qos-data.js';
import { addressOf, buildNetwork, DESTINATION_HOP, discover, POLICY } from './support/network.js';

const MAP = RECOMMENDED_NODE_QOS.dscpToPriority;

/** The report on three routers and a destination, with the given settings by hop. */
function findWith(settings: Readonly<Record<number, Partial<NodeQos>>>, policy?: typeof POLICY) {
  const fields = Object.fromEntries(Object.entries(settings).map(([hop, qos]) => [hop, { qos }]));
  const { report } = discover(buildNetwork('IPv4', 3, fields), policy && { policy });
  return { verdict: report.verdict, reasons: report.reasons, texts: report.findings.map(({ text }) => text) };
}

describe('a report', () => {
  it('reports where RoCE data would leave the lossless class', () => {
    const { verdict, reasons, texts } = findWith({ 3: { dscpToPriority: MAP.with(26, 0) } });
    expect(verdict).toBe('not-lossless');
    expect(reasons).toEqual([
      'Hop 3 (10.0.3.1) answers "not supported".',
      'Hop 3 (10.0.3.1) maps DSCP 26 to priority 0, hop 2 to priority 3: RoCE data would leave the lossless class there.',
      'The destination (10.0.200.1) maps DSCP 26 to priority 3, hop 3 to priority 0: pauses between the two would stop the wrong queue.',
    ]);
    expect(texts).toContain('Hop 3 (10.0.3.1) maps DSCPs to priorities differently from hop 2: DSCP 26.');
  });

  it('reports that neighbours with two lossless priorities pause the wrong queue', () => {
    const other = {
      dscpToPriority: MAP.with(26, 4),
      losslessPriorities: 0x18,
      pfcPriorities: 0x18,
      ecnPriorities: 0x18,
    };
    const { verdict, reasons } = findWith({ 1: other, 2: other, 3: other });
    expect(verdict).toBe('not-lossless');
    expect(reasons).toEqual([
      'The destination (10.0.200.1) maps DSCP 26 to priority 3, hop 3 to priority 4: pauses between the two would stop the wrong queue.',
    ]);
  });

  it('reports each node on which the priority is not lossless, or PFC is off', () => {
    const { verdict, reasons } = findWith({ 1: { losslessPriorities: 0x10 }, [DESTINATION_HOP]: { pfcPriorities: 0 } },
      POLICY);
    expect(verdict).toBe('not-lossless');
    expect(reasons).toEqual([
      'Hop 1 (10.0.1.1) answers "not supported".',
      'Hop 1 (10.0.1.1) does not hold priority 3, to which it maps DSCP 26, lossless.',
      'The destination (10.0.200.1) answers "not supported".',
      'The destination (10.0.200.1) calls priority 3 lossless but has PFC off on it.',
    ]);
  });

  it('checks the whole path even if all nodes agree with each other but not with the policy', () => {
    const qos = { dscpToPriority: MAP.with(26, 0) };
    const { verdict, reasons } = findWith({ 1: qos, 2: qos, 3: qos, [DESTINATION_HOP]: qos }, POLICY);
    expect(verdict).toBe('not-lossless');
    expect(reasons).toEqual([
      'Hop 1 (10.0.1.1) maps DSCP 26 to priority 0, the policy to priority 3: RoCE data would leave the lossless class there.',
      'Hop 2 (10.0.2.1) does not hold priority 0, to which it maps DSCP 26, lossless.',
      'Hop 3 (10.0.3.1) does not hold priority 0, to which it maps DSCP 26, lossless.',
      'The destination (10.0.200.1) does not hold priority 0, to which it maps DSCP 26, lossless.',
    ]);
  });

  it('notes problems that impair RoCE without losing its data', () => {
    const { verdict, reasons, texts } = findWith({
      1: { etsShares: [50, 0, 0, 50, 0, 0, 0, 0] },
      2: { ecnPriorities: 0, dscpToPriority: MAP.with(48, 0), mtuBytes: 4200, etsShares: [90, 0, 0, 10, 0, 0, 0, 0] },
    });
    expect({ verdict, reasons }).toEqual({ verdict: 'lossless', reasons: [] });
    expect(texts).toEqual([
      'Hop 2 (10.0.2.1) has an MTU of 4200 bytes, hop 1 one of 9000.',
      'Hop 2 (10.0.2.1) does not mark ECN on RoCE data, hop 1 does: its congestion is only signalled by pauses.',
      'Hop 2 (10.0.2.1) maps CNPs (DSCP 48) to priority 0, hop 1 to priority 6.',
      'Hop 2 (10.0.2.1) reserves 10 % for RoCE data, hop 1 50 %.',
      'Hop 2 (10.0.2.1) maps DSCPs to priorities differently from hop 1: DSCP 48.',
      'Hop 3 (10.0.3.1) marks ECN on RoCE data, hop 2 does not: congestion there is only signalled by pauses.',
      'Hop 3 (10.0.3.1) maps CNPs (DSCP 48) to priority 6, hop 2 to priority 0.',
      'Hop 3 (10.0.3.1) maps DSCPs to priorities differently from hop 2: DSCP 48.',
    ]);
  });

  it('reports where packets of the required length would be dropped', () => {
    const { verdict, reasons } = findWith({ 2: { mtuBytes: 1500 }, 3: { mtuBytes: 4200 } }, POLICY);
    expect(verdict).toBe('not-lossless');
    expect(reasons).toEqual([
      'Hop 2 (10.0.2.1) has an MTU of 1500 bytes, the policy asks for 4200: longer packets would be dropped there.',
    ]);
  });

  it('has the verdict unknown where a node does not trust DSCP', () => {
    const { verdict, reasons, texts } = findWith({ 2: { trustMode: 1 } });
    expect(verdict).toBe('unknown');
    expect(reasons).toEqual(['Hop 2 (10.0.2.1) trusts PCP: the DSCP does not decide the class of RoCE data there.']);
    expect(texts).toContain('Hop 3 (10.0.3.1) trusts DSCP, hop 2 trusts PCP.');
    expect(findWith({ 2: { trustMode: 77 } }).reasons[0]).toContain('trusts mode 77, unknown here');
  });

  it('accepts another trust mode where the policy requires it', () => {
    const qos = { trustMode: 1 };
    const settings = { 1: qos, 2: qos, 3: qos, [DESTINATION_HOP]: qos };
    expect(findWith(settings, { ...POLICY, trustMode: 1 }).verdict).toBe('lossless');
    expect(findWith(settings).verdict).toBe('unknown');
  });

  it('lists only the first few of many DSCPs that differ', () => {
    const { texts } = findWith({ 3: { dscpToPriority: MAP.map((priority, dscp) => (dscp < 6 ? 1 : priority)) } });
    expect(texts).toContain(
      'Hop 3 (10.0.3.1) maps DSCPs to priorities differently from hop 2: DSCP 0, 1, 2 and 3 more.',
    );
  });

  it('names the node that does not support RoCE', () => {
    const network = buildNetwork('IPv6', 2, { 2: { capability: { supportsRoce: false } } });
    const { report } = discover(network);
    expect(report.verdict).toBe('not-lossless');
    expect(report.reasons).toEqual(['Hop 2 (2001:db8:0:2::1) answers "not supported".']);
  });

  describe('for replies of third-party implementations', () => {
    const answerOfHop2 = (change: (reply: NonNullable<ReturnType<typeof ReplyPacket.read>>['reply']) => object) => {
      const shuffle = ([one, two, ...rest]: readonly Uint8Array[]) => {
        const { reply } = ReplyPacket.read(two!)!;
        const source = addressOf('IPv4', 2);
        const changed = { ...reply, ...change(reply) };
        return [one!, ReplyPacket.write({ source, destination: addressOf('IPv4', 0), reply: changed }), ...rest];
      };
      return discover(buildNetwork('IPv4', 3), { shuffle }).report;
    };

    it('has the verdict unknown for a reply without data, even if its code is "supported"', () => {
      const { verdict, reasons } = answerOfHop2(() => ({ data: new Uint8Array(0) }));
      expect(verdict).toBe('unknown');
      expect(reasons).toEqual(['Hop 2 (10.0.2.1) does not report how it treats RoCE data.']);
    });

    it('has the verdict unknown for unreadable data', () => {
      const { verdict, reasons } = answerOfHop2(() => ({ data: Uint8Array.of(0x2f, 1, 2, 3) }));
      expect(verdict).toBe('unknown');
      expect(reasons[0]).toMatch(/^Hop 2 \(10\.0\.2\.1\) sent an unreadable report: The qos data/);
    });

    it('has the verdict unknown for an undefined code', () => {
      const { verdict, reasons } = answerOfHop2(() => ({ code: 9 }));
      expect(verdict).toBe('unknown');
      expect(reasons).toEqual(['Hop 2 (10.0.2.1) answers with code 9, which is not defined.']);
    });

    it('compares hashes where DSCP maps are not reported, and has the verdict unknown if the RoCE DSCP differs', () => {
      const strip = (data: Uint8Array, fields: object) => {
        const { dscpToPriority: map, ...reported } = QosData.read(data);
        expect(map).toBeDefined();
        return { data: QosData.write({ ...reported, ...fields }) };
      };
      const { verdict, findings } = answerOfHop2(({ data }) => strip(data, { dscpMapHash: 1 }));
      expect(verdict).toBe('lossless');
      expect(findings.map(({ text }) => text)).toEqual([
        'Hop 2 (10.0.2.1) maps DSCPs to priorities differently from hop 1.',
        'Hop 3 (10.0.3.1) maps DSCPs to priorities differently from hop 2.',
      ]);
      const { verdict: blind, reasons } = answerOfHop2(({ data }) => strip(data, { roceDscp: 24 }));
      expect(blind).toBe('unknown');
      expect(reasons).toEqual([
        'Hop 2 (10.0.2.1) does not report to which priority it maps DSCP 26: it names DSCP 24 for RoCE.',
      ]);
    });
  });

  it('compares a node with the nearest previous node that replied', () => {
    const network = buildNetwork('IPv4', 3, { 3: { qos: { dscpToPriority: MAP.with(26, 0) } } });
    const { report } = discover(network, { replyLostOf: [2] });
    expect(report.reasons[2]).toContain('Hop 3 (10.0.3.1) maps DSCP 26 to priority 0, hop 1 to priority 3');
  });

  it('rejects an unknown setting', () => {
    const { path } = discover(buildNetwork('IPv4', 1));
    expect(path.hopCount).toBe(1);
    const report = { missingHop: 'lossless' as 'unknown' };
    expect(() => discover(buildNetwork('IPv4', 1), { report })).toThrow(/missingHop/);
  });
});
