/** Writes settings and counts of a run into its record. */
import { writeFields } from '../../abi/records/fields.js';
import { UET_CONTROL_CONSTANT, UET_CONTROL_DCTCP, UET_CONTROL_NONE, UET_CONTROL_NSCC, UET_HOPS_ADAPTIVE,
  UET_HOPS_HASHED, UET_HOPS_HOST_ADAPTIVE, UET_HOPS_LEAF_ROUND_ROBIN, UET_HOPS_ROUND_ROBIN, UET_HOPS_STICKY,
  UET_PATHS_BITMAP, UET_PATHS_MIXED, UET_PATHS_OBLIVIOUS, UET_PATHS_REPS, UET_PATHS_REPS_LEGACY,
  UET_RUN } from '../../abi/records/uet-run.js';
import type { UetOptions } from '../options.js';
import { oversubscribedSettings } from '../oversubscribed-control.js';
import { firstWindow, nsccGains } from '../parameters.js';
import { quantumPs } from '../pull-pacer.js';
import { feedsOf } from '../message-plan.js';
import type { UetPlan } from './run-plan.js';
import { timeWheel } from './time-wheel.js';

const SELECTORS = {
  oblivious: UET_PATHS_OBLIVIOUS,
  bitmap: UET_PATHS_BITMAP,
  mixed: UET_PATHS_MIXED,
  reps: UET_PATHS_REPS,
  reps_legacy: UET_PATHS_REPS_LEGACY,
};

const CONTROLS = { nscc: UET_CONTROL_NSCC, dctcp: UET_CONTROL_DCTCP, constant: UET_CONTROL_CONSTANT };

/** @param at address of the record. */
export function writeRun(view: DataView, at: number, plan: UetPlan): void {
  const { options, parameters, ranks } = plan;
  const { adaptive, sender, paths, pathSelector, isReceiverControlled, isBaseRttFromNacks, isSleek } = options;
  const { endPs, seed, isTrimming, isMessages, trimBytes, ackBytes, linkSpeedBps, quickGate } = options;
  const { mtuBytes, rttPs, timeoutPs, targetPs } = parameters;
  const counts = countsOf(plan);
  writeFields(view, at, UET_RUN, {
    endPs,
    seed,
    ...counts,
    rankCount: ranks.size,
    ...timeWheel(plan, counts.linkCount),
    nextHops: nextHopsOf(options),
    isByQueue: adaptive.method === 'queue',
    selector: SELECTORS[pathSelector],
    paths,
    control: sender === undefined ? UET_CONTROL_NONE : CONTROLS[sender],
    isReceiverControlled,
    isBaseRttFromNacks,
    isSleek,
    isTrimming,
    isMessages,
    trimBytes,
    mtuBytes,
    stickyPs: adaptive.stickyPs,
    ackBytes,
    linkSpeedBps,
    rttPs,
    timeoutPs,
    targetPs,
    maxWindowBytes: lastWindow(plan),
    ...nsccGains(parameters),
    quickDivisor: 2 ** quickGate,
    quantumPs: quantumPs(linkSpeedBps),
    ...oversubscribedOf(plan),
  });
}

function countsOf({ network: { switches, leaves }, traffic: { flows, triggers }, options: { isMessages } }: UetPlan) {
  const links = switches.flatMap(({ down, up }) => [...down, up]).reduce((total, list) => total + list.length, 0);
  const connections = flows.flatMap((flow) => flow.connections);
  return {
    switchCount: switches.length,
    linkCount: links,
    hopCount: links,
    hostCount: leaves.length,
    flowCount: flows.length,
    triggerCount: triggers.size,
    targetCount: connections.filter(({ line: { trigger } }) => trigger >= 0).length,
    messageCount: isMessages ? connections.length : 0,
    feedCount: isMessages ? flows.reduce((total, flow) => total + feedsOf(flow.connections).length, 0) : 0,
  };
}

function nextHopsOf({ strategy, adaptive }: UetOptions): number {
  switch (strategy) {
    case 'ecmp_rr':
      return UET_HOPS_ROUND_ROBIN;
    case 'rr_ecmp':
      return UET_HOPS_LEAF_ROUND_ROBIN;
    case 'ecmp_ar':
      return adaptive.granularity === 'flow' ? UET_HOPS_STICKY : UET_HOPS_ADAPTIVE;
    case 'ecmp_host_ar':
      return UET_HOPS_HOST_ADAPTIVE;
    default:
      return UET_HOPS_HASHED;
  }
}

/** Maximum window of all flows: that of the flow set up last. */
function lastWindow({ options, tree, parameters, traffic: { flows } }: UetPlan): number {
  const last = flows.at(-1);
  return last === undefined ? 0 : firstWindow(options, tree, parameters, last.flow).maxWindowBytes;
}

function oversubscribedOf({ options: { oversubscribed }, tree, parameters }: UetPlan) {
  const settings = oversubscribedSettings(oversubscribed, tree, parameters);
  if (settings === undefined) return { isOversubscribed: false };
  const { increase, decrease, weight, rateMin } = settings;
  return { isOversubscribed: true, increase, decrease, weight, rateMin };
}
