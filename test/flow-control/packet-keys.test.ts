import { describe, expect, it } from 'vitest';
import { arnFor, packetKeysOf } from '../../src/flow-control/arn-for.js';
import { applyArn, createFlowControl, isPaused } from '../../src/flow-control/precise-flow-control.js';
import { encapsulate } from '../../src/tunnel/encapsulation.js';
import { parseIpAddress } from '../../src/wire/ip/ip-address.js';
import { DATA_4, DATA_6, EGRESS_SID, END_CON_SID, RECEIVER, SENDER } from '../tunnel/support/packets.js';

const HEADER = { source: END_CON_SID, destination: EGRESS_SID };
const WAYPOINT = parseIpAddress('2001:db8:cccc::1');
const INNER_6 = { source: SENDER, destination: RECEIVER, protocol: 17, sourcePort: 0xc000, destinationPort: 4791 };
const HOST_4 = parseIpAddress('192.168.0.7');
const INNER_4 = { ...INNER_6, source: HOST_4, destination: HOST_4 };
const OUTER = { source: END_CON_SID, destination: EGRESS_SID, protocol: 41, sourcePort: 0, destinationPort: 0 };

describe('keys of a packet', () => {
  it('are the five-tuples of the outer and of the inner header', () => {
    expect(packetKeysOf(encapsulate(DATA_6, HEADER))).toEqual({ outer: OUTER, inner: INNER_6 });
    expect(packetKeysOf(encapsulate(DATA_4, HEADER), { priorityId: 3 })).toEqual({
      outer: { ...OUTER, protocol: 4 },
      inner: INNER_4,
      priorityId: 3,
    });
  });

  it('are the same five-tuple twice for a packet outside a tunnel', () => {
    expect(packetKeysOf(DATA_6)).toEqual({ outer: INNER_6, inner: INNER_6 });
    expect(packetKeysOf(DATA_4)).toEqual({ outer: INNER_4, inner: INNER_4 });
  });

  it('have the next segment as outer destination, or the last segment on request', () => {
    const bytes = encapsulate(DATA_6, { ...HEADER, segments: [WAYPOINT] });
    expect(packetKeysOf(bytes)).toEqual({ outer: { ...OUTER, destination: WAYPOINT }, inner: INNER_6 });
    expect(packetKeysOf(bytes, { outerDestination: 'last-segment' }).outer).toEqual(OUTER);
    expect(packetKeysOf(DATA_6, { outerDestination: 'last-segment' }).outer).toEqual(INNER_6);
    expect(() => packetKeysOf(DATA_6, { outerDestination: 'x' as 'as-is' })).toThrow(/outerDestination/);
  });

  it('have ports for TCP, UDP and SCTP only, and none for later fragments', () => {
    for (const [protocol, hasPorts] of [[6, true], [17, true], [132, true], [50, false]] as const) {
      const packet = DATA_4.slice();
      packet[9] = protocol;
      const ports = hasPorts ? {} : { sourcePort: 0, destinationPort: 0 };
      expect(packetKeysOf(packet).inner).toEqual({ ...INNER_4, protocol, ...ports });
    }
    const fragment = DATA_4.slice();
    fragment.set([0x20, 1], 6);
    expect(packetKeysOf(fragment).inner).toEqual({ ...INNER_4, sourcePort: 0, destinationPort: 0 });
  });

  it('can be read from a packet truncated after the ports, but not from a shorter one', () => {
    for (const [packet, ports] of [[encapsulate(DATA_6, HEADER), 84], [encapsulate(DATA_4, HEADER), 64]] as const) {
      expect(packetKeysOf(packet.subarray(0, ports))).toEqual(packetKeysOf(packet));
      for (let length = 0; length < ports; length++) {
        expect(() => packetKeysOf(packet.subarray(0, length))).toThrow(
          expect.objectContaining({ name: 'RoceError', code: 'invalid-packet' }) as Error,
        );
      }
    }
    const overlong = encapsulate(DATA_6, HEADER);
    overlong.set([0, 42], 4);
    expect(() => packetKeysOf(overlong)).toThrow(/needs .* available/);
    expect(() => packetKeysOf(Uint8Array.of(0x50))).toThrow(/another version/);
  });

  it('of a congested packet select the packets to pause', () => {
    const [congested, other] = [DATA_6, DATA_4].map((packet) => packetKeysOf(encapsulate(packet, HEADER)));
    const held = (['service', 'flow'] as const).map((mode) => {
      const node = createFlowControl({ modes: [mode] });
      applyArn(node, arnFor(mode, congested!, { kind: 'pause', timePs: 1 }), 0);
      return [congested!, other!, packetKeysOf(DATA_6)].map((keys) => isPaused(node, keys, 0));
    });
    // The gateway beyond the tunnel knows the flow, not the service.
    expect(held).toEqual([[true, false, false], [true, false, true]]);
  });
});
