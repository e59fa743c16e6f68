internal import Amounts
internal import CivilTime
package import Diagnostics
internal import Joining
internal import PaidAmounts
internal import PriceLearning
internal import PurchaseModel
internal import Purchases
internal import SharedTables
package import StateStore
package import Warehouse

/// The rows that the last publication stored for the next run, without the claims.
///
/// They never decide an amount; they only show which households may be skipped. Without usable rows
/// all chains and reports count as changed, and these lists are empty.
package struct PublishedRows {
  /// The published chains, sorted by key.
  struct Chains {
    fileprivate(set) var keys: [ChainKey] = []
    fileprivate(set) var standings: [ChainLink.Standing] = []
    fileprivate(set) var flags: [(isSandbox: Bool, isDurable: Bool, isSigned: Bool)] = []
    fileprivate(set) var customers: [AccountLinks.Named] = []
    /// The facts about products in all published chains.
    fileprivate(set) var products = ProductFacts()
    /// The facts about products in the chains without news.
    fileprivate(set) var unchangedProducts = ProductFacts()
  }

  /// The price reports in use, sorted by evidence id.
  struct Reports {
    /// The placed reports; their voters are not set.
    fileprivate(set) var placed: [PlacedReport] = []
    fileprivate(set) var customers: [CustomerID?] = []
    fileprivate(set) var transactionIDs: [TransactionID?] = []
    fileprivate(set) var namedChains: [ChainKey] = []
    fileprivate(set) var verdicts: [VerdictMark] = []
    fileprivate(set) var offers = OfferLists()
  }

  /// The changes since the last publication; if all keys are news, the rows are empty.
  let news: News
  private(set) var sums = PublishedSums()
  private(set) var chains = Chains()
  var reports = Reports()
  /// The signed prices that vote.
  private(set) var votes: [PlacedBatch.Vote] = []
  /// The units of each chain's rows, per cell of Apple's reports; empty without such reports.
  private(set) var cellRows: [(chain: ChainKey, row: CellRow)] = []

  /// Creates empty rows.
  package init(because reason: AllKeysReason) { news = News(because: reason) }

  private init(_ sums: PublishedSums, _ news: News) {
    self.sums = sums
    self.news = news
  }

  /// Reads the rows that the last publication wrote to state.db.
  ///
  /// They are empty if they belong to another publication than that of the warehouse or to other
  /// settings, or are damaged. They are empty for an as-of time given by the operator too.
  package static func read(
    _ state: StateDatabase, _ texts: StateTexts, publishedIn warehouse: WarehouseDatabase,
    _ settings: ReconstructSettings
  ) throws(RunFailure) -> PublishedRows {
    let unknown = PublishedRows(because: .unknownPublication)
    guard settings.asOf == nil, try warehouse.exists(), let last = try warehouse.lastRun(),
      let known = try state.publicationRow(), known.contentDigest == last.contentDigest,
      known.settings == settings.identity, let sums = try? PublishedSums(rows: known.sums, texts)
    else { return unknown }
    let news = try News(state, since: sums.files)
    if let reason = news.reason { return PublishedRows(because: reason) }
    var rows = PublishedRows(sums, news)
    let offers = try state.readLastPublication(texts) { link in
      rows.chains.add(link, isChanged: news.chains.contains(link.key))
    } report: {
      rows.reports.add($0)
    } vote: { chain, placed in
      rows.votes.append(PlacedBatch.Vote(chain: chain, placed: placed))
    } cellRows: { chain, found in
      for row in found { rows.cellRows.append((chain, row)) }
    }
    guard let offers else { return unknown }
    rows.reports.offers = offers
    return rows
  }
}

extension PublishedRows.Chains {
  fileprivate mutating func add(_ link: ChainLink, isChanged: Bool) {
    let chain = ChainPosition(keys.count)
    keys.append(link.key)
    standings.append(link.standing)
    flags.append((link.isSandbox, link.isDurable, link.isSigned))
    for customer in link.customers {
      customers.append(AccountLinks.Named(chain: chain, customer: customer, recency: 0))
    }
    for row in link.products {
      products.add(row)
      if !isChanged { unchangedProducts.add(row) }
    }
  }

  /// The accounts that hold several chains.
  var accounts: [JoinedChains.KnownAccount] {
    zip(keys, standings).lazy.filter { $0 != $1.account }.map { ($0, $1.account) }
  }

  /// The summary of the chains that a run has not read again, and their standings.
  func unread(_ read: Set<ChainKey>) -> (
    summary: PartitionSummary, standings: [ChainLink.Standing]
  ) {
    var summary = PartitionSummary()
    var standings: [ChainLink.Standing] = []
    var named = customers[...]
    var unread: [AccountLinks.Named] = []
    for (number, key) in keys.enumerated() {
      let own = named.prefix { $0.chain.index == number }
      named = named.dropFirst(own.count)
      guard !read.contains(key) else { continue }
      for var customer in own {
        customer.chain = ChainPosition(standings.count)
        unread.append(customer)
      }
      let (isSandbox, isDurable, isSigned) = flags[number]
      summary.add(key, isSandbox: isSandbox, isDurable: isDurable, isSigned: isSigned)
      standings.append(self.standings[number])
    }
    summary.set(customers: unread)
    return (summary, standings)
  }
}

extension PublishedRows.Reports {
  fileprivate mutating func add(_ report: StateDatabase.StoredReport) {
    placed.append(report.placed)
    customers.append(report.known.customer)
    transactionIDs.append(report.known.transactionID)
    namedChains.append(report.known.namedChain ?? .none)
    verdicts.append(VerdictMark(report.verdict))
  }
}

/// A hash of the verdict on a report, which shows whether it changed.
struct VerdictMark: Equatable, BitwiseCopyable {
  private var hash: UInt64

  /// The mark of a report without an earlier verdict.
  static let none = VerdictMark()

  private init() { hash = 0 }

  init(_ verdict: StoredVerdict) {
    var bits = UInt64(Verdict.allCases.firstIndex(of: verdict.verdict) ?? 0)
    bits = bits << 1 | (verdict.isConfirmed ? 1 : 0)
    bits = bits << 1 | (verdict.isOutnumbered ? 1 : 0)
    bits = bits << 33 | (verdict.place.map { UInt64($0.rawValue) + 1 } ?? 0)
    let reference = verdict.reference.map { UInt64(bitPattern: $0.rawValue) } ?? .max
    let instalment = verdict.instalment.map {
      UInt64(UInt32(bitPattern: $0.count)) << 32 | UInt64(UInt32(bitPattern: $0.length.count)) << 8
        | UInt64($0.length.unit.rawValue) + 1
    }
    hash = wellMixed(wellMixed(wellMixed(bits) &+ reference) &+ (instalment ?? 0))
  }
}
