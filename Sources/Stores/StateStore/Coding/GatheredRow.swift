public import CivilTime
public import Diagnostics
public import PriceLearning
public import PurchaseModel
internal import TemporaryFiles

/// The content of one chain in one file, or one price report, with all its texts.
///
/// The row can be read without other tables. Example: the row has the three observations of chain
/// `100000831001003` in an export of October, with the texts `pro.monthly`, `s-trial-then-paid` and
/// the bundle id.
public struct GatheredRow: Sendable {
  /// The identity of a chain or of a price report.
  public enum Subject: Hashable, Sendable {
    /// A chain, identified by its key.
    case chain(ChainKey)
    /// A price report, identified by its evidence id.
    case report(Int64)
  }

  /// The chain or price report that the row describes.
  public var subject: Subject
  /// The texts of the row, then its content, in the compact format of state.db.
  public var payload: [UInt8]

  /// Passes all rows of a file to `body`: chains sorted by key, then reports by evidence id.
  public static func forEach(
    of content: Observations, _ body: (GatheredRow) throws(RunFailure) -> Void
  ) throws(RunFailure) {
    let encoded = try FileEncoder.encode(
      content, numbers: .own(content.symbols.count),
      into: SortMemory(bytes: .max, path: "nothing is spilled"))
    let packer = GatheredPacker(content.symbols)
    // Records without a row belong to no chain.
    for part in encoded.chains where part.key != ChainKey.none.rawValue {
      let payload = try packer.payload(ofPart: encoded.bodies.bytes(of: part))
      try body(GatheredRow(subject: .chain(ChainKey(rawValue: part.key)), payload: payload))
    }
    for part in encoded.reports {
      let payload = try packer.payload(ofReport: encoded.bodies.bytes(of: part))
      try body(GatheredRow(subject: .report(part.key), payload: payload))
    }
  }
}

/// Encodes the texts of a row before the content of the row.
private struct GatheredPacker {
  private let symbols: SymbolTable
  private var own = StoredSymbols()

  init(_ symbols: SymbolTable) {
    self.symbols = symbols
    for symbol in 0..<UInt32(symbols.count) {
      own.set(Int(symbol) + 1, to: Symbol(rawValue: symbol))
    }
  }

  func payload(ofPart body: [UInt8]) throws(RunFailure) -> [UInt8] {
    var said = Observations()
    var decoder = ChainPartDecoder(symbols: own, asOf: Instant(milliseconds: .max))
    let isWhole = unsafe body.withUnsafeBufferPointer { bytes in
      unsafe decoder.decode(bytes, file: 0, into: &said) { record, _, _, set in
        set.records.append(record)
        return Int32(set.records.count - 1)
      }
    }
    guard isWhole else { throw .unreadable("the rows of a chain in a file") }
    return packed(body, naming: said)
  }

  func payload(ofReport body: [UInt8]) throws(RunFailure) -> [UInt8] {
    var said = Observations()
    try said.append(body, evidenceID: 0, file: 0, symbols: own)
    return packed(body, naming: said)
  }

  private func packed(_ body: [UInt8], naming said: Observations) -> [UInt8] {
    var named: Set<Symbol> = []
    said.forEachText {
      named.insert($0.symbol)
    } other: {
      named.insert($0)
    }
    return packed(body, naming: named)
  }

  fileprivate func packed(_ body: [UInt8], naming named: Set<Symbol>) -> [UInt8] {
    var writer = BodyWriter(numbers: SymbolNumbers(customers: [], others: []))
    writer.number(named.count)
    for symbol in named.sorted() {
      let text = symbols.utf8(symbol)
      writer.number(UInt64(symbol.rawValue) + 1)
      writer.number(text.count)
      for byte in text { writer.byte(byte) }
    }
    return writer.bytes + body
  }
}

/// Encodes placed reports for the filter that learns prices; each row contains the texts of its
/// report.
public struct PlacedPacker {
  private let packer: GatheredPacker
  private let numbers: SymbolNumbers

  /// Creates an encoder of rows whose symbols refer to the texts in a table.
  public init(_ symbols: SymbolTable) {
    packer = GatheredPacker(symbols)
    numbers = .own(symbols.count)
  }

  /// Encodes a report and its offer prices, but neither its evidence id nor its voter.
  ///
  /// Ids and names are written as texts, because symbols differ from process to process.
  public func payload(_ report: PlacedReport, offers: some Collection<OfferPrice>) -> [UInt8] {
    var writer = BodyWriter(numbers: numbers)
    writer.placed(report, offers: offers)
    var named = Set(offers.compactMap { $0.offerID?.symbol })
    named.insert(report.productID.symbol)
    if let app = report.productID.app { named.insert(app.symbol) }
    return packer.packed(writer.bytes, naming: named)
  }
}

/// Decodes the rows of many files into one set of observations.
public struct GatheredReader {
  private let limit: Instant
  /// The texts of the current row.
  ///
  /// Texts of earlier rows may remain, but are not used.
  private var stored = StoredSymbols()

  /// Creates a reader.
  ///
  /// - Parameter asOf: The time after which records and price reports are ignored; `nil` keeps all.
  public init(asOf: Instant?) { limit = asOf ?? Instant(milliseconds: .max) }

