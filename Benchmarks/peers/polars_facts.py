"""Computes amounts, chains, conversions and all tables for polars_frames."""

import polars as pl

import adbc_sqlite
import tables
from tables import DAY

FREE = pl.col("payment_mode") == "free_trial"
CHAIN = "original_transaction_id"


def instant(name):
    """Converts Apple's date text to ISO 8601."""
    text = pl.col(name)
    return text.str.slice(0, 10) + "T" + text.str.slice(11, 8) + "Z"


def customer_keys(frame):
    """Adds the hashed keys of customers to a frame; each customer is hashed once."""
    customers = frame["customer_id"].drop_nulls().unique()
    keys = pl.DataFrame({
        "customer_id": customers,
        "customer_key": pl.Series(map(tables.customer_key, customers), dtype=pl.String)})
    return frame.join(keys, on="customer_id", how="left")


def purchases(rows):
    """The columns of fct_revenue that the newest observation of each purchase determines."""
    trial, intro = pl.col("is_trial_period") == "true", pl.col("is_in_intro_offer_period") == "true"
    offers = "offer_code_ref_name", "promotional_offer_id"
    upgraded = pl.col("is_upgraded").eq_missing("true")
    return customer_keys(rows).lazy().with_columns(
        period_kind=pl.when(pl.col(offers[0]).is_not_null()).then(pl.lit("offer_code"))
        .when(pl.col(offers[1]).is_not_null()).then(pl.lit("promo"))
        .when(trial).then(pl.lit("trial")).when(intro).then(pl.lit("intro"))
        .when(pl.col("expires_date").is_not_null()).then(pl.lit("regular"))
        .otherwise(pl.lit("one_time")),
        expires_at=instant("expires_date"), reversed_at=instant("cancellation_date"),
    ).with_columns(
        reversed_at=pl.when(upgraded).then(pl.coalesce("reversed_at", "expires_at"))
        .otherwise("reversed_at"),
    ).select(
        "purchase_key", "bundle_id", "transaction_id", CHAIN, "web_order_line_item_id",
        "product_id", "customer_id", "customer_key", "storefront", "period_kind", "expires_at",
        "reversed_at", subscription_group_id="subscription_group_identifier",
        product_kind=pl.when(pl.col("web_order_line_item_id").is_null()).then(pl.lit("unknown"))
        .otherwise(pl.lit("auto_renewable_subscription")),
        purchased_at=instant("purchase_date"), purchased_date=pl.col("purchase_date").str.head(10),
        access_ends_at=pl.when(pl.col("reversed_at") < pl.col("expires_at")).then("reversed_at")
        .otherwise(pl.coalesce("expires_at", "reversed_at")),
        payment_mode=pl.when(trial).then(pl.lit("free_trial"))
        .when(pl.col("period_kind").is_in(["regular", "one_time"])).then(pl.lit("standard"))
        .otherwise(pl.lit("unknown")),
        offer_id=pl.coalesce(*offers), is_trial_period=trial.cast(pl.Int64),
        is_in_intro_offer_period=intro.cast(pl.Int64),
        quantity=pl.col("quantity").cast(pl.Int64), at=pl.col("purchase_date_ms").cast(pl.Int64),
        expires_ms=pl.col("expires_date_ms").cast(pl.Int64),
        reversal_kind=pl.when(upgraded).then(pl.lit("upgrade"))
        .when(pl.col("reversed_at").is_not_null()).then(pl.lit("refund"))
        .otherwise(pl.lit("none")),
        reversal_reason="cancellation_reason", source_file_id="file", source_line="line")


def commonest(frame, by, what):
    """The most frequent value of a column per group; of equally frequent values the smallest."""
    return frame.drop_nulls([*by, what]).group_by(*by, what).len().sort(
        "len", what, descending=[True, False]).unique(by, keep="first", maintain_order=True
    ).drop("len")


def exchange(store):
    """The price of one unit of each currency in US dollars, by day."""
    days = pl.read_csv(
        f"{store}/eurofxref-hist.csv", infer_schema=False, null_values=["N/A", ""],
        truncate_ragged_lines=True)
    days = days.select(name for name in days.columns if len(name) in (3, 4))
    rates = days.with_columns(EUR=pl.lit("1")).unpivot(
        index="Date", variable_name="currency", value_name="rate").drop_nulls("rate")
    dollars = days.select("Date", dollar=pl.col("USD").cast(pl.Float64))
    return rates.join(dollars, on="Date").select(
        "currency", fx_rate_date="Date", day=pl.col("Date").str.to_date(),
        dollars=pl.col("dollar") / pl.col("rate").cast(pl.Float64)).sort("day")


