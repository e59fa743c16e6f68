internal import StateStore
internal import CivilTime
package import Diagnostics
internal import PurchaseModel
internal import Purchases

/// Runs the step merge as a filter.
///
/// Input: rows `part`, sorted by chain. Output: rows about chains, which `join` needs, and rows
/// about products.
///
/// Merged purchases are not written. The step decide merges the chains of a household again, which
/// is cheaper than a format for all fields of a purchase.
package struct MergeFilter: FilterStep {
  package static let name = "merge"
  package static let summary =
    "Read sorted rows `part`; write the links of each chain for `join`, and the products."
  /// The tags of the rows that the filter writes.
  static let tags = [
    "chain", "group", "kind", "lengths", "named", "seen", "sold", "term", "transaction",
  ]
  /// The size at which a batch is complete, in bytes of its rows; a chain is never divided.
  private static let batchBytes = 4 << 20

  private let settings: ReconstructSettings
  private let files: FilterFiles

  package init(_ context: FilterContext) throws(RunFailure) {
    settings = context.settings
    files = try context.files()
  }

  /// A row `part`: the rows of one chain in one export.
  struct Part {
    var chain: Int64
    var file: Int32
    var payload: [UInt8]

    init(_ row: inout FilterRow, _ files: FilterFiles) throws(RunFailure) {
      let part = try row.read(PartRow.self)
      (chain, payload) = (part.chain, part.payload)
      file = try files.position(of: part.file, in: row)
    }
  }

  /// Reads rows `part` in order, and merges whole chains in batches.
  package func run() throws(RunFailure) {
    var input = FilterInput.standard(["part"])
    let output = FilterOutput(Self.tags)
    var parts: [Part] = []
    var bytes = 0
    while var row = try input.next() {
      let part = try Part(&row, files)
      if bytes >= Self.batchBytes, parts.last?.chain != part.chain {
        try merge(parts, into: output)
        parts.removeAll(keepingCapacity: true)
        bytes = 0
      }
      bytes += part.payload.count
      parts.append(part)
    }
    if !parts.isEmpty { try merge(parts, into: output) }
    try output.finish()
  }

  private func merge(_ parts: [Part], into output: FilterOutput) throws(RunFailure) {
    var texts = SymbolTable()
    for text in settings.texts { _ = texts.intern(text) }
    for part in parts { try GatheredReader.intern(part.payload, into: &texts) }
    var set = Observations()
    set.symbols = texts.sorted().table
    set.files = files.files
    var reader = GatheredReader(asOf: settings.asOf)
    for part in parts { try reader.addPart(part.payload, file: part.file, to: &set) }
    let partition = MergedPartition(set, bundleIDs: settings.bundles(in: set.symbols))
    let catalogue = settings.catalogue.catalogue(in: set.symbols)
    let writer = MergedPartitionRows(partition: partition, set: set, output: output)
    try writer.write(durable: partition.durableChains(catalogue), of: parts.map(\.chain))
    var products = ProductFacts()
    for (_, row) in partition.productRows(catalogue) { products.add(row) }
    try ProductRows.write(products, set.symbols, to: output)
  }
}

/// Writes the rows about a merged partition that `join` needs.
private struct MergedPartitionRows {
  let partition: MergedPartition
  let set: Observations
  let output: FilterOutput

  /// Writes a row `chain` for every chain, and the rows about its customers and transaction ids.
  ///
  /// A chain with only rows after `--as-of` is written as a sandbox chain, so that it gets no
  /// household.
  ///
  /// - Parameters:
  ///   - chains: The keys of all chains, including chains with only rows after `--as-of`.
  func write(durable: [Bool], of chains: [Int64]) throws(RunFailure) {
    var left = Set(chains)
    for (chain, isDurable) in zip(partition.chainKeys, durable) {
      left.remove(chain.key.rawValue)
      try output.row(
        ChainRow(key: chain.key.rawValue, isSandbox: chain.isSandbox, isDurable: isDurable))
    }
    for key in left.sorted() { try output.row(ChainRow(key: key, isSandbox: true)) }
    for seen in partition.accountLinks.chains {
      try output.row(SeenRow(chain: key(seen.chain), file: seen.file, ordinal: seen.ordinal))
    }
    for named in partition.accountLinks.customers {
      try output.row(
        NamedRow(
          chain: key(named.chain), customer: Array(set.symbols.utf8(named.customer.symbol)),
          recency: named.recency))
    }
    for claim in partition.claims { try write(claim) }
  }

  private func write(_ claim: StrongestClaim) throws(RunFailure) {
    let purchase = partition.book.purchases[Int(claim.purchase)]
    try output.row(
      TransactionRow(
        id: Array(claim.transactionID.number.text(in: set.symbols).utf8), chain: key(claim.chain),
        strength: claim.strength, purchase: purchase.key.rawValue,
        purchasedAt: purchase.purchasedAt, isExcluded: purchase.exclusion != nil,
        isSandbox: purchase.isTestPurchase,
        product: ProductFields(purchase.productInApp, set.symbols)))
  }

  private func key(_ chain: ChainPosition) -> Int64 {
    partition.chainKeys[chain.index].key.rawValue
  }
}
