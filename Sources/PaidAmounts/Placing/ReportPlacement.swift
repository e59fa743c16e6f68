internal import CivilTime
internal import Parallel
internal import PriceLearning
internal import PurchaseModel
internal import Purchases

/// The reports that are used, each with the purchase it names, its time, voter, household and place.
///
/// Placing is the join between merging and learning. Positions in the placement order as evidence
/// ids do, because ``SightingSet/reports`` does. Reports of sandbox purchases stay out.
struct ReportPlacement: Sendable {
  /// What is known of a report before it is judged.
  struct Entry: Sendable {
    /// The report's position in ``SightingSet/reports``.
    var report: Int32
    /// The purchase it names, by its position in the book.
    var purchase: Int32?
    /// That purchase's chain, by its position in the book; `nil` for an excluded purchase.
    var chain: Int32?
    var household: HouseholdNumber?
    var time: Instant
    /// Whoever stands behind the report (RULES section 3, "Voter").
    ///
    /// Its household, whose members and former ids are one; without one the report itself. Equal
    /// numbers are one voter.
    var voter: Int32
  }

  /// The used reports, by evidence id.
  private(set) var entries: [Entry] = []
  /// One more than the largest voter.
  private(set) var voters = 0
  /// Positions by the purchase they name, then evidence id.
  private var naming: [Int32] = []
  /// Where each purchase begins in ``naming``.
  private var namingStarts: [Int32] = [0]

  /// Places all reports.
  init(set: SightingSet, book: PurchaseBook, chainOfRow: [Int32], workers: Int) {
    var nameless = Int32(book.households.count)
    let found = Self.inParts(of: set.reports.count, workers: workers) { position in
      Self.entry(position, set.reports[position], book: book, chainOfRow: chainOfRow)
    }
    entries.reserveCapacity(set.reports.count)
    for entry in found {
      guard var entry else { continue }
      entry.voter = entry.household?.rawValue ?? nameless
      if entry.household == nil { nameless += 1 }
      entries.append(entry)
    }
    voters = Int(nameless)
    sortByPurchase(count: book.purchases.count)
  }

  /// The positions of the reports that name a purchase, by evidence id.
  func naming(_ purchase: Int) -> ArraySlice<Int32> {
    let range = Int(namingStarts[purchase])..<Int(namingStarts[purchase + 1])
    // Most purchases are named by none; threads that only look need not count a reference then.
    return range.isEmpty ? [] : naming[range]
  }

  /// Where a report belongs; `nil` for one of a sandbox purchase.
  private static func entry(
    _ position: Int, _ report: PriceReport, book: PurchaseBook, chainOfRow: [Int32]
  ) -> Entry? {
    var entry = Entry(
      report: Int32(position), purchase: nil, chain: nil,
      household: report.customer.flatMap(book.households.household), time: report.reportedAt,
      voter: -1)
    guard let id = report.transactionID, let named = book.purchase(named: id),
      book.purchases[named].productID == report.productID
    else { return entry }
    let purchase = book.purchases[named]
    guard purchase.exclusion != .sandbox else { return nil }
    entry.purchase = Int32(named)
    entry.chain = named < chainOfRow.count ? chainOfRow[named] : nil
    entry.time = purchase.purchasedAt
    if entry.household == nil {
      entry.household = book.households.household(of: purchase.originalTransactionID)
    }
    return entry
  }

  private static func inParts<Value: Sendable>(
    of total: Int, workers: Int, _ make: @Sendable (Int) -> Value
  ) -> [Value] {
    let count = workers > 1 ? min(workers * 4, total / 1024 + 1) : 1
    let parts = inParallel(count, workers: workers) { part in
      (total * part / count..<total * (part + 1) / count).map(make)
    }
    return joined(parts.map { $0[...] }, workers: workers)
  }

  private mutating func sortByPurchase(count: Int) {
    var starts = [Int32](repeating: 0, count: count + 1)
    for entry in entries {
      if let purchase = entry.purchase { starts[Int(purchase) + 1] += 1 }
    }
    for purchase in 0..<count { starts[purchase + 1] += starts[purchase] }
    var next = starts
    var sorted = [Int32](repeating: 0, count: Int(starts[count]))
    for (position, entry) in entries.enumerated() {
      guard let purchase = entry.purchase else { continue }
      sorted[Int(next[Int(purchase)])] = Int32(position)
      next[Int(purchase)] += 1
    }
    (naming, namingStarts) = (sorted, starts)
  }
}
