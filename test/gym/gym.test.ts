/** The environment: an episode is a run of the simulator that depends only on scenario, seed and actions. */
import { describe, expect, it } from 'vitest';
import { defineAlgorithm, defineCongestionPoint } from '../../src/algorithm/index.js';
import { AGENT_KINDS, openGym, REWARDS, type AgentKind, type Gym, type GymOptions, type Space,
  type Step } from '../../src/gym/index.js';
import { runScenarioSync } from '../../src/sim/run/run-scenario.js';
import type { ScenarioSpec } from '../../src/sim/scenario/spec.js';
import { RANDOM_SCENARIO } from '../support/determinism-scenarios.js';
import { Seeded } from '../support/seeded.js';
import { GYM_INCAST } from './support/incast.js';

/** Runs an episode to its end, with the actions that `act` returns. */
function play(gym: Gym, seed: number, act: (step: number) => Parameters<Gym['step']>[0] = () => ({})): Step[] {
  gym.reset(seed);
  const steps: Step[] = [];
  do steps.push(gym.step(act(steps.length))); while (steps.at(-1)!.info.result === undefined);
  return steps;
}

/** Seeded actions within the space, some of them null. */
function randomActions(gym: Gym, seed: number): () => Parameters<Gym['step']>[0] {
  const random = new Seeded(seed);
  const valueOf = ({ min, max, whole }: Space): number | null => {
    if (random.chance(0.1)) return null;
    const value = random.scaled(Math.max(min, 1e-5), Math.min(max ?? 1e6, 1e9));
    return whole ? Math.ceil(value) : value;
  };
  const switchAction = () => {
    const kminBytes = random.whole(0, 200_000);
    return { kminBytes, kmaxBytes: kminBytes + random.whole(0, 200_000), pmax: random.next() };
  };
  const qpAction = () => {
    const name = random.pick(['rateShare', 'windowBytes']);
    return { [name]: valueOf(gym.actionSpace[name]!) };
  };
  return () =>
    Object.fromEntries(
      gym.agents.filter(() => random.chance(0.3)).map((
        { name },
      ) => [name, gym.kind === 'switches' ? switchAction() : qpAction()]),
    );
}

const SCENARIOS: readonly ScenarioSpec[] = [GYM_INCAST, { ...RANDOM_SCENARIO, durationUs: 3000 }];
const CASES = SCENARIOS.flatMap((scenario) => AGENT_KINDS.map((agents) => ({ name: scenario.name, scenario, agents })));

