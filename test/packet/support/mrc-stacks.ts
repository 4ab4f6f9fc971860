/** Stacks of MRC packets, and the dissection of their frames. */
import { build, completeStack, dissect, type LayerSpec, type MrcOptions, type MrcReading,
  type Packet } from '../../../src/packet/index.js';
import { parseIpAddress } from '../../../src/wire/ip/ip-address.js';

export const MACS = { destination: Uint8Array.of(2, 0, 0, 0, 0, 1), source: Uint8Array.of(2, 0, 0, 0, 0, 2) };
export const [A, B] = [parseIpAddress('2001:db8:31::1'), parseIpAddress('2001:db8:31::2')];
export const ETHERNET: LayerSpec = { kind: 'ethernet', value: MACS };
export const IPV6: LayerSpec = { kind: 'ipv6', value: { source: A, destination: B, dscp: 4, ecn: 2, flowLabel: 7 } };
export const UDP: LayerSpec = { kind: 'udp', value: { sourcePort: 9 } };

/** A message of 301 bytes in one packet, with the layers `between` its Ethernet and IPv6 headers. */
export const write = (dscp: number, ...between: readonly LayerSpec[]): LayerSpec[] => [
  ETHERNET,
  ...between,
  { kind: 'ipv6', value: { source: A, destination: B, dscp, ecn: 2, flowLabel: 7 } },
  UDP,
  { kind: 'mrc-bth', value: { opcode: 0xca, destQpn: 0x1234, psn: 5 } },
  { kind: 'meth', value: { msn: 3 } },
  { kind: 'tseth', value: { timestamp: 100 } },
  { kind: 'reth', value: { virtualAddress: 0x1000n, rKey: 1, dmaLength: 301 } },
  { kind: 'payload', value: { bytes: new Uint8Array(301).fill(7) } },
];
export const frameOf = (stack: readonly LayerSpec[]): Uint8Array => build(completeStack(stack));
export const mrcOf = (bytes: Uint8Array, mrc?: MrcOptions): MrcReading | undefined =>
  dissect(bytes, mrc === undefined ? {} : { mrc }).mrc;
export const kindsOf = ({ layers }: Packet): string[] => layers.map(({ kind }) => kind);
