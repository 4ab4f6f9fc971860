/** Notes on Fast CNPs: switches must send them, hosts accept them, algorithms react to them. */
import type { NoteContext } from './note-context.js';

export function notesOnFastCnp(context: NoteContext): string[] {
  const { valid, spec } = context;
  const anySender = valid.switches.some((settings) => settings?.fastCnp === true);
  const hostsWant = spec.hosts?.acceptFastCnp === true;
  if (valid.fidelity === 'reference' && (anySender || hostsWant)) {
    return ['Fast CNP is enabled, but fidelity reference has none: no switch generates it.'];
  }
  return anySender ? notesWithSenders(context) : notesWithoutSenders(context, hostsWant);
}

function notesWithoutSenders({ switchSpecs }: NoteContext, hostsWant: boolean): string[] {
  const notes: string[] = [];
  if (hostsWant) notes.push('Fast CNP is enabled, but no switch generates it.');
  const given = switchSpecs.flatMap(({ fastCnp }) => fastCnp ?? []);
  if (given.some((fastCnp) => Object.keys(fastCnp).some((key) => key !== 'enabled'))) {
    notes.push('Settings of Fast CNP are given, but it is not enabled at any switch.');
  }
  return notes;
}

function notesWithSenders({ plan, algorithmsInUse }: NoteContext): string[] {
  const notes: string[] = [];
  if (!plan.fastCnp.accepted) {
    notes.push('Switches generate Fast CNPs, but hosts do not accept them (hosts.acceptFastCnp false).');
  }
  if (!reactsToFastCnp(algorithmsInUse)) {
    notes.push(
      `Switches generate Fast CNPs, but no algorithm in use (${[...algorithmsInUse].join(', ')}) reacts to them.`,
    );
  }
  if (plan.fastCnp.option === 2 && ![...algorithmsInUse].some((algorithm) => algorithm === 'hpcc-pp')) {
    notes.push('Fast CNPs carry telemetry (option 2), but no algorithm in use reads it there.');
  }
  return notes;
}

function reactsToFastCnp(algorithmsInUse: ReadonlySet<string>): boolean {
  return algorithmsInUse.has('dcqcn') || algorithmsInUse.has('hpcc-pp');
}
