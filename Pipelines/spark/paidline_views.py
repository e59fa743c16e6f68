"""Translates the SQL of the installed program for DuckDB or Spark.

    python3 paidline_views.py duckdb --facts FOLDER > views.sql

The views of warehouse.db and the data tests are written in SQLite's dialect. sqlglot parses them
and generates the other dialect. The rules here keep SQLite's semantics: conditions are 1 or 0,
dividing integers gives an integer, and days and times are strings.
"""

import argparse
import os
import re
import sys

import sqlglot
from sqlglot import exp

from paidline_filters import run_here, unescaped

TIME = "%Y-%m-%dT%H:%M:%SZ"
# The formats of strftime that the views use, keyed by SQLite's, for Spark's date_format.
SPARK_FORMS = {"%Y-%m": "yyyy-MM", "%Y-%m-%d": "yyyy-MM-dd", TIME: "yyyy-MM-dd'T'HH:mm:ss'Z'"}
TRUTH = (exp.Predicate, exp.Connector, exp.Not, exp.Boolean, exp.NullSafeEQ, exp.NullSafeNEQ)
ARITHMETIC = (exp.Add, exp.Sub, exp.Mul, exp.Div, exp.Neg)


class Schema:
    """The output of `paidline-reconstruct schema`: columns, descriptions, data tests and views."""

    @classmethod
    def of_program(cls, folder):
        """Reads the schema of the executables in a folder."""
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
        """The SQL type of a column: BIGINT for numbers, DATE and TIMESTAMP by its name.

        For example `purchased_at` is a TIMESTAMP and `purchased_date` a DATE.
        """
        if not is_text:
            return "BIGINT"
        if name.endswith("_date") or name == "date_day":
            return "DATE"
        if name.endswith("_at") or name in ("as_of", "valid_from", "valid_to"):
            return "TIMESTAMP"
        return "STRING"


def statements(schema, dialect):
    """Yields the statements that create the views over Parquet tables.

    The views whose names begin with an underscore are internal: they hold days and times as
    strings, as in SQLite.
    """
    yield "SET TIME ZONE 'UTC'"
    yield from text_tables(schema, dialect)
    for name, sql in schema.views.items():
        query = translated(sql, dialect)
        yield view(f"_{name}", query, dialect)
        yield view(name, exp.select(*[
            typed(column, dialect) for column in query.named_selects]).from_(f"_{name}"), dialect)


def text_tables(schema, dialect):
    """Yields the statements that create view `_T` of each table T, with days and times as strings."""
    for table, columns in schema.columns.items():
        yield view(f"_{table}", exp.select(*[
            text_of(name, is_text, dialect) for name, is_text in columns]).from_(table), dialect)


def parquet_tables(schema, dialect, folder):
    """Yields the statements that create a view of each table over its folder of Parquet files."""
    for table in schema.columns:
        path = f"{folder}/{table}".replace("'", "''")
        rows = (f"USING parquet OPTIONS (path '{path}')" if dialect == "spark" else
                f"AS SELECT * FROM read_parquet('{path}/**/*.parquet')")
        yield f"CREATE OR REPLACE TEMPORARY VIEW {table} {rows}"


def view(name, query, dialect):
    text = query.sql(dialect, identify=True, pretty=True, comments=False)
    return f"CREATE OR REPLACE TEMPORARY VIEW {name} AS\n{text}"


def typed(name, dialect):
    """Casts a string column of a view to its type; times of Parquet are in UTC."""
    kind, column = Schema.type_of(name), exp.column(name)
    if kind == "TIMESTAMP" and dialect == "duckdb":
        kind = "TIMESTAMPTZ"
    return column if kind == "STRING" else exp.cast(column, kind).as_(name)


def text_of(name, is_text, dialect):
    """Converts a column of a table to SQLite's type: days and times become strings."""
    kind, column = Schema.type_of(name, is_text), exp.column(name)
    if kind == "TIMESTAMP":
        return formatted(column, TIME, dialect).as_(name)
    return exp.cast(column, "TEXT").as_(name) if kind == "DATE" else column


def formatted(time, form, dialect):
    """Formats a time as a string."""
    return (call("DATE_FORMAT", time, SPARK_FORMS[form]) if dialect == "spark" else
            call("STRFTIME", time, form))


def call(name, *arguments):
    """A call of an engine's function, which sqlglot leaves unchanged."""
    return exp.Anonymous(this=name, expressions=[exp.convert(one) for one in arguments])


def translated(sql, dialect):
    """Translates a query or view from SQLite's dialect; it then reads the `_` views of tables.

    Returns the syntax tree.
    """
    query = sqlglot.parse_one(sql, read="sqlite")
    query = query.expression if isinstance(query, exp.Create) else query
    common = {one.alias for one in query.find_all(exp.CTE)}
    # Innermost nodes first, so that the ancestors of a node are still the original ones.
    for node in reversed(list(query.bfs())):
        if isinstance(node, exp.Table) and node.name not in common:
            node.replace(exp.to_table(f"_{node.name}").as_(node.alias or node.name))
        elif isinstance(node, exp.CTE):
            node.set("materialized", None)  # What SQLite computes once for two readers.
        elif isinstance(node, exp.Literal) and not node.is_string and "." in node.this:
            node.replace(exp.Literal.number(f"{node.this}E0"))  # DOUBLE; 1.0 would be DECIMAL.
        elif isinstance(node, exp.Anonymous) and node.name.upper() == "STRFTIME":
            node.replace(moved_time(*node.expressions, dialect=dialect))
        elif isinstance(node, exp.TimeToStr) and node.args["format"].name == "%s":
            node.replace(seconds(node.this.this, dialect))
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
    if dialect == "spark":
        for node in [one for one in query.find_all(exp.Subquery) if is_looked_up_by_group(one)]:
            wrap(node, lambda value: exp.First(this=value))
    return query


