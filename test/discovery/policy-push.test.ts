import { describe, expect, it } from 'vitest';
import { createOriginator } from '../../src/discovery/originator.js';
import { pushResult, startPolicyPush } from '../../src/discovery/policy-push.js';
import { rejectionWords } from '../../src/discovery/policy.js';
import { parsePrefix } from '../../src/wire/ip/ip-address.js';
import type { Family } from './support/network.js';
import { DESTINATION_HOP, POLICY, addressOf, buildNetwork, discover } from './support/network.js';

const FAMILIES: Family[] = ['IPv4', 'IPv6'];
const policyFrom = [parsePrefix('10.0.0.0/24'), parsePrefix('2001:db8::/64')];
const OPEN = { policyFrom };
/** RoCE moves to DSCP 24 and priority 4. */
const MOVED = {
  ...POLICY,
  losslessPriorities: 0x10,
  pfcPriorities: 0x10,
  ecnPriorities: 0x50,
  roceDscp: 24,
  rocePriority: 4,
  mtuBytes: 9100,
  dscpToPriority: POLICY.dscpToPriority!.with(24, 4),
};

describe.each(FAMILIES)('a policy pushed over %s', (family) => {
  it('is applied by each node, and makes the path lossless', () => {
    const network = buildNetwork(family, 30, {}, OPEN);
    expect(discover(network, { policy: MOVED }).report.verdict).toBe('not-lossless');
    const { path, report } = discover(network, { policy: MOVED, push: true });
    const result = pushResult(path);
    expect(result).toMatchObject({ isTakenByAll: true, isMixed: false, nodes: { length: 31 } });
    expect(new Set(result.nodes.map(({ outcome }) => outcome))).toEqual(new Set(['taken']));
    expect(result.nodes.at(-1)).toMatchObject({ isDestination: true, hop: 30 });
    expect(report.verdict).toBe('lossless');
    for (const { qos } of [...network.routers, network.destination]) {
      const { kind, rocePriority, cnpPriority, ...wanted } = MOVED;
      expect(qos).toMatchObject(wanted);
      expect([kind, qos.dscpToPriority[24], qos.dscpToPriority[48]]).toEqual([0, rocePriority, cnpPriority]);
    }
    expect(discover(network, { policy: MOVED }).report.findings).toEqual([]);
  });

  it('changes no node when it is only queried', () => {
    const network = buildNetwork(family, 2, {}, OPEN);
    const before = structuredClone(network);
    discover(network, { policy: MOVED });
    expect(network).toEqual(before);
  });

  it('is rejected by a node that does not trust the originator, as is the default', () => {
    const network = buildNetwork(family, 3, { 2: { policyFrom: [] } }, OPEN);
    const before = network.routers[1];
    const result = pushResult(discover(network, { policy: MOVED, push: true }).path);
    expect(network.routers[1]).toEqual(before);
    expect(result.nodes.map(({ outcome }) => outcome)).toEqual(['taken', 'rejected', 'taken', 'taken']);
    expect(result).toMatchObject({ isTakenByAll: false, isMixed: true });
    expect(result.nodes[1]?.text).toMatch(
      /^Hop 2 \(.*\) rejected the policy: it accepts no policy from this originator\.$/,
    );
    const closed = pushResult(discover(buildNetwork(family, 1), { policy: MOVED, push: true }).path);
    expect(closed).toMatchObject({ isTakenByAll: false, isMixed: false });
  });

  it('is rejected with every reason named', () => {
    const capability = { pfcLevels: 0, canMarkEcn: false, trustModes: [1], mtuMaxBytes: 1500, supportsRoce: false };
    const network = buildNetwork(family, 1, { 1: { capability, policyFrom } }, OPEN);
    const { nodes } = pushResult(discover(network, { policy: MOVED, push: true }).path);
    expect(nodes[0]?.text).toContain(
      'does not support RoCE, cannot make that many priorities lossless, cannot mark ECN, cannot be set to this trust mode, does not support this MTU.',
    );
  });

  it('is rejected for each reason alone, and applied by a node that just meets it', () => {
    const rejections: [object, string][] = [
      [{ pfcLevels: 0 }, 'cannot make that many priorities lossless'],
      [{ canMarkEcn: false }, 'cannot mark ECN'],
      [{ trustModes: [0, 1] }, 'cannot be set to this trust mode'],
      [{ mtuMaxBytes: 9099 }, 'does not support this MTU'],
    ];
    for (const [capability, words] of rejections) {
      const network = buildNetwork(family, 1, { 1: { capability, policyFrom } }, OPEN);
      const { nodes } = pushResult(discover(network, { policy: MOVED, push: true }).path);
      expect(nodes[0]?.text.endsWith(`rejected the policy: it ${words}.`), words).toBe(true);
    }
    const able = { pfcLevels: 1, mtuMaxBytes: 9100, trustModes: [2] };
    const network = buildNetwork(family, 1, { 1: { capability: able, policyFrom } }, OPEN);
    expect(pushResult(discover(network, { policy: MOVED, push: true }).path).isTakenByAll).toBe(true);
  });

  it('reports nodes that did not reply as silent, though they may have applied it', () => {
    const network = buildNetwork(family, 3, {}, OPEN);
    const { path } = discover(network, { policy: MOVED, push: true, replyLostOf: [2, 4] });
    const { nodes, isMixed } = pushResult(path);
    expect(nodes.map(({ outcome }) => outcome)).toEqual(['taken', 'silent', 'taken', 'silent']);
    expect(nodes[3]).toMatchObject({ isDestination: true });
    expect(isMixed).toBe(true);
    expect(network.routers[1]?.qos.losslessPriorities).toBe(0x10);
  });

  it('has the same effect when pushed twice', () => {
    const network = buildNetwork(family, 2, {}, OPEN);
    discover(network, { policy: MOVED, push: true });
    const once = structuredClone(network);
    discover(network, { policy: MOVED, push: true });
    expect(network).toEqual(once);
  });
});

