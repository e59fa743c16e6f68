internal import CivilTime
internal import Diagnostics
internal import Joining
internal import PaidAmounts
internal import Parallel
internal import PriceLearning
internal import PurchaseModel
internal import Purchases
internal import StateStore
internal import TemporaryFiles

/// The rows that a run stores in state.db for the next run; written after publishing its facts.
struct NextRunRows {
  /// Prices and other small rows.
  var sums: PublishedSums
  private let prepared: PreparedRun
  private let nextChanges: [ChainKey: Instant]
  private let onLaterCharges: Set<ChainKey>
  /// The published rows of the reports that only have another verdict now.
  private let judgedAgain: [StateDatabase.StoredReport]
  private let offers: OfferLists

  init(
    _ prepared: PreparedRun, _ sums: PublishedSums, nextChanges: [ChainKey: Instant],
    onLaterCharges: Set<ChainKey>
  ) throws(RunFailure) {
    self.prepared = prepared
    self.sums = sums
    self.nextChanges = nextChanges
    self.onLaterCharges = onLaterCharges
    let run = prepared.run
    var offers = run.reports.offers
    judgedAgain = try run.reader.state.placedReports(
      prepared.otherVerdicts.map { run.reports.evidenceIDs[$0.index] }, run.reader.texts,
      offers: &offers)
    self.offers = offers
  }

  private var run: FactRun { prepared.run }

  /// Whether the stored rows are deleted first, because all keys were news.
  var replacesAll: Bool { run.reason != nil }

  /// Writes the rows of the chains and reports that the run read or decided.
  func write(_ writer: inout LastPublicationWriter) throws(RunFailure) {
    try writeLinks(to: &writer)
    try writeClaims(to: &writer)
    try writeReports(to: &writer)
    for chain in run.placedChains { try writer.dropVotes(of: chain) }
    for vote in run.votes where replacesAll || isPlaced(vote.chain) {
      try writer.put(vote: vote.placed, of: vote.chain)
    }
    try writeCells(to: &writer)
  }

  /// Returns true if the household of a chain was placed in this run.
  private func isPlaced(_ chain: ChainKey) -> Bool {
    run.chains.household(of: chain).map(run.wanted.contains) ?? false
  }

  private func standing(_ number: Int) -> ChainLink.Standing {
    let key = run.chains.keys[number]
    return ChainLink.Standing(
      account: run.chains.keys[run.chains.accounts[number].index], nextChangeAt: nextChanges[key],
      dependsOnLaterCharges: onLaterCharges.contains(key))
  }

  private func writeLinks(to writer: inout LastPublicationWriter) throws(RunFailure) {
    var products = try ChainProducts(run.merged.products)
    var order: [Int] = Array(0..<run.readCount)
    order.sort { run.chains.keys[$0] < run.chains.keys[$1] }
    var flags: [(isSandbox: Bool, isDurable: Bool)] = []
    flags.reserveCapacity(run.readCount)
    for partition in run.merged.partitions {
      flags += zip(partition.isSandbox, partition.isDurable).map { ($0, $1) }
    }
    for number in order {
      let key = run.chains.keys[number]
      try writer.put(
        ChainLink(
          key: key, isSandbox: flags[number].isSandbox, isDurable: flags[number].isDurable,
          isSigned: run.isSigned[number], customers: customers(of: ChainPosition(number)),
          products: try products.rows(of: key), standing: standing(number)))
    }
    for number in run.chains.numbersOfLastPartition {
      let household = run.chains.household(of: ChainPosition(number))
      guard let household, run.wanted.contains(household) else { continue }
      let now = standing(number)
      if now != run.unread[number - run.readCount] {
        try writer.put(now, of: run.chains.keys[number])
      }
    }
  }

  private func customers(of chain: ChainPosition) -> [CustomerID] {
    let all = run.chains.customers
    let first = all.firstPosition { $0.chain >= chain }
    return all[first...].prefix { $0.chain == chain }.map(\.customer)
  }

  private func writeClaims(to writer: inout LastPublicationWriter) throws(RunFailure) {
    let reader = try run.merged.claims.reader()
    while try reader.next() {
      let claim = reader.value(SettledIDs.Claim.self)
      guard claim.isChanged else { continue }
      let chain = run.chains.number(of: claim.purchase.place)
      try writer.put(
        unsafe SortedKey(reader.key).transactionID, of: run.chains.keys[chain.index])
    }
  }

  private func writeReports(to writer: inout LastPublicationWriter) throws(RunFailure) {
    for dropped in run.reports.dropped { try writer.drop(report: dropped.evidenceID) }
    let reportVerdicts = prepared.prices.reportVerdicts
    for (position, report) in zip(prepared.otherVerdicts, judgedAgain) {
      try writer.put(
        report.placed, offers: offers[report.placed.offers], report.known,
        StoredVerdict(reportVerdicts[position.index]))
    }
    // Rows placed in this run stand last: they replace the row of a report with another verdict.
    let reader = try run.placed.reader()
    while try reader.next() {
      let report = reader.value(PlacedBatch.Report.self)
      try writer.put(
        report.placed, offers: offers[report.placed.offers], report.known,
        StoredVerdict(reportVerdicts[report.position.index]))
    }
  }

  /// Writes the units of each counted chain's rows, per cell of Apple's reports.
  private func writeCells(to writer: inout LastPublicationWriter) throws(RunFailure) {
    guard let cells = prepared.cells else { return }
    for chain in cells.emptied { try writer.put([], of: chain) }
    let reader = try cells.counted.reader()
    var last: (chain: ChainKey, rows: [CellRow])?
    while try reader.next() {
      let chain = unsafe SortedKey(reader.key).chain
      if let last, last.chain != chain { try writer.put(last.rows.ordered, of: last.chain) }
      if last?.chain != chain { last = (chain, []) }
      last?.rows.append(reader.value(CellRow.self))
    }
    if let last { try writer.put(last.rows.ordered, of: last.chain) }
  }
}

extension [CellRow] {
  /// The rows by day, product and offer; a sort by their bytes would compare unused bytes, too.
  fileprivate var ordered: [CellRow] {
    sorted {
      ($0.cell.day, $0.cell.productID.symbol.rawValue, $0.cell.offer.order, $0.units)
        < ($1.cell.day, $1.cell.productID.symbol.rawValue, $1.cell.offer.order, $1.units)
    }
  }
}

extension SalesReportTotals.Offer {
  fileprivate var order: Int64 {
    switch self {
    case .none: 0
    case .introductory: 1
    case .named(let id): 2 + Int64(id.symbol.rawValue)
    }
  }
}

/// The products in the rows of the chains that were read, in the order of the chains' keys.
private struct ChainProducts {
  private let reader: ExternalSort.Reader
  private var isLeft: Bool

  init(_ products: ExternalSort) throws(RunFailure) {
    reader = try products.reader()
    isLeft = try reader.next()
  }

  /// Returns the rows of the next chain; keys must be asked for in ascending order.
  mutating func rows(of chain: ChainKey) throws(RunFailure) -> [ProductRow] {
    var rows: [ProductRow] = []
    while isLeft, unsafe SortedKey(reader.key).chain <= chain {
      if unsafe SortedKey(reader.key).chain == chain { rows.append(reader.value(ProductRow.self)) }
      isLeft = try reader.next()
    }
    return rows
  }
}
