public import Diagnostics
public import PurchaseModel

/// The content of a file that is too large to be held, encoded piece by piece while it is read.
///
/// Pieces name the file's own symbols. After the file was read to its end, its texts get numbers in
/// state.db, and the pieces of each chain are merged into the body that a single piece would have
/// given. For one thread.
public final class FileStaging {
  private let store: BodyStore
  private var pieces: [EncodedFile] = []
  private var used: UsedSymbols?
  private var failure: RunFailure?

  init(store: BodyStore) {
    self.store = store
  }

  /// Whether no piece was added.
  public var isEmpty: Bool { pieces.isEmpty }

  /// The failure to add the last piece; `nil` without one.
  public var failed: RunFailure? { failure }

  /// Drops all pieces: the file is read again.
  public func removeAll() {
    pieces = []
    used = nil
  }

  /// Encodes and keeps a piece; false when it could not be kept.
  public func add(_ piece: SightingSet) -> Bool {
    do throws(RunFailure) {
      try keep(piece)
      return true
    } catch {
      failure = error
      return false
    }
  }

  private func keep(_ piece: SightingSet) throws(RunFailure) {
    let names = UsedSymbols(piece)
    if used == nil { used = names } else { used?.add(names) }
    pieces.append(
      try FileEncoder.encode(
        piece, numbers: .own(piece.symbols.count), into: store,
        firstRecord: pieces.reduce(0) { $0 + $1.receiptRecords }))
  }

  /// Adds the last piece of the file, and merges all pieces into one encoded file, on several
  /// threads.
  func finish(
    _ last: SightingSet, interner: SymbolInterner, workers: Int
  ) throws(RunFailure) -> EncodedFile {
    try keep(last)
    let numbers = try interner.numbers(of: used ?? UsedSymbols(last), in: last.symbols)
    let merger = PieceMerger(
      pieces: pieces, numbers: numbers, symbolCount: last.symbols.count, store: store)
    return try merger.merged(workers: workers)
  }
}
