"""Computes amounts, chains, conversions and all tables for python_orjson."""

import csv
import os
from bisect import bisect_right
from collections import Counter, defaultdict
from datetime import datetime, timezone
from functools import cache
from operator import itemgetter

import tables
from tables import DAY


def commonest(pairs):
    """Maps each first element of the pairs to its most frequent second one.

    Of equally frequent ones it is the smallest.
    """
    best = {}
    for (first, second), count in Counter(pairs).items():
        known = best.get(first)
        if known is None or (-count, second) < known:
            best[first] = (-count, second)
    return {first: second for first, (_, second) in best.items()}


class Prices:
    """Price reports, indexed for look-ups."""

    def __init__(self, reports):
        reports.sort(key=itemgetter(0, 1))
        self.seen, self.home = defaultdict(list), {}
        for report in reports:
            if report[2]:
                self.seen[report[2], report[3]].append(report)
                self.home[report[2]] = report
        self.usual = commonest(((one[3], one[4]), one[5]) for one in reports)
        self.currencies = commonest((one[6], one[4]) for one in reports if one[6])

    def shown(self, customer, product, until):
        """The newest report of a customer and product up to a time; None if there is none."""
        known = self.seen.get((customer, product))
        place = bisect_right(known, until, key=itemgetter(0)) if known else 0
        return known[place - 1] if place else None


class Rates:
    """The price of a currency in US dollars, by day."""

    def __init__(self, path):
        self.days = defaultdict(list)
        if not os.path.exists(path):
            return
        with open(path, newline="") as file:
            for row in csv.DictReader(file):
                day, dollar = row.pop("Date"), float(row["USD"])
                row["EUR"] = "1"
                for currency, rate in row.items():
                    if rate not in ("", "N/A", None):
                        self.days[currency].append((day, dollar / float(rate)))
        for days in self.days.values():
            days.sort()
        self.on = cache(self.on)

    def on(self, currency, day):
        """The newest day up to `day` that has a rate, and the rate; (None, None) if there is none."""
        days = self.days.get(currency, ())
        place = bisect_right(days, day, key=itemgetter(0))
        return days[place - 1] if place else (None, None)


def revenue(chain, prices, rates, key_of):
    """Yields the rows of fct_revenue of one chain, with extra columns for the other tables."""
    renewals = paids = 0
    for row in chain:
        (rank, key, at, expires_ms, customer, storefront, bundle, transaction, original, item,
         group, product, product_kind, purchased, expires, access, kind, mode, offer, trial, intro,
         quantity, reversal, reversed_at, reason) = row
        report, home = prices.shown(customer, product, at + DAY), prices.home.get(customer)
        storefront = report and report[6] or storefront or home and home[6]
        currency = (report or home or (None,) * 5)[4] or prices.currencies.get(storefront)
        usual = prices.usual.get((product, currency))
        if mode == "free_trial":
            paid, status, evidence = 0, "zero_by_rule", None
        elif report:
            paid, status, evidence = report[5] * quantity, "derived", report[1]
        elif usual is not None:
            paid, status, evidence = usual * quantity, "inferred", None
        else:
            paid, status, evidence = None, "unresolved", None
        renewal = number = micros = day = None
        if expires:
            if mode != "free_trial":
                paids += 1
                number = paids
            if kind == "regular":
                renewals += 1
                renewal = renewals
        if paid is not None:
            day, rate = rates.on(currency, purchased[:10])
            micros = None if day is None else int(paid * 1000 * rate + 0.5)
        yield (
            key, bundle, transaction, original, item, group, product, product_kind,
            key_of(customer), purchased, purchased[:10], expires, access, kind, mode, offer, trial,
            intro, renewal, number, quantity, currency, storefront, usual, paid, status, evidence,
            micros, day, reversal, reversed_at, reason, rank[2], rank[3], at, expires_ms)


# The indices of the columns of such a row.
(KEY, BUNDLE, ORIGINAL, GROUP, PRODUCT, CUSTOMER, PURCHASED, DATE, EXPIRES, KIND, MODE, OFFER,
 CURRENCY, STOREFRONT, PAID, STATUS, MICROS, REVERSAL, REVERSED, AT, EXPIRES_MS) = (
    0, 1, 3, 5, 6, 8, 9, 10, 11, 13, 14, 15, 21, 22, 24, 25, 27, 29, 30, 34, 35)
OFFERS = {"trial", "intro", "promo", "offer_code"}


