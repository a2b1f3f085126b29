"""Every table and figure of the paper on data of one's own: `python -m waypost.paper list` names them."""
