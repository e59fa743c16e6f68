internal import CivilTime

/// A synthetic App Store app that knows the true amounts and writes the inputs of Paidline.
///
/// ``exportCount`` files have the evidence: receipt responses and price reports, with the gaps,
/// duplicates, false reports and late arrivals of real exports. ``truth`` has the true purchases.
/// Equal options give equal bytes, on every platform and in every process.
public struct SampleStore: SyntheticStore {
  /// The options from which the store was generated.
  public let options: SampleOptions
  /// The truth about all purchases that the exports show.
  public let truth: StoreTruth

  let plan: StorePlan
  let customers: [SampleCustomer]
  let schedule: ExportSchedule
  private let oddLines: [OddLine]
  private let responses: ResponseWriter

  /// Simulates all customers.
  public init(_ options: SampleOptions) {
    self.init(options) { _ in }
  }

  /// Simulates all customers, then lets `change` modify their data, then computes the truth.
  init(_ options: SampleOptions, changing change: (inout [SampleCustomer]) -> Void) {
    self.options = options
    let plan = StorePlan(firstDay: options.firstDay, days: options.days)
    var customers: [SampleCustomer] = []
    customers.reserveCapacity(options.customers)
    for index in 0..<options.customers {
      var life = CustomerLife(index: index, seed: options.seed, plan: plan)
      customers.append(
        options.hasBoughtNothing(index) ? life.liveWithoutPurchase() : life.live())
    }
    var faults = ReportFaultPlan(plan: plan, seed: options.seed)
    faults.addFaults(&customers)
    var oddLines: [OddLine] = []
    if options.hasStories {
      customers += SampleStories(plan: plan).customers
      oddLines = OddLine.all().map(\.line)
    }
    change(&customers)
    let asOf = Self.newestSnapshot(of: &customers) ?? plan.start
    self.plan = plan
    self.customers = customers
    self.oddLines = oddLines
    schedule = ExportSchedule(plan: plan, files: options.files, customers: customers)
    responses = ResponseWriter(seed: options.seed)
    let computation = TruthComputation(
      plan: plan, evidence: ReportEvidence(customers, plan: plan), asOf: asOf)
    var truth = StoreTruth(asOf: asOf, purchases: [], offers: [])
    for customer in customers {
      let (purchases, offers) = computation.truth(of: customer)
      truth.purchases += purchases
      truth.offers += offers
      let statuses = computation.statuses(of: customer)
      truth.subscriptions += statuses.subscriptions
      truth.eligibility += statuses.eligibility
    }
    self.truth = truth
  }

  /// Removes sandbox responses after the newest production response, and returns the time of that
  /// production response.
  ///
  /// The removed responses would change the as-of time. Without a production response, the function
  /// removes nothing and returns `nil`.
  private static func newestSnapshot(of customers: inout [SampleCustomer]) -> Int64? {
    let newest = customers.filter { !$0.isSandbox }.flatMap(\.uploads).map(\.at).max()
    guard let newest else { return nil }
    for index in customers.indices where customers[index].isSandbox {
      customers[index].uploads.removeAll { $0.at > newest }
      for report in customers[index].reports.indices {
        let isSent = customers[index].uploads.contains { $0.report == report }
        if !isSent { customers[index].reports[report].isEmbedded = false }
      }
    }
    return newest
  }

  /// The number of export files of receipts and prices together.
  public var exportCount: Int { options.files * 2 + (options.hasStories ? 2 : 0) }

  /// Returns the export file with a number, from 0: first the receipt files, then the price files.
  ///
  /// There are ``SampleOptions/files`` files of each kind. If the store has hand-made stories, the
  /// last two numbers are receipt files that repeat a response. Files are independent of each other
  /// and may be generated in parallel.
  ///
  /// - Precondition: The number is below ``exportCount``.
  public func export(_ number: Int) -> SampleFile {
    precondition(number < exportCount, "there is no such export file")
    guard number < options.files * 2 else {
      return number == options.files * 2 ? repeated(1, after: 1) : repeated(0, after: 7)
    }
    let isReceipts = number < options.files
    let part = isReceipts ? number : number - options.files
    let day = schedule.lastDay(of: part).text
    let writer = ExportWriter(store: self, responses: responses, part: part)
    let odd = oddLines.filter { $0.isReceipt == isReceipts && schedule.part(of: $0.day) == part }
    let name = isReceipts ? "receipts/receipts-" : "prices/prices-"
    let bytes = isReceipts ? writer.receipts(odd) : writer.prices(odd)
    return SampleFile(name: "\(name)\(day).ndjson.gz", bytes: bytes)
  }

  /// Creates a receipt file, `days` after the last export, that repeats one of the export's
  /// responses.
  ///
  /// Number 0 is the newest response. The file adds no data, but its day marks all earlier days as
  /// complete.
  private func repeated(_ number: Int, after days: Int64) -> SampleFile {
    let last = options.files - 1
    let day = schedule.lastDay(of: last).advanced(by: days)
    let writer = ExportWriter(store: self, responses: responses, part: last)
    return SampleFile(
      name: "receipts/receipts-\(day.text).ndjson.gz", bytes: writer.repeatedReceipt(number))
  }

  /// Creates the files other than exports: catalogue, exchange rates, pipeline and truth.
  public func accompanyingFiles() -> [SampleFile] {
    [
      SampleFile(name: "catalog.yaml", bytes: Array(plan.catalogueText().utf8)),
      SampleFile(name: "eurofxref-hist.csv", bytes: Array(plan.ratesText().utf8)),
      SampleFile(name: "pipeline.yaml", bytes: Array(pipelineText().utf8)),
      SampleFile(name: "truth.csv", bytes: truth.purchasesCSV()),
      SampleFile(name: "truth-offers.csv", bytes: truth.offersCSV()),
    ]
  }

  private func pipelineText() -> String {
    """
    # A synthetic store: \(options.customers) customers, seed \(options.seed), \
    \(options.days) days from \(options.firstDay.text).
    # Paths are relative to this file. What was truly paid stands in truth.csv.
    state: var/state.db
    warehouse: var/warehouse.db
    inputs:
      receipts: ["receipts/receipts-{date}.ndjson.gz"]
      prices: ["prices/prices-{date}.ndjson.gz"]
      catalog: catalog.yaml
      rates: eurofxref-hist.csv
    reporting_currency: USD
    renewal_prices: history
    bundle_ids: [\(SampleCustomer.bundle)]

    """
  }
}
