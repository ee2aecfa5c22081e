"""The player of a trained network: loads a saved model without running code that the file may hold.

A model that `hopenvs train` has saved is a zip archive that Stable-Baselines3 wrote (`MaskablePPO.load` reads it), with
one more entry: `hopenvs.json`, which says for which game it is and how the network is built. (What RLlib has learned is
this description and the weights alone, under the same names.) Stable-Baselines3 keeps Python objects in the entry
`data`, pickled: whoever reads them runs whatever code the file's author wished. So that entry is left alone. Played are
only the description, which is JSON, and the weights, which `torch.load(weights_only=True)` reads. A model without the
description can't be played like that: it takes `trust=True` (`--trust` on the command line), which loads it with
Stable-Baselines3, pickled objects and all.

A model knows the options of the game that it was trained on. It plays under others as long as observations and actions
have the same size, but a warning says which they are (OptionsWarning). One that has learned a single seat warns, too,
unless it plays in a team (`team.py`).
"""

from __future__ import annotations

import io
import json
import warnings
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from hopenvs.agents.draws import unit_interval
from hopenvs.agents.sparse import product
from hopenvs.core.errors import OptionError

if TYPE_CHECKING:
    import torch

    from hopenvs.core.game import Game

FORMAT = 1
DESCRIPTION = "hopenvs.json"  # the entry that says what the model is
WEIGHTS = "policy.pth"  # the entry that Stable-Baselines3 keeps the network's weights in
OBJECTS = "data"  # the entry with pickled objects
ACTIVATIONS = ("relu", "tanh")
FAR = 80.0  # exp(-80) is as good as 0

TRUNK, ACTOR, HEAD = "features_extractor.layers", "mlp_extractor.policy_net", "action_net"
SCALE = "features_extractor.scale"


class ModelWarning(UserWarning):
    """A model plays something else than what it was trained for; the message names the file."""


class OptionsWarning(ModelWarning):
    """It plays under other options; the message names them."""


class SeatWarning(ModelWarning):
    """It may sit anywhere, but has learned one seat alone; the message names it."""


class ModelError(OptionError):
    """A model file that is damaged, foreign, or made for another game; the message names the file."""


def describe_model(
    env_id: str, game: Game, options: Any, *, trunk: Sequence[int], heads: Sequence[int], activation: str
) -> dict[str, Any]:
    """What `hopenvs.json` says: the game, the sizes of what goes in and out, and the layers between.

    Args:
        env_id: the id the model was trained on.
        game: its game module.
        options: its compiled options.
        trunk: widths of the layers that policy and value share.
        heads: widths of the layers that each has for itself.
        activation: one of ACTIVATIONS.
    """
    from hopenvs.core.options import changed_options

    spec = game.spec(options)
    return {
        "format": FORMAT,
        "env": env_id,
        "game": game.ID,
        "version": game.VERSION,
        "players": spec.num_players,
        "options": changed_options(game, options),
        "observation_size": spec.observation_size,
        "num_actions": spec.num_actions,
        "network": {"trunk": list(trunk), "heads": list(heads), "activation": activation},
    }


class Policy:
    """A network as a player: the likeliest legal action, or one drawn by the network's probabilities.

    Args:
        description: `describe_model`'s.
        weights: the network's tensors by their names in Stable-Baselines3; copied.
        deterministic: the likeliest action; else one drawn from the row's stream.
        device: where to compute.
        name: what the player is called.
    """

    def __init__(
        self,
        description: Mapping[str, Any],
        weights: Mapping[str, torch.Tensor],
        *,
        deterministic: bool = True,
        device: str = "cpu",
        name: str = "policy",
    ) -> None:
        self.name = name
        self.deterministic = deterministic
        self.description = dict(description)
        self._device = device
        network = description["network"]
        self._activation = network["activation"]
        self._scale = weights[SCALE].detach().to(device).clone()
        self._layers = [
            tuple(weights[f"{layer}.{part}"].detach().to(device).clone() for part in ("weight", "bias"))
            for layer in actor_layers(network)
        ]
        self._sparse: tuple[np.ndarray, np.ndarray] | None = None  # the first layer as `agents.sparse` takes it
        if device == "cpu":
            weight, bias = self._layers[0]
            self._sparse = (weight * self._scale).t().contiguous().numpy(), bias.numpy()

    def act(
        self,
        observations: np.ndarray,
        masks: np.ndarray,
        *,
        states: np.ndarray,
        seats: np.ndarray,
        streams: np.ndarray,
    ) -> np.ndarray:
        """The policy's action of each row: [n] int64."""
        import torch

        with torch.inference_mode():
            logits = self.logits(observations)
            legal = torch.from_numpy(np.ascontiguousarray(masks)).to(self._device) != 0
            logits = torch.where(legal, logits, -torch.inf)
            if self.deterministic:
                return logits.argmax(dim=1).cpu().numpy()
            above = logits - logits.amax(dim=1, keepdim=True)
            chances = above.clamp_(min=-FAR).exp_() * legal  # far below that exp() is slow, and nothing anyway
            reached = chances.double().cumsum(dim=1)
            drawn = torch.from_numpy(unit_interval(streams)).to(self._device)[:, None] * reached[:, -1:]
            return (reached <= drawn).sum(dim=1).cpu().numpy()

    def logits(self, observations: np.ndarray) -> torch.Tensor:
        """[n, A] float32: the network's output for `observations` [n, D] int8."""
        import torch
        from torch.nn import functional

        bend = torch.relu if self._activation == "relu" else torch.tanh
        layers = self._layers
        if self._sparse is not None:
            cells = np.ascontiguousarray(observations, np.float32)
            x = torch.from_numpy(product(cells, *self._sparse, torch.get_num_threads()))
        else:
            x = torch.from_numpy(np.ascontiguousarray(observations)).to(self._device).float() * self._scale
            x = functional.linear(x, *layers[0])
        for weight, bias in layers[1:]:
            x = functional.linear(bend(x), weight, bias)
        return x


