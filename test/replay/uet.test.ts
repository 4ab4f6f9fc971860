import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { encodeCapture, readCaptureBatches } from '../../src/capture/index.js';
import { uetSection } from '../../src/cli/replay/report-multipath.js';
import { dcqcnSigcomm15, gbps } from '../../src/index.js';
import { build } from '../../src/packet/index.js';
import { replay, type ReplayReport } from '../../src/replay/index.js';
import { parseIpAddress } from '../../src/wire/ip/ip-address.js';

const parameters = dcqcnSigcomm15({ lineRateBps: gbps(100) });
const replayed = (bytes: Uint8Array): Promise<ReplayReport> => replay(readCaptureBatches(bytes), { parameters });

it('a replay counts Ultra Ethernet packets by type and NACK code, and not by unread port', async () => {
  const report = await replayed(readFileSync(new URL('../captures/uet/uet.pcap', import.meta.url)));
  expect(report.others).toEqual([]);
  expect(report.classes.other.frames).toBe(34);
  expect(report.uet).toMatchObject({ frames: 34, trimmed: 0 });
  expect(report.uet?.types[0]).toEqual({ name: 'CP', frames: 10 });
  expect(report.uet?.types.reduce((sum, { frames }) => sum + frames, 0)).toBe(34);
  expect(report.uet?.nacks).toEqual(
    ['TRIMMED', 'NO_PKT_BUFFER', 'RCVR_INFER_LOSS'].map((name) => ({ name, frames: 1 })),
  );
  expect(uetSection(report, { width: 200, isStyled: false } as never).join('\n')).toContain(
    'NACKs: TRIMMED 1, NO_PKT_BUFFER 1, RCVR_INFER_LOSS 1.',
  );
});

it('a replay counts retransmissions, and trimmed packets with and without corrected lengths', async () => {
  const source = parseIpAddress('10.0.0.1');
  const destination = parseIpAddress('10.0.0.2');
  const frame = (dscp: number, retransmission: boolean, destinationPort = 4793): Uint8Array =>
    build([
      { kind: 'ethernet', value: { destination: new Uint8Array(6), source: new Uint8Array(6) } },
      { kind: 'ipv4', value: { source, destination, dscp } },
      { kind: 'udp', value: { destinationPort } },
      { kind: 'uet-request', value: { psn: 1, spdcid: 1, dpdcid: 2, retransmission } },
      { kind: 'uet-ses-standard', value: { sesOperation: 1, messageId: 1, requestLength: 64 } },
      { kind: 'payload', value: { bytes: new Uint8Array(64) } },
    ]);
  const frames = [
    frame(0, false),
    frame(0, true),
    frame(12, false),
    frame(16, true).slice(0, 80),
    frame(0, false, 4794),
  ];
  const { uet, others, classes } = await replayed(
    encodeCapture(frames.map((bytes, index) => ({ bytes, epochSeconds: index })), { format: 'pcap' }),
  );
  expect(uet).toEqual({
    frames: 4,
    types: [{ name: 'RUD_REQ', frames: 4 }],
    trimmed: 2,
    retransmitted: 2,
    nacks: [],
  });
  expect(classes.malformed.frames).toBe(1);
  expect(others).toEqual([{ field: 'udp-port', number: 4794, frames: 1, firstFrame: 5 }]);
});
