"""The club: the people who play every week, the games that count, the table, and who owes whom."""
