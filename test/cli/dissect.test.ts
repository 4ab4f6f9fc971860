import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { encodeCapture, readCapture, type CaptureFrame } from '../../src/capture/index.js';
import { BUNDLED_CAPTURE } from '../../src/cli/shipped-files.js';
import { run } from './support/run.js';

const MACS = { destination: '02:00:00:00:00:02', source: '02:00:00:00:00:01' };
const CNP = [
  { kind: 'ethernet', ...MACS },
  { kind: 'ipv4', source: '10.0.0.1', destination: '10.0.0.2', dscp: 48, ecn: 1 },
  { kind: 'udp' },
  { kind: 'bth', opcode: 129, destQpn: 280 },
];
const DOCUMENT = {
  packets: [
    { time: '1751328000.000000123456', layers: CNP },
    {
      layers: [
        { kind: 'ethernet', ...MACS },
        { kind: 'ipv6', source: '2001:db8::1', destination: '2001:db8::2' },
        { kind: 'destination-options', options: [{ type: 158, data: '20010db8000000000000000000000077' }] },
        { kind: 'udp', checksum: 'computed' },
        { kind: 'bth', opcode: 129, destQpn: 281 },
      ],
    },
    {
      time: '1751338000.5',
      layers: [
        { kind: 'ethernet', ...MACS, tags: [{ tpid: 33024, priority: 3, dropEligible: false, vlanId: 7 }] },
        { kind: 'ipv6', source: '2001:db8::1', destination: '2001:db8::3' },
        { kind: 'udp', sourcePort: 50000 },
        { kind: 'bth', opcode: 10, destQpn: 280, psn: 7 },
        { kind: 'reth', virtualAddress: '0xffffffffffffffff', rKey: 5, dmaLength: 5 },
        { kind: 'payload', bytes: '0102030405' },
      ],
    },
  ],
};

let folder = '';
const at = (name: string): string => path.join(folder, name);

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'roce-cc-dissect-'));
  writeFileSync(at('three.json'), JSON.stringify(DOCUMENT));
  expect(await run(['craft', at('three.json'), '-o', at('three.pcap')])).toMatchObject({ exitCode: 0, stderr: '' });
});

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

async function framesOf(name: string): Promise<CaptureFrame[]> {
  const frames: CaptureFrame[] = [];
  for await (const frame of readCapture(new Uint8Array(readFileSync(at(name))))) frames.push(frame);
  return frames;
}

