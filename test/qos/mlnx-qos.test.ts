/** Imports port settings from the output of mlnx_qos. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { importMlnxQos, LOSSY_GROUP, validatePortQos } from '../../src/qos/index.js';
import { isMlnxQos } from '../../src/qos/mlnx-qos/import-mlnx-qos.js';

const sample = (name: string): string => readFileSync(new URL(`../data/settings/${name}`, import.meta.url), 'utf8');
const DSCP = sample('mlnx-qos-dscp.txt');
const PFC_3 =
  'PFC configuration:\n\tpriority    0   1   2   3   4   5   6   7\n\tenabled     0   0   0   1   0   0   0   0\n';

describe('importMlnxQos', () => {
  it('reads trust, maps, PFC, buffers and classes, and the interface from the command line', () => {
    const [port, ...others] = importMlnxQos(DSCP);
    expect(others).toEqual([]);
    expect(port).toMatchObject({ name: 'eth2', qos: { trust: 'dscp', defaultPriority: 0 } });
    const { qos } = port!;
    validatePortQos(qos);
    expect([qos.dscpToPriority[26], qos.dscpToPriority[48]]).toEqual([3, 6]);
    expect(qos.pfc).toEqual({ sendPriorities: [3], honourPriorities: [3] });
    expect(qos.priorityToGroup).toEqual([0, 0, 0, 1, 0, 0, 0, 0]);
    expect(qos.groups[1]).toMatchObject({ kind: 'lossless', reservedBytes: 156_096, xoffBytes: 0 });
    expect(qos.groups[0]).toEqual({ ...LOSSY_GROUP, reservedBytes: 20_016 });
    expect(qos.trafficClasses[3]!.scheduler).toEqual({ kind: 'ets', weightPercent: 40 });
    expect(qos.trafficClasses[6]!.scheduler).toEqual({ kind: 'strict' });
    expect(port!.notStated).not.toContain('ets-sum');
  });

  it('lists the settings under the options of mlnx_qos', () => {
    expect(Object.fromEntries(importMlnxQos(DSCP)[0]!.settings.map(({ name, value }) => [name, value]))).toEqual({
      '--trust': 'dscp',
      '--dscp2prio': expect.stringMatching(/^0: 0 to 7; 1: 8 to 15; .* 7: 56 to 63$/) as string,
      '--pfc': '0,0,0,1,0,0,0,0',
      '--prio2buffer': '0,0,0,1,0,0,0,0',
      '--buffer_size': '20016,156096,0,0,0,0,0,0',
      '--cable_len': '7',
      '--prio_tc': '0,1,2,3,4,5,6,7',
      '--tsa': 'ets,ets,ets,ets,ets,ets,strict,ets',
      '--tcbw': '20,10,10,40,10,10,0,0',
    });
  });

  it('reads output without buffers and classes, and notes what is missing', () => {
    const [port] = importMlnxQos(`Priority trust state: pcp\n${PFC_3}`);
    expect(port!.qos.priorityToGroup).toEqual([0, 0, 0, 3, 0, 0, 0, 0]);
    expect(port!.qos.groups[3]!.kind).toBe('lossless');
    expect(port!.notStated).toEqual(expect.arrayContaining(['traffic-class-shared', 'lossless-group-shared']));
    expect(port!.notes.map(({ text }) => text).join(' ')).toMatch(
      /does not have prio2buffer, the traffic class of each priority/,
    );
  });

  it.each([
    ['trust that the driver does not know', `Priority trust state: none\n${PFC_3}`, 'priority-differs'],
    ['no PFC', 'Priority trust state: dscp\n', 'pause-one-sided'],
    ["classes in the firmware's order", DSCP.replace('tsa: strict', 'tsa: vendor'), 'cnp-not-strict'],
  ] as const)('lists rules that cannot be checked with %s', (_, text, rule) => {
    expect(importMlnxQos(text)[0]!.notStated).toContain(rule);
  });

  it('maps a DSCP that is not listed to priority 0, except in shortened rows', () => {
    const cut = DSCP.replace('31,30,29,28,27,26,25,24,', '31,30,');
    expect(importMlnxQos(cut)[0]!.qos.dscpToPriority.slice(26, 32)).toEqual([0, 0, 0, 0, 3, 3]);
    const shortened = DSCP.replace('31,30,29,28,27,26,25,24,', '31,...,24');
    expect(importMlnxQos(shortened)[0]!.qos.dscpToPriority[26]).toBe(3);
  });

  it('reads a default priority, several priorities per class, and a PFC buffer of 0 bytes', () => {
    const text = DSCP.replace('default priority:', 'default priority:\n\tprio:2')
      .replace('tc: 1 ratelimit: unlimited, tsa: ets, bw: 10%\n', '').replace('20016,156096', '176112,0');
    const { qos } = importMlnxQos(text)[0]!;
    expect(qos.defaultPriority).toBe(2);
    expect(qos.priorityToTrafficClass).toEqual([0, 0, 2, 3, 4, 5, 6, 7]);
    expect(qos.groups[1]).toEqual(LOSSY_GROUP);
  });

  it('reads concatenated outputs with prompts, warnings and Windows line endings', () => {
    const warning = '****** WARNING: lldpad service is running and may overwrite your settings ******\n\n';
    const second = DSCP.replace('# mlnx_qos -i eth2', '[root@h1 ~]# sudo mlnx_qos --interface=eth3').replace('dscp\n',
      'pcp\n');
    const ports = importMlnxQos(`${warning}${DSCP}${second}`.replaceAll('\n', '\r\n'));
    expect(ports.map(({ name, qos: { trust } }) => [name, trust])).toEqual([['eth2', 'dscp'], ['eth3', 'pcp']]);
    const unnamed = DSCP.replace('# mlnx_qos -i eth2\n', '');
    expect(importMlnxQos(unnamed + unnamed).map(({ name }) => name)).toEqual(['', '']);
  });

  it.each<[string, string, string]>([
    ['another trust', 'Priority trust state: both\n', 'Priority trust state'],
    ['seven flags', PFC_3.replace('1   0   0   0   0', '1   0   0   0'), 'line 3'],
    ['a flag of 2', PFC_3.replace('1   0', '2   0'), 'line 3'],
    ['a buffer of 8', `${PFC_3}\tbuffer 0 0 0 8 0 0 0 0\n`, 'line 4'],
    ['a DSCP of 64', `${PFC_3}prio:3 dscp:64,\n`, 'line 4'],
    ['a DSCP that is none', `${PFC_3}prio:3 dscp:x,\n`, 'line 4'],
    ['a priority of 9', `${PFC_3}prio:9 dscp:1,\n`, 'line 4'],
    ['a class of 8', `${PFC_3}tc: 8 ratelimit: unlimited, tsa: strict\n`, 'line 4'],
    ['a share of 101 %', `${PFC_3}tc: 1 ratelimit: unlimited, tsa: ets, bw: 101%\n`, 'line 4'],
    ['five buffers', `${PFC_3}Receive buffer size (bytes): 1,2,3,4,5,total_size=15\n`, 'line 4'],
    ['a command line without output', 'mlnx_qos -i eth2 --trust dscp\n', 'text'],
    ['no text of it', '', 'text'],
  ])('rejects %s', (_, text, where) => {
    expect(() => importMlnxQos(text)).toThrow(expect.objectContaining({ code: 'invalid-settings', where }) as Error);
  });

  it('is recognised by its headings', () => {
    expect([DSCP, sample('mlnx-qos-pcp.txt'), PFC_3].map(isMlnxQos)).toEqual([true, true, true]);
    expect([sample('mlxconfig-query.txt'), sample('roce-sysfs.txt'), ''].map(isMlnxQos)).toEqual([false, false, false]);
  });
});
