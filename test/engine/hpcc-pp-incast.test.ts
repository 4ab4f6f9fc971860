import { describe, expect, it } from 'vitest';
import { hpccPpDraft } from '../../src/config/algorithms/hpcc-pp.js';
import { telemetry } from '../../src/config/telemetry.js';
import { createEngineSync, gbps, us, type Engine } from '../../src/index.js';
import { readTraceHops } from '../../src/reference/parse-frame.js';
import { readCapture } from '../parser/support/captures.js';
import { CAPTURES, readTruth, type FrameTruth } from '../support/captures.js';
import { BACKENDS, type BackendOption } from '../support/backends.js';

const LINE_RATE_BPS = gbps(100);
/** Telemetry of the capture: nanoseconds, queues in bytes, no sent bytes; one port is slower than the default. */
const DOMAIN = telemetry({
  namespaceId: 1,
  ports: [{ nodeId: 517, egressInterface: 12, lineRateBps: gbps(100) }],
  defaultLineRateBps: gbps(400),
});

/** The capture time of a frame in picoseconds since 1,751,330,000 s. */
function timeOf(row: FrameTruth): number {
  return Number(BigInt(row['ts_ns']!) - 1_751_330_000_000_000_000n) * 1000;
}

function openSenders(backend: BackendOption,
  flows: readonly FrameTruth[]): { engine: Engine; qps: Map<string, number> } {
  const engine = createEngineSync({
    backend,
    parameterSets: { plus: hpccPpDraft({ lineRateBps: LINE_RATE_BPS, baseRttPs: us(10) }) },
    telemetry: DOMAIN,
    fastCnp: { enabled: true, defaultAction: 'allow' },
    capacity: { packets: 64 },
  });
  const endpoints = new Map<string, number>();
  const qps = new Map<string, number>();
  for (const flow of flows) {
    const address = flow['sender_addr']!;
    if (!endpoints.has(address)) endpoints.set(address, engine.addEndpoint([address]));
    const qp = engine.openQp({
      endpoint: endpoints.get(address)!,
      localQpn: Number(flow['sender_qpn']),
      peerAddress: flow['peer_addr']!,
      peerQpn: Number(flow['peer_qpn']),
    });
    qps.set(`${address} ${flow['peer_addr']} ${flow['peer_qpn']}`, qp);
  }
  return { engine, qps };
}

const keyOf = (row: FrameTruth): string => `${row['dst']} ${row['fastcnp_orig_dst']} ${row['dest_qp']}`;

describe('the incast capture under HPCC++', () => {
  const rows = readTruth('incast.csv');
  const flows = readTruth('flows.csv');
  const frames = readCapture(`${CAPTURES}incast.pcap`);

  it('yields the hops of its CSV in the units of the sender', () => {
    const { engine } = openSenders('wasm', flows);
    let traces = 0;
    rows.forEach((row, i) => {
      if (row['class'] !== 'fast_cnp_2') return;
      const { bytes } = frames[i]!;
      engine.packets.add(timeOf(row), bytes);
      engine.applyPackets();
      const { ioamOffset, ioamBytes } = engine.packets.report(0);
      const nodes = JSON.parse(row['ioam_nodes_json']!) as Record<string, number>[];
      const expected = nodes.map((node) => ({
        timePs: (node['ts_sec']! % 4096) * 1e12 + node['ts_frac']! * 1000,
        txBytes: -1,
        qlenBytes: node['queue_depth'],
        lineRateBps: node['node_id'] === 517 ? gbps(100) : gbps(400),
        hopId: node['node_id'],
        portId: node['egress_if'],
      }));
      expect(readTraceHops(bytes, ioamOffset, ioamBytes, DOMAIN)).toEqual({
        kind: 'trace',
        hops: expected,
        partial: false,
        hasSeconds: true,
        txSpanBytes: 0,
      });
      traces++;
    });
    expect(traces).toBe(93);
  });

  it.each(BACKENDS)('lowers the rate of the QP that flows.csv gives for each trace, and rates recover afterwards (%s)',
    (_, backend) => {
      const { engine, qps } = openSenders(backend, flows);
      let taken = 0;
      rows.forEach((row, i) => {
        const timePs = timeOf(row);
        const { bytes, original } = frames[i]!;
        if (row['class'] !== 'fast_cnp_2') {
          if (!engine.packets.hasRoom(bytes.length)) engine.applyPackets();
          engine.packets.add(timePs, bytes, original);
          return;
        }
        engine.applyPackets();
        const qp = qps.get(keyOf(row))!;
        const before = engine.touch(timePs, qp);
        engine.packets.add(timePs, bytes, original);
        engine.applyPackets();
        const { outcome, qp: found } = engine.packets.report(0);
        expect(found).toBe(qp);
        if (outcome === 'fast-cnp-duplicate') return;
        expect(outcome).toBe('fast-cnp-accepted');
        taken++;
        const after = engine.rateBps(qp);
        expect(after).toBeGreaterThan(0);
        // A second trace within a round trip uses the same reference and may report a shorter queue.
        if (before === LINE_RATE_BPS) expect(after).toBeLessThan(before);
      });
      engine.applyPackets();
      expect(taken).toBeGreaterThan(80);
      const lowered = [...qps.values()].filter((qp) => engine.rateBps(qp) < LINE_RATE_BPS);
      expect(lowered.length).toBeGreaterThan(10);
      for (const qp of qps.values()) expect(engine.rateBps(qp)).toBeLessThanOrEqual(LINE_RATE_BPS);
      const slowest = Math.min(...lowered.map((qp) => engine.rateBps(qp)));
      engine.advance(us(3000));
      expect(Math.min(...lowered.map((qp) => engine.rateBps(qp)))).toBeGreaterThan(slowest);
      engine.advance(us(40_000));
      for (const qp of qps.values()) expect(engine.rateBps(qp)).toBe(LINE_RATE_BPS);
    }, 120_000);

  it('leaves both backends in the same state', () => {
    const hashes = BACKENDS.map(([, backend]) => {
      const { engine } = openSenders(backend, flows);
      rows.forEach((row, i) => {
        if (row['class'] === 'data' && i % 4 !== 0) return;
        if (engine.packets.length === 64) engine.applyPackets();
        engine.packets.add(timeOf(row), frames[i]!.bytes, frames[i]!.original);
      });
      engine.applyPackets();
      return engine.stateHash();
    });
    expect(hashes[1]).toBe(hashes[0]);
  }, 120_000);
});
