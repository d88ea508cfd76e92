"""Writes a trained question adapter into model.onnx and model.onnx_data, in place of the one that they have.

    python3 replace-question-adapter.py FOLDER/adapter.pt [FACTOR]

FACTOR (1 by default) is how far to go from the present adapter to the trained one. Sizes and the graph stay as they
are. Also writes the vectors of golden-questions.json, and prints the new id for built-in.ts. LECTERN names the clone.
"""
import hashlib, json, sys
import numpy as np, onnx, torch
from e5_from_onnx import *

path, factor = sys.argv[1], float(sys.argv[2]) if len(sys.argv) > 2 else 1.
trained = torch.load(path); model = E5(load()); present = [x.detach() for x in add_adapter(model)]
graph = onnx.load(P + "model.onnx", load_external_data=False); tensors = {t.name: t for t in graph.graph.initializer}
data = bytearray(open(P + "model.onnx_data", "rb").read())

def write(name, values):
    raw = values.numpy().astype("<f2").tobytes(); tensor = tensors[name]
    if tensor.data_location == 1:
        at = {e.key: e.value for e in tensor.external_data}; assert int(at["length"]) == len(raw)
        data[int(at.get("offset", 0)):int(at.get("offset", 0)) + len(raw)] = raw
    else:
        assert len(tensor.raw_data) == len(raw); tensor.raw_data = raw

for n, (layer, name) in enumerate(adapted):
    (A0, B0, b0), (A1, B1, b1) = present[3 * n:3 * n + 3], trained[3 * n:3 * n + 3]
    torch.set_num_threads(1); U, S, W = torch.linalg.svd((1 - factor) * (A0 @ B0) + factor * (A1 @ B1), full_matrices=False); rank = A0.shape[1]
    for part, values in (("A16", U[:, :rank]), ("B16", S[:rank, None] * W[:rank]), ("db16", (1 - factor) * b0 + factor * b1)):
        write(f"l{layer}.{name}.{part}", values)
onnx.save(graph, P + "model.onnx"); open(P + "model.onnx_data", "wb").write(data)

model = E5(load()); add_adapter(model)
golden = json.load(open(P + "golden-questions.json"))
for each, vector in zip(golden, encode(model, [g["ids"] for g in golden])): each["vector"] = [round(float(x), 6) for x in vector]
json.dump(golden, open(P + "golden-questions.json", "w"), ensure_ascii=False, separators=(",", ":"))
digest = hashlib.sha256()
for name in ("model.onnx", "model.onnx_data", "tokenizer.json"): digest.update(open(P + name, "rb").read())
print("multilingual-e5-small-q4-" + digest.hexdigest()[:8])
