/** Notes on presets whose other half, the receivers' CNPs or the switches' marks, is the library's default and not theirs. */
import { ECN_REFERENCE_RATE_BPS } from '../scenario/defaults.js';
import { PRESET_HALVES, type PresetHalf } from '../scenario/preset-halves.js';
import { applying, type NoteContext } from './note-context.js';

export function notesOnPresets(context: NoteContext): string[] {
  const { valid } = context;
  if (valid.fidelity !== 'standard') return [];
  const used = new Set(context.flowAlgorithms);
  // The default of a scenario that names no algorithm was not chosen.
  if (Object.keys(valid.spec.algorithms ?? {}).length === 0) return [];
  return valid.algorithms.flatMap(({ name, preset = '' }, index) => {
    const half = PRESET_HALVES[preset];
    if (half === undefined || !used.has(index)) return [];
    const subject = `Algorithm ${name}: ${preset}`;
    return applying(cnpNote(context, half, subject), markingNote(context, half, subject));
  });
}

function cnpNote({ valid, spec }: NoteContext, { cnpIntervalUs, of }: PresetHalf, subject: string): string | false {
  const given = [spec.hosts, ...(spec.overrides ?? []).map(({ host }) => host)];
  const here = valid.hosts.cnpIntervalUs;
  if (cnpIntervalUs === undefined || given.some((host) => host?.cnpIntervalUs !== undefined)) return false;
  if (cnpIntervalUs === here) return false;
  const theirs = cnpIntervalUs === 0 ?
    'each mark notifies the sender' :
    `receivers have ${cnpIntervalUs} µs between CNPs`;
  return `${subject} has the parameters of ${of}, where ${theirs}; here receivers have the default of ${here} µs between CNPs ` +
    `(hosts.cnpIntervalUs).`;
}

function markingNote({ valid, switchSpecs, spec }: NoteContext, { marking, of }: PresetHalf, subject: string): string
  | false {
  const isGiven = spec.network !== undefined || switchSpecs.some(({ ecn }) => ecn !== undefined);
  const ecn = valid.switches.find((settings) => settings !== null && settings !== undefined)?.ecn;
  if (marking === undefined || isGiven || ecn?.enabled !== true) return false;
  const { kminKB, kmaxKB, pmax, rateGbps } = marking;
  return `${subject} has the parameters of ${of}, where switches mark from ${kminKB} to ${kmaxKB} kB with pmax ${pmax} at ` +
    `${rateGbps} Gb/s; here they have the default (switches.ecn): ${ecn.kminKB} to ${ecn.kmaxKB} kB with pmax ${ecn.pmax} at ${
      ECN_REFERENCE_RATE_BPS / 1e9
    } Gb/s.`;
}
