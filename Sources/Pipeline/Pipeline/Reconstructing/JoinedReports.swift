internal import Diagnostics
internal import Joining
internal import PaidAmounts
internal import Parallel
internal import PriceLearning
internal import PurchaseModel
internal import Purchases
internal import StateStore
internal import TemporaryFiles

/// All price reports in use, in the order of evidence ids, each with its household.
///
/// Reports whose input changed are joined with their purchases; for all others the rows of the last
/// publication say which purchase they name. ``routed`` has the content of the reports that the
/// wanted households need.
struct JoinedReports {
  /// A report that is no longer used, because its transaction id belongs to a sandbox purchase.
  struct Dropped {
    var evidenceID: Int64
    var customer: CustomerID?
  }

  private(set) var evidenceIDs: [Int64] = []
  /// The household of each report; `nil` without a known customer and purchase.
  private(set) var households = HouseholdColumn()
  /// The household of the purchase with the report's transaction id and product.
  private(set) var namedHouseholds = HouseholdColumn()
  /// For each report, whether a new file contains it, or its transaction id belongs to a changed
  /// chain.
  private(set) var isChanged: [Bool] = []
  private(set) var dropped: [Dropped] = []
  /// For each transaction id that several chains claim, the purchase to which it belongs.
  private(set) var winners: [TransactionID: PurchaseKey] = [:]
  private(set) var offers: OfferLists
  /// The placed reports, until they are taken for learning.
  ///
  /// The place of a changed report is not known before ``place(_:at:)``.
  private var placed: [PlacedReport] = []
  private var verdicts: [VerdictMark] = []
  /// The reports that households need (``RoutedReport``), sorted by household, then evidence id.
  let routed: ExternalSort

  /// Joins the changed reports, and keeps the published reports.
  init(
    _ published: consuming PublishedRows.Reports, _ merged: MergedChains, _ news: News,
    _ chains: inout JoinedChains, winners: [TransactionID: PurchaseKey], _ reader: ChainReader,
    memory: SortMemory
  ) throws(RunFailure) {
    let known = consume published
    try Self.readAgain(known, merged, news, reader)
    let named = try NamedReports(merged, winners: winners, memory: memory)
    self.winners = named.winners
    offers = OfferLists()
    routed = ExternalSort(memory: memory)
    let writer = routed.writer()
    var joiner = ReportJoiner(offers: known.offers)
    var next = 0
    func keepKnown(before evidenceID: Int64) {
      while next < known.placed.count, known.placed[next].evidenceID < evidenceID {
        keep(known, next, &joiner, &chains)
        next += 1
      }
    }
    try named.forEach { report, list, claimed throws(RunFailure) in
      if evidenceIDs.count % 8192 == 0 { try Reconstruction.checkpoint() }
      keepKnown(before: report.evidenceID)
      let isKnown =
        next < known.placed.count && known.placed[next].evidenceID == report.evidenceID
      if isKnown { next += 1 }
      guard
        let joined = joiner.join(
          report, offers: list, naming: claimed, &chains, in: reader.texts.set.symbols)
      else {
        if isKnown {
          dropped.append(Dropped(evidenceID: report.evidenceID, customer: report.customer))
        }
        return
      }
      append(joined)
      let isNamed = joined.report.named != nil
      try writer.add(
        joined,
        namedChain: isNamed
          ? claimed.map { chains.keys[chains.number(of: $0.place).index] } : nil)
    }
    keepKnown(before: .max)
    if next < known.placed.count { keep(known, next, &joiner, &chains) }
    try writer.finish()
    offers = joiner.offers
  }

  /// Reads the known reports whose transaction id belongs to a changed chain, because they may name
  /// another purchase now.
  private static func readAgain(
    _ known: PublishedRows.Reports, _ merged: MergedChains, _ news: News, _ reader: ChainReader
  ) throws(RunFailure) {
    guard !known.placed.isEmpty else { return }
    let ids = try merged.changedIDs()
    let again = known.placed.indices.filter {
      known.transactionIDs[$0].map(ids.contains) ?? false
    }.map { known.placed[$0].evidenceID }.filter { !news.reports.contains($0) }
    guard !again.isEmpty else { return }
    _ = try reader.state.load(
      reader.texts, only: StateSelection(chains: [], reports: again), workers: reader.workers,
      reports: merged.reports.add
    ) { _, _ in
    }
  }

