import { describe, expect, it } from 'vitest';
import { IPV4_LAYOUT, parseIpv4 } from '../../src/wire/ip/ipv4.js';
import { IPV6_LAYOUT, parseIpv6 } from '../../src/wire/ip/ipv6.js';
import { UDP_LAYOUT, parseUdp } from '../../src/wire/ip/udp.js';
import { ETHERNET_LAYOUT, VLAN_TAG_LAYOUT, parseEthernet } from '../../src/wire/link/ethernet.js';
import { BTH_LAYOUT, parseBth } from '../../src/wire/roce/bth.js';
import { expectLayout } from './support/layout-check.js';

describe('a layout told as data is what the codec reads', () => {
  it('of Ethernet', () => {
    const repair = (bytes: Uint8Array) => bytes.set([0x08, 0x00], 12);
    expectLayout(ETHERNET_LAYOUT, parseEthernet, { repair });
  });

  it('of a VLAN tag', () => {
    const parseTag = (bytes: Uint8Array) =>
      parseEthernet(Uint8Array.from([...new Uint8Array(12), ...bytes, 0x08, 0x00])).tags[0]!;
    expectLayout(VLAN_TAG_LAYOUT, parseTag, { repair: (bytes) => bytes.set([0x81, 0x00]) });
  });

  it('of IPv4', () => {
    const repair = (bytes: Uint8Array) => bytes.set([0x45]);
    expectLayout(IPV4_LAYOUT, parseIpv4, { repair, notInValue: ['version', 'ihl'] });
  });

  it('of IPv6', () => {
    const repair = (bytes: Uint8Array) => {
      bytes[0] = 0x60 | (bytes[0]! & 15);
    };
    expectLayout(IPV6_LAYOUT, parseIpv6, { repair, notInValue: ['version'] });
  });

  it('of UDP', () => {
    expectLayout(UDP_LAYOUT, parseUdp);
  });

  it('of the BTH', () => {
    expectLayout(BTH_LAYOUT, parseBth);
  });

  it('and a wrong one is found', () => {
    const fields = UDP_LAYOUT.fields.map((field, index) => ({ ...field, name: UDP_LAYOUT.fields[3 - index]!.name }));
    expect(() => expectLayout({ ...UDP_LAYOUT, fields }, parseUdp)).toThrow();
  });
});
