internal import StateStore
internal import CivilTime
internal import Diagnostics
internal import Glibc
internal import PaidAmounts
internal import PriceLearning
internal import PurchaseModel
internal import Purchases
internal import SystemPackage
internal import Warehouse

/// The file of a ``PublishedIndex``: `state.db-index`, for its owner alone.
///
/// It can be lost at any time: the next run then decides everything anew and writes it again. So it
/// is neither synced nor kept in two versions; sums tell a torn one.
struct IndexFile {
  let path: String

  /// Beside a working database.
  init(of statePath: String) { path = statePath + "-index" }

  /// Changes with the form of the file.
  private static let form: Int64 = 6

  /// Removes the file.
  func remove() { _ = unsafe unlink(path) }

  /// Writes an index in place of the one before.
  ///
  /// - Returns: Whether that succeeded. A disk without room for a cache stops no night, and a
  ///   temporary file that cannot be read back does not either: the facts are published by now.
  func write(_ index: borrowing PublishedIndex, texts: StateTexts) -> Bool {
    let draft = path + ".draft"
    _ = unsafe unlink(draft)
    let descriptor = try? FileDescriptor.open(
      FilePath(draft), .writeOnly,
      options: [.create, .exclusiveCreate, .noFollow, .closeOnExec],
      permissions: [.ownerReadWrite])
    guard let descriptor else { return false }
    var writer = IndexWriter(descriptor)
    writer.put(one: Self.form)
    writer.put(index.settings)
    writer.put(one: index.origin)
    writer.put(texts.numbers)
    let isRead: Void? = try? Self.put(index, into: &writer)
    let isClosed: Void? = try? descriptor.close()
    guard !writer.hasFailed, isRead != nil, isClosed != nil else {
      _ = unsafe unlink(draft)
      return false
    }
    return unsafe rename(draft, path) == 0
  }

  /// The index of a publication.
  ///
  /// - Parameters:
  ///   - origin: The expected publication.
  ///   - settings: The expected settings and versions.
  ///   - texts: The texts of this run, in which its texts are looked up.
  /// - Returns: `nil` if it is missing, damaged, or has another publication or form.
  func read(origin: PublishedIndex.Origin, settings: String, texts: StateTexts) -> PublishedIndex? {
    guard
      let descriptor = try? FileDescriptor.open(
        FilePath(path), .readOnly, options: [.nonBlocking, .noFollow, .closeOnExec])
    else { return nil }
    defer { try? descriptor.close() }
    guard let status = try? PathStatus(of: descriptor), status.kind == .regular else { return nil }
    var reader = IndexReader(descriptor, bytes: Int(status.size))
    guard reader.one(Int64.self) == Self.form, reader.text() == settings,
      reader.one(PublishedIndex.Origin.self) == origin
    else { return nil }
    let numbers = reader.get(UInt32.self)
    var index = Self.get(&reader)
    index.settings = settings
    index.origin = origin
    guard reader.isComplete else { return nil }
    var renaming = SymbolRenaming(numbers: numbers, texts: texts)
    index.rename(&renaming)
    return renaming.isComplete ? index : nil
  }

