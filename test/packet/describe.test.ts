import { describe as suite, expect, it } from 'vitest';
import { build, completeStack, describe, describeTree, dissect, type LayerSpec,
  type Packet } from '../../src/packet/index.js';
import { ARN_PORT, ETHERNET, HOST_A, HOST_B, MACS, QUAD_A, QUAD_B, SAMPLES, SAMPLE_NAMES, UDP, V4, V6, bth,
  completeSample, destinationOptions, bytes, payload } from './support/packets.js';

/** The expected line of each sample. */
const LINES: Readonly<Record<string, string>> = {
  'RC RDMA WRITE only': '2001:db8::a > 2001:db8::b  RC RDMA WRITE only QP 0x000118 PSN 7  DSCP 26 ECT(0)  102 bytes',
  'RC RDMA READ request': '10.0.0.1 > 10.0.0.2  RC RDMA READ request QP 0x000118 PSN 7  DSCP 26 ECT(0)  74 bytes',
  'RC ACKNOWLEDGE': '2001:db8::a > 2001:db8::b  RC ACKNOWLEDGE QP 0x000118 PSN 7  DSCP 26 ECT(0)  82 bytes',
  'RC NAK': '10.0.0.1 > 10.0.0.2  RC ACKNOWLEDGE QP 0x000118 PSN 7, NAK psn-sequence-error  DSCP 26 ECT(0)  62 bytes',
  'RC ATOMIC ACKNOWLEDGE':
    '2001:db8::a > 2001:db8::b  RC ATOMIC ACKNOWLEDGE QP 0x000118 PSN 7  DSCP 26 ECT(0)  90 bytes',
  'RC ATOMIC compare and swap':
    '2001:db8::a > 2001:db8::b  RC ATOMIC compare and swap QP 0x000118 PSN 7  DSCP 26 ECT(0)  106 bytes',
  'RC SEND only with invalidate':
    '2001:db8::a > 2001:db8::b  RC SEND only with invalidate QP 0x000118 PSN 7  DSCP 26 ECT(0)  86 bytes',
  'UD SEND only with immediate':
    '10.0.0.1 > 10.0.0.2  UD SEND only with immediate QP 0x000118 PSN 7  DSCP 26 ECT(0)  78 bytes',
  'RD RDMA WRITE only': '2001:db8::a > 2001:db8::b  RD RDMA WRITE only QP 0x000118 PSN 7  DSCP 26 ECT(0)  110 bytes',
  'XRC SEND only': '2001:db8::a > 2001:db8::b  XRC SEND only QP 0x000118 PSN 7  DSCP 26 ECT(0)  86 bytes',
  'RC SEND only behind two VLAN tags': '10.0.0.1 > 10.0.0.2  RC SEND only QP 0x000118 PSN 7  DSCP 26 ECT(0)  70 bytes',
  'RC SEND only behind IPv4 options': '10.0.0.1 > 10.0.0.2  RC SEND only QP 0x000118 PSN 7  DSCP 0 Not-ECT  70 bytes',
  CNP: '2001:db8::a > 2001:db8::b  CNP QP 0x000118 PSN 7  DSCP 26 ECT(0)  94 bytes',
  'CNP over raw IP': '10.0.0.1 > 10.0.0.2  CNP QP 0x000118 PSN 7  DSCP 26 ECT(0)  60 bytes',
  'CNP over IPv4 alone': '10.0.0.1 > 10.0.0.2  CNP QP 0x000118 PSN 7  DSCP 26 ECT(0)  60 bytes',
  'CNP over IPv6 alone': '2001:db8::a > 2001:db8::b  CNP QP 0x000118 PSN 7  DSCP 26 ECT(0)  80 bytes',
  'CNP in a cooked capture': '10.0.0.1 > 10.0.0.2  CNP QP 0x000118 PSN 7  DSCP 26 ECT(0)  76 bytes',
  'CNP in a cooked capture of version 2': '2001:db8::a > 2001:db8::b  CNP QP 0x000118 PSN 7  DSCP 26 ECT(0)  100 bytes',
  'Fast CNP, option 1':
    '2001:db8:ffff::1 > 2001:db8::a  Fast CNP (option 1) QP 0x000118 PSN 7, original destination 2001:db8::b  DSCP 0 Not-ECT  118 bytes',
  'Fast CNP, option 2':
    '2001:db8:ffff::1 > 2001:db8::a  Fast CNP (option 2) QP 0x000118 PSN 7, original destination 2001:db8::b  DSCP 0 Not-ECT  134 bytes',
  'data with an IOAM trace': '2001:db8::a > 2001:db8::b  RC SEND only QP 0x000118 PSN 7  DSCP 26 ECT(0)  106 bytes',
  'IPv6 in SRv6':
    '2001:db8::a > 2001:db8::b  in IPv6 2001:db8:ffff::1 > 2001:db8::b: RC SEND only QP 0x000118 PSN 7  DSCP 26 ECT(0) (outer Not-ECT)  162 bytes',
  'IPv4 in IPv6':
    '10.0.0.1 > 10.0.0.2  in IPv6 2001:db8:ffff::1 > 2001:db8::b: CNP QP 0x000118 PSN 7  DSCP 26 ECT(0) (outer Not-ECT)  114 bytes',
  'another routing header': '2001:db8::a > 2001:db8::b  routed, segments left 1: CNP QP 0x000118 PSN 7  118 bytes',
  'first IPv6 fragment': '2001:db8::a > 2001:db8::b  discard: a fragment  94 bytes',
  'later IPv6 fragment': '2001:db8::a > 2001:db8::b  UDP, fragment from byte 1480  86 bytes',
  'later IPv4 fragment': '10.0.0.1 > 10.0.0.2  UDP, fragment from byte 1480  58 bytes',
  RoCEv1: '2001:db8::a > 2001:db8::b  RoCEv1 RC SEND only QP 0x000118 PSN 7  74 bytes',
  PFC: '02:00:00:00:00:01 > 02:00:00:00:00:02  PFC pause 3 (65535 quanta), resume 4  60 bytes',
  PAUSE: '02:00:00:00:00:01 > 02:00:00:00:00:02  PAUSE 512 quanta  60 bytes',
  ARN:
    '10.0.0.1 > 10.0.0.2  ARN congestion-detected, metric 9, flow 10.0.0.1 > 10.0.0.2, priority 3, compression time 50  70 bytes',
  'lossless discovery over IPv4': '10.0.0.1 > 10.0.0.2  lossless discovery, hop 3: partially supported  48 bytes',
  'lossless discovery over IPv6': '2001:db8::a > 2001:db8::b  lossless discovery, hop 3: partially supported  68 bytes',
  'other UDP': '10.0.0.1 > 10.0.0.2  UDP 40000 > 53  54 bytes',
  TCP: '2001:db8::a > 2001:db8::b  TCP  74 bytes',
  LLDP: '02:00:00:00:00:01 > 02:00:00:00:00:02  LLDP  60 bytes',
};

