"""An epsilon-greedy bandit over DCQCN's alpha gain g: python3 examples/gym/bandit.py

The same program as bandit.mjs, which explains it, and the same output. Words behind its name are the command that starts
roce-cc: python3 examples/gym/bandit.py node dist/cli/main.js
"""

import pathlib
import sys

from roce_gym import RoceGym

DENOMINATORS = [1, 4, 16, 64, 256, 1024]
PULLS = 60
EPSILON = 0.3

state = 1


def random():
    """Lehmer's generator, the same in every language: 0 up to, not including, 1."""
    global state
    state = state * 48271 % 2147483647
    return (state - 1) / 2147483646


def episode(gym, alpha_gain, seed):
    _, info = gym.reset(seed=seed, options={"parameters": {"dcqcn": {"alphaGain": alpha_gain}}})
    total = 0
    while "result" not in info:
        _, rewards, _, _, info = gym.step()
        total += rewards["s0"]
    return total / info["step"]


def main(command):
    pulls = [0] * len(DENOMINATORS)
    sums = [0.0] * len(DENOMINATORS)

    def best():
        return max(range(len(pulls)), key=lambda arm: sums[arm] / pulls[arm])

    def choose(pull):
        if pull < len(pulls):
            return pull
        return int(random() * len(pulls)) if random() < EPSILON else best()

    scenario = pathlib.Path(__file__).with_name("two-flows.json")
    with RoceGym(scenario, agents="switches", interval_us=100, reward="power", command=command) as gym:
        for pull in range(PULLS):
            arm = choose(pull)
            pulls[arm] += 1
            sums[arm] += episode(gym, 1 / DENOMINATORS[arm], pull + 1)

    print("gain     pulls  mean reward")
    for arm, denominator in enumerate(DENOMINATORS):
        print(f"1/{denominator:<6} {pulls[arm]:>5}  {sums[arm] / pulls[arm]:.4f}")
    print(f"best: 1/{DENOMINATORS[best()]}")


main(sys.argv[1:] or None)
