"""Asks DuckDB the questions of a page about tables, and compares the answers with those that stand behind them.

Usage: tables_page.py FOLDER PAGE [--update]

A question is a block of SQL; its answer is the Markdown table that follows.
"""

import os
import re
import sys

import duckdb

QUESTION = re.compile(r"```sql\n(?P<sql>.*?)```\n\n(?P<answer>(?:\|[^\n]*\n)*)", re.DOTALL)


def cell(value):
    """A value as it stands in the page."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    return str(value).replace("|", "\\|")


def answer(connection, sql):
    """The answer to a question, as a Markdown table."""
    result = connection.sql(sql)
    rows = [result.columns, ["---"] * len(result.columns)] + [[cell(value) for value in row] for row in result.fetchall()]
    return "".join("| " + " | ".join(row) + " |\n" for row in rows)


def check_parquet(connection):
    """Each table is the same in Parquet."""
    for (table,) in connection.sql("SELECT view_name FROM duckdb_views() WHERE NOT internal ORDER BY 1").fetchall():
        connection.execute(f"COPY (FROM {table}) TO '{table}.parquet'")
        one, other = (connection.sql(f"FROM {source}").fetchall() for source in (table, f"'{table}.parquet'"))
        if one != other or not one:
            sys.exit(f"tables-check: {table}.parquet has other rows than the table")


def main(folder, page, update=None):
    with open(page, encoding="utf-8") as file:
        text = file.read()
    connection = duckdb.connect(config={"threads": 2})
    # What is not in the package would be fetched from elsewhere.
    connection.execute("SET autoinstall_known_extensions = false; SET autoload_known_extensions = false")
    page = os.path.abspath(page)
    os.chdir(folder)
    with open("tables.sql", encoding="utf-8") as file:
        connection.execute(file.read())
    check_parquet(connection)
    differing = 0
    questions = 0

    def answered(match):
        nonlocal differing, questions
        questions += 1
        found = answer(connection, match["sql"])
        if found != match["answer"] and not update:
            differing += 1
            print(f"tables-check: the page has another answer to\n{match['sql']}\nDuckDB says\n{found}", file=sys.stderr)
        return f"```sql\n{match['sql']}```\n\n{found}"

    current = QUESTION.sub(answered, text)
    if update:
        with open(page, "w", encoding="utf-8") as file:
            file.write(current)
    if questions < 10:
        sys.exit(f"tables-check: the page has {questions} questions, and should have ten")
    print(f"{questions} questions, {differing} answers differ; {duckdb.__version__}", file=sys.stderr)
    sys.exit(1 if differing else 0)


if __name__ == "__main__":
    main(*sys.argv[1:])
