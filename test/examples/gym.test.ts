/** The bandits of examples/gym find the gain of the DCQCN paper, as docs/guides/gym.md shows. */
import { spawnSync, type SpawnSyncReturns } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { MAIN } from '../cli/support/process.js';
import { describeNeeding, foreignPython } from '../support/foreign-tools.js';

const REPOSITORY = fileURLToPath(new URL('../../', import.meta.url));
const FOLDER = fileURLToPath(new URL('../../examples/gym/', import.meta.url));
const PAGE = readFileSync(new URL('../../docs/guides/gym.md', import.meta.url), 'utf8');
const DCQCN_PAPER = 'best: 1/256';

function start(program: string, args: readonly string[], input = ''): SpawnSyncReturns<string> {
  return spawnSync(program, args, { cwd: REPOSITORY, encoding: 'utf8', timeout: 60_000, input });
}

describe('examples/gym/bandit.mjs', () => {
  it('finds the gain of the DCQCN paper, and docs/guides/gym.md shows its output', () => {
    const { status, stdout, stderr } = start(process.execPath, ['examples/gym/bandit.mjs']);
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout.trimEnd().split('\n').at(-1)).toBe(DCQCN_PAPER);
    expect(PAGE).toContain(stdout);
  });
});

const python = foreignPython('subprocess');

describeNeeding(python === undefined ? 'python3 is not installed' : undefined, 'The Python client', () => {
  /** Runs Python code that has the client, and `command`: the command line of this project. */
  const runWith = (body: string): SpawnSyncReturns<string> =>
    start(python!, [
      '-c',
      [
        'import sys, json',
        `sys.path.insert(0, ${JSON.stringify(FOLDER)})`,
        'from roce_gym import RoceGym, RoceGymError',
        `command = [${JSON.stringify(process.execPath)}, ${JSON.stringify(MAIN)}]`,
        body,
      ].join('\n'),
    ]);

  it('runs the same bandit, and docs/guides/gym.md shows its output', () => {
    const { status, stdout, stderr } = start(python!, ['examples/gym/bandit.py', process.execPath, MAIN]);
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toContain(DCQCN_PAPER);
    expect(PAGE).toContain(stdout);
  });

  it('raises an error for a rejected call, and continues', () => {
    const { stdout, stderr } = runWith(`
with RoceGym("incast-16", steps=2, command=command, settings={"workload.senders": 2}) as gym:
    try:
        gym.step()
    except RoceGymError as error:
        print(error.code, error)
    observations, info = gym.reset(seed=3)
    print(list(observations), info["seed"], len(gym.agents), gym.action_space["rateShare"]["max"])
    try:
        gym.step({"qp0": {"rateShare": 2}})
    except RoceGymError as error:
        print(error.fields["where"], error.fields["got"])
    gym.step()
    observations, rewards, terminated, truncated, info = gym.step({"qp0": {"rateShare": 0.5}})
    print(observations["qp0"]["rateBps"], terminated, truncated, info["result"]["ended"])
gym.close()
`);
    expect(stderr).toBe('');
    expect(stdout.trim().split('\n')).toEqual([
      'invalid-argument step: the environment has no episode. Reset it first.',
      "['qp0', 'qp1'] 3 2 1",
      'actions.qp0.rateShare 2',
      "50000000000 {'qp0': False, 'qp1': False} {'qp0': True, 'qp1': True} cancelled",
    ]);
  });

  it('accepts a scenario as a dict, and raises an error after the process has ended', () => {
    const { stdout } = runWith(`
scenario = {"name": "two", "topology": {"kind": "star", "hosts": 3},
            "workload": {"kind": "incast", "senders": 2, "sizeBytes": 10000}}
with RoceGym(scenario, agents="hosts", command=command) as gym:
    print([agent["name"] for agent in gym.agents])
try:
    gym.step()
except RoceGymError as error:
    print(error.code)
try:
    RoceGym({"name": "bad"}, command=command)
except RoceGymError as error:
    print(error.code)
`);
    expect(stdout.trim().split('\n')).toEqual(["['h0', 'h1']", 'ended', 'ended']);
  });
});
