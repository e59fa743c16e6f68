internal import CivilTime
internal import Deciding
internal import Diagnostics
internal import PaidAmounts
internal import PriceLearning
internal import PurchaseModel
internal import Purchases
internal import StateStore
internal import TemporaryFiles
internal import Warehouse

/// The rows that a run keeps in state.db for the next run; written after publishing its facts.
struct IncrementalStateRows: Sendable {
  /// Prices, products and sums.
  var sums: PublishedSums
  /// Whether all rows are replaced; an incremental run writes only the rows that it changed.
  let replacesAll: Bool
  /// Writes the rows of chains and reports to state.db.
  let write: @Sendable (inout IncrementalStateWriter) throws(RunFailure) -> Void

  /// Creates the rows of an incremental run.
  init(
    _ sums: PublishedSums,
    changes write: @escaping @Sendable (inout IncrementalStateWriter) throws(RunFailure) -> Void
  ) {
    self.sums = sums
    self.write = write
    replacesAll = false
  }

  /// Creates the rows of a full run.
  ///
  /// - Parameters:
  ///   - learned: All households after the first three steps.
  init(_ learned: LearnedHouseholds, result: DecidingPass.Result) {
    let (joined, priceBooks, votes) = (learned.joined, learned.priceBooks, learned.votes)
    let batches = joined.batches
    sums = PublishedSums()
    sums.asOf = learned.context.asOf
    sums.isSigned = priceBooks.backtestPrices != nil
    sums.winners = batches.winners
    sums.storefronts = joined.storefronts
    sums.placeholderIDs = Set(batches.households.placeholderIDs.map(\.customer))
    sums.products = learned.products
    sums.prices = PublishedPrices(priceBooks.prices)
    sums.unsignedPrices = priceBooks.backtestPrices.map { PublishedPrices($0) }
    sums.questions = result.questions
    sums.bought = result.bought
    replacesAll = true
    sums.cellDigests = learned.context.cells?.digests(learned.observations.symbols)
    let (offers, placed, cellRows) = (batches.offers, learned.placed, learned.cellRows)
    let reportVerdicts = priceBooks.prices.reportVerdicts
    let unsigned = priceBooks.unsigned.reportVerdicts
    write = { (writer) throws(RunFailure) in
      let keys = joined.keys
      try joined.writeLinks(keys, result, to: &writer)
      try joined.writeClaims(keys, to: &writer)
      var position = 0
      let reader = try placed.reader()
      while try reader.next() {
        let entry = reader.value(PlacedBatch.Report.self)
        try writer.put(
          entry.placed, offers: offers[entry.placed.offers],
          KnownReport(
            customer: entry.customer, transactionID: entry.transactionID, named: entry.named,
            namedChain: entry.namedChain.map { keys[$0.index] },
            storedVerdict: StoredVerdict(reportVerdicts[position]),
            unsigned: StoredVerdict(unsigned[position])))
        position += 1
      }
      for vote in votes { try writer.put(vote: vote.placed, of: vote.chain) }
      try Self.write(cellRows, to: &writer)
    }
  }

  /// Writes the units of each chain's rows, per cell of Apple's reports.
  private static func write(_ cellRows: ExternalSort, to writer: inout IncrementalStateWriter)
    throws(RunFailure)
  {
    let reader = try cellRows.reader()
    var last: (chain: ChainKey, rows: [CellRow])?
    while try reader.next() {
      let chain = unsafe SortedKey(reader.key).chain
      if let last, last.chain != chain { try writer.put(last.rows, of: last.chain) }
      if last?.chain != chain { last = (chain, []) }
      last?.rows.append(reader.value(CellRow.self))
    }
    if let last { try writer.put(last.rows, of: last.chain) }
  }
}
