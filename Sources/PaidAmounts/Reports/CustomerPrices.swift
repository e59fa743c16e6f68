internal import Amounts
internal import CivilTime
internal import PurchaseModel
internal import Purchases

/// The believed prices each customer reported, and each chain's where others reported for it.
struct CustomerPrices: Sendable {
  private struct Entry: Sendable {
    var owner: Int32
    var family: UInt64
    var time: Int64
    var doubt: Int64
    var report: Int32
    var vote: Int32

    var key: (UInt64, Int64, Int64, Int32) { (family, time, doubt, report) }
  }

  /// For whom a report speaks.
  ///
  /// Votes stand in another order than reports, so this is taken out of the reports in theirs.
  private struct Reporter {
    /// The customer's symbol; -1 for none.
    let customer: Int32
    /// The chain of the purchase it names; -1 for none, and for a chain of its customer's own, whose
    /// reports are found under the customer already.
    let chain: Int32
    let doubt: Int64

    init(_ judged: JudgedReport, set: SightingSet, book: PurchaseBook, chainOfRow: [Int32]) {
      let report = set.reports[Int(judged.report)]
      customer = report.customer.map { Int32($0.symbol.rawValue) } ?? -1
      doubt = judged.doubt(of: report)
      guard let purchase = judged.purchase, Int(purchase) < chainOfRow.count else {
        chain = -1
        return
      }
      let named = chainOfRow[Int(purchase)]
      let isOwn = report.customer != nil && report.customer == book.chains[Int(named)].customer
      chain = isOwn ? -1 : named
    }
  }

  /// How long after a purchase a report may still tell its price.
  static let grace = Milliseconds.hours(24)

  private let byCustomer: Grouping<Entry>
  private let byChain: Grouping<Entry>

  /// Gathers the believed votes of the history.
  init(
    history: PriceHistory, ledger: ReportLedger, set: SightingSet, book: PurchaseBook,
    chainOfRow: [Int32]
  ) {
    let reporters = ledger.judged.map { Reporter($0, set: set, book: book, chainOfRow: chainOfRow) }
    var ofCustomers: [Entry] = []
    var ofChains: [Entry] = []
    ofCustomers.reserveCapacity(history.votes.count)
    for (position, vote) in history.votes.enumerated() where vote.isBelieved {
      let reporter = reporters[Int(vote.report)]
      var entry = Entry(
        owner: reporter.customer, family: history.series[Int(vote.series)].family, time: vote.time,
        doubt: reporter.doubt, report: vote.report, vote: Int32(position))
      if reporter.customer >= 0 { ofCustomers.append(entry) }
      if reporter.chain >= 0 {
        entry.owner = reporter.chain
        ofChains.append(entry)
      }
    }
    byCustomer = Grouping(ofCustomers, count: set.symbols.count, by: \.owner) { $0.key < $1.key }
    byChain = Grouping(ofChains, count: book.chains.count, by: \.owner) { $0.key < $1.key }
  }

  /// The votes for a price by the chain's customer, then those by the chain.
  func votes(family: UInt64, chain: Int32, customer: CustomerID?) -> [Int32] {
    ofCustomer(customer, family: family).map { byCustomer.items[$0].vote }
      + ofChain(chain, family: family).map { byChain.items[$0].vote }
  }

  /// The customer's nearest vote at or before a moment, else its first within 24 hours after.
  ///
  /// Where the customer has neither, the chain's: what a customer reported months later is no
  /// reason to forget what was reported with the purchase.
  func nearest(to time: Int64, family: UInt64, chain: Int32, customer: CustomerID?) -> Int32? {
    Self.nearest(to: time, among: byCustomer, ofCustomer(customer, family: family))
      ?? Self.nearest(to: time, among: byChain, ofChain(chain, family: family))
  }

  private static func nearest(
    to time: Int64, among entries: borrowing Grouping<Entry>, _ range: Range<Int>
  ) -> Int32? {
    guard !range.isEmpty else { return nil }
    let later = entries.items.firstPosition(in: range) { $0.time > time }
    if later > range.lowerBound {
      let latest = entries.items[later - 1].time
      return entries.items[entries.items.firstPosition(in: range) { $0.time >= latest }].vote
    }
    let first = entries.items[later]
    return first.time - time <= Self.grace.rawValue ? first.vote : nil
  }

  private func ofCustomer(_ customer: CustomerID?, family: UInt64) -> Range<Int> {
    guard let customer else { return 0..<0 }
    return byCustomer.range(
      of: family, in: byCustomer[Int(customer.symbol.rawValue)], key: \.family)
  }

  private func ofChain(_ chain: Int32, family: UInt64) -> Range<Int> {
    byChain.range(of: family, in: byChain[Int(chain)], key: \.family)
  }
}

extension Grouping {
  /// The items of a range with one key, by which the range is in order first.
  func range(of wanted: UInt64, in range: Range<Int>, key: (Item) -> UInt64) -> Range<Int> {
    let start = items.firstPosition(in: range) { key($0) >= wanted }
    let end = items.firstPosition(in: start..<range.upperBound) { key($0) > wanted }
    return start..<end
  }
}
