internal import StateStore
internal import CivilTime
package import Diagnostics
internal import Joining
internal import PaidAmounts
internal import PurchaseModel
internal import Purchases

/// Runs `paidline-reconstruct join`: joins chains to households, between the steps merge and learn.
///
/// It also finds the purchase of each report by the transaction id in the report. If several chains
/// claim a transaction id, it decides to which purchase the id belongs.
///
/// One process reads all rows. The process needs a few hundred bytes per chain and report; claims
/// to transaction ids are not kept in memory. A claim may be left out of the input if no other
/// chain claims the id and no report has it.
package struct JoinFilter: FilterStep {
  package static let name = "join"
  package static let summary =
    "Read the rows of `merge`, price reports and records without a chain; find the households."
  /// The tags of the rows that the filter writes.
  static let tags = ["house", "member", "passed", "placeholder", "winner"]

  private let settings: ReconstructSettings
  private let output = FilterOutput(Self.tags)

  package init(_ context: FilterContext) { settings = context.settings }

  /// The chains of all rows `chain`, with their links to responses and customers.
  fileprivate struct Chains {
    var positions: [Int64: ChainPosition] = [:]
    var keys: [Int64] = []
    var isSandbox: [Bool] = []
    var isDurable: [Bool] = []
    var seen: [AccountLinks.ChainResponse] = []
    var named: [AccountLinks.Named] = []

    func position(_ chain: Int64, in row: FilterRow) throws(RunFailure) -> ChainPosition {
      guard let position = positions[chain] else {
        throw row.failure("the key of a row \"chain\"")
      }
      return position
    }
  }

  /// Reads all rows, joins chains and reports to households, and writes the result.
  package func run() throws(RunFailure) {
    var input = FilterInput.standard([
      "chain", "storefront", "named", "report", "seen", "transaction",
    ])
    var chains = Chains()
    var storefronts: [StorefrontRow] = []
    var set = Observations()
    var reports: [ReportRow] = []
    var claims = Claims()
    var wanted: Set<TransactionID>?
    while var row = try input.next() {
      switch row.tag {
      case ChainRow.tag:
        let chain = try row.read(ChainRow.self)
        guard chains.positions[chain.key] == nil else { throw row.failure("a chain once") }
        chains.positions[chain.key] = ChainPosition(chains.keys.count)
        chains.keys.append(chain.key)
        chains.isSandbox.append(chain.isSandbox)
        chains.isDurable.append(chain.isDurable)
      case StorefrontRow.tag:
        let storefront = try row.read(StorefrontRow.self)
        guard settings.asOf.map({ storefront.observedAt <= $0 }) ?? true else { continue }
        _ = set.symbols.intern(storefront.customer.span)
        storefronts.append(storefront)
      case NamedRow.tag:
        let named = try row.read(NamedRow.self)
        chains.named.append(
          AccountLinks.Named(
            chain: try chains.position(named.chain, in: row),
            customer: CustomerID(set.symbols.intern(named.customer.span)),
            recency: named.recency))
      case ReportRow.tag: try add(try row.read(ReportRow.self), to: &reports, &set)
      case SeenRow.tag:
        let seen = try row.read(SeenRow.self)
        chains.seen.append(
          AccountLinks.ChainResponse(
            file: seen.file, ordinal: seen.ordinal,
            chain: try chains.position(seen.chain, in: row)))
      default:
        // All rows `report` are sorted before the first row `transaction`.
        let ids = wanted ?? Set(set.reports.lazy.compactMap(\.transactionID))
        wanted = ids
        let claim = try row.read(TransactionRow.self)
        claims.add(
          claim, of: try chains.position(claim.chain, in: row), wanted: ids, into: &set.symbols)
      }
    }
    claims.end(wanted: wanted ?? [])
    try join(chains, reports, storefronts, set, claims)
    try output.finish()
  }

  /// Adds a report.
  ///
  /// A report in several files has one row per file. The rows follow one another; only the first is
  /// used.
  private func add(_ report: ReportRow, to reports: inout [ReportRow], _ set: inout Observations)
    throws(RunFailure)
  {
    guard set.reports.last?.evidenceID != report.evidenceID else { return }
    try GatheredReader.intern(report.payload, into: &set.symbols)
    var reader = GatheredReader(asOf: settings.asOf)
    let known = set.reports.count
    try reader.addReport(report.payload, evidenceID: report.evidenceID, file: 0, to: &set)
    if set.reports.count > known { reports.append(report) }
  }

  private func join(
    _ chains: Chains, _ reports: [ReportRow], _ storefronts: [StorefrontRow],
    _ set: Observations, _ claims: Claims
  ) throws(RunFailure) {
    var joined = JoinedChains([
      PartitionSummary(
        isSandbox: chains.isSandbox, isDurable: chains.isDurable,
        accountLinks: AccountLinks(chains: chains.seen, customers: chains.named))
    ])
    var joiner = ReportJoiner()
    let all = set.reports.map { report in
      joiner.join(
        report, offers: Array(set.offers[report.offers]),
        naming: report.transactionID.flatMap { claims.purchases[$0] }, &joined, in: set.symbols)
    }
    // Reports without a household get higher numbers than all households, so that they are spread
    // over partitions.
    var next = Int64(joined.households.count)
    for (chain, key) in chains.keys.enumerated() {
      let household = joined.household(of: ChainPlace(partition: 0, chain: ChainPosition(chain)))
      try output.row("member", .key(key), house(household, &next))
    }
    for (report, seen) in zip(reports, all) {
      if let seen { try write(seen, report, set.symbols, &next) }
    }
    for storefront in storefronts {
      let customer = String(decoding: storefront.customer, as: UTF8.self)
      guard let symbol = set.symbols.symbol(customer),
        let household = joined.households.household(of: CustomerID(symbol))
      else { continue }
      try write(storefront, to: house(household, &next))
    }
    for placeholder in joined.households.placeholderIDs {
      try output.row(
        "placeholder", .text(Array(set.symbols.utf8(placeholder.customer.symbol))),
        .number(Int64(placeholder.accounts)))
    }
    for (chain, key) in chains.keys.enumerated() where joined.isPassedOn(ChainPosition(chain)) {
      try output.row("passed", .key(key))
    }
    for (id, winner) in claims.winners.sorted(by: { $0.key < $1.key }) {
      try output.row(
        "winner", .text(Array(id.number.text(in: set.symbols).utf8)),
        .number(winner.rawValue))
    }
  }

  /// Writes a report as a row of its household.
  ///
  /// If the report has the transaction id of a purchase of another household, writes a second row
  /// for that household.
  private func write(
    _ joined: ReportJoiner.Joined, _ report: ReportRow, _ symbols: SymbolTable,
    _ next: inout Int64
  ) throws(RunFailure) {
    let (seen, named) = (joined.report, joined.report.named)
    var row = HouseholdReportRow(
      evidenceID: report.evidenceID, file: report.file,
      role: seen.household == nil ? .unassigned : .own, purchase: named?.key.rawValue,
      purchasedAt: named?.purchasedAt, isExcluded: named?.isExcluded ?? false,
      unknownTransaction: seen.unknownTransaction?.rawValue,
      app: (named?.app).map { Array(symbols.utf8($0.symbol)) }, payload: report.payload)
    try write(row, to: house(seen.household, &next))
    guard let other = joined.otherHousehold else { return }
    row.role = .names
    try write(row, to: house(other, &next))
  }

  /// Writes a row of a household, after the tag `house` and the household's number.
  private func write<Row: CodedRow>(_ row: Row, to household: FilterField) throws(RunFailure) {
    try output.row("house", [household, .word(Row.tag)] + FilterField.fields(row))
  }

  /// Returns the number of a household as a field of eight hexadecimal digits.
  ///
  /// A report without a household gets the next free number.
  private func house(_ household: HouseholdNumber?, _ next: inout Int64) -> FilterField {
    let number: Int64
    if let household {
      number = Int64(household.rawValue)
    } else {
      number = next
      next += 1
    }
    let digits = String(number, radix: 16)
    return .word(String(repeating: "0", count: max(0, 8 - digits.utf8.count)) + digits)
  }
}