const packetOf = (name: string): Packet => dissect(build(completeSample(name)), SAMPLES[name]!.options);
const cutTo = (name: string, length: number): Packet => {
  const whole = build(completeSample(name));
  return dissect(whole.subarray(0, length), { ...SAMPLES[name]!.options, originalBytes: whole.length });
};
const lineOf = (...stack: LayerSpec[]): string => describe(dissect(build(stack), { arnPort: ARN_PORT }));
const pfc = (classEnableVector: number, pauseQuanta: number[]): LayerSpec => ({
  kind: 'pfc',
  value: { classEnableVector, pauseQuanta },
});
const aeth = (syndrome: number): LayerSpec => ({ kind: 'aeth', value: { syndrome, msn: 0 } });

suite('the line of a packet', () => {
  it.each(SAMPLE_NAMES)('%s', (name) => {
    expect(describe(packetOf(name))).toBe(LINES[name]);
  });

  it.each([
    ['CNP', 0, 'cut: the capture ends inside ethernet  94 bytes, 0 captured'],
    ['CNP', 40, '02:00:00:00:00:01 > 02:00:00:00:00:02  cut: the capture ends inside ipv6  94 bytes, 40 captured'],
    ['CNP', 70, '2001:db8::a > 2001:db8::b  cut: the capture ends inside bth  94 bytes, 70 captured'],
    [
      'CNP',
      80,
      '2001:db8::a > 2001:db8::b  CNP QP 0x000118 PSN 7  DSCP 26 ECT(0)  cut inside cnp-reserved  94 bytes, 80 captured',
    ],
    [
      'RC RDMA WRITE only',
      92,
      '2001:db8::a > 2001:db8::b  RC RDMA WRITE only QP 0x000118 PSN 7  DSCP 26 ECT(0)  cut inside payload  102 bytes, 92 captured',
    ],
    [
      'IPv6 in SRv6',
      100,
      '2001:db8:ffff::1 > 2001:db8::b  cut: the capture ends inside ipv6  162 bytes, 100 captured',
    ],
  ])('states where the capture truncated %s: after %i bytes', (name, length, line) => {
    expect(describe(cutTo(name, length))).toBe(line);
  });

  it('states the error of a packet', () => {
    const cnp = [bth(0x81), { kind: 'cnp-reserved' }] as const satisfies readonly LayerSpec[];
    const hosts = '2001:db8::a > 2001:db8::b';
    expect(lineOf(ETHERNET, V6, UDP, ...cnp, { kind: 'icrc', value: { icrc: 1 } })).toBe(
      `${hosts}  CNP QP 0x000118 PSN 7  DSCP 26 ECT(0)  ICRC wrong  94 bytes`,
    );
    expect(lineOf(ETHERNET, V6, { kind: 'udp', value: { length: 9 } }, ...cnp)).toBe(
      `${hosts}  malformed: no room for BTH and ICRC  90 bytes`,
    );
    expect(lineOf(ETHERNET, V6, UDP, { kind: 'bth', value: { opcode: 4, destQpn: 0 } }, { kind: 'icrc' })).toBe(
      `${hosts}  discard: destination QP 0 (CA17-33)  78 bytes`,
    );
    expect(lineOf(ETHERNET, V6, UDP, bth(0x0a), { kind: 'icrc' })).toBe(
      `${hosts}  RC RDMA WRITE only QP 0x000118 PSN 7  DSCP 26 ECT(0)  reth too short, 0 of 16 bytes  78 bytes`,
    );
    expect(lineOf(ETHERNET, { kind: 'ipv6', value: { source: HOST_A, destination: HOST_B, nextHeader: 4 } }, V6)).toBe(
      `${hosts}  malformed: the IP version does not match the link header  94 bytes`,
    );
  });

  it('states why an acknowledgement is negative', () => {
    const ack = (syndrome: number): string =>
      lineOf(...completeStack([ETHERNET, V4, UDP, bth(0x11), aeth(syndrome)])).split('  ')[1]!;
    expect([0x1f, 0x60, 0x62, 0x7f, 0x2e].map(ack)).toEqual([
      'RC ACKNOWLEDGE QP 0x000118 PSN 7',
      'RC ACKNOWLEDGE QP 0x000118 PSN 7, NAK psn-sequence-error',
      'RC ACKNOWLEDGE QP 0x000118 PSN 7, NAK remote-access-error',
      'RC ACKNOWLEDGE QP 0x000118 PSN 7, NAK code 31',
      'RC ACKNOWLEDGE QP 0x000118 PSN 7, RNR NAK, wait 1280 µs',
    ]);
  });

  it('lists the classes that a PFC frame pauses and resumes, and no others', () => {
    const words = (vector: number, quanta: number[]): string => lineOf(ETHERNET, pfc(vector, quanta)).split('  ')[1]!;
    expect(words(0b1001_1000, [7, 7, 7, 65535, 65535, 7, 7, 100])).toBe(
      'PFC pause 3 4 (65535 quanta), pause 7 (100 quanta)',
    );
    expect(words(0b0000_1001, [0, 1, 1, 0, 1, 1, 1, 1])).toBe('PFC resume 0 3');
    expect(words(0, [1, 1, 1, 1, 1, 1, 1, 1])).toBe('PFC, no class enabled');
    expect(lineOf(ETHERNET, { kind: 'pause', value: { pauseQuanta: 0 } }).split('  ')[1]).toBe('PAUSE, resume');
  });

  it('identifies frames without RoCE', () => {
    const ethernet = (etherType: number): string =>
      lineOf({ kind: 'ethernet', value: { ...MACS, etherType } }, payload(46)).split('  ')[1]!;
    expect([0x0806, 0x88f7, 0x1234, 46].map(ethernet)).toEqual(['ARP', 'PTP', 'EtherType 0x1234', 'IEEE 802.3']);
    const ipv4 = (protocol: number): string =>
      lineOf(ETHERNET, { kind: 'ipv4', value: { source: QUAD_A, destination: QUAD_B, protocol } }, payload(20)).split(
        '  ',
      )[1]!;
    expect([6, 89, 200].map(ipv4)).toEqual(['TCP', 'OSPF', 'protocol 200']);
    const arn: LayerSpec = { kind: 'arn', value: { type: 9, pathId: 4 } };
    expect(lineOf(ETHERNET, V4, { kind: 'udp', value: { destinationPort: ARN_PORT } }, arn).split('  ')[1]).toBe(
      'ARN type 9, metric 0, path 4',
    );
    expect(describe(dissect(bytes(0), { linkType: 101, originalBytes: 60 }))).toBe(
      'cut: the capture ends inside ipv4  60 bytes, 0 captured',
    );
  });
});

