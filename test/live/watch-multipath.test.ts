import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readCaptureBatches } from '../../src/capture/index.js';
import { LiveRates } from '../../src/cli/live/run-watch.js';
import { metricsText } from '../../src/cli/live/metrics-server.js';
import { dcqcnSigcomm15, gbps } from '../../src/index.js';
import { watch, type WatchView } from '../../src/live/watch.js';

const FILE = new URL('../captures/mrc/mrc.pcap', import.meta.url);
const parameters = dcqcnSigcomm15({ lineRateBps: gbps(100) });
const output = { stdout: process.stdout, stderr: process.stderr, env: {} };

describe('a watch of Ultra Ethernet', () => {
  it('counts its packets: in the report, on the terminal, and as metrics', async () => {
    const file = new URL('../captures/uet/uet.pcap', import.meta.url);
    const result = await watch(readCaptureBatches(new Uint8Array(readFileSync(file))), { parameters });
    expect(result.report.uet).toMatchObject({ frames: 34, trimmed: 0 });
    expect(new LiveRates().linesOf(result, output as never)).toContain('Ultra Ethernet: 34 frames, 3 NACKs, 0 trimmed');
    const metrics = metricsText(result);
    expect(metrics).toContain('roce_cc_uet_frames_total{type="CP"} 10');
    expect(metrics).toContain('roce_cc_uet_nacks_total{code="TRIMMED"} 1');
    expect(metrics).not.toContain('mrc');
  });
});

describe('a watch of MRC', () => {
  it('counts its packets: in the report, on the terminal, and as metrics', async () => {
    const views: WatchView[] = [];
    const batches = readCaptureBatches(new Uint8Array(readFileSync(FILE)));
    const result = await watch(batches, { parameters, viewMs: 0, onView: (view) => views.push(view) });
    expect(result.report.mrc).toMatchObject({ frames: 62, trimmed: 7, kinds: { sack: 11, nack: 7 } });
    const lines = new LiveRates().linesOf(result, output as never);
    expect(lines).toContain('MRC: 62 frames, 11 SACKs, 7 NACKs, 7 trimmed');
    const metrics = metricsText(result);
    expect(metrics).toContain('roce_cc_mrc_frames_total{kind="sack"} 11');
    expect(metrics).toContain('roce_cc_mrc_trimmed_frames_total 7');
  });

  it('omits MRC if no MRC packet arrives', async () => {
    const small = new URL('../captures/small/mixed_50.pcap', import.meta.url);
    const result = await watch(readCaptureBatches(new Uint8Array(readFileSync(small))), { parameters });
    expect(result.report.mrc).toBeUndefined();
    expect(metricsText(result)).not.toMatch(/mrc|uet/);
  });
});
