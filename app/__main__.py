"""``python3 -m app``: make the environment on the first call, then serve."""

from app import bootstrap

bootstrap.enter("app", bootstrap.APP_LOCK, bootstrap.APP_PACKAGES)

from app.serving import serve  # noqa: E402 - needs the environment that was just made

serve.main()
