/** Files from the writer, read by other tools. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { FrameToWrite } from '../../src/capture/record-encoder.js';
import { writeCaptureFile } from '../../src/capture/node-file.js';
import type { PcapngSection, PcapWriteOptions } from '../../src/capture/write-options.js';
import { encodeCapture } from '../../src/capture/writer.js';
import { describeWithTool, foreignPython, foreignTool, runTool } from '../support/foreign-tools.js';
import { localBytes } from './support/corpus.js';
import { readGood } from './support/read.js';

const folder = mkdtempSync(join(tmpdir(), 'roce-foreign-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

let fileCount = 0;
function stored(bytes: Uint8Array): string {
  const path = join(folder, `${String(fileCount++)}.cap`);
  writeFileSync(path, bytes);
  return path;
}

/** An Ethernet frame of a local experimental EtherType, which no dissector interprets. */
const ETHERNET = new Uint8Array(64);
ETHERNET.set([2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2, 0x88, 0xb5]);
const IPV4 = Uint8Array.of(0x45, 0, 0, 20, 0, 0, 0, 0, 64, 17, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8);

/** The last one is as late as possible: capinfos 4.0 reads later seconds as negative. */
const FRAMES: FrameToWrite[] = [
  { bytes: ETHERNET, epochSeconds: 1_751_328_000, picoseconds: 123_456_789_012, originalBytes: 100 },
  { bytes: ETHERNET, epochSeconds: 1_751_328_007, picoseconds: 1_002_003 },
  { bytes: ETHERNET, epochSeconds: 0x7fffffff, picoseconds: 999_999_999_999 },
];

/** Every interface here has at most 10^10 ticks per second: tshark 4.0 overflows 64 bits above 1.8 x 10^10. */
const SECTIONS: PcapngSection[] = [
  {
    application: 'a writer',
    comments: ['on the section'],
    interfaces: [{ name: 'eth0' }, { tsresol: 0x80 + 20, tsoffsetSeconds: -77 }, {
      tsresol: 10,
      snapLengthBytes: 500,
      tsoffsetSeconds: 1_700_000_000,
    }],
  },
  { byteOrder: 'big', interfaces: [{ tsresol: 6 }, { linkType: 101, tsoffsetSeconds: -10, name: 'tun1' }] },
];
const ODD_FRAMES: FrameToWrite[] = [
  { ...FRAMES[0]!, comments: ['on the frame'] },
  { ...FRAMES[1]!, interfaceId: 1, epochSeconds: 1000, picoseconds: 500_000_000_000 },
  { ...FRAMES[0]!, interfaceId: 2 },
  { bytes: ETHERNET },
  { ...FRAMES[0]!, section: 1 },
  { ...FRAMES[0]!, bytes: IPV4, originalBytes: 20, section: 1, interfaceId: 1, epochSeconds: -5 },
];

describeWithTool('capinfos', 'capinfos reads written files', (capinfos) => {
  /** The value of a line "name: value" of the report. */
  function report(path: string): (name: string) => string | undefined {
    const lines = runTool(capinfos, ['-M', '-S', path]).split('\n').map((line) => line.trim());
    return (name) => lines.find((line) => line.startsWith(name))?.slice(name.length).replace(/^\s*[:=]\s*/, '');
  }

  const pcaps: [PcapWriteOptions, string, string, string[]][] = [
    [{ format: 'pcap' }, 'nsecpcap', 'Ethernet (1 - ether)', ['1751328000.123456789', '2147483647.999999999']],
    [{ format: 'pcap', byteOrder: 'big' }, 'nsecpcap', 'Ethernet (1 - ether)', [
      '1751328000.123456789',
      '2147483647.999999999',
    ]],
    [{ format: 'pcap', resolution: 'us' }, 'pcap', 'Ethernet (1 - ether)', ['1751328000.123456', '2147483647.999999']],
    [{ format: 'pcap', resolution: 'us', byteOrder: 'big', linkType: 101 }, 'pcap', 'Raw IP (7 - rawip)', [
      '1751328000.123456',
      '2147483647.999999',
    ]],
    [{ format: 'pcap', snapLengthBytes: 64 }, 'nsecpcap', 'Ethernet (1 - ether)', [
      '1751328000.123456789',
      '2147483647.999999999',
    ]],
  ];

  it.each(pcaps)('as pcap: %o', (options, type, encapsulation, [first, last]) => {
    const value = report(stored(encodeCapture(FRAMES, options)));
    expect([value('File type'), value('Encapsulation'), value('Number of packets')]).toEqual([
      type,
      encapsulation,
      '3',
    ]);
    expect([value('First packet time'), value('Last packet time')]).toEqual([first, last]);
    expect(value('Time ticks per second')).toBe(options.resolution === 'us' ? '1000000' : '1000000000');
    expect(value('Packet size limit')).toBe(`file hdr: ${String(options.snapLengthBytes ?? 262144)} bytes`);
    expect(value('Data size')).toBe('228 bytes');
  });

  it('as pcapng, with the fields of its blocks', () => {
    const value = report(stored(encodeCapture(ODD_FRAMES, { format: 'pcapng', sections: SECTIONS })));
    expect([value('File type'), value('Number of packets'), value('Number of interfaces in file')]).toEqual([
      'pcapng',
      '6',
      '5',
    ]);
    expect([value('Capture application'), value('Capture comment'), value('Name')]).toEqual([
      'a writer',
      'on the section',
      'eth0',
    ]);
    expect(value('Timestamp offset')).toBe('-77');
  });

  it.each([['pcap', 'nsecpcap (gzip compressed)'], ['pcapng', 'pcapng (gzip compressed)']] as const)('in gzip: %s',
    async (format, type) => {
      const path = join(folder, `${format}.gz`);
      await writeCaptureFile(path, FRAMES, { format });
      const value = report(path);
      expect([value('File type'), value('Number of packets')]).toEqual([type, '3']);
      expect([value('First packet time'), value('Last packet time')]).toEqual([
        '1751328000.123456789',
        '2147483647.999999999',
      ]);
    });
});

