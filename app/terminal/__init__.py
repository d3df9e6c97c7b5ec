"""What is asked at a terminal, answered from the core: nothing here needs an installed package or writes a file."""
