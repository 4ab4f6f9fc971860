import { describe, expect, it } from 'vitest';
import { omit } from '../../src/config/field-rules.js';
import { telemetry, type TelemetrySettings } from '../../src/config/telemetry.js';
import { gbps } from '../../src/index.js';
import { readTraceHops } from '../../src/reference/parse-frame.js';
import type { IoamNode } from '../../src/wire/telemetry/ioam-node.js';
import { IoamTraceData, type IoamTraceDataFields } from '../../src/wire/telemetry/ioam-trace-data.js';
import { IoamTraceType } from '../../src/wire/telemetry/ioam-trace.js';

const IDENTITY = [IoamTraceType.BIT_NODE, IoamTraceType.BIT_INTERFACES] as const;
const TIME = [IoamTraceType.BIT_TIMESTAMP_SECONDS, IoamTraceType.BIT_TIMESTAMP_FRACTION] as const;
const NODE: IoamNode = {
  nodeId: 3,
  egressInterface: 4,
  timestampSeconds: 4096 * 5 + 2,
  timestampFraction: 7,
  queueDepth: 10,
};

/** Reads the hops of a trace that is preceded by its IOAM Option-Type. */
function read(settings: Partial<TelemetrySettings>, bits: readonly number[], nodes: readonly IoamNode[],
  more: Partial<IoamTraceDataFields> = {}) {
  const trace = IoamTraceData.write({
    kind: 'pre-allocated',
    header: { traceType: IoamTraceType.of(...bits) },
    nodes,
    ...more,
  });
  const bytes = Uint8Array.of(more.kind === 'incremental' ? 1 : 0, ...trace);
  return readTraceHops(bytes, 1, trace.length, telemetry({ defaultLineRateBps: gbps(100), ...settings }));
}

const USUAL = [...IDENTITY, ...TIME, IoamTraceType.BIT_QUEUE_DEPTH];
const HOP = { timePs: 2e12 + 7000, txBytes: -1, qlenBytes: 10, lineRateBps: gbps(100), hopId: 3, portId: 4 };

