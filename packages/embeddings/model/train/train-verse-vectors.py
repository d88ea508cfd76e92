"""Trains the table of verse vectors: moves each verse a little nearer to the texts that say in other words what it
says, and away from texts that say something else.

    python3 train-verse-vectors.py FOLDER [--step 0.9] [--seeds 3] [--least 0.9955] [--out FILE]

FOLDER is what embed-pairs.mjs wrote. Each text is compared with its verses and with a sample of the others (softmax);
the gradient moves only these rows. For the phrases of topics the verses shall stay as near as they were, so that
queries about topics find what they found. The direction that all vectors of this model share is left as it is, so
that no verse becomes near to every query. The result is the mean of several runs, each in another random order. No
row moves further than --least allows: its cosine with what it was stays above it. Writes the trained vectors
into FOLDER; bench/search-quality/evaluate-search-quality.mjs measures them, once they are in the package.
"""
import argparse, json, time
import numpy as np

p = argparse.ArgumentParser()
p.add_argument("folder")
p.add_argument("--step", type=float, default=.9)
p.add_argument("--seeds", type=int, default=3)
p.add_argument("--least", type=float, default=.9955)
p.add_argument("--temperature", type=float, default=.02)
p.add_argument("--batch", type=int, default=256)
p.add_argument("--negatives", type=int, default=4096)
p.add_argument("--out", default="trained.f32")
a = p.parse_args()
load = lambda name, kind: np.fromfile(f"{a.folder}/{name}", kind)
unit = lambda X: X / np.linalg.norm(X, axis=-1, keepdims=True)

# A name says all of its passage; a sentence of a commentary often says something else.
importance = {"name": 1, "outline": 1, "topic": 1, "henry": .5, "scofield": .5, "spurgeon": .3}
start = unit(load("verses.i8", "i1").reshape(-1, 384).astype("f4"))
count = len(start)
queries = load("queries.f32", "f4").reshape(-1, 384)
sources = json.load(open(f"{a.folder}/pairs.json"))
importances = np.array([importance[source] for source in sources], "f4")
is_topic = np.array([source == "topic" for source in sources])
starts, rows, weights = load("starts.i32", "i4"), load("rows.i32", "i4"), load("weights.f32", "f4")
shared = unit(start.mean(0) + queries.mean(0))

def softmax(X):
    X = np.exp((X - X.max(1, keepdims=True)) / a.temperature)
    return X / X.sum(1, keepdims=True)

def targets(at, own, size):
    """For each text the weights of its verses, which sum to 1. `own` has the rows of the first columns, sorted."""
    entries = np.concatenate([np.arange(starts[i], starts[i + 1]) for i in at])
    T = np.zeros((len(at), size), "f4")
    T[np.repeat(np.arange(len(at)), starts[at + 1] - starts[at]), np.searchsorted(own, rows[entries])] = weights[entries]
    return T / T.sum(1, keepdims=True)

def aims(P, T):
    """Half of the aim of a text is the mean of its verses, the other half whichever of them is nearest already."""
    R = P * (T > 0)
    return .5 * T + .5 * R / np.maximum(R.sum(1, keepdims=True), 1e-12)

def hold(V):
    """Moves rows that went too far back towards their start."""
    along = (V * start).sum(-1, keepdims=True)
    change = V / along - start
    most = (1 / a.least ** 2 - 1) ** .5
    return unit(start + change * np.minimum(1, most / np.maximum(np.linalg.norm(change, axis=-1, keepdims=True), 1e-9)))

def train(seed):
    rng = np.random.default_rng(seed); V = start.copy(); order = rng.permutation(len(queries)); steps = len(order) // a.batch
    for step in range(steps):
        at = order[step * a.batch:(step + 1) * a.batch]
        own = np.unique(np.concatenate([rows[starts[i]:starts[i + 1]] for i in at]))
        index = np.concatenate([own, np.setdiff1d(rng.choice(count, a.negatives, False), own)])
        Q = queries[at]; P = softmax(Q @ V[index].T); A = aims(P, targets(at, own, len(index)))
        A[is_topic[at]] = softmax(Q[is_topic[at]] @ start[index].T)
        Q = Q - (Q @ shared)[:, None] * shared
        V[index] = unit(V[index] + a.step * (1 - step / steps) * ((A - P) * importances[at][:, None]).T @ Q)
    return hold(V)

if __name__ == "__main__":
    print(len(queries), "texts:", {s: sources.count(s) for s in importance})
    V = 0; t0 = time.time()
    for seed in range(1, a.seeds + 1): V = V + train(seed); print("run", seed, f"{time.time() - t0:.0f}s", flush=True)
    V = unit(V); cosines = (V * start).sum(-1)
    print(f"mean cosine {cosines.mean():.4f} least {cosines.min():.4f}")
    V.tofile(f"{a.folder}/{a.out}")
