"""Measurements: `python -m waypost.bench.core` sets the core beside its targets, as docs/benchmarks.md keeps them."""
