public import Diagnostics
public import PurchaseModel

/// What a file that is too large to be held says, encoded piece by piece while it is read.
///
/// Pieces name the file's own symbols: only when the file was read to its end do its texts get
/// numbers in state.db, and the pieces of each chain become the one body that they would have been
/// in a single piece. For one thread.
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

  /// Why the last piece could not be added; `nil` when it could.
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

  /// Adds what the file says last, and makes one encoded file of all pieces, on so many threads.
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
