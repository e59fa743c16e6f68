import Amounts
import CivilTime
import PurchaseModel

/// A set of observations as sorted lines of text, which contain every field but no positions.
struct SetText: Equatable {
  var records: [String] = []
  var rows: [String] = []
  var renewals: [String] = []
  var reports: [String] = []

  init(_ set: Observations, files: [InputFile]? = nil) {
    add(set, files: files ?? set.files)
    sort()
  }

  /// Adds sets that were read separately; of equal reports the smallest file and line remains.
  init(together parts: [(set: Observations, file: InputFile)]) {
    for part in parts { add(part.set, files: [part.file]) }
    sort()
    var kept: [String: String] = [:]
    for report in reports {
      let halves = report.split(separator: "\t", maxSplits: 1).map(String.init)
      kept[halves[0]] = min(kept[halves[0]] ?? halves[1], halves[1])
    }
    reports = kept.map { "\($0.key)\t\($0.value)" }.sorted()
  }

  private mutating func sort() {
    records.sort()
    rows.sort()
    renewals.sort()
    reports.sort()
  }

  private mutating func add(_ set: Observations, files: [InputFile]) {
    func text(_ symbol: Symbol?) -> String { symbol.map { "“\(set.symbols.text($0))”" } ?? "-" }
    func id(_ number: AppleNumber?) -> String { number?.text(in: set.symbols) ?? "-" }
    func time(_ time: Instant?) -> String { time.map { String($0.milliseconds) } ?? "-" }
    func flag(_ flag: Bool?) -> String { flag.map { $0 ? "1" : "0" } ?? "-" }
    func place(_ source: SourceLine) -> String {
      let line = String(source.line)
      let padded = String(repeating: "0", count: 9 - line.count) + line
      return "\(files[Int(source.file)].sha256) \(files[Int(source.file)].kind) \(padded)"
    }
    func record(_ record: ReceiptRecord) -> String {
      [
        place(record.source), time(record.snapshotAt), text(record.customer?.symbol),
        record.storefront?.code ?? "-", text(record.bundle?.symbol), flag(record.isSandbox),
      ].joined(separator: " ")
    }
    records += set.records.map(record)
    for row in set.observations {
      var ownership = "-"
      switch row.ownership {
      case nil: break
      case .purchased: ownership = "purchased"
      case .familyShared: ownership = "family"
      case .unrecognized(let symbol): ownership = text(symbol)
      }
      rows.append(
        [
          record(set.records[Int(row.record)]), "\(row.rank)", flag(row.isTrialPeriod),
          flag(row.isInIntroOfferPeriod), flag(row.isUpgraded), id(row.transactionID.number),
          id(row.originalTransactionID.number), id(row.lineItemID?.number),
          text(row.productID.symbol), time(row.purchasedAt), time(row.originalPurchasedAt),
          time(row.expiresAt), time(row.cancelledAt), text(row.cancellationReason),
          text(row.promotionalOfferID?.symbol), text(row.offerCodeRefName?.symbol), ownership,
          text(row.subscriptionGroupID?.symbol), "\(row.quantity)",
        ].joined(separator: " "))
    }
    for renewal in set.renewals {
      renewals.append(
        [
          record(set.records[Int(renewal.record)]), id(renewal.originalTransactionID.number),
          text(renewal.productID?.symbol), text(renewal.autoRenewProductID?.symbol),
          flag(renewal.autoRenewStatus), text(renewal.expirationIntent),
          flag(renewal.isInBillingRetry), time(renewal.gracePeriodExpiresAt),
          text(renewal.priceConsentStatus), text(renewal.priceIncreaseStatus),
        ].joined(separator: " "))
    }
    for report in set.reports {
      let offers = set.offers[report.offers].map { offer in
        [
          text(offer.offerID?.symbol), "\(offer.price.rawValue)", offer.paymentMode.name,
          offer.numberOfPeriods.map(String.init) ?? "-", offer.period?.text ?? "-",
        ].joined(separator: "/")
      }
      reports.append(
        [
          [
            "\(report.evidenceID)", text(report.customer?.symbol),
            id(report.transactionID?.number), text(report.productID.symbol),
            report.storefront?.code ?? "-", report.currency.code, time(report.reportedAt),
            "\(report.price.rawValue)", text(report.appliedDiscount?.symbol), "\(offers)",
          ].joined(separator: " "), place(report.source),
        ].joined(separator: "\t"))
    }
  }
}
