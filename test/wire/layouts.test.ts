import { describe, expect, it } from 'vitest';
import { Ipv4 } from '../../src/wire/ip/ipv4.js';
import { Ipv6 } from '../../src/wire/ip/ipv6.js';
import { Udp } from '../../src/wire/ip/udp.js';
import { Ethernet, VlanTag } from '../../src/wire/link/ethernet.js';
import { Bth } from '../../src/wire/roce/bth.js';
import { expectLayout } from './support/layout-check.js';

describe('a layout declared as data matches the codec', () => {
  it('of Ethernet', () => {
    const repair = (bytes: Uint8Array) => bytes.set([0x08, 0x00], 12);
    expectLayout(Ethernet, Ethernet.read, { repair });
  });

  it('of a VLAN tag', () => {
    const parseTag = (bytes: Uint8Array) =>
      Ethernet.read(Uint8Array.from([...new Uint8Array(12), ...bytes, 0x08, 0x00])).tags[0]!;
    expectLayout(VlanTag, parseTag, { repair: (bytes) => bytes.set([0x81, 0x00]) });
  });

  it('of IPv4', () => {
    const repair = (bytes: Uint8Array) => bytes.set([0x45]);
    expectLayout(Ipv4, Ipv4.read, { repair, notInValue: ['version', 'ihl'] });
  });

  it('of IPv6', () => {
    const repair = (bytes: Uint8Array) => {
      bytes[0] = 0x60 | (bytes[0]! & 15);
    };
    expectLayout(Ipv6, Ipv6.read, { repair, notInValue: ['version'] });
  });

  it('of UDP', () => {
    expectLayout(Udp, Udp.read);
  });

  it('of the BTH', () => {
    expectLayout(Bth, Bth.read);
  });

  it('and a wrong layout is detected', () => {
    const fields = Udp.fields.map((field, index) => ({ ...field, name: Udp.fields[3 - index]!.name }));
    expect(() => expectLayout({ ...Udp, fields }, Udp.read)).toThrow();
  });
});
