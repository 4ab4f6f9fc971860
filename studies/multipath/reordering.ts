/** When a hole of MRC counts as lost (O14), over hashed paths: goodput of a permutation by `hosts.mrc.reorderUs`, and
 * by what else might limit it. `--reordering` prints it. */
import type { HostSpec } from '../../src/sim/scenario/spec.js';
import { PS_PER_US } from '../../src/units.js';
import { table, tableRow } from '../../scripts/markdown-table.js';
import { STACKS, type Stack } from './cases.js';
import { requireClaims } from './claims.js';
import { median, percent, SET_UP_D } from './published-mrc.js';
import { ENDLESS_PERMUTATION, runCaptured, steadyGbps, type Shape } from './published-runs.js';

const RUN_US = 600;
const LAST_US = 50;
/** Of each first switch, in both networks. */
const HOSTS_PER_SWITCH = 4;

const RULES = ['entropy-states', 'bitmap'] as const;
type Rule = typeof RULES[number];
const ENTROPIES: Readonly<Record<Rule, number>> = { 'entropy-states': 128, 'bitmap': 64 };

/** What is set besides the stack of the study. */
interface Variant {
  readonly name: string;
  readonly hosts: HostSpec;
}
const lateAfter = (reorderUs: number): Variant => ({
  name: `\`reorderUs\` ${reorderUs}`,
  hosts: { mrc: { ...STACKS.mrc.hosts.mrc, reorderUs } },
});
export const WAITS: readonly Variant[] = [{ name: 'default', hosts: {} }, ...[8, 16, 0].map(lateAfter)];
/** What else might be the cause. */
const OTHERS: readonly Variant[] = [
  { name: '`entropies` 256', hosts: { entropies: 256 } },
  { name: '`reserve` 1,000', hosts: { entropyStates: { reserve: 1000 } } },
  { name: '`minActive` 128', hosts: { entropyStates: { minActive: 128 } } },
  { name: '`probes`', hosts: { entropyStates: { probes: true } } },
  { name: '`inferredLoss` `skip`', hosts: { entropyStates: { inferredLoss: 'skip' } } },
];

interface Network {
  readonly name: string;
  readonly hosts: number;
  /** Name of the switches of hosts, without the number. */
  readonly first: string;
  readonly shape: Shape;
  readonly others: readonly Variant[];
}
export const SMALL: Network = {
  name: 'leaf-spine, 16 hosts',
  hosts: 16,
  first: 'leaf',
  shape: SET_UP_D,
  others: OTHERS,
};
const LARGE: Network = {
  name: 'fat-tree, 128 hosts',
  hosts: 128,
  first: 'edge',
  shape: { k: 8, rateGbps: 400 },
  others: [],
};

const HEADS = [
  'network',
  '`pathSelection`',
  'setting',
  'slowest, Gb/s',
  'median',
  'retransmitted',
  'of these duplicates',
  'entropies left',
];

interface Seen {
  readonly slowestGbps: number;
  readonly medianGbps: number;
  readonly retransmittedShare: number;
  /** Of retransmissions, packets that had arrived or still arrived. */
  readonly duplicateShare: number;
  /** That the median flow still sends on at the end. */
  readonly entropies: number;
}

function see({ shape, hosts, first }: Network, rule: Rule, variant: Variant): Seen {
  const stack: Stack = { ...STACKS.mrc, hosts: { ...STACKS.mrc.hosts, pathSelection: rule } };
  const extras = { hosts: variant.hosts };
  const gbps = steadyGbps(stack, shape, ENDLESS_PERMUTATION, extras);
  const ports = Array.from({ length: hosts }, (_, host) => `h${host}:${first}${Math.floor(host / HOSTS_PER_SWITCH)}`);
  const { result, sent } = runCaptured(stack, shape, ENDLESS_PERMUTATION, ports, { ...extras, durationUs: RUN_US });
  const used = result.flows.map(() => new Set<number | undefined>());
  for (const { timePs, flow, sourcePort } of sent)
    if (timePs >= (RUN_US - LAST_US) * PS_PER_US) used[flow].add(sourcePort);
  const { retransmittedPackets, dataPackets } = result.totals;
  const duplicates = result.flows.reduce((all, { duplicatePackets = 0 }) => all + duplicatePackets, 0);
  return {
    slowestGbps: Math.min(...gbps),
    medianGbps: median(gbps),
    retransmittedShare: retransmittedPackets / dataPackets,
    duplicateShare: duplicates / retransmittedPackets,
    entropies: median(used.map(({ size }) => size)),
  };
}

export function reorderingTable(): string {
  return table(HEADS, [SMALL, LARGE].flatMap(reorderingRows), 3);
}

function reorderingRows(network: Network): string[] {
  return RULES.flatMap((rule) => {
    const variants = rule === 'bitmap' ? WAITS : [...WAITS, ...network.others];
    const all = variants.map((variant) => see(network, rule, variant));
    const [early, , late, never, ...others] = all as [Seen, Seen, Seen, Seen, ...Seen[]];
    requireClaims(`Hashed paths, ${network.name}, ${rule}`, early.duplicateShare > 0.7, late.duplicateShare < 0.2,
      never.duplicateShare === 0, early.slowestGbps < 0.95 * late.slowestGbps,
      rule === 'bitmap' || early.entropies < ENTROPIES[rule] / 10, late.entropies > 0.95 * ENTROPIES[rule],
      ...others.map(({ slowestGbps }) => slowestGbps < 0.95 * late.slowestGbps));
    return all.map((seen, at) => reorderingRow(network, rule, variants[at], seen));
  });
}

export function reorderingRow(network: Network, rule: Rule, variant: Variant,
  seen = see(network, rule, variant)): string {
  return tableRow([
    network.name,
    `\`${rule}\``,
    variant.name,
    seen.slowestGbps.toFixed(0),
    seen.medianGbps.toFixed(0),
    percent(seen.retransmittedShare),
    percent(seen.duplicateShare),
    String(seen.entropies),
  ]);
}