def conversions(chain, as_of):
    """One row per offer period: its first later paid row, if it begins within 60 days."""
    runs, last = [], None
    for row in chain:
        same = row[KIND], row[OFFER], row[MODE]
        if same == last:
            runs[-1].append(row)
        else:
            runs.append([row])
            last = same
    if len(runs) == 1 and runs[0][0][KIND] not in OFFERS:
        return
    paid, found = None, []
    for run in reversed(runs):
        if run[0][KIND] in OFFERS:
            found.append((run, paid))
        if run[0][MODE] != "free_trial":
            paid = run[0]
    for number, (run, paid) in enumerate(reversed(found), 1):
        yield conversion(run, paid, number, as_of)


def conversion(run, paid, number, as_of):
    """The row of fct_conversion for an offer period and the first later paid row."""
    first, ends = run[0], run[-1][EXPIRES_MS]
    matures = ends + 60 * DAY
    is_mature = int(matures <= as_of)
    known = [row[PAID] for row in run if row[PAID] is not None]
    result = ("lapsed" if is_mature else "pending", *(None,) * 9)
    if paid and paid[AT] <= matures:
        result = (
            "converted", paid[PURCHASED], paid[KEY], paid[PRODUCT],
            int(paid[PRODUCT] == first[PRODUCT]), int(paid[AT] <= ends + DAY),
            (paid[AT] - first[AT]) // DAY, paid[PAID], paid[STATUS],
            paid[REVERSED] if paid[REVERSAL] == "refund" else None)
    return (
        first[KEY], first[ORIGINAL], first[GROUP], first[CUSTOMER], number, first[KIND],
        first[MODE], first[OFFER], first[PRODUCT], first[STOREFRONT], first[CURRENCY],
        first[PURCHASED], first[DATE], run[-1][EXPIRES], len(run), sum(known) if known else None,
        *result,
        datetime.fromtimestamp(matures // 1000, timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
        is_mature)


def subscription(chain, as_of):
    """The row of dim_subscription for a chain."""
    last, kind = chain[-1], chain[-1][KIND]
    status = (
        "revoked" if last[REVERSAL] == "refund" else
        "expired" if last[EXPIRES_MS] <= as_of else
        {"regular": "active", "offer_code": "promo"}.get(kind, kind))
    paid = [row[PURCHASED] for row in chain if row[MODE] != "free_trial"]
    trial = next((row[PURCHASED] for row in chain if row[KIND] == "trial"), None)
    return (
        last[ORIGINAL], last[BUNDLE], last[GROUP], last[CUSTOMER], chain[0][PURCHASED], trial,
        paid[0] if paid else None, last[PRODUCT], status, last[EXPIRES], len(paid))


def entries(facts):
    """The rows of fct_revenue_entry: charges, and refunds on the day of the refund."""
    for row in facts:
        key, paid, currency, micros = row[KEY], row[PAID], row[CURRENCY], row[MICROS]
        if paid:
            yield key * 2, key, "charge", row[DATE], paid, currency, micros, "paid"
            if row[REVERSAL] == "refund":
                yield (
                    key * 2 + 1, key, "refund", row[REVERSED][:10], -paid, currency,
                    None if micros is None else -micros, "paid")


def evidence(reports, ids, prices, key_of):
    """Yields the rows of price_evidence."""
    for _, key, customer, product, currency, amount, storefront, name, shown, file, line in reports:
        yield (
            key, tables.BUNDLE, product, key_of(customer), name, ids.get(name), storefront, currency,
            amount, prices.usual[product, currency], shown, file, line, "believed")


def write(output, store, newest, ids, reports, as_of):
    """Computes all tables and writes the database."""
    prices, rates = Prices(reports), Rates(f"{store}/eurofxref-hist.csv")
    key_of = cache(tables.customer_key)
    chains = defaultdict(list)
    for row in newest.values():
        chains[row[8]].append(row)
    facts, converted, subscriptions = [], [], []
    for chain in chains.values():
        chain.sort(key=itemgetter(2, 1))
        rows = list(revenue(chain, prices, rates, key_of))
        facts += rows
        rows = [row for row in rows if row[EXPIRES]]
        if rows:
            converted += conversions(rows, as_of)
            subscriptions.append(subscription(rows, as_of))
    facts.sort(key=itemgetter(0))
    database = tables.created(output)
    tables.insert(database, "fct_revenue", (row[:AT] for row in facts))
    tables.insert(database, "bridge_transaction_id", sorted(ids.items()))
    tables.insert(database, "fct_revenue_entry", entries(facts))
    tables.insert(database, "fct_conversion", sorted(converted))
    tables.insert(database, "dim_subscription", sorted(subscriptions))
    reports.sort(key=itemgetter(1))
    tables.insert(database, "price_evidence", evidence(reports, ids, prices, key_of))
    tables.finished(database)