  private static func put(_ index: borrowing PublishedIndex, into writer: inout IndexWriter)
    throws(RunFailure)
  {
    writer.put(index.files)
    writer.put(one: index.asOf)
    writer.put(index.chains)
    writer.put(index.customers)
    if let streamed = index.streamed {
      try writer.put(streamed.claimCount, rows: streamed.forEachClaim)
      try writer.put(streamed.reportCount, rows: streamed.forEachPlaced)
      try writer.put(streamed.reportCount, rows: streamed.forEachReport)
      let unsigned = streamed.unsignedJudgements
      try writer.put(unsigned?.count ?? 0) { row in
        unsigned?.forEach { row(PublishedIndex.Opinion($0)) }
      }
    } else {
      try writer.put(index.claims.count, rows: { row in index.claims.forEach(row) })
      try writer.put(index.placed.count, rows: { row in index.placed.forEach(row) })
      try writer.put(index.reports.count, rows: { row in index.reports.forEach(row) })
      try writer.put(index.unsignedOpinions.count) { row in index.unsignedOpinions.forEach(row) }
    }
    writer.put(index.winners)
    writer.put(index.offers.lists.map { Int32($0.count) })
    writer.put(index.offers.lists.flatMap(\.self))
    writer.put(one: index.isSigned)
    writer.put(index.votes)
    writer.put(index.storefronts)
    writer.put(index.nobodies)
    writer.put(index.products.counts.map { Counted(value: $0.key, count: $0.value) })
    writer.put(index.products.shownKinds.map { Paired(first: $0.key, second: $0.value) })
    writer.put(index.products.groups.map { Paired(first: $0.key, second: $0.value) })
    for prices in [index.prices, index.unsignedPrices] {
      writer.put(prices.intervals)
      writer.put(prices.currencies)
      writer.put(prices.apart)
    }
    writer.put(index.questions)
    writer.put([index.tally.purchases, index.tally.revenue, index.tally.chargeable])
    writer.put(one: index.tally.namesCustomer)
    writer.put(index.tally.excluded.map { Counted(value: $0.key, count: $0.value) })
    writer.put(index.tally.missing.map { Counted(value: $0.key, count: $0.value) })
    writer.put(index.tally.unconverted.map { Counted(value: $0.key, count: $0.value) })
    writer.put(Array(index.tally.bought))
    writer.put(one: index.totals)
  }

  private static func get(_ reader: inout IndexReader) -> PublishedIndex {
    var index = PublishedIndex()
    index.files = reader.get()
    index.asOf = reader.one() ?? .epoch
    index.chains = reader.get()
    index.customers = reader.get()
    index.claims = reader.rows()
    index.placed = reader.rows()
    index.reports = reader.rows()
    index.unsignedOpinions = reader.rows()
    let (placed, unsigned) = (index.placed.count, index.unsignedOpinions.count)
    if index.reports.count != placed || ![0, placed].contains(unsigned) { reader.giveUp() }
    index.winners = reader.get()
    let counts = reader.get(Int32.self)
    var offers = reader.get(OfferPrice.self)[...]
    for count in counts.dropFirst() {
      _ = index.offers.index(of: Array(offers.prefix(Int(count))))
      offers = offers.dropFirst(Int(count))
    }
    index.isSigned = reader.one() ?? false
    index.votes = reader.get()
    index.storefronts = reader.get()
    index.nobodies = reader.get()
    let terms = reader.get(Counted<ProductFacts.Term>.self)
    let kinds = reader.get(Paired<ProductID, ProductKind>.self)
    let groups = reader.get(Paired<ProductID, ProductFacts.NamedGroup>.self)
    index.products = ProductFacts(
      counts: Dictionary(terms.map { ($0.value, $0.count) }) { $1 },
      shownKinds: Dictionary(kinds.map { ($0.first, $0.second) }) { $1 },
      groups: Dictionary(groups.map { ($0.first, $0.second) }) { $1 })
    index.prices = Self.prices(&reader)
    index.unsignedPrices = Self.prices(&reader)
    index.questions = reader.get()
    let sums = reader.get(Int.self)
    if sums.count == 3 {
      (index.tally.purchases, index.tally.revenue, index.tally.chargeable) = (
        sums[0], sums[1], sums[2]
      )
    }
    index.tally.namesCustomer = reader.one() ?? false
    index.tally.excluded = Counted.dictionary(reader.get())
    index.tally.missing = Counted.dictionary(reader.get())
    index.tally.unconverted = Counted.dictionary(reader.get())
    index.tally.bought = Set(reader.get(ProductID.self))
    index.totals = reader.one() ?? FactTotals()
    return index
  }

  private static func prices(_ reader: inout IndexReader) -> PublishedPrices {
    PublishedPrices(intervals: reader.get(), currencies: reader.get(), apart: reader.get())
  }
}

/// A value and how often there is one.
struct Counted<Value: Hashable & BitwiseCopyable>: BitwiseCopyable {
  var value: Value
  var count: Int

  static func dictionary(_ all: [Counted]) -> [Value: Int] {
    Dictionary(all.map { ($0.value, $0.count) }) { $1 }
  }
}

/// Two values.
struct Paired<First: BitwiseCopyable, Second: BitwiseCopyable>: BitwiseCopyable {
  var first: First
  var second: Second
}
