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
  private let order: [Int32]
  private let chainOfRow: [Int32]
  private let kindOfProduct: [ProductKind?]

  /// Prepares what every row needs; `order` gives the positions of the rows by key.
  init(_ content: WarehouseContent, customers: CustomerKeys, order: [Int32]) {
    self.content = content
    self.customers = customers
    self.order = order
    var chains = [Int32](repeating: 0, count: content.purchases.revenueCount)
    for (index, chain) in content.purchases.chains.enumerated() {
      for row in chain.rows { chains[row] = Int32(index) }
    }
    chainOfRow = chains
    var kinds = [ProductKind?](repeating: nil, count: content.sightings.symbols.count)
    for (product, kind) in content.courses.productKinds {
      kinds[Int(product.symbol.rawValue)] = kind
    }
    kindOfProduct = kinds
  }

  /// The positions of the revenue rows, by key.
  static func order(of book: PurchaseBook) -> [Int32] {
    (0..<Int32(book.revenueCount))
      .map { (key: book.purchases[Int($0)].key.rawValue, row: $0) }
      .sorted { $0.key < $1.key }
      .map(\.row)
  }

  /// All rows.
  var source: FactSource {
    FactSource(.table("fct_revenue"), units: order.count) { try encode($0, into: &$1) }
  }

  /// Encodes the rows at these places of the order.
  private func encode(_ places: Range<Int>, into table: inout RowEncoder) throws {
    for portion in places.inPortions {
      for row in try gather(order[portion]) { write(row, to: &table) }
    }
  }

  // MARK: Gathering

  /// What a row is written from.
  private struct Gathered {
    let purchase: Purchase
    let course: PurchaseCourse
    let amount: PaidAmount
    let paidNumber: Int32?
    let chain: Int32
    var customer: CustomerID?
    var evidenceID: Int64?
    var basis: Int64?
    var reported: ReportedAmount?
  }

  private func gather(_ rows: ArraySlice<Int32>) throws -> [Gathered] {
    var gathered = rows.map { row in
      let row = Int(row)
      return Gathered(
        purchase: content.purchases.purchases[row], course: content.courses.rows[row],
        amount: content.amounts.amounts[row], paidNumber: content.subscriptions.paidNumbers[row],
        chain: chainOfRow[row])
    }
    // What the first pass tells where to look for.
    for (place, row) in zip(gathered.indices, rows) {
      let (purchase, amount) = (gathered[place].purchase, gathered[place].amount)
      gathered[place].customer = content.purchases.chains[Int(gathered[place].chain)].customer
      gathered[place].evidenceID = amount.evidence.map {
        content.sightings.reports[Int($0)].evidenceID
      }
      gathered[place].basis = amount.basis.map {
        content.purchases.purchases[Int($0)].key.rawValue
      }
      gathered[place].reported = try content.reporting.row(
        Int(row), paid: amount.paid, currency: amount.currency, on: purchase.purchasedAt.day)
    }
    return gathered
  }

  // MARK: Writing

  private func write(_ row: Gathered, to table: inout RowEncoder) {
    writeIdentity(row.purchase, customer: row.customer, to: &table)
    writeKind(row, to: &table)
    writeAmount(row, to: &table)
    writeReported(row.reported, to: &table)
    writeReversal(row.purchase, course: row.course, to: &table)
    table.unhashed("first_run_id", content.run.runID)
    table.unhashed("changed_run_id", content.run.runID)
    table.unhashed("source_file_id", content.fileID(of: row.purchase.source))
    table.unhashed("source_line", Int64(row.purchase.source.line))
    table.insert()
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

  private func writeKind(_ row: Gathered, to table: inout RowEncoder) {
    let (purchase, course) = (row.purchase, row.course)
    table.time("purchased_at", purchase.purchasedAt)
    table.day("purchased_date", purchase.purchasedAt.day)
    table.time("expires_at", purchase.expiresAt)
    table.time("access_ends_at", Self.earlier(purchase.expiresAt, course.reversal?.at))
    table.period("covered_period", course.coveredPeriod)
    table.text("period_kind", course.kind.rawValue)
    table.text("payment_mode", row.amount.paymentMode.rawValue)
    table.text("offer_id", course.offerID?.symbol)
    table.flag("is_trial_period", purchase.isTrialPeriod)
    table.flag("is_in_intro_offer_period", purchase.isInIntroOfferPeriod)
    table.integer("spell_number", course.spellNumber.map(Int64.init))
    table.integer("renewal_number", course.renewalNumber.map(Int64.init))
    table.integer("paid_number", row.paidNumber.map(Int64.init))
    table.integer("quantity", Int64(purchase.quantity))
  }

  /// The earlier of two moments, of which either may be missing.
  private static func earlier(_ left: Instant?, _ right: Instant?) -> Instant? {
    guard let left, let right else { return left ?? right }
    return min(left, right)
  }

  private func writeAmount(_ row: Gathered, to table: inout RowEncoder) {
    let amount = row.amount
    table.letters("currency", amount.currency?.rawValue)
    table.letters("storefront", amount.storefront?.rawValue)
    table.text("storefront_source", amount.storefrontSource.rawValue)
    table.integer("list_price_milli", amount.listPrice?.rawValue)
    table.integer("paid_milli", amount.paid?.rawValue)
    table.integer("paid_low_milli", amount.low.rawValue)
    table.integer("paid_high_milli", amount.high?.rawValue)
    table.text("price_status", amount.status.rawValue)
    table.text("price_rule", amount.rule.rawValue)
    table.integer("evidence_id", row.evidenceID)
    table.integer("evidence_count", Int64(amount.evidenceCount))
    table.integer("basis_purchase_key", row.basis)
  }

  private func writeReported(_ reported: ReportedAmount?, to table: inout RowEncoder) {
    table.integer("paid_reporting_micros", reported?.paid?.micros.rawValue)
    table.day("fx_rate_date", reported?.paid?.rateDate)
    table.integer("proceeds_estimate_micros", reported?.proceeds?.rawValue)
    table.integer("commission_bp", reported?.share.commission.map { Int64($0.rawValue) })
    table.integer("tax_bp", reported?.share.tax.map { Int64($0.rawValue) })
  }

  private func writeReversal(
    _ purchase: Purchase, course: PurchaseCourse, to table: inout RowEncoder
  ) {
    let reversal = course.reversal
    table.text("reversal_kind", reversal?.kind.rawValue ?? "none")
    table.time("reversed_at", reversal?.at)
    table.text("reversal_reason", reversal == nil ? nil : purchase.cancellationReason)
    table.flag("is_billing_recovery", course.isBillingRecovery)
  }
}

extension WarehouseContent {
  /// The file id of a place in the inputs.
  func fileID(of source: SourceLine) -> Int64 {
    sightings.files[Int(source.file)].id
  }
}
