"""The union of an ip-NSW and a Moebius graph: a quarter of the places first to the one, then as they come."""

from __future__ import annotations

from reference import Lists


def united(products: Lists, images: Lists, degree: int) -> Lists:
    """`products` are the lists of ip-NSW, `images` those of Moebius."""
    share = -(-degree // 4)
    every = zip(products, images, strict=True)
    return [list(dict.fromkeys([*near[:share], *image, *near[share:]]))[:degree] for near, image in every]
