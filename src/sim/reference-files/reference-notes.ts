/**
 * Notes of a reader of the reference simulator's files: keys without effect in this run, and why.
 */
import type { ReferenceConfig } from './config-file.js';
import { modeNames } from './reference-algorithm.js';
import { modeOf } from './reference-algorithm.js';
import type { Word } from './reference-text.js';

/** One sentence per reason, in the order of the config file. */
export function notesOf(config: ReferenceConfig): readonly string[] {
  const mode = modeOf(config);
  const otherModes = config.keys(({ effect }) => typeof effect !== 'string' && !effect.includes(mode));
  const missing = Object.keys(config.table).filter((key) => assumed(config, key, mode));
  return [
    ...listed(`Without effect under CC_MODE ${mode} (${modeNames(config).get(mode)}): `, otherModes),
    ...listed('Without effect in the reference simulator and here: ',
      config.keys(({ effect }) => effect === 'nowhere')),
    ...listed('Only name what the reference simulator writes; results here have their own files: ',
      config.keys(({ effect }) => effect === 'output')),
    ...listed('Not given, so the defaults of the reference simulator hold: ',
      missing.map((key) => `${key} ${config.table[key].missing ?? ''}`)),
    ...listed("Keys of another simulator's files that only name what it writes: ", withPlaces(config.foreignOutputs)),
    ...listed('Unknown keys, ignored as requested: ', withPlaces(config.ignored)),
    ...repeatedRates(config),
    ...ackNote(config),
    ...windowNote(config),
    ...markingNote(config),
    ...backToZeroNote(config),
    ...cutIntervals(config, mode),
  ];
}

function withPlaces(keys: readonly Word[]): readonly string[] {
  return keys.map(({ text, place }) => `${text} (${place})`);
}

function listed(start: string, names: readonly string[]): readonly string[] {
  return names.length === 0 ? [] : [`${start}${names.join(', ')}.`];
}

/** Whether a key with an effect in this run is left out. */
function assumed(config: ReferenceConfig, key: string, mode: number): boolean {
  const { effect, missing } = config.table[key];
  if (config.has(key) || missing === undefined) return false;
  return effect === 'run' || (typeof effect !== 'string' && effect.includes(mode));
}

/** Rates that a map gives twice. */
function repeatedRates(config: ReferenceConfig): readonly string[] {
  return ['KMAX_MAP', 'KMIN_MAP', 'PMAX_MAP'].filter((key) => config.has(key)).flatMap((key) => {
    const rates = config.words(key).slice(1).filter((_, index) => index % 2 === 0).map(({ text }) => text);
    const repeated = [...new Set(rates.filter((rate, index) => rates.indexOf(rate) < index))];
    return listed(`${key} gives these rates twice, and the last value holds, as in the reference simulator: `,
      repeated);
  });
}

function ackNote(config: ReferenceConfig): readonly string[] {
  const intervalBytes = config.whole('L2_ACK_INTERVAL', 0, 2 ** 32 - 1);
  if (intervalBytes <= 1) return [];
  return [
    `L2_ACK_INTERVAL ${intervalBytes}: as in the reference simulator, a flow's bytes below ${intervalBytes} are acknowledged at multiples ` +
    `of L2_CHUNK_SIZE ${
      config.word('L2_CHUNK_SIZE').text
    } alone, and from there on packet by packet; a flow that ends before may never be.`,
  ];
}

function windowNote(config: ReferenceConfig): readonly string[] {
  if (config.flag('HAS_WIN') || !config.flag('VAR_WIN')) return [];
  return ['VAR_WIN 1 is without effect, because HAS_WIN is 0.'];
}

function markingNote(config: ReferenceConfig): readonly string[] {
  if (config.flag('ENABLE_QCN')) return [];
  return listed('Without effect, because ENABLE_QCN is 0: ',
    ['KMAX_MAP', 'KMIN_MAP', 'PMAX_MAP'].filter((key) => config.has(key)));
}

function backToZeroNote(config: ReferenceConfig): readonly string[] {
  if (config.isLossy || !config.flag('L2_BACK_TO_ZERO')) return [];
  return [
    'L2_BACK_TO_ZERO 1 (losses send a flow back by whole chunks) is not modelled: here flows go back to the lost packet.',
  ];
}

function cutIntervals(config: ReferenceConfig, mode: number): readonly string[] {
  const cut = ['ALPHA_RESUME_INTERVAL', 'RATE_DECREASE_INTERVAL', 'RP_TIMER']
    .filter((key) => config.table[key].effect instanceof Array && config.has(key) && mode === 1)
    .filter((key) => !Number.isInteger(Number(config.word(key).text)));
  return listed('Cut off to whole microseconds, as the reference simulator does: ', cut);
}
