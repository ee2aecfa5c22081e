"""`trained`: policies that come with hopenvs, one for each id of the default set; they need NumPy only.

Each is the actor of a model that `hopenvs baselines` has trained (`--policies`), in half the precision:
`policies/<id>.npz` holds the description (`policy.describe_model`, as JSON) and for every layer `weight_<k>` [in, out]
and `bias_<k>` [out], float16; the first weight contains the scale of the observation.
"""

from __future__ import annotations

import contextlib
import io
import json
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from hopenvs.agents.policy import (
    SCALE,
    ModelError,
    actor_layers,
    misfit,
    other_options,
    read_description,
    read_weights,
    warn_of_options,
)
from hopenvs.agents.sparse import product
from hopenvs.core.errors import OptionError

if TYPE_CHECKING:
    from hopenvs.core.game import Game

FOLDER = Path(__file__).with_name("policies")
SUFFIX = ".npz"


class Trained:
    """A policy that comes with hopenvs: takes the action that its network finds likeliest.

    Args:
        description: `policy.describe_model`'s.
        layers: weight [in, out] and bias [out] of every layer, float32.
        name: what the player is called.
    """

    def __init__(
        self, description: Mapping[str, Any], layers: Sequence[tuple[np.ndarray, np.ndarray]], name: str = "trained"
    ) -> None:
        self.name = name
        self.deterministic = True
        self.description = dict(description)
        self._relu = description["network"]["activation"] == "relu"
        self._layers = [
            (np.ascontiguousarray(weight, np.float32), np.ascontiguousarray(bias, np.float32))
            for weight, bias in layers
        ]

    def act(
        self,
        observations: np.ndarray,
        masks: np.ndarray,
        *,
        states: np.ndarray,
        seats: np.ndarray,
        streams: np.ndarray,
    ) -> np.ndarray:
        """The likeliest legal action of each row: [n] int64."""
        return np.where(masks != 0, self.logits(observations), -np.inf).argmax(axis=1)

    def logits(self, observations: np.ndarray) -> np.ndarray:
        """[n, A] float32: the network's output for `observations` [n, D] int8."""
        weight, bias = self._layers[0]
        x = product(np.ascontiguousarray(observations, np.float32), weight, bias)
        for weight, bias in self._layers[1:]:
            x = (np.maximum(x, 0) if self._relu else np.tanh(x)) @ weight + bias
        return x


def load_trained(game: Game, options: Any) -> Trained:
    """The policy for a game under these options.

    One that was trained under other options plays, too, if observations and actions have the same size; a warning says
    so (`policy.OptionsWarning`).

    Args:
        game: the game module.
        options: its compiled options.

    Raises:
        OptionError: if none fits, naming those that there are.
    """
    paths = sorted(FOLDER.glob(f"*{SUFFIX}"))
    fitting = []
    for path in paths:
        if path.stem.startswith(game.ID):  # as ids begin
            description = _description(path)
            if not misfit(description, game, options):
                fitting.append((len(other_options(path, description, game, options)), path))
    if not fitting:
        players = game.spec(options).num_players
        raise OptionError(
            f"agent 'trained': none comes with hopenvs for {game.ID} of {players} with these options; there are some "
            f"for {', '.join(path.stem for path in paths)}"
        )
    path = min(fitting)[1]
    description, layers = read_compact(path)
    warn_of_options(path, description, game, options)
    return Trained(description, layers)


def read_compact(path: Path) -> tuple[dict[str, Any], list[tuple[np.ndarray, np.ndarray]]]:
    """The description, and weight [in, out] and bias [out] of every layer, float32.

    Raises:
        ModelError: for a file that is damaged.
    """
    description = _description(path)
    with _opened(path) as held:
        parts = range(len(actor_layers(description["network"])))
        layers = [(held[f"weight_{k}"].astype(np.float32), held[f"bias_{k}"].astype(np.float32)) for k in parts]
    return description, layers


def _description(path: Path) -> dict[str, Any]:
    """What a file says of itself, its weights left alone."""
    with _opened(path) as held:
        return json.loads(held["description"].tobytes())


@contextlib.contextmanager
def _opened(path: Path) -> Iterator[Any]:
    """The arrays of a file; what goes wrong with them becomes a ModelError."""
    try:
        with np.load(path, allow_pickle=False) as held:
            yield held
    except (ValueError, KeyError, TypeError, EOFError, zipfile.BadZipFile) as error:
        raise ModelError(f"{path}: damaged: {error}") from None


def write_compact(model: str | Path, target: Path) -> None:
    """Write the actor of a saved model (`PATH.zip`) as a policy that needs NumPy only.

    Raises:
        ModelError: for a file that is damaged, or was not saved by `hopenvs train`.
    """
    description = read_description(model)
    tensors = {name: tensor.numpy() for name, tensor in read_weights(model, description).items()}
    arrays = {"description": np.frombuffer(json.dumps(description).encode(), np.uint8)}
    for k, name in enumerate(actor_layers(description["network"])):
        weight = tensors[f"{name}.weight"].T * (tensors[SCALE][:, None] if k == 0 else 1)
        arrays |= {f"weight_{k}": weight.astype(np.float16), f"bias_{k}": tensors[f"{name}.bias"].astype(np.float16)}
    content = io.BytesIO()
    np.savez_compressed(content, allow_pickle=False, **arrays)
    target.write_bytes(content.getvalue())
