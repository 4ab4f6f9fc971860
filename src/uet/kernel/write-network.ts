/** Writes switches, links and hosts into their tables. */
import { writeFields } from '../../abi/records/fields.js';
import { UET_HOST, UET_LINK, UET_SWITCH, UET_TIER_AGGREGATION, UET_TIER_CORE,
  UET_TIER_LEAF } from '../../abi/records/uet-network.js';
import type { LinkPlan, NetworkPlan, SwitchPlan } from '../network-plan.js';
import { psPerByte } from '../switch-queue.js';
import type { UetTables } from './tables.js';

const TIERS = { tor: UET_TIER_LEAF, aggregation: UET_TIER_AGGREGATION, core: UET_TIER_CORE };

export function writeNetwork(view: DataView, tables: UetTables, network: NetworkPlan): void {
  const writer = new LinkWriter(view, tables);
  network.switches.forEach((at, index) => {
    writeSwitch(view, tables.switch(index), at, writer);
  });
  network.leaves.forEach((leaf, host) => {
    writeFields(view, tables.host(host), UET_HOST, {
      psPerByte: psPerByte(network.hostRateBps),
      delayPs: network.hostLatencyPs,
      leaf: tables.switch(leaf),
    });
  });
}

function writeSwitch(view: DataView, at: number, plan: SwitchPlan, writer: LinkWriter): void {
  const { tier, latencyPs, firstHost, hostsBelow, hostsPerList, down, up } = plan;
  const downAt = writer.nextHop;
  for (const list of down) writer.write(list);
  const upAt = writer.nextHop;
  writer.write(up);
  writeFields(view, at, UET_SWITCH, {
    delayPs: latencyPs,
    tier: TIERS[tier],
    firstHost,
    hostsBelow,
    hostsPerList,
    downWidth: down[0].length,
    downAt,
    upWidth: up.length,
    upAt,
  });
}

/** Writes links, and the lists of their indices, consecutively. */
class LinkWriter {
  readonly #view: DataView;
  readonly #tables: UetTables;
  #index = 0;

  constructor(view: DataView, tables: UetTables) {
    this.#view = view;
    this.#tables = tables;
  }

  /** Address of the next entry of a list. */
  get nextHop(): number {
    return this.#tables.hop(this.#index);
  }

  write(links: readonly LinkPlan[]): void {
    for (const { queue, latencyPs, next } of links) {
      const at = this.#tables.link(this.#index);
      const { rateBps, limitBytes, markLowBytes, markHighBytes } = queue;
      writeFields(this.#view, at, UET_LINK, {
        psPerByte: psPerByte(rateBps),
        limitBytes,
        markLowBytes,
        markHighBytes,
        delayPs: latencyPs,
        next: next < 0 ? 0 : this.#tables.switch(next),
      });
      this.#view.setUint32(this.nextHop, at, true);
      this.#index += 1;
    }
  }
}