def priced(rows, prices, usual, rates):
    """Adds currency, storefront and amounts to the purchases."""
    prices = prices.sort("at", "evidence_id")
    known = prices.drop_nulls("customer_id")
    home = known.unique("customer_id", keep="last", maintain_order=True).select(
        "customer_id", home_currency="currency", home_storefront="storefront")
    shown = known.select(
        "customer_id", "product_id", "at", "evidence_id", shown_milli="price_milli",
        shown_currency="currency", shown_storefront="storefront")
    return rows.with_columns(until=pl.col("at") + DAY).sort("until").join_asof(
        shown.lazy(), left_on="until", right_on="at", by=["customer_id", "product_id"],
        check_sortedness=False
    ).drop("until", "at_right", strict=False).join(
        home.lazy(), on="customer_id", how="left"
    ).with_columns(
        storefront=pl.coalesce("shown_storefront", "storefront", "home_storefront"),
        currency=pl.coalesce("shown_currency", "home_currency"),
    ).join(
        commonest(prices, ["storefront"], "currency").rename({"currency": "local"}).lazy(),
        on="storefront", how="left"
    ).with_columns(currency=pl.coalesce("currency", "local")).join(
        usual.rename({"price_milli": "list_price_milli"}).lazy(), on=["product_id", "currency"],
        how="left"
    ).with_columns(
        paid_milli=pl.when(FREE).then(pl.lit(0, pl.Int64)).otherwise(
            pl.coalesce("shown_milli", "list_price_milli") * pl.col("quantity")),
        price_status=pl.when(FREE).then(pl.lit("zero_by_rule"))
        .when(pl.col("shown_milli").is_not_null()).then(pl.lit("derived"))
        .when(pl.col("list_price_milli").is_not_null()).then(pl.lit("inferred"))
        .otherwise(pl.lit("unresolved")),
        evidence_id=pl.when(~FREE).then("evidence_id"),
        day=pl.col("purchased_date").str.to_date(),
    ).sort("day").join_asof(
        rates.lazy(), on="day", by="currency", check_sortedness=False
    ).with_columns(
        fx_rate_date=pl.when(pl.col("paid_milli").is_not_null()).then("fx_rate_date"),
        paid_reporting_micros=(pl.col("paid_milli") * 1000 * pl.col("dollars") + 0.5).floor()
        .cast(pl.Int64))


def chained(rows):
    """The rows of subscriptions in chain order, with their offer, renewal and paid numbers."""
    what = pl.struct("period_kind", pl.col("offer_id").fill_null(""), "payment_mode")
    offer = pl.col("period_kind").is_in(["trial", "intro", "promo", "offer_code"])
    return rows.filter(pl.col("expires_at").is_not_null()).sort(
        CHAIN, "at", "purchase_key"
    ).with_columns(
        begins=(what != what.shift()).fill_null(True) | (pl.col(CHAIN) != pl.col(CHAIN).shift()),
        is_offer=offer,
    ).with_columns(
        run=pl.col("begins").cum_sum(),
        offer_number=(pl.col("begins") & offer).cum_sum().over(CHAIN),
        renewal_number=pl.when(pl.col("period_kind") == "regular").then(
            (pl.col("period_kind") == "regular").cum_sum().over(CHAIN)),
        paid_number=pl.when(~FREE).then((~FREE).cum_sum().over(CHAIN)))


