"""How the app is served: connections, threads, processes, and the first lines it prints."""
