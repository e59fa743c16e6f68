public import Diagnostics
public import PurchaseModel

/// The content of a file that is too large to be held, encoded piece by piece while it is read.
///
/// A chain has a part in each piece that speaks of it. For one thread.
public final class FileStaging {
  private let store: BodyStore
  private let interner: SymbolInterner
  private var pieces: [EncodedFile] = []
  private var failure: RunFailure?

  init(store: BodyStore, interner: SymbolInterner) {
    self.store = store
    self.interner = interner
  }

  /// Whether no piece was added.
  public var isEmpty: Bool { pieces.isEmpty }

  /// The failure to add the last part; `nil` if there is none.
  public var failed: RunFailure? { failure }

  /// Drops all pieces: the file is read again.
  public func removeAll() { pieces = [] }

  /// Encodes and keeps a piece; false when it could not be kept.
  public func add(_ piece: Observations) -> Bool {
    do throws(RunFailure) {
      try keep(piece)
      return true
    } catch {
      failure = error
      return false
    }
  }

  private func keep(_ piece: Observations) throws(RunFailure) {
    let numbers = try interner.numbers(of: UsedSymbols(piece), in: piece.symbols)
    pieces.append(
      try FileEncoder.encode(
        piece, numbers: numbers, into: store,
        firstRecord: pieces.reduce(0) { $0 + $1.receiptRecords }))
  }

  /// Adds the last piece of the file.
  ///
  /// - Returns: All pieces.
  func finish(_ last: Observations) throws(RunFailure) -> EncodedFile {
    try keep(last)
    return try EncodedFile(pieces: pieces)
  }
}
