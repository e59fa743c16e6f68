"""Computes amounts, chains, conversions and all tables for pandas_frames."""

import numpy as np
import pandas as pd

import adbc_sqlite
import tables
from tables import DAY

CHAIN = "original_transaction_id"
OFFERS = ["trial", "intro", "promo", "offer_code"]


def instant(text):
    """Converts Apple's date text to ISO 8601."""
    return text.str.slice(0, 10) + "T" + text.str.slice(11, 19) + "Z"


def customer_keys(customers):
    """The hashed keys of customers; each customer is hashed once."""
    names = customers.dropna().unique()
    return customers.map(dict(zip(names, map(tables.customer_key, names)))).astype("str")


def whole(numbers):
    """Converts strings or floats to integers or NA."""
    return pd.to_numeric(numbers).astype("Int64")


def chosen(cases, otherwise, index):
    """The name of the first true condition, else `otherwise`, as a column."""
    conditions = [case.fillna(False).to_numpy(bool) for case in cases.values()]
    return pd.Series(np.select(conditions, list(cases), otherwise), index, dtype="str")


def purchases(frame):
    """The newest observation of each purchase; in one snapshot, that in latest_receipt_info."""
    rows = frame.sort_values(["request_date_ms", "part", "file", "line"]).drop_duplicates(
        "purchase_key", keep="last").reset_index(drop=True)
    rows = rows.rename(columns={
        "subscription_group_identifier": "subscription_group_id", "file": "source_file_id",
        "line": "source_line", "cancellation_reason": "reversal_reason"})
    rows["at"] = pd.to_numeric(rows["purchase_date_ms"])
    rows["expires_ms"] = whole(rows["expires_date_ms"])
    rows["quantity"] = pd.to_numeric(rows["quantity"])
    rows["customer_key"] = customer_keys(rows["customer_id"])
    rows["purchased_at"] = instant(rows["purchase_date"])
    rows["purchased_date"] = rows["purchase_date"].str.slice(0, 10)
    rows["expires_at"] = instant(rows["expires_date"])
    trial, intro = rows["is_trial_period"] == "true", rows["is_in_intro_offer_period"] == "true"
    upgraded = rows["is_upgraded"] == "true"
    cancelled = instant(rows["cancellation_date"])
    rows["reversed_at"] = cancelled.where(~upgraded, cancelled.fillna(rows["expires_at"]))
    rows["reversal_kind"] = chosen(
        {"upgrade": upgraded, "refund": cancelled.notna()}, "none", rows.index)
    earlier = (rows["reversed_at"] < rows["expires_at"]) | rows["expires_at"].isna()
    rows["access_ends_at"] = rows["expires_at"].where(~earlier, rows["reversed_at"])
    rows["offer_id"] = rows["offer_code_ref_name"].fillna(rows["promotional_offer_id"])
    rows["period_kind"] = chosen({
        "offer_code": rows["offer_code_ref_name"].notna(),
        "promo": rows["promotional_offer_id"].notna(), "trial": trial, "intro": intro,
        "regular": rows["expires_at"].notna()}, "one_time", rows.index)
    plain = rows["period_kind"].isin(["regular", "one_time"])
    rows["payment_mode"] = chosen({"free_trial": trial, "standard": plain}, "unknown", rows.index)
    rows["product_kind"] = chosen(
        {"unknown": rows["web_order_line_item_id"].isna()}, "auto_renewable_subscription",
        rows.index)
    for name in "is_trial_period", "is_in_intro_offer_period":
        rows[name] = rows[name].map({"true": 1, "false": 0}).astype("Int64")
    return rows


def reports(claims):
    """The price reports that have a product, currency, price and time, ordered by time."""
    prices = claims.assign(
        evidence_id=claims["file"] * tables.FILE + claims["line"],
        storefront=claims["storefront"].replace(tables.STOREFRONTS))
    moments = pd.to_datetime(prices["reported_at"], utc=True, errors="coerce", format="ISO8601")
    prices["price"] = pd.to_numeric(prices["price"], errors="coerce")
    prices["at"] = moments.astype("datetime64[ms, UTC]").astype("int64").where(moments.notna())
    prices = prices.dropna(subset=["product_id", "currency", "price", "at"])
    prices["price_milli"] = np.floor(prices["price"] * 1000 + 0.5).astype("int64")
    prices["at"] = prices["at"].astype("int64")
    return prices.sort_values(["at", "evidence_id"])


def commonest(frame, by, what):
    """The most frequent value of a column per group; of equally frequent values the smallest."""
    votes = frame.groupby([*by, what], sort=False).size().rename("votes").reset_index()
    return votes.sort_values(["votes", what], ascending=[False, True]).drop_duplicates(by).drop(
        columns="votes")


