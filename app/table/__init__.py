"""One game at work: opened, recorded, previewed, looked back on."""