class TrustedModel:
    """A MaskablePPO that somebody else saved, loaded by Stable-Baselines3; plays its likeliest actions."""

    def __init__(self, model: Any, name: str) -> None:
        self.name = name
        self.deterministic = True
        self._model = model

    def act(
        self,
        observations: np.ndarray,
        masks: np.ndarray,
        *,
        states: np.ndarray,
        seats: np.ndarray,
        streams: np.ndarray,
    ) -> np.ndarray:
        """The model's action of each row: [n] int64."""
        actions, _ = self._model.predict(observations, action_masks=masks != 0, deterministic=True)
        return np.asarray(actions)


def load_policy(
    path: str | Path,
    game: Game,
    options: Any,
    *,
    deterministic: bool = True,
    trust: bool = False,
    device: str = "cpu",
    on_its_seat: bool = False,
) -> Policy | TrustedModel:
    """A saved model as a player of `game`.

    Args:
        path: the zip archive.
        game: the game module that is to be played.
        options: its compiled options.
        deterministic: the likeliest action; else one drawn by the network's probabilities.
        trust: also read a model that only Stable-Baselines3 can load, which runs whatever code the file holds.
        device: where to compute.
        on_its_seat: it will sit nowhere but where it has learned; without, a model of one seat warns (SeatWarning).

    Raises:
        ModelError: for a file that is damaged, no model, or made for another game.
    """
    entries = _entries(path)
    if DESCRIPTION not in entries:
        if OBJECTS not in entries or WEIGHTS not in entries:
            raise ModelError(f"{path}: no model: a zip archive with {DESCRIPTION} and {WEIGHTS} was expected")
        if not trust:
            raise ModelError(
                f"{path}: was not saved by `hopenvs train`: only Stable-Baselines3 can load it, and that runs whatever "
                f"code is pickled in it; if you trust its author, say so (trust=True, on the command line --trust)"
            )
        return _load_trusted(path, game, options, device)
    description = _description(path)
    wrong = misfit(description, game, options)
    if wrong:
        raise ModelError(f"{path}: {wrong}")
    warn_of_options(path, description, game, options)
    if "seat" in description and not on_its_seat:
        text = (
            f"{path}: has learned seat {description['seat']} alone: the run's folder plays each seat by its own model"
        )
        warnings.warn(text, SeatWarning, stacklevel=2)
    weights = read_weights(path, description)
    return Policy(description, weights, deterministic=deterministic, device=device, name=str(path))


def read_description(path: str | Path) -> dict[str, Any]:
    """What a model says about itself (`describe_model`).

    Raises:
        ModelError: for a file that is damaged or was not saved by `hopenvs train`.
    """
    if DESCRIPTION not in _entries(path):
        raise ModelError(f"{path}: was not saved by `hopenvs train`: it has no {DESCRIPTION}")
    return _description(path)


def _entries(path: str | Path) -> list[str]:
    try:
        with zipfile.ZipFile(path) as archive:
            return archive.namelist()
    except zipfile.BadZipFile as error:
        raise ModelError(f"{path}: damaged, or no model: {error}") from None


def _read(path: str | Path, entry: str) -> bytes:
    try:
        with zipfile.ZipFile(path) as archive:
            return archive.read(entry)
    except (zipfile.BadZipFile, KeyError, EOFError, NotImplementedError, RuntimeError) as error:
        raise ModelError(f"{path}: damaged: {error}") from None


def _description(path: str | Path) -> dict[str, Any]:
    try:
        found = json.loads(_read(path, DESCRIPTION))
    except ValueError as error:
        raise ModelError(f"{path}: damaged: {DESCRIPTION}: {error}") from None
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        known = found.get("format") if isinstance(found, dict) else found
        raise ModelError(f"{path}: {DESCRIPTION} has format {known!r}: this version reads {FORMAT}")
    if not _is_network(found.get("network")):
        raise ModelError(f"{path}: damaged: {DESCRIPTION}: network {found.get('network')!r}")
    return found


def _is_network(network: Any) -> bool:
    if not isinstance(network, dict) or network.get("activation") not in ACTIVATIONS:
        return False
    widths = [network.get(part) for part in ("trunk", "heads")]
    return all(isinstance(layers, list) and all(type(n) is int and n > 0 for n in layers) for layers in widths)