describe('An episode', () => {
  it.each(CASES)('without actions has the hash of its scenario: $name, $agents', ({ scenario, agents }) => {
    const gym = openGym(scenario, { agents, intervalUs: 7 });
    const { hash, ended, summary } = runScenarioSync({ ...scenario, seed: 4 });
    expect(play(gym, 4).at(-1)!.info.result).toMatchObject({ hash, ended, summary });
    expect(gym.result().hash).toBe(hash);
  });

  it.each(CASES)('is repeatable with the same seed and actions: $name, $agents', ({ scenario, agents }) => {
    const gym = openGym(scenario, { agents, intervalUs: 10, reward: 'power', episode: { steps: 40 } });
    const other = openGym(scenario, { agents, intervalUs: 10, reward: 'power', episode: { steps: 40 } });
    const steps = play(gym, 3, randomActions(gym, 8));
    // Also after another episode.
    play(other, 5, randomActions(other, 9));
    expect(play(other, 3, randomActions(other, 8))).toEqual(steps);
    expect(play(gym, 3).at(-1)!.info.result!.hash).not.toBe(steps.at(-1)!.info.result!.hash);
  });

  it.each(CASES)('has exactly the observations of its space, in range: $name, $agents', ({ scenario, agents }) => {
    const gym = openGym(scenario, { agents, intervalUs: 5, episode: { steps: 60 } });
    const names = Object.keys(gym.observationSpace);
    const isInside = ([name, value]: [string, number]): boolean => {
      const { min, max, whole } = gym.observationSpace[name]!;
      return value >= min && value <= (max ?? Infinity) && (!whole || Number.isInteger(value));
    };
    const first = gym.reset(2).observations;
    const all = [first, ...play(gym, 2, randomActions(gym, 1)).map(({ observations }) => observations)]
      .flatMap((observations) => Object.values(observations));
    expect(new Set(all.map((observation) => Object.keys(observation).join()))).toEqual(new Set([names.join()]));
    expect(all.flatMap((observation) => Object.entries(observation).filter((entry) => !isInside(entry)))).toEqual([]);
  });

  it('has observations that add up to the counters of its result', () => {
    const gym = openGym(GYM_INCAST, { agents: 'qps', intervalUs: 10 });
    const steps = play(gym, 1, (step) => (step === 3 ? { qp0: { rateShare: 0.3 } } : {}));
    const sumOf = (agent: string, name: string): number =>
      steps.reduce((sum, { observations }) => sum + observations[agent]![name]!, 0);
    for (const { index, deliveredBytes, cnps, retransmittedPackets } of gym.result().flows) {
      expect(sumOf(`qp${index}`, 'deliveredBytes')).toBe(deliveredBytes);
      expect(sumOf(`qp${index}`, 'ackedBytes')).toBe(deliveredBytes);
      expect(sumOf(`qp${index}`, 'cnps')).toBe(cnps);
      expect(sumOf(`qp${index}`, 'retransmittedPackets')).toBe(retransmittedPackets);
    }
    const ofSwitch = openGym(GYM_INCAST, { agents: 'switches', intervalUs: 10 });
    const marks = play(ofSwitch, 1).reduce((sum, { observations }) => sum + observations.s0!.marks!, 0);
    expect(marks).toBe(ofSwitch.result().totals.marks);
    expect(marks).toBeGreaterThan(0);
  });

  it('has an intermediate result, which does not affect the run', () => {
    const gym = openGym(GYM_INCAST);
    gym.reset(1);
    const { ended, simulatedPs } = [1, 2, 3].map(() => gym.step() && gym.result()).at(-1)!;
    expect([ended, simulatedPs <= 30e6, simulatedPs > 29e6]).toEqual(['cancelled', true, true]);
    while (gym.step().info.result === undefined);
    expect(gym.result().hash).toBe(runScenarioSync({ ...GYM_INCAST, seed: 1 }).hash);
    expect(() => openGym(GYM_INCAST).result()).toThrow('Reset it first');
  });

  it('with hosts as agents has the sums of their QPs as observations', () => {
    const scenario: ScenarioSpec = {
      ...GYM_INCAST,
      workload: { kind: 'all-to-all', hosts: 3, sizeBytes: 100_000 },
    };
    const [hosts, qps] = (['hosts', 'qps'] as const).map((agents) => openGym(scenario, { agents, intervalUs: 10 }));
    const [ofHosts, ofQps] = [play(hosts!, 1), play(qps!, 1)];
    const own = qps!.agents.filter((agent) => agent.kind === 'qp' && agent.from === 'h1').map(({ name }) => name);
    expect(own).toHaveLength(2);
    for (const [step, { observations }] of ofHosts.entries()) {
      for (const name of ['sentBytes', 'inFlightBytes', 'acks', 'rateBps']) {
        const sum = own.reduce((total, qp) => total + ofQps[step]!.observations[qp]![name]!, 0);
        expect(observations.h1![name]).toBe(sum);
      }
    }
  });
});

