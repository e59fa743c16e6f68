internal import CivilTime
internal import PurchaseModel
internal import Purchases

/// The reports that are used, each with its time, voter and group.
///
/// Positions in this ledger order as evidence ids do, because ``SightingSet/reports`` does.
struct ReportLedger: Sendable {
  /// The reports; verdicts are filled in by ``Plausibility``.
  var judged: [JudgedReport] = []
  /// The voter of each, a number that means nothing but "the same".
  private(set) var voters: [Int32] = []
  /// How many voters there are.
  private(set) var voterCount = 0
  /// The product × currency of each, in ``PriceGroups``.
  private(set) var groups: [Int32] = []
  /// Ledger positions by group, time and evidence id.
  private(set) var order: [Int32] = []
  /// Where each group begins in ``order``; one more entry than groups.
  private(set) var groupStarts: [Int] = []
  /// Ledger positions by the purchase they name, then evidence id.
  private var naming: [Int32] = []
  /// Where each purchase begins in ``naming``.
  private var namingStarts: [Int32] = []

  /// Takes the reports into use; those of sandbox purchases stay out.
  init(set: SightingSet, book: PurchaseBook, groups known: PriceGroups, workers: Int = 1) {
    var numbering = VoterNumbering(symbols: set.symbols.count)
    let places = Self.places(of: set.reports, book: book, groups: known, workers: workers)
    judged.reserveCapacity(set.reports.count)
    voters.reserveCapacity(set.reports.count)
    groups.reserveCapacity(set.reports.count)
    for (position, place) in places.enumerated() {
      guard let place else { continue }
      let report = set.reports[position]
      judged.append(
        JudgedReport(
          report: Int32(position), verdict: .noReference, reference: nil,
          purchase: place.purchase, time: place.time))
      voters.append(
        numbering.number(customer: report.customer, chain: place.chain, report: position))
      groups.append(place.group)
    }
    voterCount = numbering.count
    let (judged, groups) = (judged, groups)
    ((order, groupStarts), (naming, namingStarts)) = sideBySide(workers: workers) {
      Self.order(judged, groups: groups, count: known.count, workers: workers)
    } _: {
      Self.naming(judged, count: book.purchases.count)
    }
  }

  /// Where a report belongs.
  private struct Place: Sendable {
    var group: Int32
    /// The purchase it names; `nil` where it names none, or one of another product.
    var purchase: Int32?
    /// That purchase's chain.
    var chain: OriginalTransactionID?
    var time: Instant
  }

  /// Where every report belongs; `nil` for one of a sandbox purchase.
  private static func places(
    of reports: [PriceReport], book: PurchaseBook, groups: PriceGroups, workers: Int
  ) -> [Place?] {
    let count = workers > 1 ? min(workers * 4, reports.count / 1024 + 1) : 1
    let parts = inParallel(count, workers: workers) { part in
      reports[reports.count * part / count..<reports.count * (part + 1) / count].map {
        place(of: $0, book: book, groups: groups)
      }
    }
    return joined(parts.map { $0[...] }, workers: workers)
  }

  private static func place(of report: PriceReport, book: PurchaseBook, groups: PriceGroups)
    -> Place?
  {
    guard let group = groups.index(report.productID, report.currency) else { return nil }
    let place = Place(group: group, purchase: nil, chain: nil, time: report.reportedAt)
    guard let id = report.transactionID, let named = book.purchase(named: id) else { return place }
    let purchase = book.purchases[named]
    guard purchase.productID == report.productID else { return place }
    guard purchase.exclusion != .sandbox else { return nil }
    return Place(
      group: group, purchase: Int32(named), chain: purchase.originalTransactionID,
      time: purchase.purchasedAt)
  }

  /// The reports that name a purchase, by evidence id.
  func naming(_ purchase: Int) -> ArraySlice<Int32> {
    let range = Int(namingStarts[purchase])..<Int(namingStarts[purchase + 1])
    // Most purchases are named by none; threads that only look need not count a reference then.
    return range.isEmpty ? [] : naming[range]
  }

  /// Positions by group, time and evidence id, and where each group begins.
  private static func order(
    _ judged: [JudgedReport], groups: [Int32], count: Int, workers: Int
  ) -> (order: [Int32], starts: [Int]) {
    var starts = [Int](repeating: 0, count: count + 1)
    for group in groups { starts[Int(group) + 1] += 1 }
    for group in 0..<count { starts[group + 1] += starts[group] }
    var next = starts
    var grouped = [Int32](repeating: 0, count: judged.count)
    for position in judged.indices {
      let group = Int(groups[position])
      grouped[next[group]] = Int32(position)
      next[group] += 1
    }
    let (unsorted, ranges) = (grouped, starts)
    let times = judged.map(\.time.milliseconds)
    let sorted = inParallel(count, workers: workers) { group in
      unsorted[ranges[group]..<ranges[group + 1]].sorted {
        (times[Int($0)], $0) < (times[Int($1)], $1)
      }
    }
    return (joined(sorted.map { $0[...] }, workers: workers), starts)
  }

  /// Positions by the purchase they name, then evidence id, and where each purchase begins.
  private static func naming(_ judged: [JudgedReport], count: Int)
    -> (naming: [Int32], starts: [Int32])
  {
    var starts = [Int32](repeating: 0, count: count + 1)
    for report in judged {
      if let purchase = report.purchase { starts[Int(purchase) + 1] += 1 }
    }
    for purchase in 0..<count { starts[purchase + 1] += starts[purchase] }
    var next = starts
    var naming = [Int32](repeating: 0, count: Int(starts[count]))
    for (position, report) in judged.enumerated() {
      guard let purchase = report.purchase else { continue }
      naming[Int(next[Int(purchase)])] = Int32(position)
      next[Int(purchase)] += 1
    }
    return (naming, starts)
  }
}

/// Gives equal voters equal numbers.
///
/// The voter of a report is its customer; without one the chain of the purchase it names; without
/// one the report itself (RULES section 3, "Voter").
struct VoterNumbering {
  private var customers: [Int32]  // by symbol, -1 for none yet
  private var chains: [OriginalTransactionID: Int32] = [:]
  private(set) var count = 0

  /// No voters yet, of a table of so many symbols.
  init(symbols: Int) {
    customers = Array(repeating: -1, count: symbols)
  }

  /// The number of a report's voter.
  mutating func number(customer: CustomerID?, chain: OriginalTransactionID?, report: Int) -> Int32 {
    if let customer {
      let symbol = Int(customer.symbol.rawValue)
      if customers[symbol] < 0 { customers[symbol] = fresh() }
      return customers[symbol]
    }
    if let chain {
      if let known = chains[chain] { return known }
      let number = fresh()
      chains[chain] = number
      return number
    }
    return fresh()
  }

  private mutating func fresh() -> Int32 {
    count += 1
    return Int32(count - 1)
  }
}
