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
  /// What the rows are made of, in the order of the offers: those of keys would jump about among the
  /// purchases.
  private let offers: [Offer]
  private let order: [Int32]

  /// What an offer's row is made of.
  private struct Offer {
    var conversion: Conversion
    var period: OfferPeriod
    var customer: CustomerID?
    /// The first row of the offer.
    var first: Purchase
    var storefront: Storefront?
    var currency: Currency?
    /// The converting row.
    var convertedAt: Instant?
    var convertedKey: PurchaseKey?
    var convertedProduct: ProductID?
    var convertedPaid: Milliunits?
    var convertedStatus: PriceStatus?

    init(_ conversion: Conversion, in content: WarehouseContent) {
      self.conversion = conversion
      period = content.courses.offerPeriods[Int(conversion.offerPeriod)]
      customer = content.purchases.chains[Int(period.chain)].customer
      first = content.purchases.purchases[period.rows.lowerBound]
      let amount = content.amounts.amounts[period.rows.lowerBound]
      (storefront, currency) = (amount.storefront, amount.currency)
      guard let row = conversion.convertedBy.map(Int.init) else { return }
      let converted = content.purchases.purchases[row]
      (convertedAt, convertedKey) = (converted.purchasedAt, converted.key)
      convertedProduct = converted.productID
      (convertedPaid, convertedStatus) =
        (content.amounts.amounts[row].paid, content.amounts.amounts[row].status)
    }
  }

  /// Prepares what every row needs.
  init(_ content: WarehouseContent, customers: CustomerKeys) {
    self.content = content
    self.customers = customers
    let offers = content.subscriptions.conversions.map { Offer($0, in: content) }
    self.offers = offers
    order = offers.indices
      .map { (key: offers[$0].first.key.rawValue, index: Int32($0)) }
      .sorted { $0.key < $1.key }
      .map(\.index)
  }

  /// All rows.
  var source: FactSource {
    FactSource(.table("fct_conversion"), units: order.count) { places, table in
      for place in places {
        let offer = offers[Int(order[place])]
        writeOffer(offer, to: &table)
        writeOutcome(offer, to: &table)
        table.unhashed("changed_run_id", content.run.runID)
        table.insert()
      }
    }
  }

  private func writeOffer(_ offer: Offer, to table: inout RowEncoder) {
    let (conversion, period, first) = (offer.conversion, offer.period, offer.first)
    table.key("offer_purchase_key", first.key.rawValue)
    table.text("original_transaction_id", first.originalTransactionID.number)
    table.text("subscription_group_id", first.subscriptionGroupID?.symbol)
    table.text("customer_key", utf8: customers.digits(of: offer.customer))
    table.integer("offer_number", Int64(conversion.offerNumber))
    table.text("offer_kind", period.kind.rawValue)
    table.text("payment_mode", conversion.paymentMode.rawValue)
    table.text("offer_id", period.offerID?.symbol)
    table.text("offer_product_id", first.productID.symbol)
    table.letters("storefront", offer.storefront?.rawValue)
    table.letters("currency", offer.currency?.rawValue)
    table.time("started_at", conversion.startedAt)
    table.day("started_date", conversion.startedAt.day)
    table.time("ends_at", conversion.endsAt)
    table.integer("offer_periods", Int64(period.rows.count))
    table.integer("offer_paid_milli", conversion.offerPaid?.rawValue)
  }

  private func writeOutcome(_ offer: Offer, to table: inout RowEncoder) {
    let conversion = offer.conversion
    table.text("status", conversion.status.rawValue)
    table.time("converted_at", offer.convertedAt)
    table.integer("converted_purchase_key", offer.convertedKey?.rawValue)
    table.text("converted_product_id", offer.convertedProduct?.symbol)
    table.flag("is_same_product", conversion.isSameProduct)
    table.flag("is_contiguous", conversion.isContiguous)
    table.integer("days_to_convert", conversion.daysToConvert)
    table.integer("converted_paid_milli", offer.convertedPaid?.rawValue)
    table.text("converted_price_status", offer.convertedStatus?.rawValue)
    table.time("conversion_refunded_at", conversion.conversionRefundedAt)
    table.flag("auto_renew_status", conversion.autoRenewStatus)
    table.text("expiration_intent", conversion.expirationIntent)
    table.time("matures_at", conversion.maturesAt)
    table.flag("is_mature", conversion.isMature)
  }
}
