/** Reads captures of simulated ports with tshark, with its heuristic dissectors on, which is its default. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PortCapture, type CaptureContext, type PortCaptureOptions } from '../../src/sim/files/capture.js';
import type { PacketRecord } from '../../src/sim/result.js';
import { describeWithTool, runTool } from '../support/foreign-tools.js';
import { ACK_BYTES, FAST_CNP_BYTES, HEADER_BYTES, ONE_OF_EACH, captureContext,
  packet } from '../support/sim-capture.js';

function withFile<T>(records: readonly PacketRecord[], body: (path: string) => T,
  context: CaptureContext = captureContext(), options: PortCaptureOptions = {}): T {
  const capture = new PortCapture(context, options);
  for (const record of records) capture.add(record);
  const folder = mkdtempSync(join(tmpdir(), 'roce-sim-capture-'));
  try {
    const path = join(folder, 'port.pcap');
    writeFileSync(path, capture.finish());
    return body(path);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const SPACES = [16, 24, 64, 128, 248, 256, 264, 520];
const WITH_TELEMETRY = SPACES.flatMap((spaceBytes) => [
  packet('data', { lenBytes: HEADER_BYTES + 1024 + spaceBytes }),
  packet('ack', { lenBytes: ACK_BYTES + spaceBytes, port: 2, sequence: 1024 }),
  packet('fast-cnp', { lenBytes: FAST_CNP_BYTES + spaceBytes, port: 2 }),
]);

describeWithTool('tshark', 'tshark reads captures of simulated ports', (tshark) => {
  const fieldsOf = (path: string, names: readonly string[], filter: string[] = []) =>
    runTool(tshark, [
      '-n',
      '-r',
      path,
      ...filter,
      '-T',
      'fields',
      '-E',
      'separator=,',
      ...names.flatMap((name) => ['-e', name]),
    ])
      .split('\n').slice(0, -1).map((line) => line.split(','));

  it('with the headers and times of each packet', () => {
    const names = [
      'frame.time_epoch',
      'frame.len',
      'eth.type',
      'ipv6.tclass.dscp',
      'udp.dstport',
      'infiniband.bth.opcode',
      'infiniband.bth.psn',
      'infiniband.aeth.syndrome',
    ];
    expect(withFile(ONE_OF_EACH, (path) => fieldsOf(path, names))).toEqual([
      ['0.000001000', '1102', '0x86dd', '26', '4791', '0', '0', ''],
      ['0.000002000', '1102', '0x86dd', '26', '4791', '1', '1', ''],
      ['0.000003000', '182', '0x86dd', '26', '4791', '2', '2', ''],
      ['0.000004000', '82', '0x86dd', '26', '4791', '17', '0', '31'],
      ['0.000005000', '82', '0x86dd', '26', '4791', '17', '1', '96'],
      ['0.000006000', '82', '0x86dd', '26', '4791', '17', '2', '31'],
      ['0.000007000', '94', '0x86dd', '48', '4791', '129', '0', ''],
      ['0.000008000', '118', '0x86dd', '48', '4791', '129', '0', ''],
      ['0.000009000', '60', '0x8808', '', '', '', '', ''],
      ['1.000010000', '60', '0x8808', '', '', '', '', ''],
    ]);
  });

  it('with the class and duration of each pause', () => {
    const names = ['macc.opcode', 'macc.cbfc.enbv', 'macc.cbfc.pause_time.c3'];
    expect(withFile(ONE_OF_EACH.slice(8), (path) => fieldsOf(path, names))).toEqual([['0x0101', '0x0008', '65535'], [
      '0x0101',
      '0x0008',
      '0',
    ]]);
  });

  it.each<[string, readonly PacketRecord[], PortCaptureOptions]>([
    ['as simulated', ONE_OF_EACH, {}],
    ['with space for telemetry', WITH_TELEMETRY, {}],
    ['cut after 96 bytes', ONE_OF_EACH, { snapLengthBytes: 96 }],
  ])('without malformed frames, and with no expert message except for the zero UDP checksum: %s',
    (_, records, options) => {
      const context = captureContext({ fastCnp: { option: 2 } });
      withFile(records, (path) => {
        expect(fieldsOf(path, ['frame.number'])).toHaveLength(records.length);
        expect(fieldsOf(path, ['frame.number'], ['-Y', '_ws.malformed'])).toEqual([]);
        const messages = fieldsOf(path, ['_ws.expert.message'], ['-Y', '_ws.expert']).flat();
        expect(messages.filter((message) => message !== 'Illegal checksum value (0)')).toEqual([]);
      }, context, options);
    });
});

describe('the records of these tests', () => {
  it('include every kind of packet', () => {
    expect(new Set(ONE_OF_EACH.map(({ kind }) => kind)).size).toBe(7);
  });
});