/// The purchases of the transaction ids that rows `transaction` claim.
private struct Claims {
  /// The winning purchases, keyed by transaction id; only ids that several chains claim.
  private(set) var winners: [TransactionID: PurchaseKey] = [:]
  /// The purchases with a price report, keyed by the transaction id in the report.
  private(set) var purchases: [TransactionID: ClaimedPurchase] = [:]
  private var ids = SettledIDs()

  /// Adds the claim of a chain to a transaction id.
  ///
  /// All claims to one id must follow one another.
  ///
  /// - Parameter wanted: The transaction ids of all reports.
  mutating func add(
    _ row: TransactionRow, of chain: ChainPosition, wanted: Set<TransactionID>,
    into symbols: inout SymbolTable
  ) {
    let id = TransactionID(AppleNumber(row.id.span, symbols: &symbols))
    let product = row.product.product(in: &symbols)
    let named = NamedPurchase(
      key: PurchaseKey(rawValue: row.purchase), purchasedAt: row.purchasedAt,
      isExcluded: row.isExcluded, app: product.app)
    let claim = SettledIDs.Claim(
      strength: row.strength,
      purchase: ClaimedPurchase(
        named: named, productID: product.withoutApp, isSandbox: row.isSandbox,
        at: ChainPlace(partition: 0, chain: chain)))
    keep(ids.add(claim, to: id), wanted: wanted)
  }

  /// Ends after the last claim.
  mutating func end(wanted: Set<TransactionID>) { keep(ids.end(), wanted: wanted) }

  private mutating func keep(_ settled: SettledIDs.Settled?, wanted: Set<TransactionID>) {
    guard let settled else { return }
    if settled.isContested { winners[settled.id] = settled.purchase.named.key }
    if wanted.contains(settled.id) { purchases[settled.id] = settled.purchase }
  }
}
