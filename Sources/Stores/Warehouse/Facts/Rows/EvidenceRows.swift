internal import Amounts
internal import Deciding
internal import PaidAmounts
internal import PriceLearning
internal import PurchaseModel
internal import Purchases

/// Writes `price_evidence` and `price_evidence_offer`: the price reports and their offers.
extension RowWriter {
  /// Writes the rows of a price report that belongs to one of the households, or to no household.
  ///
  /// Leaves out a report that names a transaction of these households but belongs to another
  /// household. The report is written with that other household.
  mutating func write(
    _ own: HouseholdReport, _ reportVerdict: ReportVerdict, _ decided: borrowing DecidedHouseholds
  ) {
    guard own.household != nil || own.named == nil else { return }
    let report = own.report
    table.begin(.priceEvidence)
    table.key("evidence_id", report.evidenceID)
    table.text("bundle_id", context.app(of: report.productID) ?? report.bundle?.symbol)
    table.text("product_id", report.productID.symbol)
    table.text("customer_key", utf8: customers.digits(of: own.customer))
    table.text("transaction_id", report.transactionID?.number)
    table.integer(
      "purchase_key", own.named.flatMap { $0.isExcluded ? nil : $0.key.rawValue })
    table.letters("storefront", report.storefront?.rawValue)
    table.letters("currency", report.currency.rawValue)
    table.integer("price_milli", report.price.rawValue)
    table.integer("reference_milli", reportVerdict.reference?.rawValue)
    table.time("reported_at", report.reportedAt)
    table.provenance("source_file_id", context.fileID(of: report.source))
    table.provenance("source_line", Int64(report.source.line))
    table.text("verdict", reportVerdict.verdict.rawValue)
    table.text("evidence_kind", report.meaning == .charged ? "charged" : "shown")
    table.insert()
    // If a report has two offers with one id, the first is used, as in the rules.
    var last: OfferPrice?
    for offer in decided.offers[own.offers] {
      if let last, last.offerID == offer.offerID { continue }
      last = offer
      write(offer, of: report)
    }
  }

  private mutating func write(_ offer: OfferPrice, of report: PriceReport) {
    table.begin(.priceEvidenceOffer)
    table.integer("evidence_id", report.evidenceID)
    if let id = offer.offerID {
      table.text("offer_id", id.symbol)
    } else {
      table.text("offer_id", "")
    }
    table.integer("price_milli", offer.price.rawValue)
    table.text("payment_mode", offer.paymentMode.name)
    table.integer("number_of_periods", offer.numberOfPeriods.map(Int64.init))
    table.period("subscription_period", offer.period)
    table.insert()
  }
}
