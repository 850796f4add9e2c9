"""A small client of Laurel's archive. LAUREL is its address, TOKEN a token (only to push).

    archive_client.py at SHARD TIME          rows that are valid then, with their certainty
    archive_client.py diff SHARD FROM UNTIL  what changed in between
    archive_client.py follow SHARD [CURSOR]  changes since a cursor; each line has the next one
    archive_client.py push SHARD ROWS        a JSON list of rows, each with retrieved_at
"""
import json
import os
import sys
import urllib.parse
import urllib.request


def call(path, body=None, **query):
    """Asks Laurel and returns the answer's text."""
    address = os.environ.get("LAUREL", "http://127.0.0.1:8080") + "/api/v1/archive/" + path
    request = urllib.request.Request(address + "?" + urllib.parse.urlencode(query), body)
    if "TOKEN" in os.environ:
        request.add_header("Authorization", "Bearer " + os.environ["TOKEN"])
    with urllib.request.urlopen(request, timeout=60) as answer:
        return answer.read().decode()


def items(path, **query):
    """Yields all items of a list, part by part."""
    while True:
        part = json.loads(call(path, limit=500, **query))
        yield from part["items"]
        if not part["next"]:
            return
        query["cursor"] = part["next"]


def main(what, shard, *rest):
    if what == "at":
        for row in items(shard, at=rest[0]):
            print(row["certainty"], row["key"], row["data"])
    elif what == "diff":
        for d in items(shard + "/diff", **{"from": rest[0], "until": rest[1]}):
            print(d["change"], d["key"], d["from"] and d["from"]["data"], d["until"] and d["until"]["data"])
    elif what == "follow":
        print(call(shard + "/changes", cursor=rest[0] if rest else ""), end="")
    elif what == "push":
        print(json.loads(call(shard, rest[0].encode())))


if __name__ == "__main__":
    sys.exit(__doc__ if len(sys.argv) < 3 else main(*sys.argv[1:]))
