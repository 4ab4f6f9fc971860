/** The input of a run of uet.wasm before it is written to memory: options and derived values, network, and tables. */
import { readField } from '../../abi/records/define-record.js';
import { UET_FEED, UET_FLOW, UET_MESSAGE, UET_TRIGGER } from '../../abi/records/uet-flows.js';
import { UET_HOST, UET_LINK, UET_SWITCH } from '../../abi/records/uet-network.js';
import { UET_RUN } from '../../abi/records/uet-run.js';
import type { FatTree } from '../fat-tree.js';
import { planNetwork, type NetworkPlan } from '../network-plan.js';
import type { UetOptions } from '../arguments.js';
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

const WORD_BYTES = 4;

/** Functions that return the address of a record by index, after the kernel has laid out its tables. */
export interface UetTables {
  switch(index: number): number;
  link(index: number): number;
  host(index: number): number;
  flow(index: number): number;
  trigger(index: number): number;
  message(index: number): number;
  feed(index: number): number;
  hop(index: number): number;
  target(index: number): number;
}

/** @param at address of the record of the run. */
export function tablesOf(view: DataView, at: number): UetTables {
  const table = (name: Parameters<typeof readField<typeof UET_RUN.fields>>[3], bytes: number) => {
    const first = readField(view, at, UET_RUN, name);
    return (index: number): number => first + index * bytes;
  };
  return {
    switch: table('switchesAt', UET_SWITCH.bytes),
    link: table('linksAt', UET_LINK.bytes),
    host: table('hostsAt', UET_HOST.bytes),
    flow: table('flowsAt', UET_FLOW.bytes),
    trigger: table('triggersAt', UET_TRIGGER.bytes),
    message: table('messagesAt', UET_MESSAGE.bytes),
    feed: table('feedsAt', UET_FEED.bytes),
    hop: table('hopsAt', WORD_BYTES),
    target: table('targetsAt', WORD_BYTES),
  };
}
