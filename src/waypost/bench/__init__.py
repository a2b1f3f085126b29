"""Measurements, as docs/benchmarks.md keeps them: `python -m waypost.bench.core` sets the core beside its targets,
`python -m waypost.bench.against` waypost beside the other libraries, and `python -m waypost.bench.at_scale` goes from
ten thousand items to ten million."""
