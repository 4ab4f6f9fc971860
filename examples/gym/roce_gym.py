"""A client of `roce-cc gym`: one file, Python 3.9 or later, no dependencies.

    with RoceGym("incast-16", agents="qps", interval_us=10) as gym:
        observations, info = gym.reset(seed=1)
        while "result" not in info:
            actions = {name: {"rateShare": 0.1} for name in observations}
            observations, rewards, terminated, truncated, info = gym.step(actions)

The words are Gymnasium's; like PettingZoo's parallel environments, it has a member for each agent in all but info.
The protocol: a line of JSON per request and per reply, see docs/guides/gym.md.
"""

import json
import os
import shutil
import subprocess
import tempfile


class RoceGymError(Exception):
    """A request that was rejected; the environment is as it was. `code` is stable, `fields` has value, range and place."""

    def __init__(self, fields):
        super().__init__(fields.get("message", "roce-cc gym has ended"))
        self.code = fields.get("code", "ended")
        self.fields = fields


class RoceGym:
    """An environment in a separate process.

    scenario     a JSON file, the name of a shipped scenario, or a dict
    agents       "qps", "hosts" or "switches"
    interval_us  simulated time of a step, microseconds
    reward       "throughput" or "power"
    steps        steps of an episode; None: as many as the scenario lasts
    settings     changes of the scenario, such as {"switches.ecn.kminKB": 50}
    command      how to start roce-cc; None: as installed, else by npx
    """

    def __init__(self, scenario, agents="qps", interval_us=10, reward="throughput", steps=None, settings=None,
                 command=None):
        self._file = None
        if isinstance(scenario, dict):
            handle, self._file = tempfile.mkstemp(suffix=".json")
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                json.dump(scenario, file)
            scenario = self._file
        options = ["--agents", agents, "--interval-us", str(interval_us), "--reward", reward]
        if steps is not None:
            options += ["--steps", str(steps)]
        for path, value in (settings or {}).items():
            options += ["--set", f"{path}={json.dumps(value)}"]
        self._process = subprocess.Popen(
            [*(command or _installed()), "gym", str(scenario), *options],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8", bufsize=1)
        try:
            about = self._read()
        except RoceGymError:
            self.close()
            raise
        self.agents = about["agents"]
        self.observation_space = about["observationSpace"]
        self.action_space = about["actionSpace"]
        self.about = about

    def reset(self, *, seed=None, options=None):
        """Begins an episode. options: {"parameters": {"dcqcn": {"alphaGain": 0.1}}}. Returns (observations, info)."""
        body = dict(options or {})
        if seed is not None:
            body["seed"] = seed
        reply = self._ask({"reset": body})
        self.agents = reply["info"]["agents"]
        return reply["observations"], reply["info"]

    def step(self, actions=None):
        """Simulates an interval. Returns (observations, rewards, terminated, truncated, info); the last info has "result"."""
        reply = self._ask({"step": {"actions": actions or {}}})
        return tuple(reply[name] for name in ("observations", "rewards", "terminated", "truncated", "info"))

    def close(self):
        """Ends the process; may be called twice."""
        if self._process.poll() is None:
            self._process.stdin.close()
            self._process.wait()
        self._process.stdout.close()
        if self._file is not None:
            os.unlink(self._file)
            self._file = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def _ask(self, request):
        try:
            self._process.stdin.write(json.dumps(request) + "\n")
            self._process.stdin.flush()
        except (BrokenPipeError, ValueError) as error:
            raise RoceGymError({}) from error
        return self._read()

    def _read(self):
        line = self._process.stdout.readline()
        if not line:
            raise RoceGymError({})
        reply = json.loads(line)
        if "error" in reply:
            raise RoceGymError(reply["error"])
        return reply


def _installed():
    return ["roce-cc"] if shutil.which("roce-cc") else ["npx", "roce-cc"]