describeWithTool('editcap', 'editcap converts written files', (editcap) => {
  function converted(bytes: Uint8Array, fileType: string): Uint8Array {
    const target = stored(new Uint8Array(0));
    runTool(editcap, ['-F', fileType, stored(bytes), target]);
    return new Uint8Array(readFileSync(target));
  }

  it('from pcap to pcapng, and back to the same pcap', async () => {
    const frames = await readGood(localBytes('mixed_50.pcap'));
    const pcap = encodeCapture(frames, { format: 'pcap' });
    const pcapng = converted(pcap, 'pcapng');
    expect(await readGood(pcapng)).toEqual(frames);
    expect(Buffer.from(converted(pcapng, 'nsecpcap')).equals(pcap)).toBe(true);
  });

  it.each(['us', 'ns'] as const)('from big-endian pcap in %s to pcapng with the same frames', async (resolution) => {
    const pcap = encodeCapture(FRAMES, { format: 'pcap', resolution, byteOrder: 'big' });
    expect(await readGood(converted(pcap, 'pcapng'))).toEqual(await readGood(pcap));
  });

  it('from pcapng to the pcap that the writer makes, for each resolution and byte order', () => {
    const expected = Buffer.from(encodeCapture(FRAMES, { format: 'pcap' }));
    for (const tsresol of [9, 10]) {
      for (const byteOrder of ['little', 'big'] as const) {
        const sections = [{ interfaces: [{ tsresol, snapLengthBytes: 262144, tsoffsetSeconds: 1_000_000_000 }] }];
        const pcapng = encodeCapture(FRAMES, { format: 'pcapng', byteOrder, sections });
        expect(Buffer.from(converted(pcapng, 'nsecpcap')).equals(expected)).toBe(true);
      }
    }
  });
});

describeWithTool('tshark', 'tshark reads written files', (tshark) => {
  function fields(path: string, ...names: string[]): string[][] {
    const text = runTool(tshark, ['-r', path, '-T', 'fields', ...names.flatMap((name) => ['-e', name])]);
    return text.replace(/\n$/, '').split('\n').map((line) => line.split('\t'));
  }

  it('with several sections, interfaces and clocks, and frames with and without a time', () => {
    const path = stored(encodeCapture(ODD_FRAMES, { format: 'pcapng', sections: SECTIONS }));
    expect(
      fields(path, 'frame.section_number', 'frame.interface_id', 'frame.time_epoch', 'frame.cap_len', 'frame.len',
        'frame.comment'),
    ).toEqual([
      ['1', '0', '1751328000.123456789', '64', '100', 'on the frame'],
      ['1', '1', '1000.500000000', '64', '64', ''],
      ['1', '2', '1751328000.123456789', '64', '100', ''],
      ['1', '0', '', '64', '64', ''],
      ['2', '0', '1751328000.123456000', '64', '100', ''],
      ['2', '1', '-5.123456789', '20', '20', ''],
    ]);
  });

  it('without the frame check sequence when the pcap header gives its length', () => {
    const frames = [{ ...FRAMES[1]!, bytes: ETHERNET }];
    const dataBytes = (fcsLengthBytes: number) =>
      fields(stored(encodeCapture(frames, { format: 'pcap', fcsLengthBytes })), 'eth.fcs', 'data.len');
    expect(dataBytes(4)).toEqual([['0x00000000', '46']]);
    expect(dataBytes(0)).toEqual([['', '50']]);
  });
});

describe('the lookup of other tools', () => {
  it('returns undefined for a missing tool or module', () => {
    expect(foreignTool('no-such-tool-anywhere')).toBeUndefined();
    expect(foreignPython('no_such_module_anywhere')).toBeUndefined();
  });
});
