/** Format tables of the reference simulators' config files: each key and how it is handled, from the tables of keys. */
import type { FormatItem, FormatTable } from '../../workloads/job-formats.js';
import { CONFIG_KEYS, LOSSY_CONFIG_KEYS, MODE_NAMES, SIMAI_CONFIG_KEYS, type ConfigKey } from './config-file.js';

const MEANINGS: Readonly<Record<Extract<ConfigKey['effect'], string>, string>> = {
  run: 'Every run',
  nowhere: 'No effect in its simulator, nor here',
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

/** config.txt of the HPCC authors' simulator. */
const HPCC_CONFIG_FORMAT: FormatTable = {
  format: 'reference',
  title: 'config.txt',
  owner:
    "the HPCC authors' ns-3 simulator; keys that no table has are in one error, or noted with --ignore-unknown-keys",
  items: Object.entries(CONFIG_KEYS).map(itemOf),
};

/** config.txt of ConWeave's simulator. */
const CONWEAVE_CONFIG_FORMAT: FormatTable = {
  format: 'reference',
  title: "config.txt of ConWeave's simulator",
  owner:
    "ConWeave's ns-3 simulator, which descends from that; keys that begin with X_ replace constants of its program",
  items: Object.entries(LOSSY_CONFIG_KEYS).map(itemOf),
};

/** SimAI.conf of SimAI's simulator. */
export const SIMAI_CONF_FORMAT: FormatTable = {
  format: 'simai-conf',
  title: 'SimAI.conf',
  owner: 'SimAI',
  items: Object.entries(SIMAI_CONFIG_KEYS).map(itemOf),
};

/** All config formats, in the order of docs/reference/workload-formats.md. */
export const CONFIG_FORMATS: readonly FormatTable[] = [HPCC_CONFIG_FORMAT, CONWEAVE_CONFIG_FORMAT, SIMAI_CONF_FORMAT];
