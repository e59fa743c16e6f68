internal import Amounts
internal import CivilTime
internal import Deciding
internal import ExchangeRates
internal import PaidAmounts
internal import Proceeds
internal import PurchaseModel
internal import Purchases
internal import Subscriptions

/// Writes `fct_revenue`: one row per purchase.
extension RowWriter {
  /// Writes the rows of a chain, and their ledger entries.
  mutating func writeRevenue(ofChain index: Int, _ decided: borrowing DecidedHouseholds)
    throws(AmountError)
  {
    let chain = decided.purchases.chains[index]
    let digits = customers.digits(of: chain.customer)
    for row in chain.rows {
      let (purchase, timeline) = (decided.purchases.purchases[row], decided.timelines.rows[row])
      let amount = decided.amounts.amounts[row]
      table.begin(.revenue)
      writeIdentity(purchase, customer: digits)
      writeKind(purchase, timeline, amount, paidNumber: decided.subscriptions.paidNumbers[row])
      writeAmount(
        purchase, amount, basis: amount.basis.map { decided.purchases.purchases[$0.index].key })
      try writeReported(purchase, amount, row, decided.reporting)
      let refunds = try RowRefunds(
        purchase, timeline, amount, items: itemRefunds(of: purchase))
      writeReversal(purchase, timeline, refunds)
      table.provenance("first_run_id", context.runID)
      table.provenance("changed_run_id", context.runID)
      table.provenance("source_file_id", context.fileID(of: purchase.source))
      table.provenance("source_line", Int64(purchase.source.line))
      table.insert()
      try writeEntries(purchase, timeline, amount, refunds, decided.reporting)
    }
  }

  /// The refunds of a purchase's items, in the format of ``ItemRefundsText``; `nil` without items.
  func itemRefunds(of purchase: Purchase) -> String? {
    purchase.signed?.itemRefunds.map {
      String(decoding: context.symbols.utf8($0), as: UTF8.self)
    }
  }

  private mutating func writeIdentity(_ purchase: Purchase, customer: ArraySlice<UInt8>?) {
    let kind = context.kinds[purchase.productID] ?? .unknown
    table.key("purchase_key", purchase.key.rawValue)
    table.text("bundle_id", context.app(of: purchase.productID))
    table.text("transaction_id", purchase.transactionID.number)
    table.text("original_transaction_id", purchase.originalTransactionID.number)
    table.text("web_order_line_item_id", purchase.lineItemID?.number)
    table.text("subscription_group_id", purchase.subscriptionGroupID?.symbol)
    table.text("product_id", purchase.productID.symbol)
    table.text("product_kind", kind.rawValue)
    table.text("customer_key", utf8: customer)
  }

  private mutating func writeKind(
    _ purchase: Purchase, _ timeline: BillingTimeline, _ amount: PaidAmount, paidNumber: Int32?
  ) {
    table.time("purchased_at", purchase.purchasedAt)
    table.day("purchased_date", purchase.purchasedAt.day)
    table.time("expires_at", purchase.expiresAt)
    // Only a refund ends what never expires.
    table.time(
      "access_ends_at",
      purchase.expiresAt.map { min($0, timeline.accessEndsAt) } ?? timeline.reversal?.at)
    table.time("first_seen_at", purchase.firstSeenAt)
    table.period(
      "covered_period", timeline.paidPeriod(usual: context.periods[purchase.productID]))
    table.text("billing_plan", purchase.signed?.billingPlan?.name)
    table.time("commitment_ends_at", purchase.signed?.commitmentEndsAt)
    table.text("period_kind", timeline.kind.rawValue)
    table.text("payment_mode", amount.paymentMode.rawValue)
    table.text("offer_id", timeline.offerID?.symbol)
    table.text("offer_name", offerName(of: purchase, timeline)?.symbol)
    table.flag("is_trial_period", purchase.isTrialPeriod)
    table.flag("is_in_intro_offer_period", purchase.isInIntroOfferPeriod)
    table.integer("spell_number", timeline.spellNumber.map(Int64.init))
    table.integer("renewal_number", timeline.renewalNumber.map(Int64.init))
    table.integer("paid_number", paidNumber.map(Int64.init))
    table.integer("quantity", Int64(purchase.quantity))
  }

  /// The name of the row's campaign.
  ///
  /// It is an offer code's reference name, else the offer's name in the catalogue. Example: for the
  /// `promotional_offer_id` `com.example.win50` the catalogue has the name `Win back 50 %`.
  private func offerName(of purchase: Purchase, _ timeline: BillingTimeline) -> OfferID? {
    guard let offer = timeline.offerID else { return nil }
    return purchase.offerCodeRefName ?? context.catalogue.offerName(offer, of: purchase.productID)
  }

  private mutating func writeAmount(
    _ purchase: Purchase, _ amount: PaidAmount, basis: PurchaseKey?
  ) {
    table.letters("currency", amount.currency?.rawValue)
    table.letters("storefront", amount.storefront?.rawValue)
    table.text("storefront_source", amount.storefrontSource.rawValue)
    table.integer("list_price_milli", amount.listPrice?.rawValue)
    table.integer("paid_milli", amount.paid?.rawValue)
    table.integer("paid_low_milli", amount.low.rawValue)
    table.integer("paid_high_milli", amount.high?.rawValue)
    table.integer("signed_price_milli", purchase.signed?.price?.amount.rawValue)
    table.text("price_status", amount.status.rawValue)
    table.text("price_rule", amount.rule.rawValue)
    table.integer("evidence_id", amount.evidence)
    table.integer("basis_purchase_key", basis?.rawValue)
  }

  private mutating func writeReported(
    _ purchase: Purchase, _ amount: PaidAmount, _ row: Int, _ reporting: ReportingConverter
  ) throws(AmountError) {
    let reported = try reporting.reported(
      amount.paid, in: amount.currency, on: purchase.purchasedAt.day,
      share: reporting.share(ofRow: row))
    table.integer("paid_reporting_micros", reported.paid?.micros.rawValue)
    table.day("fx_rate_date", reported.paid?.rateDate)
    let bounds = try reporting.bounds(
      of: amount, paid: reported.paid?.micros, ofRow: row, on: purchase.purchasedAt.day)
    table.integer("paid_low_reporting_micros", bounds.low?.rawValue)
    table.integer("paid_high_reporting_micros", bounds.high?.rawValue)
    table.flag("is_high_estimated", bounds.isHighEstimated)
    table.integer("proceeds_estimate_micros", reported.proceeds?.rawValue)
    table.integer("commission_bp", reported.share.commission.map { Int64($0.rawValue) })
    table.integer("tax_bp", reported.share.tax.map { Int64($0.rawValue) })
    let proceeds = try reporting.proceeds(of: amount, ofRow: row)
    table.integer("proceeds_milli", proceeds?.amount.rawValue)
    table.letters("proceeds_currency", proceeds?.currency.rawValue)
    table.text("proceeds_basis", proceeds.map { $0.isEstimate ? "estimate" : "apple_report" })
  }

  private mutating func writeReversal(
    _ purchase: Purchase, _ timeline: BillingTimeline, _ refunds: RowRefunds
  ) {
    let reversal = timeline.reversal
    table.text("reversal_kind", reversal?.kind.rawValue ?? "none")
    table.time("reversed_at", reversal?.at)
    table.text("reversal_reason", reversal == nil ? nil : purchase.cancellationReason)
    table.integer("refunded_milli", refunds.stated?.rawValue)
    table.flag("is_billing_recovery", timeline.isBillingRecovery)
  }
}
