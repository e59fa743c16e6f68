/// A store that can be written to a folder, with the truth about it.
public protocol SyntheticStore: Sendable {
  /// The options of the store.
  var options: SampleOptions { get }
  /// The truth about all purchases.
  var truth: StoreTruth { get }
  /// The number of export files of all kinds.
  var exportCount: Int { get }
  /// One export file by its number; files may be made at the same time.
  func export(_ number: Int) throws -> SampleFile
  /// The files beside the exports: catalogue, exchange rates, pipeline and truth.
  func companions() -> [SampleFile]
}
