"""RLlib (new API stack): any id as a MultiAgentEnv, an RLModule that masks, and PPO set up with both.

>>> config = ppo_config("igel_aergern-2p-v0").env_runners(num_env_runners=2).training(train_batch_size=4000)
>>> algorithm = config.build_algo()
>>> algorithm.train()["env_runners"]["illegal"]
0

RLlib's PettingZooEnv doesn't mask, and asks every seat in every step. Here only the seats that are asked get an
observation, so a step of a turn game is one decision of one seat, and RLlib pays a reward to the seat's last decision.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
import torch
from gymnasium import spaces
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.callbacks.callbacks import RLlibCallback
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis.value_function_api import ValueFunctionAPI
from ray.rllib.core.rl_module.multi_rl_module import MultiRLModuleSpec
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.core.rl_module.torch.torch_rl_module import TorchRLModule
from ray.rllib.env.multi_agent_env import MultiAgentEnv
from torch import nn

from hopenvs import registry
from hopenvs.core import kernels, rng
from hopenvs.core.batch import Batch
from hopenvs.core.errors import IllegalActionError, OptionError, UnknownIdError, nearest
from hopenvs.core.state import BY_MAX_TURNS, NOT_TRUNCATED, SIMULTANEOUS, TERMINAL
from hopenvs.envs.spaces import action_space, mask_box, observation_box
from hopenvs.envs.table import ILLEGAL, check_choice, payoff_named
from hopenvs.integrations.layers import masked_logits, scale_of, stack

# What an env_config may say, and what is meant if it doesn't (`GameMultiAgentEnv`).
DEFAULTS: dict[str, Any] = {
    "env": None,
    "options": {},
    "reward": "win",
    "illegal": "forfeit",
    "seed": None,
    "dtype": "float32",
    "module": None,
    "implied": {},
}
DTYPES = ("float32", "int8")

SHARED = "shared"  # the one policy that plays all seats
POLICIES = (SHARED, "seat")
NETWORK = {"trunk": (256,), "heads": (128,), "activation": "relu"}

NO_INFO = {"rank": 0, "score": 0, "won": 0, "forfeited": 0, "truncated_by_max_turns": 0}


# ---- the environment ------------------------------------------------------------------------------------------------
class GameMultiAgentEnv(MultiAgentEnv):
    """One game; its seats are the agents `player_0` ....

    `reset` and `step` return the observations of the seats to decide next: in a turn game of one, in a simultaneous
    game of all. When the game is over every agent gets its last observation (its mask all one: nobody is asked), what
    it is paid, and the flags under `"__all__"`; before that all rewards are 0. An observation is
    `{"observations": Box [D] float32 or int8, "action_mask": Box [A] int8}`, as RLlib's own masking example has it.
    `infos[agent]` holds `rank`, `score`, `won`, `forfeited` and `truncated_by_max_turns`, all 0 before the end.

    Args:
        config: `env` (the id) and, as far as they aren't DEFAULTS, `options` (the game's further ones), `reward`
            ("win", "rank" or "score"), `illegal` ("forfeit" ends the game by an illegal action, which `forfeited` then
            shows; "raise" refuses it, and can't stand RLlib's environment check, which ignores masks), `seed` (of the
            first game, for a `reset` that gives none), `dtype` (of the observations: int8 is what the games have and a
            quarter of the size, but RLlib's own networks take only float32; both hold the same small integers), and
            for an id that other processes don't know `module` and `implied` (`env_config` fills them in).

    Raises:
        UnknownIdError: for an unknown id.
        OptionError: for a key, an option or a value that there isn't.
    """

    KEYS: ClassVar[Mapping[str, Any]] = DEFAULTS

    def __init__(self, config: Mapping[str, Any] | None = None) -> None:
        super().__init__()
        self.given = given = _read(config or {}, self.KEYS)
        game, options = registry.resolve(given["env"], given["options"])
        payoff = payoff_named(game, options, given["reward"])
        self.batch = Batch(game, options, 1, payoff=payoff, forfeit=given["illegal"] == "forfeit")
        spec = self.batch.spec
        self.possible_agents = [f"player_{seat}" for seat in range(spec.num_players)]
        self.agents = list(self.possible_agents)
        self.observation_spaces = {agent: _agent_space(spec, given["dtype"]) for agent in self.agents}
        self.action_spaces = {agent: action_space(spec) for agent in self.agents}
        self._dtype = np.dtype(given["dtype"])
        self._runner = int(getattr(config, "worker_index", 0))  # RLlib's EnvContext numbers its env runners from 1
        self._begun = False

    def reset(
        self, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Begin a game: (observations, infos) of who is asked.

        Args:
            seed: of this game; those that follow go on with its generator. Env runners whose seeds are neighbours, as
                RLlib gives them, don't play each other's games.
            options: ignored.
        """
        if seed is None and not self._begun:
            seed = self.given["seed"] if self.given["seed"] is not None else rng.fresh_seed()
        if seed is None:
            self.batch.start(kernels.NEW_GAME)
        else:
            self.batch.start(kernels.NEW_SEED, [lane_seed(rng.check_seed(seed), self._runner)])
        self._begun = True
        seats = self._asked()
        return self._observations(seats), {self.possible_agents[seat]: dict(NO_INFO) for seat in seats}

    def step(
        self, action_dict: Mapping[str, Any]
    ) -> tuple[dict[str, Any], dict[str, float], dict[str, bool], dict[str, bool], dict[str, Any]]:
        """Carry out the decisions of all who were asked: (observations, rewards, terminateds, truncateds, infos).

        Raises:
            IllegalActionError: under illegal="raise"; also if an asked seat's action is missing. Nothing has changed.
            ValueError: if no game is going on, or for an action of somebody who wasn't asked.
        """
        acted = self._asked()
        self._check(action_dict, acted)
        orders = np.array([[int(action_dict[self.possible_agents[seat]]) for seat in acted]], np.int32)
        self.batch.step(orders)
        asked = self._asked()
        over = not asked
        record = self.batch.states[0]
        cut = over and bool(record["truncated"] != NOT_TRUNCATED)
        seats = asked or list(range(len(self.agents)))
        paid = seats if over else acted
        return (
            self._observations(seats),
            {self.possible_agents[seat]: float(record["rewards"][seat]) if over else 0.0 for seat in paid},
            self._flags(over and not cut),
            self._flags(cut),
            {self.possible_agents[seat]: self._info(record, seat) if over else dict(NO_INFO) for seat in seats},
        )

    def _asked(self) -> list[int]:
        """The seats to decide now; none if no game is going on."""
        seat = int(self.batch.seat[0])
        if not self._begun or seat == TERMINAL:
            return []
        return list(range(len(self.agents))) if seat == SIMULTANEOUS else [seat]

    def _check(self, actions: Mapping[str, Any], asked: Sequence[int]) -> None:
        if not asked:
            raise ValueError("no game is going on: reset() comes first")
        names = [self.possible_agents[seat] for seat in asked]
        for agent in names:
            if agent not in actions:
                raise IllegalActionError(f"{agent} is asked, but there is no action of it among {list(actions)}")
        for agent in actions:
            if agent not in names:
                raise ValueError(f"{agent!r} was not asked, but {', '.join(names)}")

    def _observations(self, seats: Sequence[int]) -> dict[str, Any]:
        """What these seats see, fresh; once the game is over with masks of ones."""
        batch = self.batch
        simultaneous = batch.spec.simultaneous
        if not self._asked():
            seen = batch.view([0] * len(seats), seats)[1]
            masks = np.ones((len(seats), batch.spec.num_actions), np.int8)
        else:
            places = list(seats) if simultaneous else [0]
            seen, masks = batch.observation[0, places], batch.mask[0, places]
        return {
            self.possible_agents[seat]: {"observations": seen[k].astype(self._dtype), "action_mask": masks[k].copy()}
            for k, seat in enumerate(seats)
        }

    def _flags(self, flag: bool) -> dict[str, bool]:
        return {"__all__": flag, **dict.fromkeys(self.agents, flag)} if flag else {"__all__": False}

    def _info(self, record: Any, seat: int) -> dict[str, int]:
        return {
            "rank": int(record["ranks"][seat]),
            "score": int(record["scores"][seat]),
            "won": int(record["winners"][seat]),
            "forfeited": int(record["forfeit"] == 1 + seat),
            "truncated_by_max_turns": int(record["truncated"] == BY_MAX_TURNS),
        }


def env_config(env_id: str, **more: Any) -> dict[str, Any]:
    """An env_config with all that another process needs to make the environment, a game of one's own included.

    Args:
        env_id: the id.
        **more: other keys of DEFAULTS.
    """
    entry = registry.entry_of(env_id)
    return {"env": entry.id, "module": entry.module, "implied": dict(entry.options), **more}


def lane_seed(seed: int, runner: int) -> int:
    """The seed of a game in an env runner: itself in the main process (0), else mixed with the runner's number.

    RLlib seeds game i of runner w with seed + w + i: game 1 of runner 1 would have the dice of game 0 of runner 2.
    """
    return seed if not runner else int(np.random.SeedSequence([seed, runner]).generate_state(1, np.uint64)[0])


def _agent_space(spec: Any, dtype: str) -> spaces.Dict:
    box = observation_box(spec)
    if dtype != "int8":
        box = spaces.Box(box.low.astype(dtype), box.high.astype(dtype), dtype=np.dtype(dtype))
    return spaces.Dict({"observations": box, "action_mask": mask_box(spec)})


def _read(config: Mapping[str, Any], defaults: Mapping[str, Any]) -> dict[str, Any]:
    """An env_config with defaults, its id registered in this process."""
    for key in config:
        if key not in defaults:
            known = ", ".join(defaults)
            raise OptionError(f"env_config: unknown key {key!r}{nearest(key, defaults)}: expected {known}")
    given = {**defaults, **config}
    check_choice("illegal", given["illegal"], ILLEGAL)
    check_choice("dtype", given["dtype"], DTYPES)
    try:
        registry.entry_of(given["env"])
    except UnknownIdError:
        if given["module"] is None:
            raise
        registry.register(importlib.import_module(given["module"]), given["env"], **given["implied"])
    return given


# ---- the network ----------------------------------------------------------------------------------------------------
class _Trunk(nn.Module):
    """The layers that policy and value share, on observations brought to the same range."""

    scale: torch.Tensor

    def __init__(self, box: spaces.Box, widths: Sequence[int], activation: str) -> None:
        super().__init__()
        self.register_buffer("scale", scale_of(box))
        self.layers = stack(int(box.shape[0]), widths, activation, sparse=True)

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        """[n, width] from [n, D]."""
        return self.layers(observations.float() * self.scale)


class _Heads(nn.Module):
    """The layers that policy and value have for themselves."""

    def __init__(self, size: int, widths: Sequence[int], activation: str) -> None:
        super().__init__()
        self.policy_net = stack(size, widths, activation)
        self.value_net = stack(size, widths, activation)


class MaskedModule(TorchRLModule, ValueFunctionAPI):
    """Policy and value on a shared trunk; the logits of illegal actions are masked, in playing and in learning.

    Takes what `GameMultiAgentEnv` gives. `model_config` holds `trunk` and `heads` (widths of the layers that policy and
    value share, and of those that each has for itself) and `activation` ("relu" or "tanh"): NETWORK by default. The
    parts have the names that Stable-Baselines3 gives them, so that `state_dict()` is what `agents.policy` plays.
    """

    def setup(self) -> None:
        """Build the layers, with Stable-Baselines3's initial weights."""
        network = {**NETWORK, **(self.model_config or {})}
        box, trunk, heads = self.observation_space["observations"], network["trunk"], network["heads"]
        width = trunk[-1] if trunk else int(box.shape[0])
        self.features_extractor = _Trunk(box, trunk, network["activation"])
        self.mlp_extractor = _Heads(width, heads, network["activation"])
        last = heads[-1] if heads else width
        self.action_net, self.value_net = nn.Linear(last, int(self.action_space.n)), nn.Linear(last, 1)
        for part, gain in (
            (self.features_extractor, 2**0.5),
            (self.mlp_extractor, 2**0.5),
            (self.action_net, 0.01),
            (self.value_net, 1.0),
        ):
            for layer in part.modules():
                if isinstance(layer, nn.Linear):
                    nn.init.orthogonal_(layer.weight, gain)
                    nn.init.zeros_(layer.bias)

    def _forward(self, batch: dict[str, Any], **_: Any) -> dict[str, Any]:
        """Masked logits [n, A]; RLlib calls this for exploration and inference."""
        return {Columns.ACTION_DIST_INPUTS: self._logits(batch, self._features(batch))}

    def _forward_train(self, batch: dict[str, Any], **_: Any) -> dict[str, Any]:
        """The same, and what `compute_values` goes on with."""
        features = self._features(batch)
        return {Columns.ACTION_DIST_INPUTS: self._logits(batch, features), Columns.EMBEDDINGS: features}

    def compute_values(self, batch: dict[str, Any], embeddings: torch.Tensor | None = None) -> torch.Tensor:
        """[n] float32: the value of each observation."""
        features = self._features(batch) if embeddings is None else embeddings
        return self.value_net(self.mlp_extractor.value_net(features)).squeeze(-1)

    def _features(self, batch: dict[str, Any]) -> torch.Tensor:
        return self.features_extractor(batch[Columns.OBS]["observations"])

    def _logits(self, batch: dict[str, Any], features: torch.Tensor) -> torch.Tensor:
        logits = self.action_net(self.mlp_extractor.policy_net(features))
        return masked_logits(logits, batch[Columns.OBS]["action_mask"] != 0)


# ---- the algorithm --------------------------------------------------------------------------------------------------
class Tally(RLlibCallback):
    """Counts for `result["env_runners"]`: `decisions` learned from, `games` that ended, `illegal`: those by a forfeit.

    `illegal` stays 0 as long as masks are kept to.
    """

    def on_episode_end(self, *, episode: Any, metrics_logger: Any, **_: Any) -> None:
        """Count a game."""
        infos = episode.get_infos(-1).values()
        metrics_logger.log_value("games", 1, reduce="sum")
        metrics_logger.log_value("illegal", sum(info["forfeited"] for info in infos), reduce="sum")

    def on_sample_end(self, *, samples: Sequence[Any], metrics_logger: Any, **_: Any) -> None:
        """Count decisions: of a game in progress those that have had their consequences."""
        decisions = sum(len(part) for episode in samples for part in episode.agent_episodes.values())
        for name, count in (("decisions", decisions), ("games", 0), ("illegal", 0)):  # also if no game has ended
            metrics_logger.log_value(name, count, reduce="sum")


def everybody_shares(agent_id: str, *_: Any, **__: Any) -> str:
    """A policy mapping: one policy plays all seats, against itself."""
    return SHARED


def everybody_own(agent_id: str, *_: Any, **__: Any) -> str:
    """A policy mapping: every seat has its own, called as the agent."""
    return agent_id


def ppo_config(
    env_id: str,
    *,
    policies: str = SHARED,
    network: Mapping[str, Any] | None = None,
    module_class: type[TorchRLModule] = MaskedModule,
    env_class: type[GameMultiAgentEnv] = GameMultiAgentEnv,
    **environment: Any,
) -> PPOConfig:
    """PPO on an id with masks; what it doesn't say is RLlib's default and can be added.

    Args:
        env_id: the id.
        policies: "shared" (one for all seats) or "seat" (one each).
        network: what `MaskedModule` doesn't take from NETWORK.
        module_class: another RLModule that masks.
        env_class: another environment.
        **environment: further keys of the env_config; observations are int8 unless it says otherwise.

    Raises:
        UnknownIdError: for an unknown id.
        OptionError: for anything else that there isn't.
    """
    check_choice("policies", policies, POLICIES)
    config = env_config(env_id, **{"dtype": "int8", **environment})
    env = env_class(config)
    agent = env.possible_agents[0]
    names = [SHARED] if policies == SHARED else env.possible_agents
    spec = RLModuleSpec(
        module_class=module_class,
        observation_space=env.observation_spaces[agent],
        action_space=env.action_spaces[agent],
        model_config={**NETWORK, **(network or {})},
    )
    return (
        PPOConfig()
        .environment(env_class, env_config=config, disable_env_checking=True)
        .multi_agent(
            policies=set(names),
            policy_mapping_fn=everybody_shares if policies == SHARED else everybody_own,
        )
        .rl_module(rl_module_spec=MultiRLModuleSpec(rl_module_specs=dict.fromkeys(names, spec)))
        .callbacks(Tally)
    )