def exchange(store):
    """The price of one unit of each currency in US dollars, by day."""
    days = pd.read_csv(f"{store}/eurofxref-hist.csv", na_values=["N/A"])
    days = days.loc[:, [name for name in days.columns if not name.startswith("Unnamed")]]
    rates = days.assign(EUR=1.0, dollar=days["USD"]).melt(
        ["Date", "dollar"], var_name="currency", value_name="rate").dropna(subset="rate")
    rates["dollars"] = rates["dollar"] / rates["rate"].astype("float64")
    rates["day"] = pd.to_datetime(rates["Date"])
    return rates.rename(columns={"Date": "fx_rate_date"})[
        ["currency", "fx_rate_date", "day", "dollars"]].sort_values("day")


def priced(rows, prices, usual, rates):
    """Adds currency, storefront and amounts to the purchases."""
    known = prices.dropna(subset="customer_id")
    home = known.drop_duplicates("customer_id", keep="last")[
        ["customer_id", "currency", "storefront"]].add_prefix("home_")
    shown = known[[
        "customer_id", "product_id", "at", "evidence_id", "price_milli", "currency",
        "storefront"]].rename(columns={
            "at": "shown_at", "currency": "shown_currency", "storefront": "shown_storefront"})
    rows["until"] = rows["at"] + DAY
    facts = pd.merge_asof(
        rows.sort_values("until"), shown, left_on="until", right_on="shown_at",
        by=["customer_id", "product_id"])
    facts = facts.merge(home, left_on="customer_id", right_on="home_customer_id", how="left")
    own = facts["storefront"].replace(tables.STOREFRONTS)
    facts["storefront"] = facts["shown_storefront"].fillna(own).fillna(facts["home_storefront"])
    local = commonest(prices.dropna(subset="storefront"), ["storefront"], "currency")
    facts["currency"] = facts["shown_currency"].fillna(facts["home_currency"]).fillna(
        facts["storefront"].map(local.set_index("storefront")["currency"]))
    facts = facts.merge(
        usual.rename(columns={"price_milli": "list_price_milli"}), on=["product_id", "currency"],
        how="left")
    facts["list_price_milli"] = whole(facts["list_price_milli"])
    free, claimed = facts["payment_mode"] == "free_trial", facts["price_milli"].notna()
    paid = whole(facts["price_milli"]).fillna(facts["list_price_milli"]) * facts["quantity"]
    facts["paid_milli"] = paid.where(~free, 0)
    facts["price_status"] = chosen({
        "zero_by_rule": free, "derived": claimed, "inferred": facts["list_price_milli"].notna()},
        "unresolved", facts.index)
    facts["evidence_id"] = whole(facts["evidence_id"].where(~free))
    facts["day"] = pd.to_datetime(facts["purchased_date"])
    facts = pd.merge_asof(facts.sort_values("day"), rates, on="day", by="currency")
    facts["fx_rate_date"] = facts["fx_rate_date"].where(facts["paid_milli"].notna())
    micros = facts["paid_milli"].astype("float64") * 1000 * facts["dollars"]
    facts["paid_reporting_micros"] = whole(np.floor(micros + 0.5))
    return facts


def chained(facts):
    """The rows of subscriptions in chain order, with their offer, renewal and paid numbers."""
    rows = facts[facts["expires_at"].notna()].sort_values([CHAIN, "at", "purchase_key"])
    begins = rows[CHAIN].ne(rows[CHAIN].shift())
    for name in "period_kind", "offer_id", "payment_mode":
        value = rows[name].fillna("")
        begins |= value.ne(value.shift())
    offer, regular = rows["period_kind"].isin(OFFERS), rows["period_kind"] == "regular"
    paid = rows["payment_mode"] != "free_trial"
    counts = pd.DataFrame({"offer": begins & offer, "regular": regular, "paid": paid}).astype(
        "int64").groupby(rows[CHAIN], sort=False).cumsum()
    return rows.assign(
        run=begins.cumsum(), is_offer=offer, offer_number=counts["offer"],
        renewal_number=counts["regular"].astype("Int64").where(regular),
        paid_number=counts["paid"].astype("Int64").where(paid))


