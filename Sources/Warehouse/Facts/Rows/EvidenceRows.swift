internal import Amounts
internal import CivilTime
internal import PaidAmounts
internal import PriceLearning
internal import PurchaseModel
internal import Purchases

/// `price_evidence` and `price_evidence_offer`: the reports behind the amounts.
enum EvidenceRows {
  /// One row per judged report, by evidence id; `keys` are those of all purchases.
  static func source(
    _ content: WarehouseContent, customers: CustomerKeys, keys: [PurchaseKey]
  ) -> FactSource {
    FactSource(.table("price_evidence"), units: content.amounts.reports.count) { places, table in
      for judged in content.amounts.reports[places] {
        write(judged, content, customers: customers, keys: keys, to: &table)
      }
    }
  }

  private static func write(
    _ judged: JudgedReport, _ content: WarehouseContent, customers: CustomerKeys,
    keys: [PurchaseKey], to table: inout RowEncoder
  ) {
    let report = content.sightings.reports[Int(judged.report)]
    let named = judged.purchase.map(Int.init)
    let isRevenue = named.map { $0 < content.purchases.revenueCount } ?? false
    table.key("evidence_id", report.evidenceID)
    table.text("product_id", report.productID.symbol)
    let customer = report.customer.flatMap {
      content.purchases.households.isNobody($0) ? nil : $0
    }
    table.text("customer_key", utf8: customers.digits(of: customer))
    table.text("transaction_id", report.transactionID?.number)
    table.integer("purchase_key", isRevenue ? named.map { keys[$0].rawValue } : nil)
    table.letters("storefront", report.storefront?.rawValue)
    table.letters("currency", report.currency.rawValue)
    table.integer("price_milli", report.price.rawValue)
    table.integer("reference_milli", judged.reference?.rawValue)
    table.time("reported_at", report.reportedAt)
    table.unhashed("source_file_id", content.fileID(of: report.source))
    table.unhashed("source_line", Int64(report.source.line))
    table.text("verdict", judged.verdict.rawValue)
    table.insert()
  }

  /// One row per offer of a judged report, by evidence id and offer.
  ///
  /// Of two offers of one report under one id the first stands, as it does for the rules.
  static func offers(_ content: WarehouseContent) -> FactSource {
    let reports = content.amounts.reports
    return FactSource(.table("price_evidence_offer"), units: reports.count) { places, table in
      for judged in reports[places] {
        let report = content.sightings.reports[Int(judged.report)]
        var last: OfferPrice?
        for offer in content.sightings.offers[report.offers] {
          if let last, last.offerID == offer.offerID { continue }
          last = offer
          write(offer, of: report, to: &table)
        }
      }
    }
  }

  private static func write(
    _ offer: OfferPrice, of report: PriceReport, to table: inout RowEncoder
  ) {
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
