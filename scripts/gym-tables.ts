/** The tables of docs/guides/gym.md, made from the declarations of observations, actions and rewards. */
import { DECLARED } from '../src/gym/gym.js';
import { REWARDS } from '../src/gym/options.js';
import type { Declared } from '../src/gym/agent.js';
import { table, tableRow } from './markdown-table.js';

const HEADS = ['unit', 'from', 'to', 'meaning'];
const LIMITS = { leastBps: 'line rate', mostBps: 'line rate' } as const;

/** The page with the tables as the code has them. */
export function withGymTables(page: string): string {
  const { qps, hosts, switches } = DECLARED;
  return [
    ['Of a QP, and of a host for each of its QPs:', 'action', qps.actions],
    ['Of a switch:', 'action', switches.actions],
    ['Of a QP:', 'observation', qps.observations],
    ['Of a host:', 'observation', hosts.observations],
    ['Of a switch:', 'observation', switches.observations],
  ].reduce((text, [lead, head, declared]) => withTable(text, lead as string, head as string, declared as Table),
    withRewards(page));
}

type Table = Readonly<Record<string, Declared>>;

function withTable(page: string, lead: string, head: string, declared: Table): string {
  const heads = [head, ...HEADS];
  const rows = Object.entries(declared).map(([name, { unit, min, max, description }]) =>
    tableRow([`\`${name}\``, unit, numberText(min), limitText(max), description])
  );
  return page.replace(tableBehind(`${lead}\n\n`, heads), `$1${table(heads, rows, heads.length)}\n`);
}

function withRewards(page: string): string {
  const heads = ['reward', 'meaning'];
  const rows = Object.entries(REWARDS).map(([name, { description }]) => tableRow([`\`${name}\``, description]));
  return page.replace(tableBehind('', heads), `$1${table(heads, rows, heads.length)}\n`);
}

function tableBehind(lead: string, heads: readonly string[]): RegExp {
  return new RegExp(`^(${lead})\\| ${heads.join(' \\| ')} \\|\\n(?:\\|.*\\n)+`, 'm');
}

function limitText(max: Declared['max']): string {
  if (max === null) return '';
  return typeof max === 'string' ? LIMITS[max] : numberText(max);
}

function numberText(value: number): string {
  return value >= 1 ? value.toLocaleString('en-US') : String(value);
}
