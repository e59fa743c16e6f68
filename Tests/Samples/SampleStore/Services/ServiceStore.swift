internal import CivilTime
public import PurchaseModel

/// A store whose owner has only a hosted service's export, with known true amounts.
///
/// The export has daily or longer files. A row that changes is in a later file again, and some rows
/// are repeated without a change. Rows of Google Play, promotional and test purchases and of family
/// members are in it too.
public struct ServiceStore: SyntheticStore {
  /// The options from which the store was generated.
  public let options: SampleOptions
  /// The service whose export is written.
  public let service: SubscriptionService
  private let sales: [ServiceSale]
  private let riseDay: CivilDay

  /// Simulates a store; equal options give equal stores, whatever the service.
  public init(_ options: SampleOptions, _ service: SubscriptionService) {
    self.options = options
    self.service = service
    let lives = ServiceLives(options)
    // Adapty and Qonversion do not mark family members' rows, so their trials look like others'.
    let marksFamily = service != .adapty && service != .qonversion
    sales = lives.sales.filter { $0.buyer != .family || !$0.isFree || marksFamily }
    riseDay = lives.riseDay
  }

  /// The number of files of the export.
  public var exportCount: Int { options.files }

  /// The true purchases of the App Store; `evidence` has the error that the service makes.
  public var truth: StoreTruth {
    var truth = StoreTruth(
      asOf: sales.map { max($0.startsAt, $0.refundedAt ?? 0, $0.renewalOffAt ?? 0) }.max() ?? 0,
      purchases: [], offers: [])
    for (index, sale) in sales.enumerated() {
      guard sale.buyer != .playStore, sale.buyer != .promotional else { continue }
      truth.purchases.append(
        TruthPurchase(
          transactionIDs: ["\(sale.transaction)"], productID: sale.product.rawValue,
          kind: sale.kind.rawValue, currency: sale.country.currency, paidMilli: sale.paid,
          isResolvable: true,
          exclusion: sale.buyer == .sandbox
            ? "sandbox" : sale.buyer == .family ? "family_shared" : "",
          reversal: sale.refundedAt != nil ? "refund" : sale.upgradedAt != nil ? "upgrade" : "none",
          reversedAt: sale.refundedAt ?? sale.upgradedAt, purchasedAt: sale.startsAt,
          evidence: sale.cause))
      guard sale.buyer == .appStore, sale.kind == .trial || sale.kind == .intro else { continue }
      let next = index + 1 < sales.count ? sales[index + 1] : nil
      let isConverted = next.map { $0.original == sale.original } ?? false
      truth.offers.append(
        TruthOffer(
          transactionID: "\(sale.transaction)", kind: sale.kind.rawValue,
          status: isConverted ? "converted" : "",
          convertedBy: isConverted ? "\(next?.transaction ?? 0)" : ""))
    }
    return truth
  }

  /// Returns one file of the export.
  public func export(_ number: Int) throws -> SampleFile {
    let part = options.days * number / options.files..<options.days * (number + 1) / options.files
    let text = ServiceExportText(service)
    var lines: [(at: Int64, order: Int64, line: String)] = []
    for sale in sales {
      for state in ServiceState.all(of: sale) {
        let day = Int((state.at - options.firstDay.start.milliseconds) / BillingClock.day)
        // Every fifth row is repeated unchanged in the next file.
        let isRepeated = sale.transaction % 5 == 0 && part.contains(day + part.count)
        guard part.contains(day) || isRepeated else { continue }
        lines.append((state.at, sale.transaction, text.line(sale, state)))
      }
    }
    lines.sort { ($0.at, $0.order) < ($1.at, $1.order) }
    var gzip = GzipWriter()
    gzip.append(Array(text.head.utf8))
    for line in lines { gzip.append(Array((line.line + "\n").utf8)) }
    let last = options.firstDay.advanced(by: Int64(part.upperBound - 1))
    return SampleFile(
      name: "\(service.name)/\(service.name)-\(last.text).\(text.ending).gz", bytes: gzip.finish())
  }

  /// Creates the pipeline, the catalogue and the truth.
  public func accompanyingFiles() -> [SampleFile] {
    let files: [(String, String)] = [
      ("pipeline.yaml", pipelineText), ("catalog.yaml", catalogueText),
    ]
    return files.map { SampleFile(name: $0.0, bytes: Array($0.1.utf8)) } + [
      SampleFile(name: "truth.csv", bytes: truth.purchasesCSV()),
      SampleFile(name: "truth-offers.csv", bytes: truth.offersCSV()),
    ]
  }

  private var pipelineText: String {
    let text = ServiceExportText(service)
    return """
      # A store whose owner has only the export of \(service.title).
      state: var/state.db
      warehouse: out/warehouse.db
      inputs:
        exports:
          - files: "\(service.name)/\(service.name)-{date}.\(text.ending).gz"
            format: \(text.format)
        catalog: catalog.yaml
      report: out/report.html

      """
  }

  private var catalogueText: String {
    let lines = ServiceCountry.allCases.map { country in
      "      - {currency: \(country.currency), from: \(riseDay.text), existing_subscribers: "
    }
    func changes(_ effect: String) -> String {
      lines.map { "\($0)\(effect)}\n" }.joined()
    }
    return """
      # What App Store Connect shows: what happened to subscribers when the prices rose.
      products:
        - product_id: pro.monthly
          subscription_group: pro
          price_changes:
      \(changes("preserved"))  - product_id: lite.monthly
          price_changes:
      \(changes("moved"))
      """
  }
}

/// The state of a transaction from a moment on, and the event that changed it.
struct ServiceState {
  enum Event { case purchase, renewalOff, refund }

  var event: Event
  /// Unix milliseconds.
  var at: Int64

  /// The states of a transaction, the oldest first.
  static func all(of sale: ServiceSale) -> [ServiceState] {
    var states = [ServiceState(event: .purchase, at: sale.startsAt)]
    if let at = sale.renewalOffAt { states.append(ServiceState(event: .renewalOff, at: at)) }
    if let at = sale.refundedAt { states.append(ServiceState(event: .refund, at: at)) }
    return states
  }
}
