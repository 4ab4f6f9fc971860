/** Notes on load balancing, path selection and source-port changes: settings without effect in this network. */
import { READS_CNPS } from '../../../abi/algorithms.js';
import type { SelectionRule } from './plan.js';
import { RULE_FACTS, SETTINGS_OF_RULES } from './rules.js';
import { applying, note, type Note, type DetourReason } from '../../notes/note.js';
import type { SwitchSpec } from '../../scenario/spec.js';
import { maySendFastCnps, type NoteContext } from '../../compile/note-context.js';

const READ_MARKS: readonly SelectionRule[] = ['bitmap', 'reps', 'entropy-states'];
/** Settings that only one path selection rule reads. */
const OF_ONE_RULE = [['reps', 'reps'], ['entropyStates', 'entropy-states']] as const;

export function notesOnBalancing(context: NoteContext): Note[] {
  if (context.valid.fidelity !== 'standard') return [];
  const { plan: { balancing, groups }, switchSpecs } = context;
  const rules = balancing?.rules ?? [];
  const hasChoice = groups.some((group) => group.length > 1);
  const isGiven = (key: keyof SwitchSpec): boolean => switchSpecs.some((spec) => spec[key] !== undefined);
  return applying(rules.some((rule) => rule !== 'ecmp') && !hasChoice &&
    note('no-equal-paths', { setting: 'switches.loadBalancing' }),
    isGiven('flowletGapUs') && !rules.some((rule) => RULE_FACTS[rule].keepsFlowlets) &&
      note('no-flowlets', { setting: 'switches.flowletGapUs' }),
    ...SETTINGS_OF_RULES.map(([key, rule]) =>
      isGiven(key) && !rules.includes(rule) && note('balancing-rule-unused', { setting: `switches.${key}`, rule })
    ), ...notesOnSelection(context, hasChoice), ...notesOnDetours(context, hasChoice));
}

function notesOnSelection({ valid, plan: { balancing }, spec: { hosts = {} } }: NoteContext,
  hasChoice: boolean): (Note | false)[] {
  const { selection, rules } = balancing ?? {};
  const isUsed = (rule: SelectionRule): boolean => selection?.rules.includes(rule) === true;
  const byHash = valid.switches.some((settings, node) =>
    settings !== null && RULE_FACTS[rules?.[node] ?? 'ecmp'].readsSourcePort
  );
  const readsMarks = READ_MARKS.some(isUsed);
  return [
    selection !== undefined && !hasChoice &&
    note('no-equal-paths', { setting: 'hosts.pathSelection' }),
    selection !== undefined && hasChoice && !byHash &&
    note('no-choice-by-hash', { setting: 'hosts.pathSelection' }),
    readsMarks && !valid.switches.some((settings) => settings?.ecn.enabled === true) &&
    note('no-marks-as-feedback', { setting: 'hosts.pathSelection' }),
    hosts.entropies !== undefined && selection === undefined &&
    note('source-ports-kept', { setting: 'hosts.entropies' }),
    ...OF_ONE_RULE.map(([key, rule]) =>
      hosts[key] !== undefined && !isUsed(rule) && note('path-selection-unused', { setting: `hosts.${key}`, rule })
    ),
  ];
}

function notesOnDetours({ valid, plan: { balancing, fastCnp }, algorithmsInUse }: NoteContext,
  hasChoice: boolean): (Note | false)[] {
  if (balancing?.detours.includes(true) !== true) return [];
  const anySender = maySendFastCnps(valid);
  const reason: DetourReason | undefined = !anySender ?
    'not-sent' :
    !fastCnp.accepted ?
    'not-accepted' :
    !algorithmsInUse.some(({ traits }) => traits & READS_CNPS) ?
    'no-reaction' :
    !hasChoice ?
    'no-equal-paths' :
    undefined;
  return [reason !== undefined && note('no-detours', { setting: 'hosts.onFastCnp', reason })];
}
