"""Answers one question a line with hubmesh for Python: `{question, names, vector, topK, budget}` in, `{ms}` out; `{passages, nodes, edges}` first.

python ask.py ROOT CORPUS IDENTITY, ROOT a folder that `exportPythonTo` wrote. Names come with the question, so that reading them costs nothing here; the
vector is at hand, too. What is timed is `Planner.retrieve` alone.
"""
import json
import sys
import time
from types import SimpleNamespace

import numpy as np
from hubmesh.corpus import CorpusManager

root, corpus, identity = sys.argv[1:4]
names: list[str] = []


def given_names(text: str) -> SimpleNamespace:
    """Stands where spaCy's pipeline would: the names that came with the question, of a kind that hubmesh takes."""
    return SimpleNamespace(ents=[SimpleNamespace(text=name, label_="PERSON") for name in names])


manager = CorpusManager(root=root, embed=lambda text: None, embed_identity=identity, nlp=given_names)
planner = manager.planner(corpus)
print(json.dumps({"passages": len(planner.store.all_ids()), "nodes": planner.kg.graph.number_of_nodes(), "edges": planner.kg.graph.number_of_edges()}), flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    names[:] = asked["names"]
    vector = np.array(asked["vector"], dtype=np.float32)
    start = time.perf_counter()
    answer = planner.retrieve(query=asked["question"], query_vec=vector, top_k=asked["topK"], budget_tokens=asked["budget"])
    ms = (time.perf_counter() - start) * 1000
    print(json.dumps({"ms": ms, "sources": len(answer.sources)}), flush=True)