def wrap(node, make):
    """Replaces a node by `make(node)`."""
    place = exp.Placeholder()
    node.replace(place)
    place.replace(make(node))


def outside(node):
    """The nearest ancestor that is not a pair of parentheses."""
    parent = node.parent
    while isinstance(parent, exp.Paren):
        parent = parent.parent
    return parent


def is_asked(node):
    """Whether a node is used as a condition, so that it needs no value of 1 or 0."""
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
    """Whether a sum of integers is not multiplied, so that BIGINT is large enough."""
    around = total.find_ancestor(exp.Mul, exp.Select)
    return not isinstance(around, exp.Mul) and not is_real(total)


def is_first_row(node):
    """Whether a node is a scalar subquery of the form SELECT … ORDER BY … LIMIT 1."""
    return (isinstance(node, exp.Select) and node.args.get("limit") and len(node.expressions) == 1
            and isinstance(node.parent, exp.Subquery)
            and not isinstance(node.parent.parent, (exp.From, exp.Join)))


def is_looked_up_by_group(node):
    """Whether a scalar subquery has a WHERE and is shown beside sums, by columns of the group.

    Spark wants it in an aggregate function.
    """
    around = node.find_ancestor(exp.AggFunc, exp.Select, exp.From, exp.Join, exp.Where, exp.Group)
    return (isinstance(node.this, exp.Select) and node.this.args.get("where")
            and isinstance(around, exp.Select) and around.args.get("group"))


def aggregate(query):
    """Replaces ORDER BY … LIMIT 1 by MAX_BY.

    Spark 4.3 loses rows of a correlated subquery with LIMIT.
    """
    order = query.args["order"].expressions
    if not all(key.args.get("desc") for key in order):
        raise ValueError(f"only ORDER BY … DESC LIMIT 1 can be translated; found {query.sql()}")
    keys = call("STRUCT", *[key.this for key in order])
    query.set("expressions", [exp.func("MAX_BY", query.expressions[0], keys)])
    query.set("order", None)
    query.set("limit", None)


def whole_number(value, dialect):
    """Casts to BIGINT as SQLite casts to INTEGER: `'12M'` becomes 12, `-2.7` becomes -2."""
    if is_text(value):
        value = call("REGEXP_EXTRACT", value, "^-?[0-9]+", 0)
    elif dialect == "duckdb":  # Its cast would round.
        value = call("TRUNC", value)
    return exp.cast(value, "BIGINT")


def quotient(node):
    """Divides as SQLite does: real numbers exactly, integers truncated toward 0."""
    below = node.expression
    if not below.is_number:
        below = exp.Nullif(this=below, expression=exp.convert(0))
    if is_real(node):
        return exp.Div(this=exp.cast(node.this, "DOUBLE"), expression=below)
    return exp.cast(exp.IntDiv(this=node.this, expression=below), "BIGINT")


def moved_time(form, time, *modifiers, dialect):
    """Translates strftime, with modifiers such as `+1 month` and `-1 day`, one after the other.

    Engines agree on adding a month to the first day of a month, but not to the 31st.
    """
    time = exp.cast(time, "TIMESTAMP")
    for modifier in modifiers:
        found = re.fullmatch(r"([+-])(\d+) (day|month)s?", modifier.name)
        if not found:
            raise ValueError(f"strftime(…, '{modifier.name}') cannot be translated")
        moved = exp.Add if found[1] == "+" else exp.Sub
        time = moved(this=time, expression=exp.Interval(
            this=exp.convert(found[2]), unit=exp.var(found[3].upper())))
    return formatted(time, form.name, dialect)


def seconds(time, dialect):
    """The seconds of a time since 1970."""
    name = "EPOCH" if dialect == "duckdb" else "UNIX_TIMESTAMP"
    return exp.cast(call(name, exp.cast(time, "TIMESTAMP")), "BIGINT")


def main(arguments):
    parser = argparse.ArgumentParser(
        description="Prints the statements that create the views of warehouse.db over its tables "
        "in Parquet.")
    parser.add_argument("dialect", choices=["duckdb", "spark"])
    parser.add_argument("--facts", metavar="FOLDER",
                        help="folder of the Parquet tables; creates a view of each table first")
    parser.add_argument("--bin", default="/usr/bin", help="folder of the executables; default: /usr/bin")
    given = parser.parse_args(arguments)
    schema = Schema.of_program(given.bin)
    if given.facts:
        print(*(f"{one};" for one in parquet_tables(schema, given.dialect, given.facts)), sep="\n")
    print(*(f"{one};" for one in statements(schema, given.dialect)), sep="\n")


if __name__ == "__main__":
    main(sys.argv[1:])
