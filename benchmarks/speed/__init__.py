"""The parts of `benchmarks/peers.py`: who is measured, how, and what is told of it."""
