/** Notes on load balancing, path selection and source-port changes: settings without effect in this network. */
import { READS_CNPS } from '../../abi/algorithms.js';
import type { BalancingRule, SelectionRule } from '../balancing-plan.js';
import type { SwitchSpec } from '../scenario/spec.js';
import { applying, maySendFastCnps, type NoteContext } from './note-context.js';

/** Rules by which the UDP source port of a packet decides on its path; CONGA's spines choose by the hash. */
const HASHES: readonly BalancingRule[] = ['ecmp', 'wcmp', 'conga'];

export function notesOnBalancing(context: NoteContext): string[] {
  if (context.valid.fidelity !== 'standard') return [];
  const { plan: { balancing, groups }, switchSpecs } = context;
  const rules = balancing?.rules ?? [];
  const hasChoice = groups.some((group) => group.length > 1);
  const isGiven = (key: keyof SwitchSpec): boolean => switchSpecs.some((spec) => spec[key] !== undefined);
  return applying(rules.some((rule) => rule !== 'ecmp') && !hasChoice &&
    'switches.loadBalancing is without effect: no switch has several equal paths to a host.',
    isGiven('flowletGapUs') && !rules.includes('flowlet') && !rules.includes('conga') &&
      'switches.flowletGapUs is without effect: no switch keeps flowlets (loadBalancing flowlet or conga).',
    isGiven('drill') && !rules.includes('drill') &&
      'switches.drill is without effect: no switch balances load by drill.',
    isGiven('conga') && !rules.includes('conga') &&
      'switches.conga is without effect: switches do not balance load by conga.',
    isGiven('adaptive') && !rules.includes('adaptive') &&
      'switches.adaptive is without effect: no switch balances load by adaptive.',
    ...notesOnSelection(context, hasChoice), ...notesOnDetours(context, hasChoice));
}

function notesOnSelection({ valid, plan: { balancing }, spec: { hosts = {} } }: NoteContext,
  hasChoice: boolean): (string | false)[] {
  const { selection, rules } = balancing ?? {};
  const isUsed = (rule: SelectionRule): boolean => selection?.rules.includes(rule) === true;
  const byHash = valid.switches.some((settings, node) => settings !== null && HASHES.includes(rules?.[node] ?? 'ecmp'));
  const readsMarks = isUsed('bitmap') || isUsed('reps');
  return [
    selection !== undefined && !hasChoice &&
    'hosts.pathSelection is without effect: no switch has several equal paths to a host.',
    selection !== undefined && hasChoice && !byHash &&
    'hosts.pathSelection is without effect: no switch chooses among equal paths by the hash (loadBalancing ecmp or wcmp).',
    readsMarks && !valid.switches.some((settings) => settings?.ecn.enabled === true) &&
    'hosts.pathSelection has no marks as feedback: no switch marks packets (switches.ecn).',
    hosts.entropies !== undefined && selection === undefined &&
    'hosts.entropies is without effect: all flows keep their UDP source ports (hosts.pathSelection flow).',
    hosts.reps !== undefined && !isUsed('reps') &&
    'hosts.reps is without effect: no host chooses paths by reps.',
  ];
}

function notesOnDetours({ valid, plan: { balancing, fastCnp }, algorithmsInUse }: NoteContext,
  hasChoice: boolean): (string | false)[] {
  if (balancing?.detours.includes(true) !== true) return [];
  const anySender = maySendFastCnps(valid);
  const why = !anySender ?
    'no switch sends Fast CNPs' :
    !fastCnp.accepted ?
    'hosts do not accept Fast CNPs' :
    !algorithmsInUse.some(({ traits }) => traits & READS_CNPS) ?
    'no algorithm in use reacts to them' :
    !hasChoice ?
    'no switch has several equal paths to a host' :
    undefined;
  return [why !== undefined && `hosts.onFastCnp slow-down-and-detour is without effect: ${why}.`];
}
