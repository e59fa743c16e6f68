internal import Dispatch
internal import Synchronization

/// Encodes the rows of all sources on several threads, and hands them on in order.
///
/// Each thread takes the next portion that nobody has, and leaves it to whoever hands on those
/// before it (``Handover``): so at most one portion more than threads is in memory, and what comes
/// out does not depend on their number.
enum EncodingLine {
  /// Units in a portion.
  private static let portion = 2048

  private struct Portion {
    var source: Int
    var units: Range<Int>
    var isFirst: Bool
    var isLast: Bool
  }

  /// A portion's rows, and what was found when they were looked at.
  private final class Encoded: @unchecked Sendable {
    let rows: EncodedRows
    let found: Result<RowDifferences?, any Error>

    init(_ rows: consuming EncodedRows, _ found: Result<RowDifferences?, any Error>) {
      self.rows = rows
      self.found = found
    }
  }

  /// Where the rows go; but for a look at them, touched by none but the thread whose turn it is.
  private struct Outlet: @unchecked Sendable {
    let hash: ContentHash
    let sink: (any FactSink)?

    func take(
      _ rows: borrowing EncodedRows, _ found: RowDifferences?, _ portion: Portion,
      of target: FactSource.Target
    ) throws {
      if portion.isFirst {
        if target.isHashed { hash.begin(table: target.name) }
        try sink?.begin(target)
      }
      unsafe hash.add(rows.canonical.written)
      try sink?.add(rows, found)
      if portion.isLast { try sink?.end() }
    }
  }

  /// Encodes everything.
  ///
  /// - Parameters:
  ///   - sources: What to encode.
  ///   - columns: The columns of a table, in SCHEMA's order; for checks in debug builds.
  ///   - texts: The texts of the symbols.
  ///   - workers: How many threads encode.
  ///   - hash: Takes the canonical bytes of the tables that it covers.
  ///   - sink: Takes the rows.
  /// - Throws: The first failure of a source or of the sink, in the order of the rows.
  static func run(
    _ sources: [FactSource], columns: [String: [String]], texts: SymbolTexts, workers: Int,
    hash: ContentHash, sink: (any FactSink)?
  ) throws {
    let portions = portions(of: sources)
    let failure = Mutex<(any Error)?>(nil)
    let outlet = Outlet(hash: hash, sink: sink)
    let handover = Handover<Encoded>(of: portions.count, room: max(1, workers) + 1) {
      encoded, index in
      guard failure.withLock({ $0 == nil }) else { return }
      do {
        let portion = portions[index]
        let found = try encoded.found.get()
        try outlet.take(encoded.rows, found, portion, of: sources[portion.source].target)
      } catch {
        failure.withLock { $0 = error }
      }
    }
    DispatchQueue.concurrentPerform(iterations: max(1, workers)) { _ in
      while let index = handover.begin() {
        let portion = portions[index]
        let source = sources[portion.source]
        let isWanted = failure.withLock { $0 == nil }
        var encoder = RowEncoder(
          source.target.name, columns: columns[source.target.name] ?? [], texts: texts,
          isHashed: source.target.isHashed)
        let found = Result { () throws -> RowDifferences? in
          guard isWanted else { return nil }
          try source.encode(portion.units, &encoder)
          return try outlet.sink?.look(at: encoder.rows, of: source.target)
        }
        handover.bring(Encoded(encoder.finish(), found), index)
      }
    }
    if let error = failure.withLock({ $0 }) { throw error }
  }

  /// All units of all sources in portions; a source without units still has one.
  private static func portions(of sources: [FactSource]) -> [Portion] {
    sources.enumerated().flatMap { index, source in
      let count = max(1, (source.units + portion - 1) / portion)
      return (0..<count).map { part in
        Portion(
          source: index,
          units: min(part * portion, source.units)..<min((part + 1) * portion, source.units),
          isFirst: part == 0, isLast: part == count - 1)
      }
    }
  }
}

extension FactSource.Target {
  /// Whether the content hash covers it.
  var isHashed: Bool {
    if case .table = self { true } else { false }
  }
}
