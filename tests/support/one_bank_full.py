"""A memory system by words in common that refuses what goes into one bank, told by its number."""

import json
import re
import sys

REFUSED = int(sys.argv[1])
banks: dict[str, list[dict]] = {}


def words(text):
    return set(re.findall(r"\w+", text.lower()))


def act(asked):
    verb, bank = asked["verb"], asked.get("bank")
    if verb == "describe":
        return {"protocol": 1, "name": "one bank full", "version": "1", "optional": ["dump"]}
    if verb == "reset":
        banks[bank] = []
    elif verb == "ingest":
        if list(banks).index(bank) + 1 == REFUSED:
            raise ValueError(f"bank {REFUSED} is full")
        banks[bank] += [{"text": e["text"], "sources": [e["id"]]} for e in asked["events"]]
        return {"accepted": len(asked["events"])}
    elif verb == "settle":
        return {"ready": True}
    elif verb == "recall":
        wanted = words(asked["query"])
        ranked = sorted(banks[bank], key=lambda item: -len(wanted & words(item["text"])))
        return {"items": ranked[: asked["k"]]}
    elif verb == "dump":
        return {"items": banks[bank]}
    elif verb not in ("usage", "close"):
        raise ValueError(f"unknown verb {verb!r}")
    return {}


if __name__ == "__main__":
    for line in sys.stdin:
        try:
            reply = act(json.loads(line))
        except Exception as error:
            reply = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(reply), flush=True)
