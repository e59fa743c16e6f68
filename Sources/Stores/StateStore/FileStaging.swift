public import Diagnostics
public import PurchaseModel
internal import TemporaryFiles

/// The content of a large file, encoded part by part while the file is read.
///
/// Several parts may contain rows of one chain. Only one thread may use the object.
public final class FileStaging {
  private let store: SortMemory
  private let interner: SymbolInterner
  private var batches: [EncodedFile] = []
  private var failure: RunFailure?

  init(store: SortMemory, interner: SymbolInterner) {
    self.store = store
    self.interner = interner
  }

  /// Whether no part has been added yet.
  public var isEmpty: Bool { batches.isEmpty }

  /// The error that occurred while a part was added; `nil` without an error.
  public var failed: RunFailure? { failure }

  /// Encodes and stores a part of the file; returns false on an error, which is then in ``failed``.
  public func add(_ batch: Observations) -> Bool {
    do throws(RunFailure) {
      try keep(batch)
      return true
    } catch {
      failure = error
      return false
    }
  }

  private func keep(_ batch: Observations) throws(RunFailure) {
    let numbers = try interner.numbers(of: UsedSymbols(batch), in: batch.symbols)
    batches.append(
      try FileEncoder.encode(
        batch, numbers: numbers, into: store,
        firstRecord: batches.reduce(0) { $0 + $1.receiptRecords }))
  }

  /// Adds the last part of the file.
  func finish(_ last: Observations) throws(RunFailure) -> EncodedFile {
    try keep(last)
    return try EncodedFile(batches: batches)
  }
}
