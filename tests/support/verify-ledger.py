"""Checks the files of a public ledger, with Python's standard library alone.

    python3 verify-ledger.py <folder> <name+id+key> [--seen <lines>:<letters>] [<key of a witness> ...]

What a mail says of the ledger stands behind --seen: `24:AbCdEfGh`. Prints the size, the root and the balances as JSON and ends with 0, or says what is wrong and ends with 1. Written from the
specifications (RFC 6962, RFC 8032, C2SP's signed-note, tlog-checkpoint and tlog-tiles) and from docs/public-ledger.md, not from
the product's code.
"""

import base64
import hashlib
import json
import os
import re
import sys
from datetime import date

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P


class Fault(Exception):
    pass


def must(truth, *words):
    if not truth:
        raise Fault(" ".join(str(word) for word in words))


# Ed25519 (RFC 8032, section 5.1), in extended coordinates.


def point_add(p, q):
    a = (p[1] - p[0]) * (q[1] - q[0]) % P
    b = (p[1] + p[0]) * (q[1] + q[0]) % P
    c = 2 * p[3] * q[3] * D % P
    d = 2 * p[2] * q[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return (e * f % P, g * h % P, f * g % P, e * h % P)


def point_mul(scalar, point):
    result = (0, 1, 1, 0)
    while scalar > 0:
        if scalar & 1:
            result = point_add(result, point)
        point = point_add(point, point)
        scalar >>= 1
    return result


def point_equal(p, q):
    return (p[0] * q[2] - q[0] * p[2]) % P == 0 and (p[1] * q[2] - q[1] * p[2]) % P == 0


def recover_x(y, sign):
    must(y < P, "a point is not on the curve")
    x2 = (y * y - 1) * pow(D * y * y + 1, P - 2, P)
    x = pow(x2, (P + 3) // 8, P)
    if (x * x - x2) % P != 0:
        x = x * pow(2, (P - 1) // 4, P) % P
    must((x * x - x2) % P == 0, "a point is not on the curve")
    must(not (x == 0 and sign), "a point is not on the curve")
    return P - x if x & 1 != sign else x


def decode_point(data):
    y = int.from_bytes(data, "little")
    sign = y >> 255
    y &= (1 << 255) - 1
    x = recover_x(y, sign)
    return (x, y, 1, x * y % P)


BASE_Y = 4 * pow(5, P - 2, P) % P
BASE_X = recover_x(BASE_Y, 0)
BASE = (BASE_X, BASE_Y, 1, BASE_X * BASE_Y % P)


def signature_fits(public, message, signature):
    if len(signature) != 64:
        return False
    s = int.from_bytes(signature[32:], "little")
    if s >= L:
        return False
    a, r = decode_point(public), decode_point(signature[:32])
    h = int.from_bytes(hashlib.sha512(signature[:32] + public + message).digest(), "little") % L
    return point_equal(point_mul(s, BASE), point_add(r, point_mul(h, a)))


# The tree (RFC 6962, section 2.1).


def leaf_hash(entry):
    return hashlib.sha256(b"\0" + entry).digest()


def tree_hash(hashes):
    if not hashes:
        return hashlib.sha256(b"").digest()
    level = list(hashes)
    # Pairs from the left; one without a sibling goes up as it is, which is the split at the largest power of two.
    while len(level) > 1:
        pairs = [
            hashlib.sha256(b"\1" + level[n] + level[n + 1]).digest() for n in range(0, len(level) - 1, 2)
        ]
        level = pairs + ([level[-1]] if len(level) % 2 else [])
    return level[0]


def base64_strict(text):
    try:
        data = base64.b64decode(text, validate=True)
    except ValueError:
        raise Fault("not base64:", text)
    must(base64.b64encode(data).decode() == text, "not base64:", text)
    return data


def read_key(key, kind):
    name, key_id, encoded = key.split("+", 2)
    public = base64_strict(encoded)
    must(public[0] == kind and len(public) == 33, "not such an Ed25519 key")
    expected = hashlib.sha256(name.encode() + b"\n" + public).digest()[:4]
    must(expected.hex() == key_id, "the key's id does not fit")
    return name, expected, public[1:]


def split_note(data):
    note = data.decode("utf-8")
    must(not re.search(r"[\x00-\x09\x0b-\x1f]", note) and note.endswith("\n"), "checkpoint: malformed")
    head, separator, tail = note.rpartition("\n\n")
    must(separator, "checkpoint: no signature")
    return head + "\n", tail


def read_head(text):
    lines = text.split("\n")
    must(len(lines) == 4 and lines[3] == "", "checkpoint: other lines")
    must(re.fullmatch(r"0|[1-9][0-9]*", lines[1]), "checkpoint: no size")
    root = base64_strict(lines[2])
    must(len(root) == 32, "checkpoint: no root")
    return lines[0], int(lines[1]), root


def key_after(key, statements):
    """The key that signs now: each key of the log has signed for its next one, at that place in the log."""
    current, named = None, set()
    for index, root, statement in statements:
        _, old, new, signature, *why = statement
        must(current is None or old == current, "a key is named by another than the last one")
        must(new not in named, "a key that was replaced comes again")
        read_key(new, 1)
        lines = ["public-ledger-key/v1", old, new, str(index), base64.b64encode(root).decode()] + [str(each) for each in why]
        message = "".join(line + "\n" for line in lines).encode()
        must(signature_fits(read_key(old, 1)[2], message, base64_strict(signature)), "the old key has not signed")
        named.update((old, new))
        current = new
    must(current is None or key in named, "checkpoint: not signed by the key")
    return current or key


def read_signatures(data, key, witnesses):
    name, expected, public = read_key(key, 1)
    known = [read_key(each, 4) for each in witnesses]
    text, tail = split_note(data)
    signed, seen_by = False, []
    for line in tail[:-1].split("\n"):
        parts = line.split(" ")
        must(len(parts) == 3 and parts[0] == "\u2014" and parts[1], "checkpoint: a malformed signature")
        signature = base64_strict(parts[2])
        for witness, witness_id, witness_key in known:
            if parts[1] == witness and signature[:4] == witness_id:
                seconds = int.from_bytes(signature[4:12], "big")
                message = "cosignature/v1\ntime %d\n%s" % (seconds, text)
                fits = seconds > 0 and signature_fits(witness_key, message.encode(), signature[12:])
                must(fits, "checkpoint: the signature of a witness does not fit")
                seen_by.append(witness)
        if parts[1] != name or signature[:4] != expected:
            continue
        must(signature_fits(public, text.encode(), signature[4:]), "checkpoint: the signature does not fit")
        signed = True
    must(signed, "checkpoint: not signed by the key")
    must(text.split("\n")[0] == name, "checkpoint: of another log")
    return seen_by


def tile_path(level, index, width):
    groups = []
    rest = index
    while True:
        groups.insert(0, "%03d" % (rest % 1000))
        rest //= 1000
        if rest == 0:
            break
    place = "/".join(["x" + group for group in groups[:-1]] + groups[-1:])
    return "tile/%s/%s%s" % (level, place, "" if width == 256 else ".p/%d" % width)


CAUSES = "sale claim given announced auto payout paid received fee refund loss bank note".split()
CURRENCIES = "EUR USD CAD GBP".split()


def read_leaf(entry):
    text = entry.decode("utf-8")
    leaf = json.loads(text)
    must(type(leaf) is list and len(leaf) in (6, 7) and leaf[0] == 1, "a leaf of another form")
    must(json.dumps(leaf, ensure_ascii=False, separators=(",", ":")) == text, "a leaf spelt another way")
    _, day, cause, currency, amounts, proof = leaf[:6]
    must(date.fromisoformat(day).isoformat() == day, "a leaf without a day")
    must(cause in CAUSES and currency in CURRENCIES, "a leaf with an unknown word")
    accounts = [account for account, _ in amounts]
    must(accounts == sorted(set(accounts)), "a leaf whose accounts are not sorted")
    must(all(type(amount) is int and amount != 0 for _, amount in amounts), "a leaf with an amount that is none")
    must(sum(amount for _, amount in amounts) == 0, "a leaf that does not sum to zero")
    if type(proof) is str:
        must(re.fullmatch(r"[0-9a-f]{40}", proof) and cause != "given", "a leaf without a blind")
        proofs = [proof]
    else:
        must(proof and proof == sorted(set(proof)), "a leaf without commitments")
        must(all(re.fullmatch(r"[0-9a-f]{64}", each) for each in proof), "a leaf without commitments")
        proofs = proof
    said = leaf[6] if len(leaf) == 7 else None
    must(said is None or cause in ("auto", "announced", "note", "received"), "a draw of something else")
    must(cause == "auto" or said is not None or cause not in ("announced", "note", "received"), "a leaf that says nothing")
    must(cause != "announced" or amounts == [], "an announcement of nothing")
    must(cause not in ("note", "received") or (amounts == [] and type(proof) is str), "a statement that moves money")
    if cause == "note":
        must(said[0] == "key" and len(said) in (4, 7) and said[6:] in ([], ["restored"]), "a note that says nothing")
    if cause == "received":
        line, ngo, year, amount, receipts = said
        must(type(line) is int and type(amount) is int and amount != 0, "a confirmation that says nothing")
        must(receipts == sorted(set(receipts)), "receipts that are not sorted")
        must(all(re.fullmatch(r"[0-9a-f]{64}", each) for each in receipts), "receipts that are none")
    return currency, amounts, proofs, day, cause, said


# The draws of unused cards, as docs/public-ledger.md says. Whether drand's network has signed the value (BLS12-381) is left to
# the product's own checks; everything that follows from the value is computed here.


def drawn_place(seed, blind, count, gone):
    digest = hashlib.sha256(seed + bytes.fromhex(blind)).digest()
    while True:
        number = int.from_bytes(digest[:6], "big")
        if number < 2**48 - 2**48 % count and number % count not in gone:
            return number % count
        digest = hashlib.sha256(digest).digest()


def midnight(day):
    return (date.fromisoformat(day) - date(1970, 1, 1)).days * 86400


def check_draw(lines, index, first_in):
    _, amounts, proofs, day, _, draw = lines[index]
    if draw is None or draw[0] == "buyer":
        return "buyer" if draw else "unknown"
    if draw[0] == "chance":
        must(proofs[0] not in first_in, "line", index, "was announced, and drawn in another way")
        return "chance"
    kind, announcement, place = draw[:3]
    gone = draw[-1]
    must(kind in ("drand", "witness") and announcement < index, "line", index, "names no announcement")
    must(lines[announcement][4] == "announced", "line", index, "names no announcement")
    announced_on, terms = lines[announcement][3], lines[announcement][5]
    candidates, blinds = terms[-2:]
    must(terms[0] == kind and proofs[0] in blinds, "line", index, "was not announced there")
    must(first_in[proofs[0]] == announcement, "line", index, "was announced before")
    if kind == "drand":
        (_, period, genesis, _, _), chosen_round = terms[1:3]
        comes = genesis + (chosen_round - 1) * period
        must(comes >= midnight(announced_on) + 2 * 86400, "line", index, "is of a value that came too soon")
        must(midnight(day) >= comes // 86400 * 86400, "line", index, "is from before its value")
        seed = hashlib.sha256(bytes.fromhex(draw[3])).digest()
    else:
        secret, size, cosignature = draw[3:6]
        must(hashlib.sha256(bytes.fromhex(secret)).hexdigest() == terms[1], "line", index, "has another secret")
        must(size > announcement, "line", index, "is of a head from before")
        seed = hashlib.sha256(bytes.fromhex(secret + cosignature)).digest()
    must(len(gone) < len(candidates), "line", index, "leaves nobody")
    must(drawn_place(seed, proofs[0], len(candidates), gone) == place, "line", index, "has another place")
    to = [account for account, _ in amounts if account.startswith("ngo:")]
    must(to == ["ngo:" + candidates[place]], "line", index, "goes to another organisation")
    return kind


def check_draws(lines):
    first_in, counts = {}, {}
    for index, (_, _, _, _, cause, terms) in enumerate(lines):
        if cause == "announced":
            for blind in terms[-1]:
                first_in.setdefault(blind, index)
    for index, line in enumerate(lines):
        if line[4] == "auto":
            how = check_draw(lines, index, first_in)
            counts[how] = counts.get(how, 0) + 1
    return counts


def entries_of(data, width):
    entries, at = [], 0
    for _ in range(width):
        must(at + 2 <= len(data), "entries are missing")
        length = int.from_bytes(data[at : at + 2], "big")
        must(at + 2 + length <= len(data), "an entry is cut off")
        entries.append(data[at + 2 : at + 2 + length])
        at += 2 + length
    must(at == len(data), "more entries than there are leaves")
    return entries


def widths(count):
    return [256] * (count // 256) + ([count % 256] if count % 256 else [])


def verify(folder, key, witnesses, seen_before=None):
    def read(path):
        try:
            with open(os.path.join(folder, path), "rb") as file:
                return file.read()
        except FileNotFoundError:
            raise Fault(path, "is missing")

    _, size, root = read_head(split_note(read("checkpoint"))[0])
    looked_at = {"checkpoint"}
    hashes, seen, sums, lines = [], set(), {}, []
    statements, payouts, confirmed = [], {}, {}
    for index, width in enumerate(widths(size)):
        path = tile_path("entries", index, width)
        looked_at.add(path)
        for entry in entries_of(read(path), width):
            leaf = read_leaf(entry)
            currency, amounts, proofs, day, cause, said = leaf
            lines.append(leaf)
            if cause == "note":
                statements.append((len(hashes), tree_hash(hashes), said))
            if cause == "payout":
                payouts[len(hashes) + 1] = [currency, day[:4], [each for each in amounts if each[0].startswith("ngo:")]]
            if cause == "received":
                line, ngo, year, amount, _ = said
                must(payouts.get(line) == [currency, year, [["ngo:" + ngo, -abs(amount)]]], path, "confirms no payout")
                before = confirmed.get(line, 0)
                must(amount > 0 if before == 0 else amount == -before, path, "confirms a payout twice")
                confirmed[line] = before + amount
            must(not seen.intersection(proofs), path, "has an entry twice")
            seen.update(proofs)
            balances = sums.setdefault(currency, {})
            for account, amount in amounts:
                balances[account] = balances.get(account, 0) + amount
            hashes.append(leaf_hash(entry))
    must(tree_hash(hashes) == root, "the entries are not those that were signed")
    if seen_before:
        kept = re.fullmatch(r"([1-9][0-9]*):([A-Za-z0-9+/]{8,43}=?)", seen_before)
        must(kept, "--seen is lines and letters, like 24:AbCdEfGh")
        count, letters = kept.groups()
        must(int(count) <= size, "there are fewer lines than", count)
        begins = base64.b64encode(tree_hash(hashes[: int(count)])).decode()[: len(letters)]
        must(begins == letters, "the root over", count, "lines begins with", begins)
    seen_by = read_signatures(read("checkpoint"), key_after(key, statements), witnesses)
    level, current = 0, hashes
    while current:
        for index, width in enumerate(widths(len(current))):
            path = tile_path(level, index, width)
            looked_at.add(path)
            tile = b"".join(current[index * 256 : index * 256 + width])
            must(read(path) == tile, path, "has other hashes than its entries")
        current = [tree_hash(current[n : n + 256]) for n in range(0, len(current) - 255, 256)]
        level += 1
    # Tiles of earlier heads are the beginnings of those of this one.
    for place, _, names in os.walk(folder):
        for name in names:
            path = os.path.relpath(os.path.join(place, name), folder)
            if path in looked_at:
                continue
            earlier = re.fullmatch(r"(tile/[^.]*)\.p/([1-9][0-9]*)", path)
            must(earlier, path, "is no file of the log")
            now = [each for each in looked_at if each.split(".p/")[0] == earlier.group(1)]
            must(now and read(now[0]).startswith(read(path)), path, "is not the beginning of its tile")
    return {
        "size": size,
        "root": root.hex(),
        "sums": sums,
        "witnesses": seen_by,
        "received": sum(confirmed.values()),
        "draws": check_draws(lines),
    }


if __name__ == "__main__":
    try:
        more = sys.argv[3:]
        seen = more.pop(more.index("--seen") + 1) if "--seen" in more else None
        known = [each for each in more if each != "--seen"]
        print(json.dumps(verify(sys.argv[1], sys.argv[2], known, seen), sort_keys=True))
    except (Fault, ValueError, UnicodeDecodeError) as fault:
        print("FAULT", fault)
        sys.exit(1)
