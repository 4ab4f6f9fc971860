/** Notes on presets whose published CNP interval or marking thresholds are not in use: the library's defaults apply instead. */
import { ECN_REFERENCE_RATE_BPS } from '../scenario/defaults.js';
import { PRESET_HALVES, type PresetHalf } from '../scenario/preset-halves.js';
import { applying, note, type Note } from '../notes/note.js';
import type { NoteContext } from './note-context.js';

/** An algorithm of the scenario, its preset, and the preset's source. */
interface Subject {
  readonly algorithm: string;
  readonly preset: string;
  readonly of: string;
}

export function notesOnPresets(context: NoteContext): Note[] {
  const { valid } = context;
  if (valid.fidelity !== 'standard') return [];
  const used = new Set(context.flowAlgorithms);
  // The author of a scenario that names no algorithm chose no preset.
  if (Object.keys(valid.spec.algorithms ?? {}).length === 0) return [];
  return valid.algorithms.flatMap(({ name, preset = '' }, index) => {
    const half = PRESET_HALVES[preset];
    if (half === undefined || !used.has(index)) return [];
    const subject = { algorithm: name, preset, of: half.of };
    return applying(cnpNote(context, half, subject), markingNote(context, half, subject));
  });
}

function cnpNote({ valid, spec }: NoteContext, { cnpIntervalUs }: PresetHalf, subject: Subject): Note | false {
  const given = [spec.hosts, ...(spec.overrides ?? []).map(({ host }) => host)];
  const here = valid.hosts.cnpIntervalUs;
  if (cnpIntervalUs === undefined || given.some((host) => host?.cnpIntervalUs !== undefined)) return false;
  if (cnpIntervalUs === here) return false;
  return note('preset-cnp-interval', { ...subject, presetIntervalUs: cnpIntervalUs, intervalUs: here });
}

function markingNote({ valid, switchSpecs, spec }: NoteContext, { marking }: PresetHalf, subject: Subject): Note
  | false {
  const isGiven = spec.network !== undefined || switchSpecs.some(({ ecn }) => ecn !== undefined);
  const ecn = valid.switches.find((settings) => settings !== null && settings !== undefined)?.ecn;
  if (marking === undefined || isGiven || ecn?.enabled !== true) return false;
  const { rateGbps, ...thresholds } = marking;
  const { kminKB, kmaxKB, pmax } = ecn;
  return note('preset-marking', {
    ...subject,
    presetMarking: { ...thresholds, rateBps: rateGbps * 1e9 },
    marking: { kminKB, kmaxKB, pmax, rateBps: ECN_REFERENCE_RATE_BPS },
  });
}
