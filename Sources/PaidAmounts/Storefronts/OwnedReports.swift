internal import CivilTime
internal import PurchaseModel
internal import Purchases

/// The reports of each customer, else of each chain, in order of time: what tells a currency where
/// no storefront is known.
struct OwnedReports: Sendable {
  private struct Entry: Sendable {
    var owner: Int32
    var time: Int64
    var doubt: Int64
    var report: Int32
  }

  private var byCustomer: [Entry] = []
  private var byChain: [Entry] = []

  /// Gathers the reports whose currency counts: all but mismatched ones.
  init(ledger: ReportLedger, set: SightingSet, book: PurchaseBook, chainOfRow: [Int32]) {
    for (position, judgement) in ledger.judged.enumerated()
    where judgement.verdict != .currencyMismatch {
      let report = set.reports[Int(judgement.report)]
      // A customer with a storefront anywhere has one everywhere, so these alone can be asked for.
      guard report.storefront == nil else { continue }
      var entry = Entry(
        owner: 0, time: judgement.time.milliseconds, doubt: judgement.doubt(of: report),
        report: Int32(position))
      if let customer = report.customer {
        entry.owner = Int32(customer.symbol.rawValue)
        byCustomer.append(entry)
      }
      if let purchase = judgement.purchase, Int(purchase) < chainOfRow.count {
        entry.owner = chainOfRow[Int(purchase)]
        byChain.append(entry)
      }
    }
    byCustomer.sort(by: Self.isOrdered)
    byChain.sort(by: Self.isOrdered)
  }

  /// The nearest report of the customer, else of the chain; ties: earlier, then the better report.
  func nearest(to time: Int64, chain: Int32, customer: CustomerID?) -> Int32? {
    if let customer,
      let found = Self.nearest(byCustomer, owner: Int32(customer.symbol.rawValue), time: time)
    {
      return found
    }
    return Self.nearest(byChain, owner: chain, time: time)
  }

  private static func nearest(_ entries: [Entry], owner: Int32, time: Int64) -> Int32? {
    let start = entries.firstPosition { $0.owner >= owner }
    let end = entries.firstPosition(in: start..<entries.count) { $0.owner > owner }
    guard start < end else { return nil }
    let later = entries.firstPosition(in: start..<end) { $0.time > time }
    guard later > start else { return entries[later].report }
    let earlierTime = entries[later - 1].time
    if later < end, entries[later].time - time < time - earlierTime { return entries[later].report }
    return entries[entries.firstPosition(in: start..<end) { $0.time >= earlierTime }].report
  }

  private static func isOrdered(_ left: Entry, _ right: Entry) -> Bool {
    (left.owner, left.time, left.doubt, left.report)
      < (right.owner, right.time, right.doubt, right.report)
  }
}
