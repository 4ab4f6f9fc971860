/** Notes on load balancing and source-port changes: settings without effect in this network. */
import { READS_CNPS } from '../../abi/algorithms.js';
import type { SwitchSpec } from '../scenario/spec.js';
import { applying, type NoteContext } from './note-context.js';

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
    ...notesOnDetours(context, hasChoice));
}

function notesOnDetours({ valid, plan: { balancing, fastCnp }, algorithmsInUse }: NoteContext,
  hasChoice: boolean): (string | false)[] {
  if (balancing?.detours.includes(true) !== true) return [];
  const anySender = valid.switches.some((settings) => settings?.fastCnp === true);
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
