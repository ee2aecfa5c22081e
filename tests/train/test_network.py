import copy
import pickle

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("sb3_contrib")

from gymnasium import spaces  # noqa: E402
from sb3_contrib.common.maskable.distributions import MaskableCategoricalDistribution  # noqa: E402

from hopenvs.integrations.layers import SparseLinear  # noqa: E402
from hopenvs.train.network import BoardPolicy, Trunk, _Distribution, policy_keywords  # noqa: E402


def test_a_sparse_layer_is_a_linear_layer():
    torch.manual_seed(0)
    sparse, dense = SparseLinear(40, 70), torch.nn.Linear(40, 70)
    dense.load_state_dict(sparse.state_dict())
    x = torch.zeros(0)
    for _ in range(3):  # the weights change in between
        x = torch.where(torch.rand(50, 40) < 0.1, torch.rand(50, 40), 0)
        for layer in (sparse, dense):
            layer.zero_grad()
            (layer(x) ** 2).sum().backward()
        torch.testing.assert_close(sparse(x), dense(x))
        torch.testing.assert_close(sparse.weight.grad, dense.weight.grad)
        torch.testing.assert_close(sparse.bias.grad, dense.bias.grad)
        with torch.no_grad():
            for layer in (sparse, dense):
                layer.weight.mul_(0.9)
    for again in (pickle.loads(pickle.dumps(sparse)), copy.deepcopy(sparse)):
        torch.testing.assert_close(again(x), dense(x))


def test_an_input_that_needs_a_gradient_gets_one():
    x = torch.rand(3, 5, requires_grad=True)
    SparseLinear(5, 2)(x).sum().backward()
    assert x.grad is not None


def test_the_distribution_is_sb3_contribs():
    generator = torch.Generator().manual_seed(1)
    logits = (4 * torch.randn(300, 30, generator=generator)).requires_grad_()
    legal = (torch.rand(300, 30, generator=generator) < 0.2).numpy()
    legal[:, 3] = True
    logits.data[:, 7] = 300.0  # a likely action that is mostly illegal must not push the others down
    found, gradients = [], []
    for kind in (_Distribution, MaskableCategoricalDistribution):
        distribution = kind(30).proba_distribution(logits)
        distribution.apply_masking(legal)
        actions = torch.from_numpy(legal.argmax(axis=1))
        entropy, log_prob = distribution.entropy(), distribution.log_prob(actions)
        found.append((distribution.mode(), distribution.distribution.probs, entropy, log_prob))
        (gradient,) = torch.autograd.grad(log_prob.sum() + entropy.sum(), logits)
        gradients.append(gradient)
        drawn = distribution.sample()
        assert legal[np.arange(300), drawn.numpy()].all()
    for one, other in zip(*found, strict=True):
        torch.testing.assert_close(one, other, atol=1e-5, rtol=1e-5)
    torch.testing.assert_close(*gradients, atol=1e-5, rtol=1e-5)
    free = _Distribution(30).proba_distribution(logits)
    free.apply_masking(None)
    torch.testing.assert_close(free.distribution.probs, torch.softmax(logits, dim=1))


def test_observations_are_scaled_by_their_bounds():
    box = spaces.Box(np.array([0, -4, 0], np.int8), np.array([2, 1, 0], np.int8), dtype=np.int8)
    trunk = Trunk(box, [])
    torch.testing.assert_close(trunk(torch.tensor([[2.0, -4.0, 0.0]])), torch.tensor([[1.0, -1.0, 0.0]]))
    assert trunk.features_dim == 3


def test_the_policy_has_the_layers_asked_for():
    box = spaces.Box(np.zeros(9, np.int8), np.ones(9, np.int8), dtype=np.int8)
    policy = BoardPolicy(box, spaces.Discrete(4), lambda _: 1e-3, **policy_keywords([8, 7], [6, 5], "tanh"))
    shapes = {name: tuple(tensor.shape) for name, tensor in policy.state_dict().items() if name.endswith("weight")}
    assert shapes["features_extractor.layers.0.weight"] == (8, 9)
    assert shapes["features_extractor.layers.2.weight"] == (7, 8)
    assert shapes["mlp_extractor.policy_net.2.weight"] == shapes["mlp_extractor.value_net.2.weight"] == (5, 6)
    assert shapes["action_net.weight"] == (4, 5)
    assert any(isinstance(layer, torch.nn.Tanh) for layer in policy.features_extractor.modules())
