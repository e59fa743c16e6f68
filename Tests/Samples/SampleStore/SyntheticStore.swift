/// A store with known true amounts that can be written to a folder.
public protocol SyntheticStore: Sendable {
  /// The options from which the store was generated.
  var options: SampleOptions { get }
  /// The truth about all purchases that the exports show.
  var truth: StoreTruth { get }
  /// The number of export files of all kinds.
  var exportCount: Int { get }
  /// Returns one export file; files may be generated in parallel.
  func export(_ number: Int) throws -> SampleFile
  /// Creates the files other than exports: catalogue, exchange rates, pipeline and truth.
  func accompanyingFiles() -> [SampleFile]
}
