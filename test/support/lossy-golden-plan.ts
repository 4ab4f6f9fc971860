/**
 * The golden runs of the second reference simulator (lossy networks) as network plans, made directly from their files.
 *
 * Kept apart from the library's reader and compiler, so that each can be checked against the other. Rules:
 * docs/specs/reference-lossy.md, by section; where it is silent, as in `golden-plan.ts`.
 */
import { compileScenario } from '../../src/sim/compile/compile-scenario.js';
import type { LossyBalancing, LossyPlan } from '../../src/sim/features/reference-lossy/plan.js';
import type { FlowPlan, NetworkPlan, NodePlan, PortPlan, Rules } from '../../src/sim/plan.js';
import { readReferenceExperiment } from '../../src/sim/reference-files/reference-scenario.js';
import { validateScenario } from '../../src/sim/scenario/validate.js';
import { ns, us } from '../../src/units.js';
import { GoldenPlan, readConfig, readText, secondsToNs, type FlowLine } from './golden-plan.js';
import { GOLDEN_SYSTEM_LOSSY, readGolden, type Row } from './golden.js';

const MEBIBYTE = 2 ** 20;
const BALANCING: Readonly<Record<string, LossyBalancing>> = {
  0: 'ecmp',
  2: 'drill',
  3: 'conga',
  6: 'letflow',
  9: 'conweave',
};

/** A golden run as a plan. @example lossyGoldenPlan('lossunit_30KB', 'irn_lossy_none_mid') */
export function lossyGoldenPlan(scenario: string, variant: string): NetworkPlan {
  const folder = `${GOLDEN_SYSTEM_LOSSY}${scenario}/`;
  const text = readText(`${folder}config_${variant}.txt`);
  const drops = text.split('\n').map((line) => line.split(/\s+/)).filter(([key]) => key === 'X_DROP');
  return new LossyGoldenPlan(readText(`${folder}topology.txt`), readText(`${folder}flow.txt`), readConfig(text),
    readGolden(folder, 'routes.csv')).withDrops(drops).build();
}

/** The same run through the library's reader and compiler. */
export function readLossyGoldenPlan(scenario: string, variant: string): NetworkPlan {
  const folder = `${GOLDEN_SYSTEM_LOSSY}${scenario}/`;
  const spec = readReferenceExperiment({
    config: readText(`${folder}config_${variant}.txt`),
    readFile: (name) => readText(folder + name),
  });
  return compileScenario(validateScenario(spec)).plan;
}

/** Scenario, variant and row of summary.csv of every run. */
export function lossyGoldenRuns(): readonly (readonly [scenario: string, variant: string, row: Row])[] {
  return readGolden(GOLDEN_SYSTEM_LOSSY, 'summary.csv').map((row) => [row.scenario, row.variant, row] as const);
}

class LossyGoldenPlan extends GoldenPlan {
  #drops: readonly (readonly string[])[] = [];

  withDrops(drops: readonly (readonly string[])[]): this {
    this.#drops = drops;
    return this;
  }

  override build(): NetworkPlan {
    return {
      ...super.build(),
      fidelity: 'reference-lossy',
      seed: this.numberOr('RANDOM_SEED', 1),
      lossy: this.lossy(),
    };
  }

  /** Section 1. */
  protected override readFlows(lines: readonly (readonly string[])[]): FlowLine[] {
    const toHost = new Map<string, number>();
    return lines.map(([source, destination, trafficClass, sizeBytes, start]) => {
      const before = toHost.get(destination) ?? 0;
      toHost.set(destination, before + 1);
      return {
        source: Number(source),
        destination: Number(destination),
        trafficClass: Number(trafficClass),
        port: 100 + before,
        sizeBytes: Number(sizeBytes),
        startNs: secondsToNs(start),
      };
    });
  }

  protected override flowPlans(): FlowPlan[] {
    const ofSource = new Map<number, number>();
    return this.flowLines.map((line) => {
      const before = ofSource.get(line.source) ?? 0;
      ofSource.set(line.source, before + 1);
      return this.flowPlan(line, 10_000 + before);
    });
  }

  /** Section 2. */
  protected override responses(): { ackHeaderBytes: number; ackClass: number } {
    return { ackHeaderBytes: 14 + 20 + 18, ackClass: 0 };
  }