  /// Adds the texts of a row to a table.
  public static func intern(_ payload: [UInt8], into table: inout SymbolTable) throws(RunFailure) {
    _ = try texts(of: payload) { _, text in _ = table.intern(text.span) }
  }

  /// Adds the content of one chain in one file.
  ///
  /// - Parameters:
  ///   - set: Receives the content; its symbol table must contain the row's texts.
  public mutating func addPart(
    _ payload: [UInt8], file: Int32, to set: inout Observations
  ) throws(RunFailure) {
    let body = try readTexts(of: payload, from: &set.symbols)
    var decoder = ChainPartDecoder(symbols: stored, asOf: limit)
    let isWhole = unsafe body.withUnsafeBufferPointer { bytes in
      unsafe decoder.decode(bytes, file: file, into: &set) { record, _, _, set in
        set.records.append(record)
        return Int32(set.records.count - 1)
      }
    }
    guard isWhole else { throw .unreadable("the part of a chain") }
  }

  /// Adds a price report, unless it was reported after the as-of time.
  ///
  /// - Parameters:
  ///   - set: Receives the report; its symbol table must contain the row's texts.
  public mutating func addReport(
    _ payload: [UInt8], evidenceID: Int64, file: Int32, to set: inout Observations
  ) throws(RunFailure) {
    let body = try readTexts(of: payload, from: &set.symbols)
    let offers = set.offers.count
    try set.append(Array(body), evidenceID: evidenceID, file: file, symbols: stored)
    guard let report = set.reports.last, report.reportedAt > limit else { return }
    set.reports.removeLast()
    set.offers.removeSubrange(offers...)
  }

  /// Reads a placed report; its voter is not part of the row.
  ///
  /// - Parameters:
  ///   - table: The table of texts; it must contain the row's texts.
  public mutating func placed(
    _ payload: [UInt8], evidenceID: Int64, offers: inout OfferLists, in table: inout SymbolTable
  ) throws(RunFailure) -> PlacedReport {
    let body = try readTexts(of: payload, from: &table)
    let report = unsafe body.withUnsafeBufferPointer { bytes -> PlacedReport? in
      guard var reader = unsafe BodyReader(bytes, in: stored) else { return nil }
      let report = reader.placed(evidenceID, offers: &offers)
      return reader.isDamaged || !reader.isAtEnd ? nil : report
    }
    guard let report else { throw .unreadable("a placed report") }
    return report
  }

  private mutating func readTexts(of payload: [UInt8], from table: inout SymbolTable)
    throws(RunFailure) -> ArraySlice<UInt8>
  {
    // The table is moved out of the reader during the call, so that growing does not copy the
    // table.
    var stored = StoredSymbols()
    swap(&stored, &self.stored)
    defer { swap(&stored, &self.stored) }
    return try Self.texts(of: payload) { number, text in
      stored.set(number, to: table.intern(text.span))
    }
  }

  /// Passes the texts of a row to `body`, and returns the encoded content of the row.
  private static func texts(
    of payload: [UInt8], _ body: (_ number: Int, _ text: [UInt8]) -> Void
  ) throws(RunFailure) -> ArraySlice<UInt8> {
    let rest = unsafe payload.withUnsafeBufferPointer { bytes -> Int? in
      guard var reader = unsafe BodyReader(bytes) else { return nil }
      for _ in 0..<reader.count() {
        let number = reader.number(below: 1 << 32)
        var text: [UInt8] = []
        for _ in 0..<reader.count() { text.append(reader.byte()) }
        body(number, text)
      }
      return reader.isDamaged ? nil : reader.remaining
    }
    guard let rest else { throw .unreadable("the texts at the start of a row") }
    return payload.suffix(rest)
  }
}

extension Observations {
  /// Decodes a price report and appends the report.
  fileprivate mutating func append(
    _ body: [UInt8], evidenceID: Int64, file: Int32, symbols: StoredSymbols
  ) throws(RunFailure) {
    let report = unsafe body.withUnsafeBufferPointer { bytes -> PriceReport? in
      guard var reader = unsafe BodyReader(bytes, in: symbols) else { return nil }
      var source = SourceLine(file: file, line: 0)
      reader.code(&source.line)
      let report = reader.report(evidenceID: evidenceID, source: source, offers: &offers)
      return reader.isDamaged || !reader.isAtEnd ? nil : report
    }
    guard let report else { throw .unreadable("a price report") }
    reports.append(report)
  }
}

extension StoredBodies {
  /// A copy of the bytes of one body.
  fileprivate func bytes(of part: EncodedFile.Part) throws(RunFailure) -> [UInt8] {
    do {
      return try withBody(part) { span in
        unsafe span.withUnsafeBufferPointer { unsafe Array($0) }
      }
    } catch {
      throw error as? RunFailure
        ?? RunFailure(
          .inputOutput,
          "the encoded rows of a file cannot be read back: \(error)"
        )
    }
  }
}

extension RunFailure {
  /// The failure for bytes that no version of this program has written.
  fileprivate static func unreadable(_ what: String) -> RunFailure {
    RunFailure(
      .invariantBroken,
      "\(what) cannot be decoded: expected a row that `gather` of this version wrote; "
        + "run `gather` again")
  }
}
