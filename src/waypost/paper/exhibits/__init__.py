"""One file a table or figure: what the paper claims, the numbers it prints, and which cells measure the same here."""
