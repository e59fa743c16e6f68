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
    let named = Self.named(by: set.reports, book: book, workers: workers)
    judged.reserveCapacity(set.reports.count)
    for (position, report) in set.reports.enumerated() {
      let named = named[position]
      if let named, book.purchases[named].exclusion == .sandbox { continue }
      guard let group = known.index(report.productID, report.currency) else { continue }
      let purchase = named.map { book.purchases[$0] }
      judged.append(
        JudgedReport(
          report: Int32(position), verdict: .noReference, reference: nil,
          purchase: named.map(Int32.init), time: purchase?.purchasedAt ?? report.reportedAt))
      voters.append(
        numbering.number(
          customer: report.customer, chain: purchase?.originalTransactionID, report: position))
      groups.append(group)
    }
    voterCount = numbering.count
    arrangeByGroup(count: known.count, workers: workers)
    arrangeByPurchase(count: book.purchases.count)
  }

  /// The purchase each report names; `nil` where it names none, or one of another product.
  private static func named(by reports: [PriceReport], book: PurchaseBook, workers: Int) -> [Int?] {
    let count = workers > 1 ? min(workers * 4, reports.count / 1024 + 1) : 1
    let parts = inParallel(count, workers: workers) { part in
      reports[reports.count * part / count..<reports.count * (part + 1) / count].map { report in
        guard let id = report.transactionID, let purchase = book.purchase(named: id),
          book.purchases[purchase].productID == report.productID
        else { return nil as Int? }
        return purchase
      }
    }
    return joined(parts.map { $0[...] }, workers: workers)
  }

  /// The reports that name a purchase, by evidence id.
  func naming(_ purchase: Int) -> ArraySlice<Int32> {
    let range = Int(namingStarts[purchase])..<Int(namingStarts[purchase + 1])
    // Most purchases are named by none; threads that only look need not count a reference then.
    return range.isEmpty ? [] : naming[range]
  }

  private mutating func arrangeByGroup(count: Int, workers: Int) {
    groupStarts = Array(repeating: 0, count: count + 1)
    for group in groups { groupStarts[Int(group) + 1] += 1 }
    for group in 0..<count { groupStarts[group + 1] += groupStarts[group] }
    var next = groupStarts
    order = Array(repeating: 0, count: judged.count)
    for position in judged.indices {
      let group = Int(groups[position])
      order[next[group]] = Int32(position)
      next[group] += 1
    }
    let unsorted = order
    let starts = groupStarts
    let times = judged.map(\.time.milliseconds)
    let sorted = inParallel(count, workers: workers) { group in
      unsorted[starts[group]..<starts[group + 1]].sorted {
        (times[Int($0)], $0) < (times[Int($1)], $1)
      }
    }
    order = joined(sorted.map { $0[...] }, workers: workers)
  }

  private mutating func arrangeByPurchase(count: Int) {
    namingStarts = Array(repeating: 0, count: count + 1)
    for report in judged {
      if let purchase = report.purchase { namingStarts[Int(purchase) + 1] += 1 }
    }
    for purchase in 0..<count { namingStarts[purchase + 1] += namingStarts[purchase] }
    var next = namingStarts
    naming = Array(repeating: 0, count: Int(namingStarts[count]))
    for (position, report) in judged.enumerated() {
      guard let purchase = report.purchase else { continue }
      naming[Int(next[Int(purchase)])] = Int32(position)
      next[Int(purchase)] += 1
    }
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

extension JudgedReport {
  /// How a report stands among reports of one moment, which two that name one purchase are: the
  /// believed one before others, then the one made nearest to that moment (ties: the earlier).
  ///
  /// Milliseconds, doubled; the smaller is to be preferred.
  func doubt(of report: PriceReport) -> Int64 {
    let distance = report.reportedAt.since(time)
    let doubled = min(distance.magnitude.rawValue, 1 << 60) * 2 + (distance.rawValue > 0 ? 1 : 0)
    return verdict.isBelieved ? doubled : doubled | 1 << 62
  }
}
