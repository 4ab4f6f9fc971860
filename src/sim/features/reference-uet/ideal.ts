/**
 * Minimum completion time of a flow in an idle uet-htsim network: store and forward, packets back to back, no window, no wait for
 * credit, all links at their full rate.
 *
 *   a byte takes trunc(8e12 / rate) ps; packets of b bytes leave the NIC every trunc(8e12 b / NIC rate) ps
 *   m full packets leave queue j at   F(j) = sum of tx up to j + (m - 1) largest tx (including the NIC's) + delays before j
 *   the last, shorter one at          L(j) = max(L(j - 1) + delay, F(j)) + its tx;   L(NIC) = m tx of the NIC
 *   done at                           L(end) + delay + tx and delays of an ACK of 64 bytes on the way back
 *
 * A delay is that of a link and the switch after it. Golden runs of single flows under NSCC take exactly this time.
 */
import { BPS_PER_GBPS, BPS_PER_MBPS, PS_PER_NS } from '../../../unit-sizes.js';
import type { UetTier, ValidUet } from '../../scenario/valid-scenario.js';
import { UET_HEADER_BYTES } from './inputs.js';

const PS_PER_BYTE_AT_1_BPS = 8e12;

/** A queue and the link and switch after it. */
interface Hop {
  readonly psPerByte: number;
  /** Delay to the next queue or to the host. */
  readonly delayPs: number;
}

export class UetIdeal {
  readonly #uet: ValidUet;
  readonly #mtuBytes: number;

  /** @param mtuBytes payload of a full packet. */
  constructor(uet: ValidUet, mtuBytes: number) {
    this.#uet = uet;
    this.#mtuBytes = mtuBytes;
  }

  /** Picoseconds from the start to the last ACK. */
  ps(source: number, destination: number, sizeBytes: number): number {
    const hops = this.#hops(this.#levels(source, destination));
    const nicBps = this.#uet.nicMbps * BPS_PER_MBPS;
    const fullPackets = Math.ceil(sizeBytes / this.#mtuBytes) - 1;
    const fullBytes = this.#mtuBytes + UET_HEADER_BYTES;
    const lastBytes = sizeBytes - fullPackets * this.#mtuBytes + UET_HEADER_BYTES;
    const nicPs = Math.trunc((fullBytes * PS_PER_BYTE_AT_1_BPS) / nicBps);
    let [sum, largest, delays, last] = [0, nicPs, 0, fullPackets * nicPs];
    for (const { psPerByte, delayPs } of hops) {
      const tx = fullBytes * psPerByte;
      sum += tx;
      largest = Math.max(largest, tx);
      const fullDone = fullPackets === 0 ? 0 : sum + (fullPackets - 1) * largest + delays;
      last = Math.max(last, fullDone) + lastBytes * psPerByte + delayPs;
      delays += delayPs;
    }
    return hops.reduce((at, { psPerByte, delayPs }) => at + UET_HEADER_BYTES * psPerByte + delayPs, last);
  }

  /** Number of tiers that a path climbs. */
  #levels(source: number, destination: number): number {
    const isSame = (hosts: number): boolean => Math.floor(source / hosts) === Math.floor(destination / hosts);
    if (isSame(this.#uet.tiers[0].radixDown)) return 1;
    return isSame(this.#uet.podHosts) ? 2 : 3;
  }

  /** The hops of a path up and down again, the same in both directions. */
  #hops(levels: number): Hop[] {
    const { tiers, switchDelayNs } = this.#uet;
    const hop = ({ rateGbps, delayNs }: UetTier, isToHost: boolean): Hop => ({
      psPerByte: Math.trunc(PS_PER_BYTE_AT_1_BPS / (rateGbps * BPS_PER_GBPS)),
      delayPs: (delayNs + (isToHost ? 0 : switchDelayNs)) * PS_PER_NS,
    });
    const climbed = tiers.slice(0, levels);
    return [
      ...climbed.map((tier) => hop(tier, false)),
      ...climbed.map((tier, level) => hop(tier, level === 0)).reverse(),
    ];
  }
}
