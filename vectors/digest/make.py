"""Makes definitions.json and offers.json beside it: python3 vectors/digest/make.py

Shares no code with Countersign: hashlib and json of the Python that runs it, and the rules of docs/format.md.
"""

import hashlib
import json
import math
import re
from pathlib import Path

HERE = Path(__file__).parent
COMMAND = "Made by `python3 vectors/digest/make.py`, which shares no code with Countersign."


class Number(str):
    pass


def read(text):
    return json.loads(text, parse_int=Number, parse_float=Number, object_pairs_hook=lambda pairs: pairs or {})


def canonical(value):
    if isinstance(value, Number):
        return number(value)
    if isinstance(value, str) or value is None or isinstance(value, bool):
        return json.dumps(value, ensure_ascii=False)
    if value == {}:
        return "{}"
    if isinstance(value, list) and value and isinstance(value[0], tuple):
        rows = sorted(value, key=lambda pair: pair[0].encode("utf-16-be"))
        return "{" + ",".join(json.dumps(key, ensure_ascii=False) + ":" + canonical(one) for key, one in rows) + "}"
    return "[" + ",".join(canonical(one) for one in value) + "]"


def parts(token):
    """The sign, the digits without zeros at either end, and the exponent of ten."""
    sign, whole, fraction, power = re.fullmatch(r"(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?", token).groups("")
    digits = (whole + fraction).lstrip("0")
    kept = digits.rstrip("0")
    return sign, kept, int(power or 0) - len(fraction) + len(digits) - len(kept)


def number(token):
    minus, kept, exponent = parts(token)
    if kept == "":
        return "0"
    nearest = float(token)
    if math.isinf(nearest) or parts(repr(nearest)) != (minus, kept, exponent):
        return f"{minus}{kept}e{exponent}"
    point = len(kept) + exponent  # ECMA-262, Number::toString: k = len(kept), n = point
    if exponent >= 0 and point <= 21:
        return minus + kept + "0" * exponent
    if 0 < point <= 21:
        return minus + kept[:point] + "." + kept[point:]
    if -6 < point <= 0:
        return minus + "0." + "0" * -point + kept
    return f"{minus}{kept[0]}{'.' if kept[1:] else ''}{kept[1:]}e{'+' if point > 0 else '-'}{abs(point - 1)}"


def digest(domain, text):
    return "cs1:sha256:" + hashlib.sha256(f"cs1:{domain}\n{text}".encode("utf-8")).hexdigest()


