"""The SQL of the installed program in the words of DuckDB or of Spark.

    python3 paidline_views.py duckdb --facts FOLDER > views.sql

The views of warehouse.db and the data tests are written for SQLite. sqlglot reads them and writes
them for the other engine. The rules here tell it what is SQLite's own: truth is 1 or 0, whole
numbers divide to whole numbers, and days and times are texts.
"""

import argparse
import os
import re
import sys

import sqlglot
from sqlglot import exp

from paidline_filters import run_here, unescaped

TIME = "%Y-%m-%dT%H:%M:%SZ"
# The forms of strftime that the views use, as Spark's date_format names them.
SPARK_FORMS = {"%Y-%m": "yyyy-MM", "%Y-%m-%d": "yyyy-MM-dd", TIME: "yyyy-MM-dd'T'HH:mm:ss'Z'"}
TRUTH = (exp.Predicate, exp.Connector, exp.Not, exp.Boolean, exp.NullSafeEQ, exp.NullSafeNEQ)
ARITHMETIC = (exp.Add, exp.Sub, exp.Mul, exp.Div, exp.Neg)


class Schema:
    """What `paidline-reconstruct schema` says: columns, descriptions, data tests and views."""

    @classmethod
    def of_program(cls, folder):
        """The schema of the program in a folder."""
        return cls(run_here(os.path.join(folder, "paidline-reconstruct"), ["schema"], b""))

    def __init__(self, rows):
        self.columns, self.keys, self.descriptions = {}, {}, {}
        self.tests, self.views = [], {}
        for tag, *fields in rows:
            if tag == "column":
                table, name, kind, is_key = fields
                self.columns.setdefault(table, []).append((name, kind == "text"))
                if is_key == "1":
                    self.keys.setdefault(table, []).append(name)
            elif tag == "meta":
                self.descriptions.setdefault(fields[0], []).append(unescaped(fields[1]))
            elif tag == "test":
                name, severity, meaning, sql = fields
                self.tests.append((name, severity, unescaped(meaning), unescaped(sql)))
            else:
                self.views[fields[0]] = unescaped(fields[1])

    @staticmethod
    def type_of(name, is_text=True):
        """Money and numbers are BIGINT; days and times are told by their names."""
        if not is_text:
            return "BIGINT"
        if name.endswith("_date") or name == "date_day":
            return "DATE"
        if name.endswith("_at") or name in ("as_of", "valid_from", "valid_to"):
            return "TIMESTAMP"
        return "STRING"


def statements(schema, dialect):
    """The statements that make the views over tables of Parquet, each under its own name.

    Views that begin with an underscore serve the others: they hold days and times as texts.
    """
    yield "SET TIME ZONE 'UTC'"
    yield from text_tables(schema, dialect)
    for name, sql in schema.views.items():
        query = translated(sql, dialect)
        yield view(f"_{name}", query, dialect)
        yield view(name, exp.select(*[
            typed(column, dialect) for column in query.named_selects]).from_(f"_{name}"), dialect)


def text_tables(schema, dialect):
    """The statements that make `_table` of each table: its columns, days and times as texts."""
    for table, columns in schema.columns.items():
        yield view(f"_{table}", exp.select(*[
            text_of(name, is_text, dialect) for name, is_text in columns]).from_(table), dialect)


def parquet_tables(schema, dialect, folder):
    """The statements that make each folder of Parquet known under its table's name."""
    for table in schema.columns:
        path = f"{folder}/{table}".replace("'", "''")
        rows = (f"USING parquet OPTIONS (path '{path}')" if dialect == "spark" else
                f"AS SELECT * FROM read_parquet('{path}/**/*.parquet')")
        yield f"CREATE OR REPLACE TEMPORARY VIEW {table} {rows}"


def view(name, query, dialect):
    text = query.sql(dialect, identify=True, pretty=True, comments=False)
    return f"CREATE OR REPLACE TEMPORARY VIEW {name} AS\n{text}"


def typed(name, dialect):
    """A column of a view in its type: a time of Parquet knows that it is in UTC."""
    kind, column = Schema.type_of(name), exp.column(name)
    if kind == "TIMESTAMP" and dialect == "duckdb":
        kind = "TIMESTAMPTZ"
    return column if kind == "STRING" else exp.cast(column, kind).as_(name)


def text_of(name, is_text, dialect):
    """A column of a table as SQLite has it."""
    kind, column = Schema.type_of(name, is_text), exp.column(name)
    if kind == "TIMESTAMP":
        return formatted(column, TIME, dialect).as_(name)
    return exp.cast(column, "TEXT").as_(name) if kind == "DATE" else column


def formatted(time, form, dialect):
    """A time as text."""
    return (call("DATE_FORMAT", time, SPARK_FORMS[form]) if dialect == "spark" else
            call("STRFTIME", time, form))


def call(name, *arguments):
    """A function of the engine, which sqlglot hands on as it is."""
    return exp.Anonymous(this=name, expressions=[exp.convert(one) for one in arguments])


