internal import Amounts
internal import CivilTime
internal import ExchangeRates
internal import PaidAmounts
internal import Proceeds
internal import PurchaseModel
internal import Purchases
internal import Subscriptions

/// `fct_revenue`: one row per purchase, in key order.
struct RevenueRows: Sendable {
  private let content: WarehouseContent
  private let customers: CustomerKeys
  private let rows: RowsByKey
  private let kindOfProduct: [ProductKind?]

  /// Prepares what every row needs.
  init(_ content: WarehouseContent, customers: CustomerKeys, rows: RowsByKey) {
    self.content = content
    self.customers = customers
    self.rows = rows
    var kinds = [ProductKind?](repeating: nil, count: content.sightings.symbols.count)
    for (product, kind) in content.courses.productKinds {
      kinds[Int(product.symbol.rawValue)] = kind
    }
    kindOfProduct = kinds
  }

  /// All rows.
  var source: FactSource {
    FactSource(.table("fct_revenue"), units: rows.count) { try encode($0, into: &$1) }
  }

  /// Encodes the rows at these places of the order.
  private func encode(_ places: Range<Int>, into table: inout RowEncoder) throws {
    try rows.forEach(places) { row in
      let purchase = row.purchase
      writeIdentity(purchase, customer: row.customer, to: &table)
      writeKind(row, to: &table)
      writeAmount(row, to: &table)
      try writeReported(row, to: &table)
      try writeReversal(row, to: &table)
      table.unhashed("first_run_id", content.run.runID)
      table.unhashed("changed_run_id", content.run.runID)
      table.unhashed("source_file_id", content.fileID(of: purchase.source))
      table.unhashed("source_line", Int64(purchase.source.line))
      table.insert()
    }
  }

  private func writeIdentity(
    _ purchase: Purchase, customer: CustomerID?, to table: inout RowEncoder
  ) {
    let kind = kindOfProduct[Int(purchase.productID.symbol.rawValue)] ?? .unknown
    table.key("purchase_key", purchase.key.rawValue)
    table.text("bundle_id", purchase.bundle?.symbol)
    table.text("transaction_id", purchase.transactionID.number)
    table.text("original_transaction_id", purchase.originalTransactionID.number)
    table.text("web_order_line_item_id", purchase.lineItemID?.number)
    table.text("subscription_group_id", purchase.subscriptionGroupID?.symbol)
    table.text("product_id", purchase.productID.symbol)
    table.text("product_kind", kind.rawValue)
    table.text("customer_key", utf8: customers.digits(of: customer))
  }

  private func writeKind(_ row: RowsByKey.Row, to table: inout RowEncoder) {
    let (purchase, course) = (row.purchase, row.course)
    table.time("purchased_at", purchase.purchasedAt)
    table.day("purchased_date", purchase.purchasedAt.day)
    table.time("expires_at", purchase.expiresAt)
    table.time("access_ends_at", Self.earlier(purchase.expiresAt, course.reversal?.at))
    table.period("covered_period", course.coveredPeriod)
    table.text("period_kind", course.kind.rawValue)
    table.text("payment_mode", row.amount.paymentMode.rawValue)
    table.text("offer_id", course.offerID?.symbol)
    table.text("offer_name", offerName(of: purchase, course)?.symbol)
    table.flag("is_trial_period", purchase.isTrialPeriod)
    table.flag("is_in_intro_offer_period", purchase.isInIntroOfferPeriod)
    table.integer("spell_number", course.spellNumber.map(Int64.init))
    table.integer("renewal_number", course.renewalNumber.map(Int64.init))
    table.integer("paid_number", row.paidNumber.map(Int64.init))
    table.integer("quantity", Int64(purchase.quantity))
  }

  /// What a campaign is called: the reference name that Apple sends with offer codes, else the
  /// catalogue's name of the offer.
  ///
  /// Example: of `promotional_offer_id` `com.example.win50` the catalogue says `Win back 50 %`.
  private func offerName(of purchase: Purchase, _ course: PurchaseCourse) -> OfferID? {
    guard let offer = course.offerID else { return nil }
    return purchase.offerCodeRefName ?? content.catalogue.offerName(offer, of: purchase.productID)
  }

  /// The earlier of two moments, of which either may be missing.
  private static func earlier(_ left: Instant?, _ right: Instant?) -> Instant? {
    guard let left, let right else { return left ?? right }
    return min(left, right)
  }

  private func writeAmount(_ row: RowsByKey.Row, to table: inout RowEncoder) {
    let amount = row.amount
    table.letters("currency", amount.currency?.rawValue)
    table.letters("storefront", amount.storefront?.rawValue)
    table.text("storefront_source", amount.storefrontSource.rawValue)
    table.integer("list_price_milli", amount.listPrice?.rawValue)
    table.integer("paid_milli", amount.paid?.rawValue)
    table.integer("paid_low_milli", amount.low.rawValue)
    table.integer("paid_high_milli", amount.high?.rawValue)
    table.integer("signed_price_milli", row.purchase.signed?.price?.amount.rawValue)
    table.text("price_status", amount.status.rawValue)
    table.text("price_rule", amount.rule.rawValue)
    table.integer("evidence_id", row.evidenceID)
    table.integer("basis_purchase_key", row.basisKey?.rawValue)
  }

  private func writeReported(_ row: RowsByKey.Row, to table: inout RowEncoder) throws {
    let reported = try content.reporting.reported(
      row.amount.paid, in: row.amount.currency, on: row.purchase.purchasedAt.day,
      share: row.share)
    table.integer("paid_reporting_micros", reported.paid?.micros.rawValue)
    table.day("fx_rate_date", reported.paid?.rateDate)
    table.integer("proceeds_estimate_micros", reported.proceeds?.rawValue)
    table.integer("commission_bp", reported.share.commission.map { Int64($0.rawValue) })
    table.integer("tax_bp", reported.share.tax.map { Int64($0.rawValue) })
  }

  private func writeReversal(_ row: RowsByKey.Row, to table: inout RowEncoder) throws {
    let reversal = row.course.reversal
    table.text("reversal_kind", reversal?.kind.rawValue ?? "none")
    table.time("reversed_at", reversal?.at)
    table.text("reversal_reason", reversal == nil ? nil : row.purchase.cancellationReason)
    table.integer("refunded_milli", try row.refunded()?.rawValue)
    table.flag("is_billing_recovery", row.course.isBillingRecovery)
  }
}

extension WarehouseContent {
  /// The file id of a place in the inputs.
  func fileID(of source: SourceLine) -> Int64 {
    sightings.files[Int(source.file)].id
  }
}