suite('the tree of a packet', () => {
  it('has a line for each layer with its position, and one for each field with its meaning', () => {
    expect(describeTree(packetOf('RC NAK')).split('\n')).toEqual([
      'Frame: 62 bytes on the wire, 62 captured; nak',
      'Ethernet II, 14 bytes [0..13]',
      '    destination: 02:00:00:00:00:02',
      '    source: 02:00:00:00:00:01',
      '    etherType: 0x0800 (IPv4)',
      'Internet Protocol version 4, 20 bytes [14..33]',
      '    dscp: 26',
      '    ecn: 2 (ECT(0))',
      '    totalLength: 48',
      '    identification: 0x0000',
      '    flags: 2',
      '    fragmentOffset: 0',
      '    ttl: 64',
      '    protocol: 17 (UDP)',
      '    checksum: 0x2651',
      '    source: 10.0.0.1',
      '    destination: 10.0.0.2',
      'User Datagram Protocol, 8 bytes [34..41]',
      '    sourcePort: 49152',
      '    destinationPort: 4791 (RoCEv2)',
      '    length: 28',
      '    checksum: 0x0000',
      'Base Transport Header, 12 bytes [42..53]',
      '    opcode: 0x11 (RC ACKNOWLEDGE)',
      '    solicitedEvent: false',
      '    migrationRequest: false',
      '    padCount: 0',
      '    transportVersion: 0',
      '    pKey: 0xffff',
      '    fecn: false',
      '    becn: false',
      '    reserved6: 0',
      '    destQpn: 0x000118',
      '    ackRequest: false',
      '    reserved7: 0',
      '    psn: 7',
      'ACK Extended Transport Header, 4 bytes [54..57]',
      '    syndrome: 0x60 (nak)',
      '    msn: 3',
      'Invariant CRC, 4 bytes [58..61], right',
      expect.stringMatching(/^ {4}icrc: 0x[0-9a-f]{8}$/) as string,
    ]);
  });

  it('decodes Fast CNP and IOAM options', () => {
    const option = [
      'IPv6 Destination Options, 40 bytes [54..93]',
      '    nextHeader: 17 (UDP)',
      '    padn, 2 bytes',
      '    option 0x9e, Fast CNP option 2, 36 bytes',
      '        data: 000000011000820000003f0000070000040020010db800000000000000000000000b',
      '        ioamOptionType: 0 (pre-allocated trace)',
      '        trace:',
      '            kind: pre-allocated',
      '            header:',
      '                namespaceId: 1',
      '                nodeLenWords: 2',
      '                flags: 0',
      '                remainingLenWords: 0',
      '                traceType: 0x820000',
      '                reserved8: 0',
      '            nodes[0]:',
      '                hopLimit: 63',
      '                nodeId: 7',
      '                queueDepth: 1024',
      '        originalDestination: 2001:db8::b',
    ];
    expect(describeTree(packetOf('Fast CNP, option 2'))).toContain(option.join('\n'));
    expect(describeTree(packetOf('data with an IOAM trace'))).toContain('    option 0x31, IOAM, 20 bytes\n');
  });

  it('decodes options of the types used for dissecting the packet', () => {
    const optionTypes = { optionType1: 0x92, optionType2: 0x96 };
    const packet = dissect(
      build(completeStack([ETHERNET, V6, destinationOptions({ type: 0x92, data: HOST_B }), UDP, bth(0x81)])),
      { optionTypes },
    );
    expect(describeTree(packet)).toContain('    option 0x92, 18 bytes\n');
    expect(describeTree(packet, optionTypes)).toContain('    option 0x92, Fast CNP option 1, 18 bytes\n');
  });

  it('marks unknown fields of an IOAM node', () => {
    const trace = Uint8Array.from([0, 0, 0, 1, 0x10, 0, 0x82, 0, 0, 0, 63, 0, 0, 7, 0xff, 0xff, 0xff, 0xff]);
    const packet = dissect(
      build(completeStack([ETHERNET, V6, destinationOptions({ type: 0x31, data: trace }), UDP, bth(0x81)])),
    );
    expect(describeTree(packet)).toContain('nodeId: 7\n                queueDepth: not available\n');
  });

  it('shows lists, flows, tags and 64-bit numbers in their notation', () => {
    const text = (name: string): string => describeTree(packetOf(name));
    expect(text('PFC')).toContain(
      'MAC control, priority-based flow control, 20 bytes [14..33]\n    classEnableVector: 0x0018\n    pauseQuanta: 0, 0, 0, 65535, 0, 0, 0, 0\n',
    );
    expect(text('ARN')).toContain(
      '    flow:\n        source: 10.0.0.1\n        destination: 10.0.0.2\n        protocol: 17 (UDP)\n        sourcePort: 50000\n',
    );
    expect(text('RC SEND only behind two VLAN tags')).toContain(
      '    tags[1]:\n        tpid: 0x8100\n        priority: 3\n        dropEligible: false\n        vlanId: 7\n',
    );
    expect(text('RC ATOMIC compare and swap')).toContain(
      '    virtualAddress: 0x0000000000002000\n    rKey: 0x00000005\n    swapOrAdd: 0x0000000000000001\n    compare: 0xffffffffffffffff\n',
    );
    expect(text('IPv6 in SRv6')).toContain('    segments: 2001:db8::b, 2001:db8:ffff::1\nInternet');
  });

  it('shows the beginning of long payloads', () => {
    const text = (length: number): string =>
      describeTree(dissect(build([ETHERNET, V4, { kind: 'udp', value: { destinationPort: 53 } }, payload(length)])));
    expect(text(64)).toContain(`    bytes: ${'a5'.repeat(64)}`);
    expect(text(65)).toContain(`    bytes: ${'a5'.repeat(32)}... (65 bytes)`);
  });

  it('ends with the error of a packet, and explains its class', () => {
    const lines = describeTree(cutTo('CNP', 70)).split('\n');
    expect(lines[0]).toBe('Frame: 94 bytes on the wire, 70 captured; cut: the capture ends inside bth');
    expect(lines.slice(-3)).toEqual([
      'Bytes that could not be decoded, 8 bytes [62..69]',
      '    bytes: 8100ffff00000118',
      'Trouble: bth at offset 62: the capture ends inside it, required 12, actual 8',
    ]);
  });
});