def conversions(chains, as_of):
    """One row per offer period: its first later paid row, if it begins within 60 days."""
    groups = chains.groupby("run", sort=False)
    runs = chains.drop_duplicates("run").reset_index(drop=True)
    runs["ends_ms"] = groups["expires_ms"].last().to_numpy()
    runs["offer_periods"] = groups.size().to_numpy()
    runs["offer_paid_milli"] = groups["paid_milli"].sum(min_count=1).array
    runs["ends_at"] = groups["expires_at"].last().array
    # The index of the next paid run of rows in the same chain.
    place = pd.Series(np.arange(len(runs)), dtype="float64").where(
        runs["payment_mode"] != "free_trial")
    following = place.groupby(runs[CHAIN], sort=False).bfill().groupby(
        runs[CHAIN], sort=False).shift(-1)
    matures = runs["ends_ms"].astype("int64") + 60 * DAY
    paid = runs.reindex(following).reset_index(drop=True)
    paid = paid.where(paid["at"] <= matures)[runs["is_offer"]]
    matures, runs = matures[runs["is_offer"]], runs[runs["is_offer"]]
    mature = matures <= as_of
    converted = paid["at"].notna()
    days = whole((paid["at"] - runs["at"]) // DAY)
    return runs.assign(
        offer_purchase_key=runs["purchase_key"], offer_kind=runs["period_kind"],
        offer_product_id=runs["product_id"], started_at=runs["purchased_at"],
        started_date=runs["purchased_date"],
        status=chosen({"converted": converted, "lapsed": mature}, "pending", runs.index),
        converted_at=paid["purchased_at"], converted_purchase_key=whole(paid["purchase_key"]),
        converted_product_id=paid["product_id"],
        is_same_product=(paid["product_id"] == runs["product_id"]).astype("Int64")
        .where(converted),
        is_contiguous=(paid["at"] <= runs["ends_ms"] + DAY).astype("Int64").where(converted),
        days_to_convert=days, converted_paid_milli=paid["paid_milli"],
        converted_price_status=paid["price_status"],
        conversion_refunded_at=paid["reversed_at"].where(paid["reversal_kind"] == "refund"),
        matures_at=pd.to_datetime(matures, unit="ms").dt.strftime("%Y-%m-%dT%H:%M:%SZ"),
        is_mature=mature.astype("int64"))


def subscriptions(chains, as_of):
    """The rows of dim_subscription: the last row of each chain, and its first dates."""
    last = chains.drop_duplicates(CHAIN, keep="last").set_index(CHAIN, drop=False)

    def first(rows):
        return rows.drop_duplicates(CHAIN).set_index(CHAIN)["purchased_at"].reindex(last.index)

    paid = chains[chains["payment_mode"] != "free_trial"]
    status = last["period_kind"].replace({"regular": "active", "offer_code": "promo"})
    status = status.mask(last["expires_ms"] <= as_of, "expired").mask(
        last["reversal_kind"] == "refund", "revoked")
    return last.assign(
        first_started_at=first(chains), first_paid_at=first(paid), status=status,
        first_trial_at=first(chains[chains["period_kind"] == "trial"]),
        current_product_id=last["product_id"],
        paid_count=paid[CHAIN].value_counts().reindex(last.index, fill_value=0))


def entries(facts):
    """The rows of fct_revenue_entry: charges, and refunds on the day of the refund."""
    charges = facts[facts["paid_milli"].fillna(0) != 0]
    charges = charges.assign(
        entry_key=charges["purchase_key"] * 2, entry_kind="charge", amount_basis="paid",
        entry_date=charges["purchased_date"], amount_milli=charges["paid_milli"],
        amount_reporting_micros=charges["paid_reporting_micros"])
    refunds = charges[charges["reversal_kind"] == "refund"]
    refunds = refunds.assign(
        entry_key=refunds["entry_key"] + 1, entry_kind="refund",
        entry_date=refunds["reversed_at"].str.slice(0, 10), amount_milli=-refunds["amount_milli"],
        amount_reporting_micros=-refunds["amount_reporting_micros"])
    return pd.concat([charges, refunds])


def write(output, store, frame, claims):
    """Computes all tables and writes the database."""
    as_of = frame["request_date_ms"].max()
    frame = frame[frame["in_app_ownership_type"] != "FAMILY_SHARED"]
    frame["purchase_key"] = pd.to_numeric(
        frame["web_order_line_item_id"].fillna(frame[CHAIN]))
    ids = frame.groupby("transaction_id", sort=False)["purchase_key"].min().reset_index()
    prices = reports(claims)
    usual = commonest(prices, ["product_id", "currency"], "price_milli")
    facts = priced(purchases(frame), prices, usual, exchange(store))
    del frame
    chains = chained(facts)
    facts = pd.concat([chains, facts[facts["expires_at"].isna()]])
    evidence = prices.merge(
        usual.rename(columns={"price_milli": "reference_milli"}), on=["product_id", "currency"]
    ).merge(ids, on="transaction_id", how="left")
    evidence = evidence.assign(
        bundle_id=tables.BUNDLE, customer_key=customer_keys(evidence["customer_id"]),
        verdict="believed",
        purchase_key=whole(evidence["purchase_key"]), source_file_id=evidence["file"],
        source_line=evidence["line"])
    found = {
        "fct_revenue": facts, "bridge_transaction_id": ids, "fct_revenue_entry": entries(facts),
        "fct_conversion": conversions(chains, as_of),
        "dim_subscription": subscriptions(chains, as_of), "price_evidence": evidence}
    with adbc_sqlite.written(output) as database:
        for table, rows in found.items():
            names = tables.columns(table)
            rows = rows.reset_index(drop=True)[names].sort_values(names[0])
            rows.to_sql(table, database, if_exists="append", index=False)
