"""Trains the table of verse vectors: moves each verse a little nearer to the texts that say in other words what it
says, and away from texts that say something else.

    /usr/bin/python3 train-verse-vectors.py FOLDER [--step 0.6] [--epochs 1] [--seed 1] [--sources a,b] [--out FILE]

FOLDER is what embed-pairs.mjs wrote. Each text is compared with its verses and with a sample of the others (softmax);
the gradient moves only these rows. The direction that all vectors of this model share is left as it is, so that no
verse becomes near to every query. No row moves further than --least allows: its cosine with what it was stays above
it. A part of the texts is held out: whole topics and named passages, and single sentences. The measured questions are
only reported. Writes the trained vectors into FOLDER.
"""
import argparse, json, time, zlib
import numpy as np, torch, torch.nn.functional as F

p = argparse.ArgumentParser()
p.add_argument("folder")
p.add_argument("--epochs", type=int, default=1)
p.add_argument("--step", type=float, default=.6)
p.add_argument("--least", type=float, default=.9955)
p.add_argument("--temperature", type=float, default=.02)
p.add_argument("--batch", type=int, default=256)
p.add_argument("--negatives", type=int, default=4096)
p.add_argument("--texts", type=int, default=54_700, help="the first texts of the file; the others are not read")
p.add_argument("--seed", type=int, default=1)
p.add_argument("--sources", default="henry,scofield,spurgeon,outline,name")
p.add_argument("--out", default="trained.f32")
a = p.parse_args()
torch.set_num_threads(1); torch.manual_seed(a.seed); rng = np.random.default_rng(a.seed)
load = lambda name, kind: np.fromfile(f"{a.folder}/{name}", kind)

start = F.normalize(torch.tensor(load("verses.i8", "i1").reshape(-1, 384).astype(np.float32)), dim=-1)
count = len(start)
queries = load("queries.f32", "f4"); queries = torch.tensor(queries[:len(queries) // 384 * 384].reshape(-1, 384)[:a.texts])
labels = json.load(open(f"{a.folder}/pairs.json"))[:len(queries)]  # embed-pairs.mjs may still be running
starts, rows, weights = load("starts.i32", "i4"), load("rows.i32", "i4"), load("weights.f32", "f4")
source = np.array([s for s, _ in labels])
held = np.array([zlib.crc32((s + g if s in ("topic", "name") else str(i)).encode()) % 12 == 0 for i, (s, g) in enumerate(labels)])
train = np.flatnonzero(~held & np.isin(source, a.sources.split(",")))
valid = rng.permutation(np.flatnonzero(held))[:1500]
measured = json.load(open(f"{a.folder}/measured.json"))
questions = torch.tensor(load("measured.f32", "f4").reshape(-1, 384))
bonus = torch.tensor(np.memmap(f"{a.folder}/bonus.f32", "f4", "r").reshape(-1, count)[:])
shared = F.normalize(start.mean(0) + queries.mean(0), dim=0)

def targets(at, column):
    """For each text the weights of its verses, which sum to 1. `column` has the column of each verse."""
    T = torch.zeros(len(at), int(column.max()) + 1)
    for k, i in enumerate(at):
        s = slice(starts[i], starts[i + 1])
        T[k, column[rows[s]].long()] = torch.tensor(weights[s] / weights[s].sum())
    return T

def aims(P, T):
    """Half of the aim of a text is the mean of its verses, the other half whichever of them is nearest already."""
    R = P * (T > 0)
    return .5 * T + .5 * R / R.sum(1, keepdim=True).clamp_min(1e-12)

def validate(V):
    total = {}
    for k in range(0, len(valid), 250):
        at = valid[k:k + 250]; lp = (queries[at] @ V.T / a.temperature).log_softmax(-1)
        for j, i in enumerate(at):
            s = slice(starts[i], starts[i + 1]); r = torch.tensor(rows[s]).long()
            total.setdefault(source[i], []).append(-float(lp[j, r].logsumexp(0)))
    return f"{np.mean(sum(total.values(), [])):.4f} " + " ".join(f"{n} {np.mean(v):.3f}" for n, v in sorted(total.items()))

def report(V):
    """nDCG@10, success@5 and success@1 of the measured questions, by group."""
    groups = {}; scores = (questions @ V.T + bonus).clamp(0, 1).numpy().round(4)
    for m, s in zip(measured, scores):
        near = np.flatnonzero(s >= np.partition(s, -10)[-10]); best = near[np.argsort(-s[near], kind="stable")][:10]; g = dict(m["grades"])
        gain = sum((2 ** g.get(int(r), 0) - 1) / np.log2(k + 2) for k, r in enumerate(best))
        ideal = sum((2 ** x - 1) / np.log2(k + 2) for k, x in enumerate(sorted(g.values(), reverse=True)[:10]))
        hit = [int(r) in g for r in best]; n = m["name"]
        if "languages" in n: n = " ".join(n.split(" ")[:2])
        groups.setdefault(n, []).append((gain / ideal if ideal else 0, any(hit[:5]), hit[0]))
    return " | ".join(f"{n} {x:.3f} {y:.2f} {z:.2f}" for n, (x, y, z) in ((n, np.mean(v, 0)) for n, v in groups.items()))

def hold(V):
    """Moves rows that went too far back towards their start."""
    change = V - start * (V * start).sum(-1, keepdim=True)
    most = (1 / a.least ** 2 - 1) ** .5
    length = change.norm(dim=-1, keepdim=True) / (V * start).sum(-1, keepdim=True)
    return F.normalize(start + change * (most / length.clamp_min(1e-9)).clamp_max(1), dim=-1)

if __name__ == "__main__":
    print(len(train), "texts to train, held out", validate(start)); print(report(start), flush=True)
    V = start.clone(); t0 = time.time(); steps = a.epochs * (len(train) // a.batch); done = 0
    for epoch in range(a.epochs):
        order = rng.permutation(train)
        for k in range(0, len(order) - a.batch + 1, a.batch):
            at = order[k:k + a.batch]
            own = np.unique(np.concatenate([rows[starts[i]:starts[i + 1]] for i in at]))
            index = np.concatenate([own, np.setdiff1d(rng.choice(count, a.negatives, False), own)])
            column = torch.full((count,), -1); column[index] = torch.arange(len(index))
            T = torch.zeros(len(at), len(index)); t = targets(at, column); T[:, :t.shape[1]] = t
            Q = queries[at]; P = (Q @ V[index].T / a.temperature).softmax(-1)
            Q = Q - (Q @ shared)[:, None] * shared
            V[index] = F.normalize(V[index] + a.step * (1 - done / steps) * (aims(P, T) - P).T @ Q, dim=-1)
            done += 1
            if done % 100 == 0: print(done, "of", steps, "steps", f"{time.time() - t0:.0f}s", flush=True)
        V = hold(V); cosines = (V * start).sum(-1)
        print("epoch", epoch + 1, f"mean cosine {cosines.mean():.4f} least {cosines.min():.4f} held out", validate(V)); print(report(V), flush=True)
    V.numpy().tofile(f"{a.folder}/{a.out}")