describe('The end of an episode', () => {
  const play2 = (scenario: ScenarioSpec, options: GymOptions): Step => play(openGym(scenario, options), 1).at(-1)!;

  it('is a termination when all flows are done', () => {
    const { terminated, truncated, info } = play2(GYM_INCAST, { agents: 'switches' });
    expect([terminated.s0, truncated.s0, info.result!.ended]).toEqual([true, false, 'all-flows-done']);
  });

  it('is a truncation after the given number of steps, with the intermediate result', () => {
    const { terminated, truncated, info } = play2(GYM_INCAST, { episode: { steps: 5 }, intervalUs: 10 });
    expect([terminated.qp0, truncated.qp0, info.step, info.timeUs]).toEqual([false, true, 5, 50]);
    expect(info.result).toMatchObject({ ended: 'cancelled', summary: { flowsDone: 0 } });
  });

  it('is a truncation at the duration, and the last interval may be shorter', () => {
    const { truncated, info } = play2({ ...GYM_INCAST, durationUs: 35 }, { intervalUs: 10 });
    expect([truncated.qp0, info.step, info.timeUs, info.result!.ended]).toEqual([true, 4, 35, 'time']);
  });

  it('can be earlier for one QP than for the others', () => {
    const scenario: ScenarioSpec = {
      ...GYM_INCAST,
      workload: {
        kind: 'flows',
        flows: [{ from: 'h0', to: 'h4', sizeBytes: 10_000 }, { from: 'h1', to: 'h4', sizeBytes: 900_000 }],
      },
    };
    const steps = play(openGym(scenario), 1);
    expect(steps.filter(({ terminated }) => terminated.qp0 && !terminated.qp1).length).toBeGreaterThan(2);
    // An action on a finished QP has no effect and is not an error.
    const gym = openGym(scenario);
    expect(play(gym, 1, () => ({ qp0: { rateShare: 0.1 } })).at(-1)!.terminated).toEqual({ qp0: true, qp1: true });
  });

  it('makes step throw until a reset', () => {
    const gym = openGym(GYM_INCAST, { episode: { steps: 1 } });
    play(gym, 1);
    expect(() => gym.step()).toThrow('the episode is over');
    gym.reset(1);
    expect(gym.step().info.step).toBe(1);
  });
});

describe('Parameters of an episode', () => {
  it('give the same hash as a scenario with these parameters', () => {
    const gym = openGym(GYM_INCAST);
    const alphaGain = 1 / 256;
    gym.reset(1, { parameters: { dcqcn: { alphaGain } } });
    while (gym.step().info.result === undefined);
    const { algorithms, ...rest } = GYM_INCAST;
    const scenario: ScenarioSpec = {
      ...rest,
      seed: 1,
      algorithms: { dcqcn: { ...algorithms!.dcqcn!, parameters: { ...algorithms!.dcqcn!.parameters, alphaGain } } },
    };
    expect(gym.result().hash).toBe(runScenarioSync(scenario).hash);
    // The next episode uses the scenario's own parameters.
    expect(play(gym, 1).at(-1)!.info.result!.hash).toBe(runScenarioSync({ ...GYM_INCAST, seed: 1 }).hash);
  });

  it('apply to the default algorithm of a scenario without algorithms', () => {
    const { algorithms, ...rest } = GYM_INCAST;
    expect(algorithms).toBeDefined();
    const gym = openGym(rest);
    expect(() => gym.reset(1, { parameters: { default: { alphaGain: 2 } } })).toThrow('alphaGain');
    expect(() => gym.reset(1, { parameters: { other: { alphaGain: 1 } } })).toThrow(
      'the name of an algorithm must be "default"',
    );
    gym.reset(1, { parameters: { default: { alphaGain: 0.5 } } });
  });
});

describe('A custom congestion point', () => {
  it('marks as in runScenario', () => {
    let calls = 0;
    const marksAll = defineCongestionPoint({
      name: 'marks-all',
      dequeue(_, packet) {
        calls += 1;
        packet.mark();
      },
    });
    const scenario: ScenarioSpec = { ...GYM_INCAST, switches: { congestionPoint: { preset: 'marks-all' } } };
    const files = { congestionPoints: [marksAll] };
    const hash = play(openGym(scenario, { ...files, intervalUs: 50 }), 1).at(-1)!.info.result!.hash;
    expect(calls).toBeGreaterThan(0);
    expect(hash).toBe(runScenarioSync({ ...scenario, seed: 1 }, files).hash);
  });
});