describe('a policy pushed', () => {
  it('carries no DSCP map over IPv4, so a node that maps other DSCPs differently applies it in part', () => {
    const other = { qos: { dscpToPriority: POLICY.dscpToPriority!.with(1, 7) }, policyFrom };
    const inPart = pushResult(
      discover(buildNetwork('IPv4', 1, { 1: other }, OPEN), { policy: MOVED, push: true }).path,
    );
    expect(inPart.nodes.map(({ outcome }) => outcome)).toEqual(['taken-in-part', 'taken']);
    expect(inPart.isTakenByAll).toBe(true);
    const whole = pushResult(discover(buildNetwork('IPv6', 1, { 1: other }, OPEN), { policy: MOVED, push: true }).path);
    expect(whole.nodes.map(({ outcome }) => outcome)).toEqual(['taken', 'taken']);
  });

  it('leaves MTU and ETS shares unchanged unless it specifies them', () => {
    const etsShares = [10, 0, 0, 0, 80, 0, 10, 0];
    const own = [100, 0, 0, 0, 0, 0, 0, 0];
    const { mtuBytes, ...plain } = MOVED;
    const network = buildNetwork('IPv6', 0, { [DESTINATION_HOP]: { qos: { etsShares: own }, policyFrom } });
    discover(network, { policy: plain, push: true });
    expect(network.destination.qos).toMatchObject({ mtuBytes: 9000, etsShares: own });
    discover(network, { policy: { ...plain, mtuBytes, etsShares }, push: true });
    expect(network.destination.qos).toMatchObject({ mtuBytes: 9100, etsShares });
  });

  it('is not sent when it contradicts itself', () => {
    const state = createOriginator(addressOf('IPv4', 0));
    const push = (fields: object) => () =>
      startPolicyPush(state, { destination: addressOf('IPv4', 9), idNumber: 1, policy: { ...MOVED, ...fields } }, 0);
    expect(push({})).not.toThrow();
    expect(push({ pfcPriorities: 0 })).toThrow(/contradicts itself/);
    expect(push({ dscpToPriority: POLICY.dscpToPriority })).toThrow(/contradicts itself/);
    expect(push({ cnpDscp: 24 })).toThrow(/contradicts itself/);
  });

  it('has the outcome no-word on nodes that only report their state', () => {
    const { path } = discover(buildNetwork('IPv4', 1, {}, OPEN), { policy: MOVED });
    const result = pushResult(path);
    expect(result.nodes.map(({ outcome }) => outcome)).toEqual(['no-word', 'no-word']);
    expect(result).toMatchObject({ isTakenByAll: false, isMixed: false });
  });

  it('has a text for a rejection as contradictory, and one for unknown reasons', () => {
    expect(rejectionWords(0x40)).toBe('finds that the policy contradicts itself');
    expect(rejectionWords(0)).toBe('gives no reason that is known here');
    expect(rejectionWords(0x80)).toBe('gives no reason that is known here');
  });
});
