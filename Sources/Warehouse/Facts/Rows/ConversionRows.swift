internal import Amounts
internal import CivilTime
internal import PaidAmounts
internal import PurchaseModel
internal import Purchases
internal import Subscriptions

/// `fct_conversion`: one row per offer period begun by a chain, by the offer's first purchase.
struct ConversionRows: Sendable {
  private let content: WarehouseContent
  private let customers: CustomerKeys
  private let order: [Int32]

  /// Prepares what every row needs.
  init(_ content: WarehouseContent, customers: CustomerKeys) {
    self.content = content
    self.customers = customers
    let periods = content.courses.offerPeriods
    order = content.subscriptions.conversions.indices
      .map { index in
        let period = periods[Int(content.subscriptions.conversions[index].offerPeriod)]
        return (
          key: content.purchases.purchases[period.rows.lowerBound].key.rawValue,
          index: Int32(index)
        )
      }
      .sorted { $0.key < $1.key }
      .map(\.index)
  }

  /// All rows.
  var source: FactSource {
    FactSource(.table("fct_conversion"), units: order.count) { places, table in
      for place in places {
        let conversion = content.subscriptions.conversions[Int(order[place])]
        writeOffer(conversion, to: &table)
        writeOutcome(conversion, to: &table)
        table.unhashed("changed_run_id", content.run.runID)
        table.insert()
      }
    }
  }

  private func writeOffer(_ conversion: Conversion, to table: inout RowEncoder) {
    let period = content.courses.offerPeriods[Int(conversion.offerPeriod)]
    let chain = content.purchases.chains[Int(period.chain)]
    let first = content.purchases.purchases[period.rows.lowerBound]
    let amount = content.amounts.amounts[period.rows.lowerBound]
    table.key("offer_purchase_key", first.key.rawValue)
    table.text("original_transaction_id", first.originalTransactionID.number)
    table.text("subscription_group_id", first.subscriptionGroupID?.symbol)
    table.text("customer_key", utf8: customers.digits(of: chain.customer))
    table.integer("offer_number", Int64(conversion.offerNumber))
    table.text("offer_kind", period.kind.rawValue)
    table.text("payment_mode", conversion.paymentMode.rawValue)
    table.text("offer_id", period.offerID?.symbol)
    table.text("offer_product_id", first.productID.symbol)
    table.letters("storefront", amount.storefront?.rawValue)
    table.letters("currency", amount.currency?.rawValue)
    table.time("started_at", conversion.startedAt)
    table.day("started_date", conversion.startedAt.day)
    table.time("ends_at", conversion.endsAt)
    table.integer("offer_periods", Int64(period.rows.count))
    table.integer("offer_paid_milli", conversion.offerPaid?.rawValue)
  }

  private func writeOutcome(_ conversion: Conversion, to table: inout RowEncoder) {
    let converted = conversion.convertedBy.map { content.purchases.purchases[Int($0)] }
    let amount = conversion.convertedBy.map { content.amounts.amounts[Int($0)] }
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