def misfit(description: Mapping[str, Any], game: Game, options: Any) -> str:
    """Why a model can't play a game, in words; empty if it can."""
    spec = game.spec(options)
    expected = {
        "game": game.ID,
        "version": game.VERSION,
        "players": spec.num_players,
        "observation_size": spec.observation_size,
        "num_actions": spec.num_actions,
    }
    for name, value in expected.items():
        if description.get(name) != value:
            found = description.get(name)
            return f"made for {description.get('env')!r}, with {name}={found!r}; here it is {value!r}"
    return ""


def other_options(path: str | Path, description: Mapping[str, Any], game: Game, options: Any) -> list[str]:
    """The options of the training that differ from `options`, in words.

    Raises:
        ModelError: if the description's can't be read.
    """
    from hopenvs.core.options import parse_options

    try:
        before = parse_options(game, {**description["options"], "players": description["players"]})
    except (KeyError, TypeError, OptionError) as error:
        raise ModelError(f"{path}: damaged: {DESCRIPTION}: options: {error}") from None
    return [
        f"{option.name}={option.decode(getattr(before, option.name))!r}, here {option.decode(now)!r}"
        for option in game.OPTIONS
        if getattr(before, option.name) != (now := getattr(options, option.name))
    ]


def warn_of_options(path: str | Path, description: Mapping[str, Any], game: Game, options: Any) -> None:
    """Warn of options that differ from those of the training (OptionsWarning)."""
    differing = other_options(path, description, game, options)
    if differing:
        warnings.warn(f"{path}: was trained with {'; '.join(differing)}", OptionsWarning, stacklevel=3)


def read_weights(path: str | Path, description: Mapping[str, Any]) -> dict[str, torch.Tensor]:
    """The network's tensors, their shapes checked.

    Raises:
        ModelError: for a file that is damaged, or without PyTorch.
    """
    torch = _torch(path)
    content = _read(path, WEIGHTS)
    try:
        found = read_tensors(content)
    except ValueError as error:
        raise ModelError(f"{path}: {WEIGHTS}: {error}") from None
    for name, shape in weight_shapes(description).items():
        tensor = found.get(name) if isinstance(found, dict) else None
        if not isinstance(tensor, torch.Tensor) or tuple(tensor.shape) != shape:
            got = tuple(tensor.shape) if isinstance(tensor, torch.Tensor) else None
            raise ModelError(f"{path}: {WEIGHTS}: {name}: expected the shape {shape}, not {got}")
    return found


def read_tensors(content: bytes) -> Any:
    """What `torch.save` has written: tensors in plain containers; no code in it is run.

    Raises:
        ValueError: if it is anything else, in our words: PyTorch's own advise to load the file with that code.
    """
    import torch

    try:
        return torch.load(io.BytesIO(content), map_location="cpu", weights_only=True)
    except Exception:  # torch raises many kinds, for damage as for what is more than tensors
        raise ValueError("not just weights, or damaged") from None


def actor_layers(network: Mapping[str, Any]) -> list[str]:
    """The names of the layers that play, in order, as Stable-Baselines3 calls them."""
    trunk = [f"{TRUNK}.{2 * k}" for k in range(len(network["trunk"]))]
    return [*trunk, *(f"{ACTOR}.{2 * k}" for k in range(len(network["heads"]))), HEAD]


def weight_shapes(description: Mapping[str, Any]) -> dict[str, tuple[int, ...]]:
    """The tensors that play, and their shapes."""
    network, width = description["network"], description["observation_size"]
    shapes: dict[str, tuple[int, ...]] = {SCALE: (width,)}
    widths = (*network["trunk"], *network["heads"], description["num_actions"])
    for name, following in zip(actor_layers(network), widths, strict=True):
        shapes |= {f"{name}.weight": (following, width), f"{name}.bias": (following,)}
        width = following
    return shapes


def _torch(path: str | Path) -> Any:
    try:
        import torch
    except ImportError:
        raise ModelError(f"{path}: playing a model needs PyTorch: pip install 'hopenvs[train]'") from None
    return torch


def _load_trusted(path: str | Path, game: Game, options: Any, device: str) -> TrustedModel:
    try:
        from sb3_contrib import MaskablePPO
    except ImportError:
        raise ModelError(f"{path}: needs Stable-Baselines3: pip install 'hopenvs[train]'") from None
    try:
        model = MaskablePPO.load(path, device=device)
    except Exception as error:  # whatever the file's own code raises
        raise ModelError(f"{path}: Stable-Baselines3 can't load it: {error!r}") from error
    spec = game.spec(options)
    sizes = getattr(model.observation_space, "shape", None), getattr(model.action_space, "n", None)
    if sizes != ((spec.observation_size,), spec.num_actions):
        raise ModelError(
            f"{path}: takes observations of shape {sizes[0]} and knows {sizes[1]} actions; "
            f"here they are {(spec.observation_size,)} and {spec.num_actions}"
        )
    return TrustedModel(model, str(path))
