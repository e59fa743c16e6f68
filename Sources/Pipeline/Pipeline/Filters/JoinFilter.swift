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

    func position(in row: inout FilterRow) throws(RunFailure) -> ChainPosition {
      guard let position = positions[try row.key()] else {
        throw row.failure("the key of a row \"chain\"")
      }
      return position
    }
  }

  /// A row `report`, with the fields that are copied to the output.
  private struct Report {
    var file: [UInt8]
    var payload: [UInt8]
  }

  /// A row `storefront`: a record with a customer and a storefront, but without transaction rows.
  private struct RecordWithoutRows {
    var file: [UInt8]
    var number: Int64
    var customer: CustomerID
    var storefront: String
    var observedAt: Int64
  }

  /// Reads all rows, joins chains and reports to households, and writes the result.
  package func run() throws(RunFailure) {
    var input = FilterInput.standard([
      "chain", "storefront", "named", "report", "seen", "transaction",
    ])
    var chains = Chains()
    var recordsWithoutRows: [RecordWithoutRows] = []
    var set = Observations()
    var reports: [Report] = []
    var claims = Claims()
    var wanted: Set<TransactionID>?
    while var row = try input.next() {
      switch row.tag {
      case "chain":
        let key = try row.key()
        guard chains.positions[key] == nil else { throw row.failure("a chain once") }
        chains.positions[key] = ChainPosition(chains.keys.count)
        chains.keys.append(key)
        chains.isSandbox.append(try row.flag())
        chains.isDurable.append(try row.flag())
      case "storefront": try read(&row, recordsWithoutRows: &recordsWithoutRows, into: &set)
      case "named":
        let chain = try chains.position(in: &row)
        let customer = CustomerID(try row.symbol(in: &set.symbols))
        chains.named.append(
          AccountLinks.Named(chain: chain, customer: customer, recency: try row.number()))
      case "report": try read(&row, reports: &reports, into: &set)
      case "seen":
        let chain = try chains.position(in: &row)
        chains.seen.append(
          AccountLinks.ChainResponse(
            file: try row.number32(), ordinal: try row.number32(), chain: chain))
      default:
        // All rows `report` are sorted before the first row `transaction`.
        let ids = wanted ?? Set(set.reports.lazy.compactMap(\.transactionID))
        wanted = ids
        try claims.read(&row, chains, wanted: ids, into: &set.symbols)
      }
    }
    claims.end(wanted: wanted ?? [])
    try join(chains, reports, recordsWithoutRows, set, claims)
    try output.finish()
  }

  private func read(
    _ row: inout FilterRow, recordsWithoutRows: inout [RecordWithoutRows],
    into set: inout Observations
  )
    throws(RunFailure)
  {
    let found = RecordWithoutRows(
      file: Array(try row.field()), number: try row.number(),
      customer: CustomerID(try row.symbol(in: &set.symbols)),
      storefront: try row.word(), observedAt: try row.number())
    guard settings.asOf.map({ found.observedAt <= $0.milliseconds }) ?? true else { return }
    recordsWithoutRows.append(found)
  }

  /// Reads a row `report`.
  ///
  /// A report in several files has one row per file. The rows follow one another; only the first is
  /// used.
  private func read(_ row: inout FilterRow, reports: inout [Report], into set: inout Observations)
    throws(RunFailure)
  {
    let id = try row.key()
    guard set.reports.last?.evidenceID != id else { return }
    let file = Array(try row.field())
    _ = try row.field()  // The id it names, for who leaves out claims that none names.
    let report = Report(file: file, payload: try row.packed())
    try GatheredReader.intern(report.payload, into: &set.symbols)
    var reader = GatheredReader(asOf: settings.asOf)
    let known = set.reports.count
    try reader.addReport(report.payload, evidenceID: id, file: 0, to: &set)
    if set.reports.count > known { reports.append(report) }
  }

  private func join(
    _ chains: Chains, _ reports: [Report], _ recordsWithoutRows: [RecordWithoutRows],
    _ set: Observations,
    _ claims: Claims
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
    for record in recordsWithoutRows {
      guard let household = joined.households.household(of: record.customer) else { continue }
      try output.row(
        "house", house(household, &next), .word("storefront"), .written(record.file),
        .number(record.number), .word(record.storefront), .number(record.observedAt))
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
    _ joined: ReportJoiner.Joined, _ report: Report, _ symbols: SymbolTable, _ next: inout Int64
  ) throws(RunFailure) {
    let seen = joined.report
    func write(_ household: HouseholdNumber?, _ role: ReportRole) throws(RunFailure) {
      try output.row(
        "house", house(household, &next), .word("report"), .key(seen.report.evidenceID),
        .written(report.file), .word(role.rawValue), .number(seen.named?.key.rawValue),
        .number(seen.named?.purchasedAt.milliseconds), .flag(seen.named?.isExcluded ?? false),
        .number((seen.unknownTransaction?.rawValue).map(Int64.init)),
        .text((seen.named?.app).map { Array(symbols.utf8($0.symbol)) }), .packed(report.payload))
    }
    try write(seen.household, seen.household == nil ? .unassigned : .own)
    if let other = joined.otherHousehold { try write(other, .names) }
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

/// The relation between a price report and the household in whose rows the report is.
enum ReportRole: String {
  /// The report belongs to the household.
  case own
  /// The report belongs to another household, but has a transaction id of this household's
  /// purchase.
  case names
  /// The report has neither a known customer nor the transaction id of a known purchase.
  case unassigned
}

/// The purchases of the transaction ids that rows `transaction` claim.
private struct Claims {
  /// The winning purchases, keyed by transaction id; only ids that several chains claim.
  private(set) var winners: [TransactionID: PurchaseKey] = [:]
  /// The purchases with a price report, keyed by the transaction id in the report.
  private(set) var purchases: [TransactionID: ClaimedPurchase] = [:]
  private var ids = SettledIDs()

  /// Reads a row `transaction`: the claim of a chain to a transaction id.
  ///
  /// All claims to one id must follow one another.
  ///
  /// - Parameter wanted: The transaction ids of all reports.
  mutating func read(
    _ row: inout FilterRow, _ chains: JoinFilter.Chains, wanted: Set<TransactionID>,
    into symbols: inout SymbolTable
  ) throws(RunFailure) {
    let text = try row.requiredText()
    let id = TransactionID(AppleNumber(text.span, symbols: &symbols))
    let chain = try chains.position(in: &row)
    let strength = try row.number()
    var named = NamedPurchase(
      key: PurchaseKey(rawValue: try row.number()),
      purchasedAt: Instant(milliseconds: try row.number()),
      isExcluded: try row.flag(), app: nil)
    let isSandbox = try row.flag()
    let product = try row.product(in: &symbols)
    named.app = product.app
    let claim = SettledIDs.Claim(
      strength: strength,
      purchase: ClaimedPurchase(
        named: named, productID: product.withoutApp, isSandbox: isSandbox,
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
