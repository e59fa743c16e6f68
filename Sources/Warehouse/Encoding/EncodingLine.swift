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

  /// A portion's rows, and how encoding them ended.
  private final class Encoded: @unchecked Sendable {
    let rows: EncodedRows
    let ending: Result<Void, any Error>

    init(_ rows: consuming EncodedRows, _ ending: Result<Void, any Error>) {
      self.rows = rows
      self.ending = ending
    }
  }

  /// Where the rows go; touched by none but the thread whose turn it is.
  private struct Outlet: @unchecked Sendable {
    let sink: (any FactSink)?

    func take(
      _ rows: borrowing EncodedRows, _ portion: Portion, of target: FactSource.Target
    ) throws {
      if portion.isFirst { try sink?.begin(target) }
      try sink?.add(rows)
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
  ///   - sink: Takes the rows.
  /// - Returns: The digest of the rows of the tables that it covers.
  /// - Throws: The first failure of a source or of the sink, in the order of the rows.
  static func run(
    _ sources: [FactSource], columns: [String: [String]], texts: SymbolTexts, workers: Int,
    sink: (any FactSink)?
  ) throws -> ContentDigest {
    let portions = portions(of: sources)
    let failure = Mutex<(any Error)?>(nil)
    let outlet = Outlet(sink: sink)
    let digest = Mutex(ContentDigest())
    let handover = Handover<Encoded>(of: portions.count, room: max(1, workers) + 1) {
      encoded, index in
      guard failure.withLock({ $0 == nil }) else { return }
      do {
        let portion = portions[index]
        try encoded.ending.get()
        digest.withLock { $0.add(encoded.rows.digest) }
        try outlet.take(encoded.rows, portion, of: sources[portion.source].target)
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
        let ending = Result {
          if isWanted { try source.encode(portion.units, &encoder) }
        }
        handover.bring(Encoded(encoder.finish(), ending), index)
      }
    }
    if let error = failure.withLock({ $0 }) { throw error }
    return digest.withLock { $0 }
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
