import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createEngineSync, dcqcnSigcomm15, type Engine } from '../../src/index.js';
import { build, dissect, frameLocator, layerName, type LayerSpec, type Packet } from '../../src/packet/index.js';
import { BACKENDS, type BackendOption } from '../support/backends.js';
import { randomStack } from './support/random-stacks.js';

const RUNS = 400;

function engineOn(backend: BackendOption): Engine {
  const parameterSets = { default: dcqcnSigcomm15({ lineRateBps: 100e9 }) };
  const engine = createEngineSync({ backend, parameterSets, capacity: { packets: 4 } });
  engine.packets.locator = frameLocator();
  return engine;
}

/** A frame as read by the engine, in the notation of the dissector. */
function engineReads(engine: Engine, bytes: Uint8Array, originalBytes: number, linkType: number): object {
  engine.packets.add(0, bytes, originalBytes, linkType);
  engine.applyPackets();
  const report = engine.packets.report(0);
  const tunnel = engine.packets.tunnel(0);
  return {
    class: report.class,
    why: report.why,
    destQpn: report.bthOffset === 0 ? undefined : report.destQpn,
    ecn: report.ipVersion === undefined ? undefined : report.ecn,
    dscp: report.ipVersion === undefined ? undefined : report.dscp,
    tunnel: tunnel && { kind: layerName(tunnel.kind), innerEcn: tunnel.innerEcn, isDropped: tunnel.isDropped },
  };
}

function dissected(packet: Packet): object {
  const { ip, tunnel } = packet;
  return {
    class: packet.class,
    why: packet.why,
    destQpn: packet.destQpn,
    ecn: tunnel !== undefined && ip !== undefined ? tunnel.ecn : ip?.ecn,
    dscp: ip?.dscp,
    tunnel: tunnel && { kind: tunnel.kind, innerEcn: ip?.ecn ?? 0, isDropped: tunnel.isDropped },
  };
}

describe.each(BACKENDS)('a frame locator on backend %s', (_, backend) => {
  it('makes the engine read the packet that dissect finds, in any nesting, whole or truncated', () => {
    const engine = engineOn(backend);
    fc.assert(
      fc.property(randomStack, fc.double({ min: 0, max: 1, noNaN: true }), fc.boolean(),
        ({ linkType, stack }, share, isCut) => {
          const whole = build(stack);
          const bytes = isCut ? whole.slice(0, Math.floor(whole.length * share)) : whole;
          const wanted = dissected(dissect(bytes, { linkType, originalBytes: whole.length, arnPort: 0 }));
          expect(engineReads(engine, bytes, whole.length, linkType)).toEqual(wanted);
        }),
      { numRuns: RUNS },
    );
  });

  it('classifies a frame that ends before its inner frame as truncated, not as its tunnel', () => {
    const engine = engineOn(backend);
    const [ethernet, ...network] = outer(0);
    const tag: LayerSpec = { kind: 'etag', value: { priority: 0, ingressChannelBase: 0, group: 0, channelBase: 0 } };
    const tunnel = [ethernet!, tag, ...network, ...VXLAN];
    const whole = build([...tunnel, ...inner(0)]);
    const bytes = whole.slice(0, build(tunnel).length);
    expect(engineReads(engine, bytes, whole.length, 1)).toMatchObject({
      class: 'cut',
      why: 'link-short',
      dscp: undefined,
    });
  });

  it('evaluates the ECN field after decapsulation, and ignores the mark of a mirror', () => {
    const engine = engineOn(backend);
    const read = (outerEcn: number, innerEcn: number, tunnel: readonly LayerSpec[]): object =>
      engineReads(engine, build([...outer(outerEcn), ...tunnel, ...inner(innerEcn)]), 0, 1);
    expect(read(3, 2, VXLAN)).toMatchObject({ class: 'data', ecn: 3, tunnel: { innerEcn: 2, isDropped: false } });
    expect(read(3, 0, VXLAN)).toMatchObject({ class: 'data', ecn: 0, tunnel: { innerEcn: 0, isDropped: true } });
    expect(read(1, 2, VXLAN)).toMatchObject({ ecn: 1 });
    expect(read(2, 3, VXLAN)).toMatchObject({ ecn: 3 });
    expect(read(3, 2, ERSPAN)).toMatchObject({ ecn: 2, tunnel: { kind: 'erspan-2', innerEcn: 2, isDropped: false } });
  });

  it('classifies frames that a mirror truncated as truncated', () => {
    const engine = engineOn(backend);
    const whole = build([...inner(2)]);
    const frame = build([...outer(0), ...ERSPAN, { kind: 'payload', value: { bytes: whole.slice(0, 64) } }]);
    expect(engineReads(engine, frame, frame.length, 1)).toMatchObject({ class: 'data', destQpn: 0x118 });
    expect(dissect(frame).trouble).toMatchObject({ isCut: true });
  });

  it('is required for tunnels: without one the engine is an endpoint that terminates none', () => {
    const engine = engineOn(backend);
    engine.packets.locator = undefined;
    engine.packets.add(0, build([...outer(2), ...VXLAN, ...inner(2)]));
    engine.applyPackets();
    expect(engine.packets.report(0)).toMatchObject({ class: 'other' });
    expect(engine.packets.tunnel(0)).toBeUndefined();
    expect(() => {
      engine.packets.add(0, new Uint8Array(60), 60, 113);
    }).toThrow(/link must be/);
  });
});

const MACS = { destination: Uint8Array.of(2, 0, 0, 0, 0, 1), source: Uint8Array.of(2, 0, 0, 0, 0, 2) };
const quad = (last: number) => Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 192, 0, 2, last);

function outer(ecn: number): LayerSpec[] {
  return [{ kind: 'ethernet', value: MACS }, { kind: 'ipv4', value: { source: quad(1), destination: quad(2), ecn } }];
}

function inner(ecn: number): LayerSpec[] {
  return [
    { kind: 'ethernet', value: MACS },
    { kind: 'ipv4', value: { source: quad(3), destination: quad(4), ecn } },
    { kind: 'udp' },
    { kind: 'bth', value: { opcode: 4, destQpn: 0x118, psn: 7 } },
    { kind: 'payload', value: { bytes: new Uint8Array(64) } },
    { kind: 'icrc' },
  ];
}

const VXLAN: LayerSpec[] = [{ kind: 'udp' }, { kind: 'vxlan', value: { vni: 5 } }];
const ERSPAN: LayerSpec[] = [{ kind: 'gre', value: { flags: 0x1000, protocolType: 0x88be } }, { kind: 'erspan-2' }];
