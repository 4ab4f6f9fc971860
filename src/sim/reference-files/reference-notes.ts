/** Notes on the reference simulator's config file: keys without effect in this run, and why. */
import type { ReferenceConfig } from './config-file.js';
import { referenceNote, type ReferenceNote } from './reader-notes.js';
import { modeNames, modeOf } from './reference-algorithm.js';
import type { Word } from './reference-text.js';

/** One note per reason, in the order of the config file. */
export function notesOf(config: ReferenceConfig): readonly ReferenceNote[] {
  const mode = modeOf(config);
  const name = modeNames(config).get(mode) ?? '';
  const otherModes = config.keys(({ effect }) => typeof effect !== 'string' && !effect.includes(mode));
  const missing = Object.keys(config.table).filter((key) => assumed(config, key, mode))
    .map((key) => ({ key, value: config.table[key].missing ?? '' }));
  const [foreign, ignored] = [config.foreignOutputs, config.ignored].map(withPlaces);
  return [
    ...ofKeys(otherModes, (keys) => referenceNote('keys-of-other-modes', { keys, mode, name })),
    ...ofKeys(config.keys(({ effect }) => effect === 'nowhere'),
      (keys) => referenceNote('keys-without-effect', { keys })),
    ...ofKeys(config.keys(({ effect }) => effect === 'output'), (keys) => referenceNote('keys-of-output', { keys })),
    ...ofKeys(missing, (keys) => referenceNote('defaults-assumed', { keys })),
    ...ofKeys(foreign, (keys) => referenceNote('output-of-other-simulators', { keys })),
    ...ofKeys(ignored, (keys) => referenceNote('unknown-keys', { keys })),
    ...repeatedRates(config),
    ...ackNote(config),
    ...windowNote(config),
    ...markingNote(config),
    ...backToZeroNote(config),
    ...cutIntervals(config, mode),
  ];
}

function withPlaces(words: readonly Word[]): { key: string; where: string }[] {
  return words.map(({ text, place }) => ({ key: text, where: place }));
}

/** A note on keys; none if there are no keys. */
function ofKeys<Key>(keys: readonly Key[], make: (keys: readonly Key[]) => ReferenceNote): readonly ReferenceNote[] {
  return keys.length === 0 ? [] : [make(keys)];
}

/** Whether a key that has an effect in this run is missing. */
function assumed(config: ReferenceConfig, key: string, mode: number): boolean {
  const { effect, missing } = config.table[key];
  if (config.has(key) || missing === undefined) return false;
  return effect === 'run' || (typeof effect !== 'string' && effect.includes(mode));
}

/** Notes on rates that a map contains twice. */
function repeatedRates(config: ReferenceConfig): readonly ReferenceNote[] {
  return ['KMAX_MAP', 'KMIN_MAP', 'PMAX_MAP'].filter((key) => config.has(key)).flatMap((key) => {
    const rates = config.words(key).slice(1).filter((_, index) => index % 2 === 0).map(({ text }) => text);
    const repeated = [...new Set(rates.filter((rate, index) => rates.indexOf(rate) < index))];
    return ofKeys(repeated, (ratesBps) => referenceNote('rates-given-twice', { key, ratesBps }));
  });
}

function ackNote(config: ReferenceConfig): readonly ReferenceNote[] {
  const intervalBytes = config.whole('L2_ACK_INTERVAL', 0, 2 ** 32 - 1);
  if (intervalBytes <= 1) return [];
  return [referenceNote('ack-interval', { intervalBytes, chunkBytes: config.word('L2_CHUNK_SIZE').text })];
}

function windowNote(config: ReferenceConfig): readonly ReferenceNote[] {
  return config.flag('HAS_WIN') || !config.flag('VAR_WIN') ? [] : [referenceNote('window-off')];
}

function markingNote(config: ReferenceConfig): readonly ReferenceNote[] {
  if (config.flag('ENABLE_QCN')) return [];
  return ofKeys(['KMAX_MAP', 'KMIN_MAP', 'PMAX_MAP'].filter((key) => config.has(key)),
    (keys) => referenceNote('marking-off', { keys }));
}

function backToZeroNote(config: ReferenceConfig): readonly ReferenceNote[] {
  return config.isLossy || !config.flag('L2_BACK_TO_ZERO') ? [] : [referenceNote('back-to-zero')];
}

function cutIntervals(config: ReferenceConfig, mode: number): readonly ReferenceNote[] {
  const cut = ['ALPHA_RESUME_INTERVAL', 'RATE_DECREASE_INTERVAL', 'RP_TIMER']
    .filter((key) => config.table[key].effect instanceof Array && config.has(key) && mode === 1)
    .filter((key) => !Number.isInteger(Number(config.word(key).text)));
  return ofKeys(cut, (keys) => referenceNote('intervals-truncated', { keys }));
}