  private mutating func keep(
    _ known: PublishedRows.Reports, _ number: Int, _ joiner: inout ReportJoiner,
    _ chains: inout JoinedChains
  ) {
    var report = known.placed[number]
    let named = chains.household(of: known.namedChains[number])
    let (household, voter) = joiner.keep(
      customer: known.customers[number], namedHousehold: named, &chains)
    report.voter = voter
    placed.append(report)
    verdicts.append(known.verdicts[number])
    append(report.evidenceID, household, named, isChanged: false)
  }

  private mutating func append(_ joined: ReportJoiner.Joined) {
    let report = joined.report.report
    placed.append(
      PlacedReport(
        evidenceID: report.evidenceID, time: joined.report.time, price: report.price,
        voter: joined.report.voter, productID: report.productID, currency: report.currency,
        offers: joined.report.offers, place: nil, hasOwnPlace: false))
    verdicts.append(.none)
    append(
      report.evidenceID, joined.report.household, joined.namedHousehold, isChanged: true)
  }

  private mutating func append(
    _ evidenceID: Int64, _ household: HouseholdNumber?, _ named: HouseholdNumber?, isChanged: Bool
  ) {
    evidenceIDs.append(evidenceID)
    households.append(household)
    namedHouseholds.append(named)
    self.isChanged.append(isChanged)
  }

  var count: Int { evidenceIDs.count }

  /// The position of the report with an evidence id; `nil` if it is not in use.
  func position(of evidenceID: Int64) -> ReportPosition? {
    let place = evidenceIDs.firstPosition { $0 >= evidenceID }
    guard place < count, evidenceIDs[place] == evidenceID else { return nil }
    return ReportPosition(place)
  }

  /// Adds the unchanged reports that some households need, and some reports without a household, to
  /// ``routed``.
  ///
  /// No report may be added twice for a household. Changed reports are there from the beginning.
  mutating func route(
    to wanted: HouseholdSet, _ unassigned: Set<ReportPosition>, _ chains: JoinedChains,
    _ reader: ChainReader
  ) throws(RunFailure) {
    let needed = evidenceIDs.indices.filter { place in
      !isChanged[place]
        && (households[place].map(wanted.contains) ?? unassigned.contains(ReportPosition(place))
          || namedHouseholds[place].map(wanted.contains) ?? false)
    }
    guard !needed.isEmpty else { return }
    let ids = needed.map { evidenceIDs[$0] }
    let read = try reader.state.load(
      reader.texts, only: StateSelection(chains: [], reports: ids), workers: reader.workers
    ) { _, _ in
    }.set
    guard read.reports.count == ids.count else { throw RunFailure.lostReport }
    let known = try reader.state.placedReports(ids, reader.texts, offers: &offers)
    let writer = routed.writer()
    for (number, place) in needed.enumerated() {
      let (placed, known, _) = known[number]
      var report = read.reports[number]
      report.offers = offers.range(of: placed.offers)
      let joined = ReportJoiner.Joined(
        report: HouseholdReport(
          report: report, offers: placed.offers,
          customer: report.customer.flatMap { chains.households.isPlaceholder($0) ? nil : $0 },
          household: households[place], named: known.named,
          unknownTransaction: placed.setAside == .otherStore ? .ofOtherStore : nil,
          voter: ReportJoiner.voter(of: households[place], at: place)),
        position: ReportPosition(place), namedHousehold: namedHouseholds[place])
      try writer.add(
        joined, namedChain: known.namedChain, isWanted: wanted.contains)
    }
    try writer.finish()
  }

  /// Replaces a report after it was placed.
  mutating func place(_ report: PlacedReport, at position: ReportPosition) {
    placed[position.index] = report
  }

  /// Returns the placed reports of all households, sorted by evidence id; afterwards they are gone.
  mutating func takePlaced() -> [PlacedReport] {
    defer { placed = [] }
    return placed
  }

  /// Returns the unchanged reports whose verdict differs from the last publication.
  func otherVerdicts(_ prices: PriceBook) -> [ReportPosition] {
    evidenceIDs.indices.filter { place in
      !isChanged[place]
        && verdicts[place] != VerdictMark(StoredVerdict(prices.reportVerdicts[place]))
    }.map(ReportPosition.init)
  }
}

/// The household of each report, in four bytes.
struct HouseholdColumn {
  private var numbers: [Int32] = []

  subscript(place: Int) -> HouseholdNumber? {
    numbers[place] < 0 ? nil : HouseholdNumber(numbers[place])
  }

  mutating func append(_ household: HouseholdNumber?) { numbers.append(household?.rawValue ?? -1) }
}

extension RunFailure {
  fileprivate static var lostReport: RunFailure {
    RunFailure(
      .inputOutput,
      "state.db is damaged: a price report that the last run used is missing. Restore state.db from "
        + "a copy, or remove it and run the pipeline with all exports.")
  }
}