describe('the hops of an IOAM trace', () => {
  it.each(['pre-allocated', 'incremental'] as const)('are in path order (%s)', (kind) => {
    const found = read({}, USUAL, [NODE, { ...NODE, nodeId: 9 }], { kind });
    expect(found).toEqual({
      kind: 'trace',
      hops: [HOP, { ...HOP, hopId: 9 }],
      partial: false,
      hasSeconds: true,
      txSpanBytes: 0,
    });
  });

  it.each([
    ['ptp', 999_999_999, 2e12 + 999_999_999_000],
    ['ntp', 2 ** 31, 2.5e12],
    ['ntp', 1, 2e12 + 232],
    ['posix', 999_999, 2e12 + 999_999_000_000],
  ] as const)('have times in the format of the domain (%s, %d)', (timestampFormat, timestampFraction, timePs) => {
    expect(read({ timestampFormat }, USUAL, [{ ...NODE, timestampFraction }])?.hops[0]?.timePs).toBe(timePs);
  });

  it('have times within a second when a trace has no seconds', () => {
    const node = omit(NODE, 'timestampSeconds');
    expect(read({}, [...IDENTITY, IoamTraceType.BIT_TIMESTAMP_FRACTION, IoamTraceType.BIT_QUEUE_DEPTH], [node]))
      .toMatchObject({
        hasSeconds: false,
        hops: [{ timePs: 7000 }],
      });
  });

  it('have bytes and line rate from short and wide namespace data, and from opaque data', () => {
    const rateOf = (field: 'namespace-data' | 'namespace-data-wide' | 'opaque', fromBit: number) => ({
      field,
      fromBit,
      bits: 8,
      unit: gbps(1),
    });
    const narrow = read({
      txBytes: { field: 'namespace-data', fromBit: 8, bits: 24, unit: 16 },
      lineRate: rateOf('namespace-data', 0),
    }, [...USUAL, IoamTraceType.BIT_NAMESPACE_DATA], [{ ...NODE, namespaceData: 40 * 2 ** 24 + 0x123456 }]);
    expect(narrow).toMatchObject({ txSpanBytes: 2 ** 28, hops: [{ txBytes: 0x1234560, lineRateBps: gbps(40) }] });
    const wide = read({
      txBytes: { field: 'namespace-data-wide', fromBit: 4, bits: 48, unit: 1 },
      lineRate: rateOf('namespace-data-wide', 56),
    }, [...USUAL, IoamTraceType.BIT_NAMESPACE_DATA_WIDE], [{ ...NODE, namespaceDataWide: 0x1_123456789abc_0_64n }]);
    expect(wide?.hops).toMatchObject([{ txBytes: 0x123456789abc, lineRateBps: gbps(100) }]);
    const opaque = { schemaId: 6, data: Uint8Array.of(0, 0, 0, 200, 0, 0, 1, 0) };
    const settings = {
      opaqueSchemaId: 6,
      txBytes: { field: 'opaque', fromBit: 32, bits: 32, unit: 2 },
      lineRate: rateOf('opaque', 24),
    } as const;
    const bits = [...USUAL, IoamTraceType.BIT_OPAQUE];
    expect(read(settings, bits, [{ ...NODE, opaque }])?.hops).toMatchObject([{ txBytes: 512, lineRateBps: gbps(200) }]);
    expect(read({ ...settings, opaqueSchemaId: 7 }, bits, [{ ...NODE, opaque }])).toBeUndefined();
    expect(read(settings, bits, [{ ...NODE, opaque: { schemaId: 6, data: new Uint8Array(4) } }])).toBeUndefined();
  });

  it('have identity and queue from the wide and buffer fields when the others are not available', () => {
    const bits = [
      ...IDENTITY,
      ...TIME,
      IoamTraceType.BIT_NODE_WIDE,
      IoamTraceType.BIT_INTERFACES_WIDE,
      IoamTraceType.BIT_BUFFER_OCCUPANCY,
    ];
    const node = {
      timestampSeconds: 1,
      timestampFraction: 0,
      nodeIdWide: 0xaa_12345678n,
      egressInterfaceWide: 70_000,
      bufferOccupancy: 3,
    };
    const found = read({ queueField: 'buffer-occupancy', queueUnitBytes: 208 }, bits, [node]);
    expect(found?.hops).toMatchObject([{ hopId: 0x12345678, portId: 70_000, qlenBytes: 624 }]);
  });

  it('have rate and queue unit of the configured port, of its node, or the defaults', () => {
    const ports = [{ nodeId: 3, lineRateBps: gbps(25) }, {
      nodeId: 3,
      egressInterface: 4,
      lineRateBps: gbps(50),
      queueUnitBytes: 80,
    }];
    const found = read({ ports, queueUnitBytes: 64 }, USUAL, [NODE, { ...NODE, egressInterface: 5 }, {
      ...NODE,
      nodeId: 8,
    }]);
    expect(found?.hops).toMatchObject([
      { lineRateBps: gbps(50), qlenBytes: 800 },
      { lineRateBps: gbps(25), qlenBytes: 640 },
      { lineRateBps: gbps(100), qlenBytes: 640 },
    ]);
  });

  it('are partial when a node omits a needed field, when the trace overflowed, and when there are more than 15', () => {
    const short = omit(NODE, 'queueDepth');
    expect(read({}, USUAL, [short, NODE])).toMatchObject({ hops: [HOP], partial: true });
    expect(read({}, USUAL, [NODE], { header: { traceType: IoamTraceType.of(...USUAL), flags: 8 } })).toMatchObject({
      hops: [HOP],
      partial: true,
    });
    const many = Array.from({ length: 16 }, (_, nodeId) => ({ ...NODE, nodeId }));
    const found = read({}, USUAL, many);
    expect(found?.hops.map(({ hopId }) => hopId)).toEqual(many.slice(1).map(({ nodeId }) => nodeId));
    expect(found?.partial).toBe(true);
  });

  it('are empty for a trace of another namespace or with contradictory lengths', () => {
    expect(read({ namespaceId: 1 }, USUAL, [NODE])).toBeUndefined();
    expect(read({ namespaceId: 'any' }, USUAL, [NODE])).toBeDefined();
    const trace = IoamTraceData.write({
      kind: 'pre-allocated',
      header: { traceType: IoamTraceType.of(...USUAL) },
      nodes: [NODE],
    });
    for (let lenBytes = 0; lenBytes < trace.length; lenBytes++) {
      expect(readTraceHops(Uint8Array.of(0, ...trace), 1, lenBytes, telemetry({ defaultLineRateBps: 1e9 })),
        `${lenBytes} bytes`).toBeUndefined();
    }
  });
});

describe('telemetry settings', () => {
  it.each<[object, RegExp]>([
    [{ namespaceId: 65_536 }, /telemetry.namespaceId/],
    [{ queueUnitBytes: 0 }, /telemetry.queueUnitBytes/],
    [{ txBytes: 'table' }, /telemetry.txBytes/],
    [{ txBytes: { field: 'namespace-data', fromBit: 1, bits: 32, unit: 1 } }, /telemetry.txBytes.bits/],
    [{ lineRate: { field: 'opaque', fromBit: 0, bits: 49, unit: 1 } }, /telemetry.lineRate.bits/],
    [{ ports: [{ nodeId: 1, lineRateBps: 0 }] }, /telemetry.ports\[0\].lineRateBps/],
    [{ ports: [{ nodeId: 1, lineRateBps: 1e9 }, { nodeId: 1, lineRateBps: 2e9 }] }, /telemetry.ports/],
    [{ units: 1 }, /telemetry.units/],
  ])('%o are rejected with the field name', (settings, where) => {
    expect(() => telemetry(settings)).toThrow(where);
  });
});