describe('roce-cc dissect', () => {
  it('prints a line for each frame', async () => {
    expect((await run(['dissect', at('three.pcap')])).stdout.split('\n')).toEqual([
      '      1     0.000000000  10.0.0.1 > 10.0.0.2  CNP QP 0x000118 PSN 0  DSCP 48 ECT(1)  74 bytes',
      expect.stringMatching(
        /^ {6}2 {5}0\.000000000 {2}2001:db8::1 > 2001:db8::2 {2}Fast CNP \(option 1\) QP 0x000119 .*118 bytes$/,
      ) as string,
      '      3  10000.499999877  2001:db8::1 > 2001:db8::3  RC RDMA WRITE only QP 0x000118 PSN 7  DSCP 0 Not-ECT  106 bytes',
      '',
    ]);
  });

  it.each([
    [['--class', 'cnp'], [1]],
    [['--class', 'cnp', 'fast-cnp-1'], [1, 2]],
    [['--class', 'cnp', 'fast-cnp'], [1, 2]],
    [['--class', 'fast-cnp-2'], []],
    [['--qpn', '0x118'], [1, 3]],
    [['--qpn', '281', '--qpn', '280'], [1, 2, 3]],
    [['--address', '2001:db8::/32'], [2, 3]],
    [['--address', '10.0.0.2'], [1]],
    [['--qpn', '280', '--address', '10.0.0.0/8'], [1]],
    [['--limit', '2'], [1, 2]],
    [['--class', 'pfc'], []],
  ])('shows with %j the frames %j', async (flags, numbers) => {
    const { stdout } = await run(['dissect', at('three.pcap'), ...flags]);
    expect(stdout.split('\n').filter(Boolean).map((line) => Number(line.slice(0, 7)))).toEqual(numbers);
  });

  it('prints every field as a tree', async () => {
    const { stdout } = await run(['dissect', at('three.pcap'), '--tree', '--qpn', '281']);
    for (
      const line of [
        'Frame: 118 bytes on the wire, 118 captured; fast-cnp-1',
        'IPv6 Destination Options, 24 bytes [54..77]',
        '    opcode: 0x81 (CNP)',
        'Invariant CRC, 4 bytes [114..117], right',
      ]
    ) {
      expect(stdout.split('\n')).toContain(line);
    }
    expect(stdout).toContain('originalDestination: 2001:db8::77');
  });

  it('prints JSON from which the same frames are built', async () => {
    const { stdout } = await run(['dissect', at('three.pcap'), '--json']);
    const lines = stdout.split('\n').filter(Boolean).map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines.map(({ frame, time, class: name }) => [frame, time, name])).toEqual([
      [1, '1751328000.000000123', 'cnp'],
      [2, '1751328000.000000123', 'fast-cnp-1'],
      [3, '1751338000.500000000', 'data'],
    ]);
    writeFileSync(at('again.json'), stdout);
    await run(['craft', at('again.json'), '-o', at('again.pcapng.gz')]);
    const [first, again] = [await framesOf('three.pcap'), await framesOf('again.pcapng.gz')];
    expect(again.map(({ bytes, epochSeconds, picoseconds }) => [bytes, epochSeconds, picoseconds])).toEqual(
      first.map(({ bytes, epochSeconds, picoseconds }) => [bytes, epochSeconds, picoseconds]),
    );
  });

  it('reads the bundled capture to its end, and a damaged one up to the damage', async () => {
    const whole = await run(['dissect', BUNDLED_CAPTURE, '--class', 'fast-cnp']);
    expect(whole.stdout.split('\n').filter(Boolean)).toHaveLength(187);
    writeFileSync(at('cut.pcap'), readFileSync(at('three.pcap')).subarray(0, 150));
    const cut = await run(['dissect', at('cut.pcap')]);
    expect(cut).toMatchObject({
      exitCode: 1,
      stderr: expect.stringMatching(
        /^roce-cc: byte offset 114 of the capture: the record at byte 114 needs 134 bytes, but 36 are available/,
      ) as string,
    });
    expect(cut.stdout.split('\n').filter(Boolean)).toHaveLength(1);
  });

  it('reports an unknown link type, and continues', async () => {
    const frame = {
      bytes: new Uint8Array(30),
      originalBytes: 30,
      linkType: 247,
      hasTime: true,
      epochSeconds: 1,
      picoseconds: 0,
      interfaceId: 0,
      section: 0,
    };
    writeFileSync(at('ib.pcap'), encodeCapture([frame], { format: 'pcap', linkType: 247 }));
    expect((await run(['dissect', at('ib.pcap')])).stdout).toBe('      1     0.000000000  InfiniBand, not dissected\n');
    expect(JSON.parse((await run(['dissect', at('ib.pcap'), '--json'])).stdout)).toMatchObject({
      linkType: 247,
      error: 'InfiniBand is not dissected',
    });
  });

  it.each([[['--class', 'nonsense']], [['--qpn', '0x1000000']], [['--address', '1.2.3']], [['--limit', '0']], [[
    '--json',
    '--tree',
  ]]])('rejects %j as an invalid command line', async (flags) => {
    expect((await run(['dissect', at('three.pcap'), ...flags])).exitCode).toBe(2);
  });
});

describe('roce-cc craft', () => {
  it('completes packets with padding, reserved bytes and ICRC', async () => {
    const frames = await framesOf('three.pcap');
    expect(frames.map(({ bytes }) => bytes.length)).toEqual([74, 118, 106]);
    expect((await run(['dissect', at('three.pcap'), '--json'])).stdout.split('"icrc":"right"')).toHaveLength(4);
  });

  it('completes nothing when disabled', async () => {
    await run(['craft', at('three.json'), '--exactly', '-o', at('exact.pcap')]);
    expect((await framesOf('exact.pcap')).map(({ bytes }) => bytes.length)).toEqual([74 - 20, 118 - 20, 106 - 3 - 4]);
  });

  it.each([
    [
      '{"packets": [{"layers": [{"kind": "ipv4", "source": "10.0.0.1"}]}]}',
      /packet 1, layers\[0\] ipv4, ipv4\.destination/,
    ],
    ['{"packets": [{"layers": [{"kind": "ipv5"}]}]}', /packet 1, layers\[0\]\.kind/],
    ['{"packets": [{"layers": [{"kind": "ipv6", "source": "10.0.0.1.2"}]}]}', /packet 1, layers\[0\]\.source/],
    ['{"packets": [{"layers": [{"kind": "payload", "bytes": "0x12"}]}]}', /packet 1, layers\[0\]\.bytes/],
    ['{"packets": [{"time": "soon", "layers": []}]}', /packet 1, time/],
    ['{"packets": 3}', /packets\b/],
    ['{"packets": [], "extra": 1}', /a field of the description must be "packets" or "linkType" \(got "extra"\)/],
    ['no json', /line 1/],
  ])('rejects %s, names the position, and writes nothing', async (text, where) => {
    writeFileSync(at('bad.json'), text);
    const { exitCode, stderr } = await run(['craft', at('bad.json'), '-o', at('none.pcap')]);
    expect([exitCode, stderr]).toEqual([1, expect.stringMatching(where) as string]);
    expect(() => readFileSync(at('none.pcap'))).toThrow('ENOENT');
  });
});
