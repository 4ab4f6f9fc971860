/** Published figures of MRC's paths, losses and shares: what the simulator has for each, and what it must not fall below. */
import { jainIndex } from '../../src/sim/results/summary.js';
import type { FaultSpec, HostSpec } from '../../src/sim/scenario/spec.js';
import { PS_PER_US } from '../../src/units.js';
import { STACKS, type Stack } from './cases.js';
import { requireClaims } from './claims.js';
import { DEPLOYED, endless, ENDLESS_PERMUTATION, flows, gbps, run, runCaptured, STEADY_FROM_US, steadyGbps, type Extras,
  type Shape } from './published-runs.js';

const SIZE_BYTES = 8_000_000;
const FOREVER = { fromUs: 0, toUs: 1_000_000 };
/** Losses are rare, and the shares of an incast change slowly. */
const LONG_US = 2000;
/** 16 servers, four racks of four, four spines. */
export const SET_UP_D: Shape = { racks: 4, hosts: 4, rateGbps: 400 };
/** A path by source routes for each of `entropies`, MRC's other rule. */
const BITMAP_ROUTED: Stack = { ...DEPLOYED, hosts: STACKS.mrc.hosts };
/** The default of O9. */
const FEWER_SACKS: HostSpec = { mrc: { sackBytes: 16_384 } };

export const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;
export const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[values.length >> 1] ?? NaN;
const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);

const silent = (leaf: number, spine: number): FaultSpec => ({
  kind: 'loss',
  between: [`leaf${leaf}`, `spine${spine}`],
  share: 1,
  of: 'data',
});
const down = (spine: number): FaultSpec => ({ kind: 'link-down', between: ['leaf0', `spine${spine}`], ...FOREVER });

/** R4: two hosts of a rack send to another one, while 20 of its 32 uplinks fail, one every half a millisecond. */
export function failingLinks(): string {
  const [planes, spines, perPlane, everyUs] = [4, 8, 5, 500];
  const shape: Shape = { racks: 2, hosts: 8, spines, planes, rateGbps: 100 };
  const faults = Array.from({ length: planes * perPlane }, (_, at): FaultSpec => ({
    kind: 'link-down',
    between: [`p${at % planes}.leaf0`, `p${at % planes}.spine${Math.floor(at / planes)}`],
    fromUs: STEADY_FROM_US + at * everyUs,
    toUs: FOREVER.toUs,
  }));
  const goodput = (more: Extras): number =>
    sum(steadyGbps(DEPLOYED, shape, endless([0, 8], [1, 9]), more, (faults.length + 1) * everyUs));
  const healthy = goodput({});
  const left = goodput({ faults }) / healthy;
  const withoutRoom = goodput({ faults, hosts: { entropyStates: { portRoomBytes: 0 } } }) / healthy;
  requireClaims('R4', left > 0.99, left < 1, withoutRoom < 0.6);
  return `${
    percent(left)
  } of the goodput while 20 of 32 uplinks of a rack fail, one every 0.5 ms; where ports' room does not matter (\`portRoomBytes\` 0): ${
    percent(withoutRoom)
  }`;
}

/** R5: 16 paths in 8 planes, one of which loses a fifth of its data. */
export function lossyPath(): string {
  const shape: Shape = { racks: 2, hosts: 2, planes: 8, rateGbps: 100 };
  const link = ['p0.leaf0', 'p0.spine0'] as const;
  const faults: FaultSpec[] = [{ kind: 'loss', between: link, share: 0.2, of: 'data' }];
  const [states, bitmap] = ([[DEPLOYED, { entropyStates: { reserve: 0 } }], [BITMAP_ROUTED, {}]] as const).map(
    ([stack, more]) => {
      const { result, sent } = runCaptured(stack, shape, flows(SIZE_BYTES, [0, 2]), [link.join(':')], {
        faults,
        hosts: { ...more, entropies: 16 },
      });
      return {
        sent: sent.length,
        lost: result.totals.drops.loss,
        lastUs: (sent.at(-1)?.timePs ?? 0) / PS_PER_US,
        endUs: (result.flows[0].completionPs ?? Infinity) / PS_PER_US,
      };
    },
  );
  requireClaims('R5', states.sent < bitmap.sent / 4, states.lost < bitmap.lost / 2, states.lastUs < states.endUs / 4,
    bitmap.lastUs > bitmap.endUs / 2);
  return `left for good after ${states.sent} packets, ${states.lost} of them lost, at ${states.lastUs.toFixed(0)} of ${
    states.endUs.toFixed(0)
  } µs; \`bitmap\`: ${bitmap.sent} packets, ${bitmap.lost} lost`;
}

