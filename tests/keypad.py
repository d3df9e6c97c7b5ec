"""Keys of the keypad, and what they mean on paper: digits in order, a sum for each loser."""


def random_keys(chance):
    """Digits, Next and ⌫ as somebody might press them; the digits of sums are more frequent than slips."""
    length = chance.randint(3, 30)
    return chance.choices([*"1234567890", "next", "back"], [8, 8, 8, 8, 8, 8, 8, 8, 8, 3, 30, 6], k=length)


def is_whole(digits, dearest):
    """Whether two digits are a sum that no third can follow."""
    return len(digits) == 2 and digits[0] != "0" and int(digits) * 10 > dearest


def is_sum(digits):
    return digits != "" and digits[0] != "0" and len(digits) <= 6


def _split(tape, rows, dearest):
    """The sums on a tape, in which N is a Next that ended one."""
    sums = [""]
    for key in tape:
        if key == "N" or (is_whole(sums[-1], dearest) and len(sums) < rows):
            sums.append("")
        sums[-1] += key.strip("N")
    return sums


def pressed(keys, rows, dearest):
    """The keys up to Next after the last row: with it the keypad goes."""
    return keys[: len(_tapes(keys, rows, dearest)) - 1]


def written(keys, rows, dearest):
    """The sums that the keys write, one for each row; [] as long as a row has none."""
    sums = _split(_tapes(keys, rows, dearest)[-1], rows, dearest)[:rows]
    return sums if len(sums) == rows and all(map(is_sum, sums)) else []


def _tapes(keys, rows, dearest):
    """The tape before the first key and after each, until the keypad has gone."""
    tapes = [""]
    for key in keys:
        tape, sums = tapes[-1], _split(tapes[-1], rows, dearest)
        if len(sums) > rows:
            break
        if key == "back":
            tape = tape if tape.endswith("N") else tape[:-1]
        elif key != "next":
            tape += key
        elif is_sum(sums[-1]):
            tape += "N"
        tapes.append(tape)
    return tapes
