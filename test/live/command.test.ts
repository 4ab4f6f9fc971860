import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { encodeCapture, readCaptureBatches } from '../../src/capture/index.js';
import { metricsText } from '../../src/cli/live/metrics-server.js';
import { dcqcnSigcomm15, gbps } from '../../src/index.js';
import { watch } from '../../src/live/index.js';
import { MAIN } from '../cli/support/process.js';
import { run } from '../cli/support/run.js';
import { markedFrame } from './support/frames.js';

describe('roce-cc live', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'roce-cc-live-'));
  const flows = path.join(folder, 'flows.csv');
  writeFileSync(flows, 'sender_addr,sender_qpn,peer_addr,peer_qpn\n10.0.0.1,0x11,10.0.0.2,0x12\n');
  const capture = encodeCapture([1, 2, 3].map((psn) => ({ bytes: markedFrame(psn), epochSeconds: psn })), {
    format: 'pcapng',
  });
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  it('watches a pipe, writes the frames, and reports them', () => {
    const seen = path.join(folder, 'seen.pcapng');
    const args = [MAIN, 'live', 'watch', '-', '--flows', flows, '--pcap', seen, '--json'];
    const printed = execFileSync(process.execPath, args, { input: capture, encoding: 'utf8', timeout: 60_000 });
    const { notifications, live } = JSON.parse(printed) as Record<string, unknown>;
    expect(notifications).toMatchObject({ markedFrames: 3, cnpsDue: 3 });
    expect(live).toMatchObject({ writtenFrames: 3, framesBeyondLimit: 0 });
    expect(readFileSync(seen).includes(Buffer.from(markedFrame(2)))).toBe(true);
  });

  it('ends a notification point after its time, with its counters', async () => {
    const port = 'udp:127.0.0.1:0';
    const { exitCode, stdout } = await run([
      'live',
      'notification-point',
      port,
      '-f',
      flows,
      '--seconds',
      '0.05',
      '--json',
    ]);
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ frames: 0, cnpsSent: 0, port: { receivedFrames: 0 } });
  });

  it('rejects invalid sources, and options out of range', async () => {
    expect(await run(['live', 'watch', 'a/b'])).toMatchObject({ exitCode: 1 });
    expect(await run(['live', 'watch', 'udp:nowhere:1'])).toMatchObject({ exitCode: 1 });
    expect(await run(['live', 'watch', '-', '--metrics', '65536'])).toMatchObject({ exitCode: 2 });
    expect(await run(['live', 'watch', '-', '--seconds', '0'])).toMatchObject({ exitCode: 2 });
    expect(await run(['live', 'watch', '-', '--allow', '2001:db8::/32'])).toMatchObject({ exitCode: 2 });
  });

  it('serves the counters of a watch to Prometheus', async () => {
    const view = await watch(readCaptureBatches(capture), { parameters: dcqcnSigcomm15({ lineRateBps: gbps(100) }) });
    const text = metricsText(view);
    expect(text).toContain('# TYPE roce_cc_frames_total counter\n');
    expect(text).toContain('roce_cc_frames_total{class="data"} 3\n');
    expect(text).toContain('roce_cc_marked_frames_total 3\n');
    expect(text).toContain(`{source="10.0.0.1",destination="10.0.0.2",qpn="18"} ${3 * markedFrame(1).length}\n`);
    expect(metricsText(undefined)).toBe('');
  });
});