/** R6: a flow of one path joins one over four paths. */
export function sharedPath(): string {
  const shape: Shape = { ...SET_UP_D, racks: 2 };
  const ports = [0, 1, 2, 3].map((spine) => `leaf0:spine${spine}`);
  const [alone, shared] = [[[0, 4]], [[0, 4], [1, 5]]].map((pairs) => {
    const { result, sent } = runCaptured(DEPLOYED, shape, flows(SIZE_BYTES, ...(pairs as [number, number][])), ports, {
      hosts: { entropies: 16 },
      overrides: [{ nodes: ['h1'], host: { pathSelection: 'flow' } }],
    });
    return { result, sent };
  });
  const port = shared.sent.find(({ flow }) => flow === 1)?.port;
  const shareOf = ({ sent }: typeof alone): number => {
    const own = sent.filter(({ flow }) => flow === 0);
    return own.filter((packet) => packet.port === port).length / own.length;
  };
  const [before, after] = [shareOf(alone), shareOf(shared)];
  const slowest = Math.min(...shared.result.flows.map(gbps)) / gbps(alone.result.flows[0]);
  const { packetsDropped, timeouts } = shared.result.totals;
  requireClaims('R6', Math.abs(before - 0.25) < 0.01, after < 0.1, packetsDropped + timeouts === 0, slowest > 0.95);
  return `its share falls from ${percent(before)} to ${percent(after)}, nothing is lost, and the slower flow has ${
    percent(slowest)
  } of its rate alone`;
}

/** R9: the sender's link loses data. */
export function randomLoss(): string {
  const left = (stack: Stack, share: number, reorderUs?: number): number => {
    const of = (faults: readonly FaultSpec[]): number =>
      steadyGbps(stack, SET_UP_D, endless([0, 4]), {
        faults,
        ...(reorderUs !== undefined && { hosts: { mrc: { ...stack.hosts.mrc, reorderUs } } }),
      }, LONG_US)[0];
    return of([{ kind: 'loss', between: ['h0', 'leaf0'], share, of: 'data' }]) / of([]);
  };
  const [rare, frequent] = [left(DEPLOYED, 0.001), left(DEPLOYED, 0.01)];
  const byTimeout = left(STACKS.mrc, 0.01, 0);
  const rc = left(STACKS.goBackN, 0.01);
  requireClaims('R9', rare > 0.99, frequent > 0.9, byTimeout < 0.7, rc < frequent);
  return `${percent(rare)}, ${percent(frequent)}; 1 % where only timeouts of a flow find losses (O14): ${
    percent(byTimeout)
  }; RoCE, go-back-N: ${percent(rc)}`;
}

/** R10: seven hosts of three racks send to h0; a flow of a fourth host of theirs goes to another host of h0's rack. */
export function incastWithVictim(): string {
  const victim = [12, 1] as const;
  const seven = [4, 5, 6, 7, 8, 9, 13].map((from) => [from, 0] as const);
  const seen = (stack: Stack, more: HostSpec = {}) => {
    const extras = { hosts: more };
    const [alone] = steadyGbps(stack, SET_UP_D, endless(victim), extras, LONG_US);
    const [first, ...others] = steadyGbps(stack, SET_UP_D, endless(victim, ...seven), extras, LONG_US);
    return { victim: first / alone, jain: jainIndex(others) };
  };
  const [mrc, fewer, rc] = [seen(DEPLOYED), seen(DEPLOYED, FEWER_SACKS), seen(STACKS.goBackN)];
  requireClaims('R10', mrc.victim > 0.98, rc.victim < 0.75, mrc.jain > 0.9, fewer.victim > 0.98, fewer.jain > 0.98);
  return `MRC: ${percent(mrc.victim)}, ${mrc.jain.toFixed(3)}, with a SACK per 16 KiB ${
    fewer.jain.toFixed(3)
  }; DCQCN: ${percent(rc.victim)}, ${rc.jain.toFixed(3)}`;
}

