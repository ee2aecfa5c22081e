import numpy as np
import pytest

from hopenvs.agents.sparse import product, weight_gradient


@pytest.fixture
def some():
    """A mostly empty x [n, D], a weight [D, W], a bias [W] and slopes [n, W]."""
    chooser = np.random.default_rng(0)
    x = np.where(chooser.random((300, 90)) < 0.05, chooser.random((300, 90)), 0).astype(np.float32)
    return x, *(chooser.standard_normal(shape).astype(np.float32) for shape in ((90, 130), (130,), (300, 130)))


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_the_product_is_the_dense_one(some, threads):
    x, weight, bias, _ = some
    found = product(x, weight, bias, threads)
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, x @ weight + bias, atol=1e-5)
    np.testing.assert_array_equal(found, product(x, weight, bias))
    np.testing.assert_array_equal(found[7:9], product(x[7:9], weight, bias))
    assert product(x[:0], weight, bias).shape == (0, 130)


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_the_gradient_is_the_dense_one(some, threads):
    x, _, _, slope = some
    found = weight_gradient(x, slope, threads)
    np.testing.assert_allclose(found, x.T @ slope, atol=1e-4)
    np.testing.assert_array_equal(found, weight_gradient(x, slope))
