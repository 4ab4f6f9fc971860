/** What SimAI.conf may state, and what is done with each: from the table of its keys. */
import type { FormatItem, FormatTable } from '../../workloads/format-table.js';
import { MODE_NAMES, SIMAI_CONFIG_KEYS, type ConfigKey } from './config-keys.js';

const MEANINGS: Readonly<Record<Extract<ConfigKey['effect'], string>, string>> = {
  run: 'Every run',
  nowhere: "No effect in SimAI's simulator, nor here",
  output: 'Only names a file that the simulator writes, or when',
  unusual: 'Every run, at values other than the usual one',
  unmodelled: 'Not modelled, if it is not 0',
};

function itemOf([name, { effect }]: [string, ConfigKey]): FormatItem {
  const part = 'key';
  if (typeof effect !== 'string') {
    const modes = effect.map((mode) => MODE_NAMES.get(mode) ?? mode).join(', ');
    return { name, part, treatment: 'effective', meaning: `With ${modes}; noted with another CC_MODE` };
  }
  const isEffective = effect === 'run' || effect === 'unusual';
  return { name, part, treatment: isEffective ? 'effective' : 'noted', meaning: MEANINGS[effect] };
}

/** SimAI.conf. */
export const SIMAI_CONF_FORMAT: FormatTable = {
  format: 'simai-conf',
  title: 'SimAI.conf',
  owner: 'SimAI',
  items: Object.entries(SIMAI_CONFIG_KEYS).map(itemOf),
};