def translated(sql, dialect):
    """The tree of a query for SQLite, or of a view's, over the tables with an underscore."""
    query = sqlglot.parse_one(sql, read="sqlite")
    query = query.expression if isinstance(query, exp.Create) else query
    common = {one.alias for one in query.find_all(exp.CTE)}
    # The innermost first: a rule sees what stands around a node as it was written.
    for node in reversed(list(query.bfs())):
        if isinstance(node, exp.Table) and node.name not in common:
            node.replace(exp.to_table(f"_{node.name}").as_(node.alias or node.name))
        elif isinstance(node, exp.Literal) and not node.is_string and "." in node.this:
            node.replace(exp.Literal.number(f"{node.this}E0"))  # DOUBLE, where 1.0 is DECIMAL.
        elif isinstance(node, exp.Anonymous) and node.name.upper() == "STRFTIME":
            node.replace(moved_time(*node.expressions, dialect=dialect))
        elif isinstance(node, exp.Cast) and node.is_type("INT"):
            node.replace(whole_number(node.this, dialect))
        elif isinstance(node, exp.Div):
            node.replace(quotient(node))
        elif isinstance(node, exp.Sum) and is_final(node):
            total = node.parent if isinstance(node.parent, exp.Window) else node
            wrap(total, lambda total: exp.cast(total, "BIGINT"))
        elif dialect == "spark" and is_first_row(node):
            aggregate(node)
        elif is_text(node) and isinstance(outside(node), ARITHMETIC):
            wrap(node, lambda text: whole_number(text, dialect))
        elif isinstance(node, TRUTH) and not is_asked(node):
            wrap(node, lambda truth: exp.cast(truth, "BIGINT"))
        elif is_asked(node) and not isinstance(node, (*TRUTH, exp.Paren)):
            wrap(node, lambda value: exp.NEQ(this=value, expression=exp.convert(0)))
    return query


def wrap(node, make):
    """Puts what is made of a node into its place."""
    place = exp.Placeholder()
    node.replace(place)
    place.replace(make(node))


def outside(node):
    """What stands around a node and its brackets."""
    parent = node.parent
    while isinstance(parent, exp.Paren):
        parent = parent.parent
    return parent


def is_asked(node):
    """Whether a node stands where only its truth counts."""
    while isinstance(node.parent, exp.Paren):
        node = node.parent
    parent, place = node.parent, node.arg_key
    return (isinstance(parent, (exp.Where, exp.Having, exp.Connector, exp.Not))
            or isinstance(parent, exp.Join) and place == "on"
            or isinstance(parent, exp.Is) and isinstance(parent.expression, exp.Boolean)
            or isinstance(parent, exp.If) and place == "this" and not parent.parent.this)


def is_text(node):
    return isinstance(node, (exp.Substring, exp.DPipe)) or node.is_string


def is_real(node):
    return any(number.is_number and "." in number.this for number in node.find_all(exp.Literal))


def is_final(total):
    """Whether a sum of whole numbers is not multiplied: then it needs no more than BIGINT."""
    around = total.find_ancestor(exp.Mul, exp.Select)
    return not isinstance(around, exp.Mul) and not is_real(total)


def is_first_row(node):
    """Whether a node is a subquery for the value of one row: SELECT … ORDER BY … LIMIT 1."""
    return (isinstance(node, exp.Select) and node.args.get("limit") and len(node.expressions) == 1
            and isinstance(node.parent, exp.Subquery)
            and not isinstance(node.parent.parent, (exp.From, exp.Join)))


def aggregate(query):
    """Takes the value by MAX_BY: Spark 4.3 loses rows where a LIMIT stands beside outer columns."""
    order = query.args["order"].expressions
    if not all(key.args.get("desc") for key in order):
        raise ValueError(f"only ORDER BY … DESC LIMIT 1 is translated: {query.sql()}")
    keys = call("STRUCT", *[key.this for key in order])
    query.set("expressions", [exp.func("MAX_BY", query.expressions[0], keys)])
    query.set("order", None)
    query.set("limit", None)


def whole_number(value, dialect):
    """What SQLite casts to INTEGER: the digits a text begins with, or a number without fraction."""
    if is_text(value):
        value = call("REGEXP_EXTRACT", value, "^-?[0-9]+", 0)
    elif dialect == "duckdb":  # Whose cast rounds.
        value = call("TRUNC", value)
    return exp.cast(value, "BIGINT")


def quotient(node):
    """A division: by real numbers to real ones, else to the whole number nearer to 0."""
    below = node.expression
    if not below.is_number:
        below = exp.Nullif(this=below, expression=exp.convert(0))
    if is_real(node):
        return exp.Div(this=exp.cast(node.this, "DOUBLE"), expression=below)
    return exp.cast(exp.IntDiv(this=node.this, expression=below), "BIGINT")


def moved_time(form, time, modifier=None, *, dialect):
    """What strftime gives. All engines add a month alike to the first of one, not to the 31st."""
    time = exp.cast(time, "TIMESTAMP")
    if modifier is not None:
        found = re.fullmatch(r"\+(\d+) (day|month)s?", modifier.name)
        if not found:
            raise ValueError(f"strftime(…, '{modifier.name}') is not translated")
        time = exp.Add(this=time, expression=exp.Interval(
            this=exp.convert(found[1]), unit=exp.var(found[2].upper())))
    return formatted(time, form.name, dialect)


def main(arguments):
    parser = argparse.ArgumentParser(
        description="Prints the statements that make the views of warehouse.db over its tables in "
        "Parquet.")
    parser.add_argument("dialect", choices=["duckdb", "spark"])
    parser.add_argument("--facts", metavar="FOLDER", help="make the tables of a folder known first")
    parser.add_argument("--bin", default="/usr/bin", help="the folder of the executables")
    given = parser.parse_args(arguments)
    schema = Schema.of_program(given.bin)
    if given.facts:
        print(*(f"{one};" for one in parquet_tables(schema, given.dialect, given.facts)), sep="\n")
    print(*(f"{one};" for one in statements(schema, given.dialect)), sep="\n")


if __name__ == "__main__":
    main(sys.argv[1:])
