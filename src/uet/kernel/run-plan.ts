/** The input of a run of uet.wasm before it is written to memory: options and derived values, network, and tables. */
import type { FatTree } from '../fat-tree.js';
import { planNetwork, type NetworkPlan } from '../network-plan.js';
import type { UetOptions } from '../options.js';
import { networkSettings, uetParameters, type UetParameters } from '../parameters.js';
import type { UetTraffic } from '../traffic.js';

/** The data that is written to the kernel's memory. */
export interface UetPlan {
  readonly options: UetOptions;
  readonly tree: FatTree;
  readonly parameters: UetParameters;
  readonly network: NetworkPlan;
  readonly traffic: UetTraffic;
  /** Rank of each sender's or receiver's id among all ids. */
  readonly ranks: ReadonlyMap<number, number>;
  /** Index of each trigger by id. */
  readonly triggers: ReadonlyMap<number, number>;
}

export function planRun(options: UetOptions, tree: FatTree, traffic: UetTraffic): UetPlan {
  const parameters = uetParameters(options, tree);
  const ids = new Set(traffic.flows.flatMap(({ flow: { senderId, receiverId } }) => [senderId, receiverId]));
  return {
    options,
    tree,
    parameters,
    network: planNetwork(networkSettings(options, tree, parameters)),
    traffic,
    ranks: new Map([...ids].sort((a, b) => a - b).map((id, rank) => [id, rank])),
    triggers: new Map([...traffic.triggers.keys()].map((id, index) => [id, index])),
  };
}
