"""From ratings to items and queries: factorise, then split the users."""