  protected override rules(): Rules {
    return {
      ...super.rules(),
      nakIntervalPs: us(this.numberOr('X_NACK_INTERVAL_US', 4)),
      retransmitTimeoutPs: us(this.numberOr('X_GBN_RTO_US', 4000)),
      ackPauseClass: 0,
    };
  }

  protected override nodePlan(node: number): NodePlan {
    const plan = super.nodePlan(node);
    const bufferBytes = this.numberOr('X_BUFFER_BYTES', this.number('BUFFER_SIZE') * MEBIBYTE) ||
      375_000 * plan.portCount;
    return { ...plan, bufferBytes: plan.kind === 'switch' ? bufferBytes : 0, pfc: this.word('ENABLE_PFC') === '1' };
  }

  /** Section 6. */
  protected override portPlan(node: number, port: number): PortPlan {
    const { rateBps, delayNs } = this.ends[node][port].link;
    const headroomBytes = Math.trunc(Math.trunc((rateBps * delayNs) / 8) / 1e9) * 2 + 2096;
    const errorFree = { dataLoss: 0, ackLoss: 0, cnpLoss: 0, corruption: 0 };
    return { ...super.portPlan(node, port), ...errorFree, headroomBytes: this.isSwitch[node] ? headroomBytes : 0 };
  }

  /** Ten seconds more, added as doubles: 12.1 s are 12,099,999,999 ns. */
  protected override endNs(): number {
    return secondsToNs(String(this.number('FLOWGEN_STOP_TIME') + 10));
  }

  private lossy(): LossyPlan {
    const hostFirst = this.links.filter(({ a, b }) => !this.isSwitch[a] && this.isSwitch[b]).map(({ b }) => b);
    return {
      transport: this.word('ENABLE_IRN') === '1' ? 'irn' : 'go-back-n',
      backToZeroBytes: this.word('L2_BACK_TO_ZERO') === '1' ? this.number('L2_CHUNK_SIZE') : 0,
      irn: {
        windowBytes: this.numberOr('X_IRN_BDP', this.longest().bdpBytes),
        timeoutLowPs: us(this.numberOr('X_IRN_RTO_LOW_US', 100)),
        timeoutHighPs: us(this.numberOr('X_IRN_RTO_HIGH_US', 320)),
      },
      pauseTimePs: us(this.numberOr('PAUSE_TIME', 5)),
      balancing: BALANCING[this.word('LB_MODE')],
      conWeave: {
        expiryPs: us(this.numberOr('CONWEAVE_TX_EXPIRY_TIME', 1000)),
        replyExtraPs: us(this.numberOr('CONWEAVE_REPLY_TIMEOUT_EXTRA', 4)),
        pathPausePs: us(this.numberOr('CONWEAVE_PATH_PAUSE_TIME', 8)),
        flushExtraPs: us(this.numberOr('CONWEAVE_EXTRA_VOQ_FLUSH_TIME', 32)),
        defaultWaitPs: us(this.numberOr('CONWEAVE_DEFAULT_VOQ_WAITING_TIME', 500)),
      },
      leaves: [...new Set(hostFirst)].sort((a, b) => a - b),
      checkFromPs: ns(secondsToNs(this.word('FLOWGEN_START_TIME'))),
      checkEveryPs: us(100),
      linkErrors: this.ends.flatMap((ends) => ends.map(({ link }) => this.errorsOf(link))),
      forcedDrops: this.forcedDrops(),
    };
  }

  private errorsOf(link: GoldenPlan['links'][number]): LossyPlan['linkErrors'][number] {
    if (link.errorRate > 0) return { share: link.errorRate, generator: this.links.indexOf(link) + 1 };
    return { share: this.numberOr('ERROR_RATE_PER_LINK', 0), generator: 0 };
  }

  private forcedDrops(): LossyPlan['forcedDrops'] {
    return this.#drops.map((words) => {
      const [flow, sequence, arrival] = words.slice(1).map(Number);
      return { flow, sequence, arrival };
    });
  }

  private numberOr(key: string, otherwise: number): number {
    const value = this.config.get(key);
    return value === undefined ? otherwise : Number(value);
  }
}
