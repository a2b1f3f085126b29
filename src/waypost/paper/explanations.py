"""Why a claim holds or does not, as far as we can tell: written by hand, after the numbers."""

ABOVE_UNLEARNED = """
The agent gains where the unlearned search has far to go: by tens of points on Moebius from a random entry, and on
gowalla's ip-NSW, where much is out of reach. Where the unlearned search finds nearly all that it can reach (npm_deps,
polimi2022_tv), routing has little left to win, and answers in the order of the learned vectors lose: what routes well
does not rank well. Re-ranking mends the order, but takes 16 to 64 products from the walk, which is dear at 128. Where
the ranking is not counted only the walks are compared, and those of the agent are the better ones nearly everywhere.
The print, which has the agent ahead in all cells, agrees best with that count.
"""

LARGEST_GAINS = """
From a random entry the gain on Moebius is by far the largest, as printed. From the largest norm it is small: the
unlearned search on Moebius finds .92 to .97 of the answers at 256 then, and on gowalla ip-NSW, where it finds .58, has
more to gain. That the paper's unlearned search on Moebius is so much lower suggests that its walks start elsewhere. On
IPDG the gain is small: the unlearned search comes close to what can be reached at all (column "reachable" of Table 3)
at small budgets already. The paper's unlearned search on IPDG is far from such a ceiling (.354 at 256 and .717 at 512
on MovieLens).
"""

ILTR = """
In the order of the learned vectors the agent is above ILTR, as printed, on polimi2022_tv by far. But that is a matter
of order, not of routes: ILTR's lessons say which vertex leads to the answer and nothing of which vertex is the best,
whereas the reward by inner products keeps the learned vectors near the items' own order. Once the best visited are
scored exactly, ILTR is ahead, even at 5%: its lessons are about the frontier of the very search that will be used, not
about sampled paths. `TrainConfig.preset("frontier")` has the agent choose from that frontier, too (see training.md).
"""

LITTLE_TRUTH = """
On polimi2022_tv the lead in the agent's own order grows as printed. On gowalla the agent lives on the shaping: with 5%
of truth it finds little more than without any, since most of its training queries have the inner product for their
only reward, while ILTR, which learns from labelled queries alone, is nearly as good with 5% as with 30%: 1,194 of
gowalla's 23,888 training queries seem to be enough for it.
"""

GROUND_TRUTH = """
Labels help most with the order of the answers: the shaping pulls the target's vector up, so the differences shrink
where answers are re-ranked. Approximate labels are few and right for the most part; that they are given to all
training queries moves the vectors farther, which costs order and gains reach.
"""

EMBEDDING = """
An agent of another width starts from random weights and a random rotation of the queries, and both have to be learned
together; the plain agent, with which it is compared, has the first of the two problems as well. In the order of the
learned vectors not to embed is best, though by less than printed. Re-ranked, recall falls as d' grows, since the
budget falls with it; d' = 64, whose products are cheaper, so that it has 288 of them, can then be ahead. What the
residual start is worth (the last rows) is more than any of this.
"""

GRAPHS = """
The graph bounds what an agent can reach; ip-NSW is the only one of the three that is built by the similarity that is
searched by. Training helps on cos-NSW all the same: the agent finds twice what the unlearned search finds on gowalla,
and from a random entry seven times as much on polimi2022_tv.
"""

ABLATIONS = """
As printed where the agent begins from random weights and answers in its own order. An agent that begins as the
unlearned search has less to lose, and exact ranking hides most of what is left: it is the order of the answers that
suffers, more than the walks. Re-ranked, shaping alone even routes better than the whole reward.
"""

HYPER_PARAMETERS = """
Here it is tau: the lower it is, the nearer an agent that starts as the unlearned search stays to it, and the better its
own order ranks. alpha moves recall by three to four hundredths at most, with the best value inside the range, as
printed. The paper's agents start from random weights, and what reaches the targets then is mostly the shaping, which
alpha weighs.
"""

TRAINING_IPC = """
Re-ranked, recall is flat from an IPC of 64 or 128 on. In the order of the learned vectors, from the largest norm, short
walks on polimi2022_tv rank a little better: less was learned, and it is the items' own order that ranks best.
"""

SPEED = """
From a random entry, where the unlearned search loses most of its budget on the way, the agent answers several times the
queries. From the largest norm there is little way to lose; in their own order the agent's answers do not come to the
recalls that the unlearned search has, and re-ranked they are quicker where the re-rank is a small part of the budget.
"""