/** R11, each host to another. */
export function permutation(): string {
  const headersGbps = (SET_UP_D.rateGbps * 4096) / (4096 + 106 + 20);
  const goodput = (stack: Stack, hosts: HostSpec = {}): number[] =>
    steadyGbps(stack, SET_UP_D, ENDLESS_PERMUTATION, { hosts });
  const [each, fewer, hashed, rc] = [
    goodput(DEPLOYED),
    goodput(DEPLOYED, FEWER_SACKS),
    goodput(STACKS.mrc),
    goodput(STACKS.goBackN),
  ];
  requireClaims('R11', Math.min(...fewer) > 0.98 * headersGbps, Math.min(...each) > 0.95 * headersGbps,
    median(each) < median(fewer), median(hashed) < median(each), median(rc) < 0.6 * headersGbps);
  return `MRC ${median(each).toFixed(0)} Gb/s, slowest ${Math.min(...each).toFixed(0)}, with a SACK per 16 KiB ${
    median(fewer).toFixed(0)
  }, by hash and \`bitmap\` ${median(hashed).toFixed(0)}; headers allow ${headersGbps.toFixed(0)}. RoCE ${
    median(rc).toFixed(0)
  }, slowest ${Math.min(...rc).toFixed(0)}`;
}

/** R13: one host, then four, over what is left of four uplinks. */
export function fewerUplinks(): string {
  const goodput = (hosts: number, removed: number): number =>
    sum(steadyGbps(DEPLOYED, SET_UP_D, endless(...[0, 1, 2, 3].slice(0, hosts).map((h) => [h, h + 4] as const)), {
      faults: [0, 1, 2].slice(0, removed).map(down),
    }));
  const one = goodput(1, 3) / goodput(1, 0);
  const full = goodput(4, 0);
  const four = [1, 2, 3].map((removed) => goodput(4, removed) / full);
  requireClaims('R13', one > 0.99, ...four.map((share, at) => Math.abs(share / (1 - (at + 1) / 4) - 1) < 0.03));
  return `one host: ${percent(one)} with one left; four hosts: ${
    four.map(percent).join(', ')
  } with three, two, one left`;
}

/** R14: spines that lose all data from the start, without a list of denied paths. */
export function deadPaths(): string {
  const [spines, active, reserve] = [16, 128, 16];
  const rows = [1, 2].map((dead) => {
    const faults = [0, 1, 2, 3].flatMap((leaf) => Array.from({ length: dead }, (_, spine) => silent(leaf, spine)));
    const { totals, flows: all } = run(DEPLOYED, { ...SET_UP_D, spines }, {
      kind: 'permutation',
      sizeBytes: SIZE_BYTES,
    }, { faults, hosts: { entropies: active, entropyStates: { reserve } } });
    return { perFlow: totals.drops.loss / all.length, deadEntropies: (dead * (active + reserve)) / spines };
  });
  requireClaims('R14', ...rows.map(({ perFlow, deadEntropies }) => perFlow >= 0.8 * deadEntropies),
    ...rows.map(({ perFlow, deadEntropies }) => perFlow < 1.5 * deadEntropies));
  return `16 hosts: ${
    rows.map(({ perFlow, deadEntropies }) => `${perFlow.toFixed(1)} per flow with ${deadEntropies} dead entropies`)
      .join(', ')
  }, of 144`;
}

/** R17: a link goes down under a flow. */
export function failedPath(): string {
  const failure: FaultSpec = { kind: 'link-down', between: ['leaf0', 'spine0'], fromUs: 50, toUs: 1_000_000 };
  const laterUs = (stack: Stack): number => {
    const [healthy, failed] = [[], [failure]].map((faults) =>
      run(stack, SET_UP_D, flows(SIZE_BYTES, [0, 4]), { faults }).flows[0].completionPs ?? Infinity
    );
    return (failed - healthy) / PS_PER_US;
  };
  const [routed, hashed] = [laterUs(DEPLOYED), laterUs(STACKS.mrc)];
  requireClaims('R17', routed < 100, hashed < 1);
  return `${routed.toFixed(1)} µs; by hashing ${hashed.toFixed(1)} µs, since switches know of the failure at once`;
}
