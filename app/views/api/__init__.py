"""The JSON interface: see `api/v1/openapi.json`."""
