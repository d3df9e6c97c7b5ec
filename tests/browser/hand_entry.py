"""A hand written down: with the thumb, and in a plain form."""


def tap_digits(phone, digits):
    for digit in digits:
        phone.locator(f"[data-keypad] > :not([hidden]) [data-key='{digit}']").tap()


def tap_hand(phone, winner, points):
    """A hand typed with the thumb; every sum has two digits, so each jumps on by itself."""
    phone.locator(".winner .choice", has_text=winner).tap()
    tap_digits(phone, "".join(points.values()))


def type_plainly(phone, winner, points):
    phone.get_by_role("radio", name=winner, exact=True).check()
    for seat, sum_ in points.items():
        phone.locator(f"#points-{seat}").fill(sum_)
