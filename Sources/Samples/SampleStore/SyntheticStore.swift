/// A store with known true amounts that can be written to a folder.
public protocol SyntheticStore: Sendable {
  /// The options of the store.
  var options: SampleOptions { get }
  /// The truth about all purchases.
  var truth: StoreTruth { get }
  /// The number of export files of all kinds.
  var exportCount: Int { get }
  /// Returns one export file; files may be generated in parallel.
  func export(_ number: Int) throws -> SampleFile
  /// Creates the files other than exports: catalogue, exchange rates, pipeline and truth.
  func accompanyingFiles() -> [SampleFile]
}
