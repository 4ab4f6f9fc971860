/** Notes on Fast CNPs: switches must send them, hosts accept them, algorithms react to them. */
import { READS_CNPS } from '../../abi/algorithms.js';
import { applying, maySendFastCnps, type NoteContext } from './note-context.js';

export function notesOnFastCnp(context: NoteContext): string[] {
  const { valid, spec } = context;
  const anySender = valid.switches.some((settings) => settings?.fastCnp === true);
  const hostsWant = spec.hosts?.acceptFastCnp === true;
  if (valid.fidelity !== 'standard' && (anySender || hostsWant)) {
    return ['Fast CNP is enabled, but fidelity reference has none: no switch generates it.'];
  }
  if (anySender) return notesWithSenders(context);
  return maySendFastCnps(valid) ? [] : notesWithoutSenders(context, hostsWant);
}

function notesWithoutSenders({ switchSpecs }: NoteContext, hostsWant: boolean): string[] {
  const given = switchSpecs.flatMap(({ fastCnp }) => fastCnp ?? []);
  return applying(hostsWant && 'Fast CNP is enabled, but no switch generates it.',
    given.some((fastCnp) => Object.keys(fastCnp).some((key) => key !== 'enabled')) &&
      'Settings of Fast CNP are given, but it is not enabled at any switch.');
}

function notesWithSenders({ plan, algorithmsInUse, algorithmNames }: NoteContext): string[] {
  return applying(!plan.fastCnp.accepted &&
    'Switches generate Fast CNPs, but hosts do not accept them (hosts.acceptFastCnp false).',
    !algorithmsInUse.some(({ traits }) => traits & READS_CNPS) &&
      `Switches generate Fast CNPs, but no algorithm in use (${algorithmNames}) reacts to them.`,
    plan.fastCnp.option === 2 && !algorithmsInUse.some(({ traits, telemetry }) => traits & READS_CNPS && telemetry) &&
      'Fast CNPs carry telemetry (option 2), but no algorithm in use reads it there.');
}
