internal import Amounts
internal import CivilTime
internal import Deciding
internal import PaidAmounts
internal import PurchaseModel
internal import Purchases
internal import Subscriptions

/// Writes `fct_conversion`: one row per offer period of a chain.
extension RowWriter {
  mutating func write(_ conversion: Conversion, _ decided: borrowing DecidedHouseholds) {
    let period = decided.timelines.offerPeriods[Int(conversion.offerPeriod)]
    let first = decided.purchases.purchases[period.rows.lowerBound]
    table.begin(.conversion)
    writeOffer(conversion, period, first, decided)
    writeOutcome(conversion, decided)
    table.provenance("changed_run_id", context.runID)
    table.insert()
  }

  private mutating func writeOffer(
    _ conversion: Conversion, _ period: OfferPeriod, _ first: Purchase,
    _ decided: borrowing DecidedHouseholds
  ) {
    let customer = decided.purchases.chains[period.chain.index].customer
    let amount = decided.amounts.amounts[period.rows.lowerBound]
    table.key("offer_purchase_key", first.key.rawValue)
    table.text("original_transaction_id", first.originalTransactionID.number)
    table.text("subscription_group_id", first.subscriptionGroupID?.symbol)
    table.text("customer_key", utf8: customers.digits(of: customer))
    table.integer("offer_number", Int64(conversion.offerNumber))
    table.text("offer_kind", period.kind.rawValue)
    table.text("payment_mode", conversion.paymentMode.rawValue)
    table.text("offer_id", period.offerID?.symbol)
    table.text("bundle_id", context.app(of: first.productID))
    table.text("offer_product_id", first.productID.symbol)
    table.letters("storefront", amount.storefront?.rawValue)
    table.letters("currency", amount.currency?.rawValue)
    table.time("started_at", conversion.startedAt)
    table.day("started_date", conversion.startedAt.day)
    table.time("ends_at", conversion.endsAt)
    table.integer("offer_periods", Int64(period.rows.count))
    table.integer("offer_paid_milli", conversion.offerPaid?.rawValue)
  }

  private mutating func writeOutcome(
    _ conversion: Conversion, _ decided: borrowing DecidedHouseholds
  ) {
    let row = conversion.convertedBy?.index
    let converted = row.map { decided.purchases.purchases[$0] }
    let amount = row.map { decided.amounts.amounts[$0] }
    table.text("status", conversion.status.rawValue)
    table.time("converted_at", converted?.purchasedAt)
    table.integer("converted_purchase_key", converted?.key.rawValue)
    table.text("converted_product_id", converted?.productID.symbol)
    table.flag("is_same_product", conversion.isSameProduct)
    table.flag("is_contiguous", conversion.isContiguous)
    table.integer("days_to_convert", conversion.daysToConvert)
    table.integer("converted_paid_milli", amount?.paid?.rawValue)
    table.text("converted_price_status", amount?.status.rawValue)
    table.time("conversion_refunded_at", conversion.conversionRefundedAt)
    table.flag("auto_renew_status", conversion.autoRenewStatus)
    table.text("expiration_intent", conversion.expirationIntent)
    table.time("matures_at", conversion.maturesAt)
    table.flag("is_mature", conversion.isMature)
  }
}
