/** Writes the settings that `reference-lossy` adds to `reference` into the kernel's memory. */
import { writeFields } from '../../../abi/records/define-record.js';
import { BALANCING_CONGA, BALANCING_CONWEAVE, BALANCING_DRILL, BALANCING_ECMP, BALANCING_LETFLOW, FORCED_DROP,
  GENERATOR, LOSSY_FLOW, LOSSY_NODE, LOSSY_PORT } from '../../../abi/records/lossy.js';
import type { RuleValues } from '../../../abi/records/sim-run.js';
import { SIM_FORCED_DROPS, SIM_GENERATORS, SIM_LOSSY_FLOWS, SIM_LOSSY_NODES, SIM_LOSSY_PORTS,
  SIM_PATH_WORDS } from '../../../abi/sim-codes.js';
import type { CapacityValues, KernelPart, PlanLayouts } from '../../kernel/kernel-part.js';
import { recordAt, type SimAbi } from '../../kernel/sim-abi.js';
import type { NetworkPlan, TransportDrop } from '../../plan.js';
import { streamState } from '../../random.js';
import { flowletEntries } from './leaf-paths.js';
import type { ForcedDrop, LossyPlan } from './plan.js';

/** Random streams of marks and of link errors (docs/specs/reference-lossy.md, section 8). */
const MARK_STREAM = 0;
const ERROR_STREAM = 50;

const BALANCING: Readonly<Record<LossyPlan['balancing'], number>> = {
  ecmp: BALANCING_ECMP,
  drill: BALANCING_DRILL,
  letflow: BALANCING_LETFLOW,
  conga: BALANCING_CONGA,
  conweave: BALANCING_CONWEAVE,
};

export const LOSSY_MEMORY: KernelPart = {
  capacity: sizes,
  rules: lossyRules,
  write: writeLossy,
};

function sizes(plan: NetworkPlan, { leafPaths: { count, words } }: PlanLayouts): CapacityValues {
  const { lossy } = plan;
  const forcedDrops = dropsOf(plan).length;
  if (lossy === undefined) return { forcedDrops };
  return {
    lossy: 1,
    paths: count,
    pathWords: words.length,
    flowlets: plan.flows.length,
    forcedDrops,
    generators: generatorCount(lossy),
    drill: lossy.balancing === 'drill',
  };
}

function generatorCount({ linkErrors }: LossyPlan): number {
  return linkErrors.reduce((most, { generator }) => Math.max(most, generator + 1), 1);
}

/** The rules that this fidelity adds. */
function lossyRules({ nodes, lossy }: NetworkPlan): RuleValues {
  if (lossy === undefined) return {};
  const { irn, conWeave: { expiryPs, replyExtraPs, pathPausePs, flushExtraPs, defaultWaitPs } } = lossy;
  const isIrn = lossy.transport === 'irn';
  return {
    irn: isIrn,
    irnWindowBytes: irn.windowBytes,
    irnTimeoutLowPs: irn.timeoutLowPs,
    irnTimeoutHighPs: irn.timeoutHighPs,
    backToZeroBytes: isIrn ? 0 : lossy.backToZeroBytes,
    pauseTimePs: lossy.pauseTimePs,
    anyPfc: nodes.some(({ kind, pfc }) => kind === 'switch' && pfc),
    balancing: BALANCING[lossy.balancing],
    expiryPs,
    replyExtraPs,
    pathPausePs,
    flushExtraPs,
    defaultWaitPs,
    checkFromPs: lossy.checkFromPs,
    checkEveryPs: lossy.checkEveryPs,
  };
}

function dropsOf({ lossy, transports }: NetworkPlan): readonly (ForcedDrop & Partial<TransportDrop>)[] {
  return lossy?.forcedDrops ?? transports?.forcedDrops ?? [];
}

function writeDrops(abi: SimAbi, plan: NetworkPlan): void {
  const view = new DataView(abi.memory.buffer);
  dropsOf(plan).forEach(({ flow, sequence, arrival, of = 'data' }, index) => {
    writeFields(view, recordAt(abi, SIM_FORCED_DROPS, FORCED_DROP, index), FORCED_DROP, {
      flow,
      arrival,
      sequence,
      isResponse: of === 'ack',
    });
  });
}

function writeLossy(abi: SimAbi, plan: NetworkPlan, { leafPaths: { words } }: PlanLayouts): void {
  const { lossy } = plan;
  writeDrops(abi, plan);
  if (lossy === undefined) return;
  const view = new DataView(abi.memory.buffer);
  const marks = streamState(plan.seed, MARK_STREAM);
  plan.nodes.forEach((_, node) => {
    writeState(view, recordAt(abi, SIM_LOSSY_NODES, LOSSY_NODE, node) + LOSSY_NODE.at.generator, marks);
  });
  const errors = streamState(plan.seed, ERROR_STREAM);
  for (let generator = 0; generator < generatorCount(lossy); generator++)
    writeState(view, recordAt(abi, SIM_GENERATORS, GENERATOR, generator), errors);
  lossy.linkErrors.forEach(({ share: errorShare, generator }, port) => {
    writeFields(view, recordAt(abi, SIM_LOSSY_PORTS, LOSSY_PORT, port), LOSSY_PORT, { generator, errorShare });
  });
  flowletEntries(plan).forEach((flowlet, flow) => {
    writeFields(view, recordAt(abi, SIM_LOSSY_FLOWS, LOSSY_FLOW, flow), LOSSY_FLOW, { flowlet });
  });
  new Uint32Array(abi.memory.buffer).set(words, abi.simRegion(SIM_PATH_WORDS) >>> 2);
}

function writeState(view: DataView, at: number, words: readonly bigint[]): void {
  words.forEach((word, index) => {
    view.setBigUint64(at + index * 8, word, true);
  });
}
