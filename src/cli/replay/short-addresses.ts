/** Shortens a report's addresses by their common prefix, which is stated once. */
import type { Report } from './report.js';

/** Minimum length of a prefix: a shorter one is not worth the sentence that states it. */
const PREFIX_LEAST = 4;

export class ShortAddresses {
  /** The common prefix of all addresses (of all IPv6 addresses, if any), up to a colon or dot; empty if too short. */
  readonly prefix: string;

  constructor(addresses: Iterable<string>) {
    const all = [...new Set(addresses)].sort();
    const isIpv6 = all.some((address) => address.includes(':'));
    const distinct = all.filter((address) => address.includes(':') === isIpv6);
    const first = distinct[0] ?? '';
    const last = distinct.at(-1) ?? '';
    let equal = 0;
    while (equal < first.length && first[equal] === last[equal]) equal++;
    const border = Math.max(first.lastIndexOf(':', equal - 1), first.lastIndexOf('.', equal - 1)) + 1;
    this.prefix = distinct.length > 1 && equal > 0 && border >= PREFIX_LEAST ? first.slice(0, border) : '';
  }

  /** The shortened address: `…5e01::10` for 2001:db8:5e01::10. */
  of(address: string): string {
    return this.prefix !== '' && address.startsWith(this.prefix) ? `…${address.slice(this.prefix.length)}` : address;
  }
}

/** Collects the addresses of tables and lists. Sources of Fast CNPs stay in full, to be copied into an access list. */
export function shortAddressesOf({ result, flowsFrom }: Report): ShortAddresses {
  const { flows, streams, unresolved, findings, mrc } = result;
  const shown = flowsFrom === 'list' ? findings.flatMap(({ stream }) => streams[stream] ?? []) : streams;
  return new ShortAddresses([
    ...flows.map(({ sender }) => sender.address),
    ...shown.flatMap(({ source, destination }) => [source, destination]),
    ...(mrc?.queuePairs ?? []).flatMap(({ source, destination }) => [source, destination]),
    ...unresolved.flatMap(({ destination, originalDestination = destination }) => [destination, originalDestination]),
  ]);
}