def conversions(chains, as_of):
    """One row per offer period: its first later paid row, if it begins within 60 days."""
    next_paid = ["at", "purchased_at", "purchase_key", "product_id", "paid_milli", "price_status",
                 "reversal_kind", "reversed_at"]
    runs = chains.group_by("run", maintain_order=True).agg(
        pl.all().first(), ends=pl.col("expires_ms").last(), ends_at=pl.col("expires_at").last(),
        offer_periods=pl.len(), total=pl.col("paid_milli").sum(),
        known=pl.col("paid_milli").count())
    paid = pl.struct(next_paid)
    matures = pl.col("ends") + 60 * DAY
    return runs.with_columns(
        next=pl.when(~FREE).then(paid).backward_fill().shift(-1).over(CHAIN), matures=matures,
    ).filter("is_offer").with_columns(
        next=pl.when(pl.col("next").struct["at"] <= pl.col("matures")).then("next"),
        is_mature=pl.col("matures") <= as_of,
    ).with_columns(**{f"next_{name}": pl.col("next").struct[name] for name in next_paid}).select(
        CHAIN, "subscription_group_id", "customer_key", "offer_number", "payment_mode", "offer_id",
        "storefront", "currency", "ends_at", "offer_periods", offer_purchase_key="purchase_key",
        offer_kind="period_kind", offer_product_id="product_id", started_at="purchased_at",
        started_date="purchased_date", offer_paid_milli=pl.when(pl.col("known") > 0).then("total"),
        status=pl.when(pl.col("next_at").is_not_null()).then(pl.lit("converted"))
        .when("is_mature").then(pl.lit("lapsed")).otherwise(pl.lit("pending")),
        converted_at="next_purchased_at", converted_purchase_key="next_purchase_key",
        converted_product_id="next_product_id",
        is_same_product=(pl.col("next_product_id") == pl.col("product_id")).cast(pl.Int64),
        is_contiguous=(pl.col("next_at") <= pl.col("ends") + DAY).cast(pl.Int64),
        days_to_convert=(pl.col("next_at") - pl.col("at")) // DAY,
        converted_paid_milli="next_paid_milli", converted_price_status="next_price_status",
        conversion_refunded_at=pl.when(pl.col("next_reversal_kind") == "refund")
        .then("next_reversed_at"),
        matures_at=pl.from_epoch("matures", time_unit="ms").dt.strftime("%Y-%m-%dT%H:%M:%SZ"),
        is_mature=pl.col("is_mature").cast(pl.Int64))


def subscriptions(chains, as_of):
    """The rows of dim_subscription: the last row of each chain, and its first dates."""
    kind, at = pl.col("period_kind"), pl.col("purchased_at")
    return chains.group_by(CHAIN).agg(
        pl.col("bundle_id", "subscription_group_id", "customer_key", "expires_at").last(),
        first_started_at=at.first(), first_trial_at=at.filter(kind == "trial").first(),
        first_paid_at=at.filter(~FREE).first(), current_product_id=pl.col("product_id").last(),
        status=pl.when(pl.col("reversal_kind").last() == "refund").then(pl.lit("revoked"))
        .when(pl.col("expires_ms").last() <= as_of).then(pl.lit("expired"))
        .otherwise(kind.last().replace({"regular": "active", "offer_code": "promo"})),
        paid_count=(~FREE).sum())


def entries(facts):
    """The rows of fct_revenue_entry: charges, and refunds on the day of the refund."""
    charges = facts.filter(pl.col("paid_milli") != 0).select(
        "purchase_key", "currency", "reversal_kind", "reversed_at", entry_kind=pl.lit("charge"),
        entry_key=pl.col("purchase_key") * 2, entry_date="purchased_date",
        amount_milli="paid_milli", amount_reporting_micros="paid_reporting_micros",
        amount_basis=pl.lit("paid"))
    refunds = charges.filter(pl.col("reversal_kind") == "refund").with_columns(
        entry_key=pl.col("entry_key") + 1, entry_kind=pl.lit("refund"),
        entry_date=pl.col("reversed_at").str.head(10), amount_milli=-pl.col("amount_milli"),
        amount_reporting_micros=-pl.col("amount_reporting_micros"))
    return pl.concat([charges, refunds])


def write(output, store, rows, ids, prices, as_of):
    """Computes all tables and writes the database."""
    usual = commonest(prices, ["product_id", "currency"], "price_milli")
    facts = priced(purchases(rows), prices, usual, exchange(store)).collect()
    chains = chained(facts)
    facts = pl.concat(
        [chains, facts.filter(pl.col("expires_at").is_null())], how="diagonal")
    ids = ids.group_by("transaction_id").agg(pl.col("purchase_key").min())
    evidence = customer_keys(prices).join(
        usual.rename({"price_milli": "reference_milli"}), on=["product_id", "currency"], how="left"
    ).join(ids, on="transaction_id", how="left").with_columns(
        source_file_id="file", source_line="line", verdict=pl.lit("believed"),
        bundle_id=pl.lit(tables.BUNDLE))
    found = {
        "fct_revenue": facts, "bridge_transaction_id": ids, "fct_revenue_entry": entries(facts),
        "fct_conversion": conversions(chains, as_of),
        "dim_subscription": subscriptions(chains, as_of), "price_evidence": evidence}
    with adbc_sqlite.written(output) as database, database.cursor() as cursor:
        for table, frame in found.items():
            names = tables.columns(table)
            cursor.adbc_ingest(
                table, frame.select(names).sort(names[0]).to_arrow(), mode="append")
