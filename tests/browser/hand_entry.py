"""A hand written down: with a script, and in a plain form."""


def tap_digits(phone, digits):
    for digit in digits:
        phone.locator(f"[data-keypad] > :not([hidden]) [data-key='{digit}']").tap()


def enter_hand(phone, winner, points):
    """A hand in the form that its script has taken over: the winner is tapped, each sum put into its field."""
    phone.locator("form.is-live").wait_for()
    phone.locator(".winner .choice", has_text=winner).tap()
    for seat, sum_ in points.items():
        phone.locator(f"#left-{seat}").fill(str(sum_))


def type_plainly(phone, winner, points):
    phone.get_by_role("radio", name=winner, exact=True).check()
    for seat, sum_ in points.items():
        phone.locator(f"#left-{seat}").fill(sum_)
