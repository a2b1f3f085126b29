"""Why a claim holds or does not, as far as we can tell: written by hand, after the numbers."""

ABOVE_UNLEARNED = """
The agent gains where the unlearned search has far to go: on Moebius from a random entry, and where the budget is
small. Where the unlearned search finds nearly all that the graph lets it reach, routing has nothing left to win, and
answers in the order of the learned vectors lose: what routes well does not rank well. Re-ranking mends the order, but
takes 16 to 64 products from the walk, which is dear at 128. Where the ranking is not counted only the walks are
compared, and learned walks see more of the answers. The print, which has the agent ahead everywhere, agrees best with
that count.
"""

LARGEST_GAINS = """
On Moebius the gain is by far the largest, as printed. Our IPDG graphs leave answers out of reach of the entry
(`reachable` in the cells), and the unlearned search is close to that ceiling at small budgets already, so that there
is little for an agent to gain; the paper's unlearned search on IPDG is far from its ceiling (.354 at 256 and .717 at
512 on MovieLens).
"""

GROUND_TRUTH = """
Labels help most with the order of the answers: the shaping pulls the target's vector up, so the differences shrink
where answers are re-ranked. Approximate labels name what the unlearned search finds anyway, and teach the agent to
find it, too.
"""

ABLATIONS = """
As printed where the agent begins from random weights and answers in its own order. An agent that begins as the
unlearned search has less to lose, and exact ranking hides most of what is left: it is the order of the answers that
suffers, more than the walks.
"""