describe('A custom algorithm', () => {
  /** Paces a QP at a hundredth of the line rate. */
  const slow = defineAlgorithm({
    name: 'slow',
    open(qp) {
      qp.rateBps = qp.lineRateBps / 100;
    },
  });
  const scenario: ScenarioSpec = { ...GYM_INCAST, algorithms: { a: { preset: 'slow' } } };

  it('runs as in runScenario, and is overridden by the rate of an agent until the agent releases the QP', () => {
    const gym = openGym(scenario, { algorithms: [slow], intervalUs: 50 });
    expect(play(gym, 1).at(-1)!.info.result!.hash).toBe(
      runScenarioSync({ ...scenario, seed: 1 }, { algorithms: [slow] }).hash,
    );
    gym.reset(1);
    const rates = [{}, { qp0: { rateShare: 0.1 } }, {}, { qp0: { rateShare: null } }].map((actions) =>
      gym.step(actions).observations.qp0!.rateBps
    );
    expect(rates).toEqual([1e9, 10e9, 10e9, 1e9]);
  });
});

describe('Rewards', () => {
  it.each(
    AGENT_KINDS.flatMap((agents) =>
      (Object.keys(REWARDS) as (keyof typeof REWARDS)[]).map((name) => ({ agents, name }))
    ),
  )('$name of $agents is between 0 and 1.1', ({ agents, name }) => {
    const steps = play(openGym(GYM_INCAST, { agents, reward: name, intervalUs: 20 }), 1);
    const rewards = steps.flatMap((step) => Object.values(step.rewards));
    expect(Math.min(...rewards)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...rewards)).toBeLessThan(1.1);
    expect(Math.max(...rewards)).toBeGreaterThan(0.05);
  });

  it('are computed by a function of agent, observation, action and interval', () => {
    const gym = openGym(GYM_INCAST, {
      reward: ({ agent, observation, action, intervalUs }) =>
        agent.kind === 'qp' ? observation.ackedBytes! / intervalUs - (action.rateShare ?? 0) : NaN,
    });
    gym.reset(1);
    const { rewards, observations } = gym.step({ qp1: { rateShare: 0.5 } });
    expect(rewards.qp1).toBe(observations.qp1!.ackedBytes! / 10 - 0.5);
  });

  it('are rejected if they are not finite', () => {
    const gym = openGym(GYM_INCAST, { reward: () => NaN });
    gym.reset(1);
    expect(() => gym.step()).toThrow('the reward of qp0 must be a finite number');
  });
});

describe('Agents', () => {
  const agentsOf = (agents: AgentKind) => openGym(GYM_INCAST, { agents }).agents;

  it('are described as plain data', () => {
    expect(agentsOf('qps')[0]).toEqual({
      name: 'qp0',
      kind: 'qp',
      from: 'h0',
      to: 'h4',
      algorithm: 'dcqcn',
      lineRateBps: 100e9,
    });
    expect(agentsOf('hosts')[1]).toEqual({ name: 'h1', kind: 'host', lineRateBps: 100e9, qps: 1 });
    expect(agentsOf('switches')).toEqual([
      { name: 's0', kind: 'switch', ports: ['s0:h0', 's0:h1', 's0:h2', 's0:h3', 's0:h4'] },
    ]);
  });

  it('of a QP act on and observe all its messages together', () => {
    const message = { from: 'h0', to: 'h4', sizeBytes: 50_000, qp: 'a' };
    const gym = openGym({ ...GYM_INCAST, workload: { kind: 'flows', flows: [message, message, message] } });
    expect(gym.agents.map(({ name }) => name)).toEqual(['qp0']);
    const acked = play(gym, 1, () => ({ qp0: { rateShare: 0.25 } }))
      .reduce((sum, { observations }) => sum + observations.qp0!.ackedBytes!, 0);
    expect(acked).toBe(150_000);
  });
});