DEFINITIONS = [
    ("the smallest tool", "tool", r'{"name":"a","inputSchema":{}}'),
    ("the same object of another kind", "sampled-tool", r'{"name":"a","inputSchema":{}}'),
    ("the same object as a skill", "skill", r'{"name":"a","inputSchema":{}}'),
    (
        "a tool with everything, spelled oddly",
        "tool",
        "\t{ \"title\": \"Delete \\u0061 file\",\r\n \"name\" : \"delete_file\", \"description\": \"Deletes one file.\\nNever deletes a folder.\","
        r' "inputSchema": {"type":"object","required":["path"],"properties":{"path":{"type":"string","description":"Where \u2028 it is",'
        r'"maxLength":4.096E3},"10":{"default":-0},"2":{"examples":[1.0,1e-7,1e21,0.1,123456789012345678901234567890]}},'
        r'"additionalProperties":false}, "annotations":{"destructiveHint":true,"readOnlyHint":false},'
        r' "icons":[{"src":"data:image/svg+xml,\u003csvg/\u003e"}], "_meta":{"ui":{"resourceUri":"ui:\/\/a"},"":null} }',
    ),
    ("keys in the order of UTF-16 code units", "tool", '{"name":"a","inputSchema":{"properties":{"\ufb33":{},"\U0001f600":{},"\u20ac":{},"\\r":{},"1":{},"__proto__":{},"":{}}}}'),
    ("numbers that a double cannot hold", "tool", r'{"name":"a","inputSchema":{"properties":{"n":{"enum":[9007199254740993,9007199254740992,1e400,5e-325,0.10000000000000000555]}}}}'),
    ("a composed letter", "tool", '{"name":"a","description":"\u00e5","inputSchema":{}}'),
    ("the same letter decomposed", "tool", '{"name":"a","description":"a\u030a","inputSchema":{}}'),
    ("controls and the separators that JavaScript once split lines at", "tool", r'{"name":"a","description":"\b\t\n\f\r\u0000\u001b\u007f\u0085\u2028\u2029\"\\\/","inputSchema":{}}'),
    ("a prompt", "prompt", r'{"name":"summarize","description":"Summarizes a text.","arguments":[{"name":"text","required":true},{"name":"length","description":"In words."}]}'),
    ("a resource", "resource", r'{"uri":"file:///a","name":"a","mimeType":"text/plain","size":1024,"annotations":{"audience":["user"],"priority":0.5,"lastModified":"2026-01-02T03:04:05Z"}}'),
    ("a template", "template", r'{"uriTemplate":"file:///{path}","name":"files","title":"Files"}'),
    ("instructions", "instructions", r'"Read before you write.\n\ud83d\ude00"'),
    ("a server", "server", r'{"serverInfo":{"name":"files","version":"1.0.0"},"capabilities":{"tools":{"listChanged":true},"experimental":{}}}'),
    ("a skill", "skill", r'{"name":"tidy","description":"Tidies up.","allowed-tools":["read_file","delete_file"]}'),
    ("a launch", "launch", r'{"command":"/usr/bin/node","args":["server.js"],"env":["PATH"]}'),
]

digests = {}
cases = []
for note, kind, text in DEFINITIONS:
    form = canonical(read(text))
    digests[note] = (kind, digest(kind, form))
    cases.append({"note": note, "kind": kind, "input": text, "canonical": form, "digest": digest(kind, form)})


def of(note, name):
    kind, received = digests[note]
    return [kind, name, received]


OFFERS = [
    ("nothing", []),
    ("one tool", [of("the smallest tool", "a")]),
    ("the same definition under another name is another offer", [of("the smallest tool", "b")]),
    ("rows come in any order", [of("a prompt", "summarize"), of("the smallest tool", "b"), of("a composed letter", "a"), of("instructions", "instructions")]),
    ("and still have one digest", [of("instructions", "instructions"), of("a composed letter", "a"), of("the smallest tool", "b"), of("a prompt", "summarize")]),
    ("names are sorted by UTF-16 code units", [of("the smallest tool", name) for name in ["\ufb33", "\U0001f600", "\u20ac", "a", "A", "aa", "", "__proto__", "constructor", "10", "2"]]),
    ("names with quotes, line feeds and controls", [of("the smallest tool", name) for name in ['"', "\\", "\n", "\x00", "a,b", '"],["tool"']]),
    ("one name twice, sorted by digest", [of("the same letter decomposed", "a"), of("a composed letter", "a"), of("the smallest tool", "a")]),
]

utf16 = lambda row: [field.encode("utf-16-be") for field in row]
offers = [
    {"note": note, "rows": rows, "digest": digest("offer", json.dumps(sorted(rows, key=utf16), ensure_ascii=False, separators=(",", ":")))}
    for note, rows in OFFERS
]


def write(name, note, cases):
    rows = ",\n".join("    " + json.dumps(case) for case in cases)
    (HERE / name).write_text(f'{{\n  "note": {json.dumps(note)},\n  "cases": [\n{rows}\n  ]\n}}\n', encoding="utf-8")


write("definitions.json", f"The digest of one definition: docs/format.md, section 3. {COMMAND}", cases)
write("offers.json", f"The digest of an offer, from rows of kind, name and `received` digest: docs/format.md, section 4. {COMMAND}", offers)
