/// A store that can be written to a folder, with the truth about it.
public protocol SyntheticStore: Sendable {
  /// What store this is.
  var options: SampleOptions { get }
  /// What truly happened.
  var truth: StoreTruth { get }
  /// How many export files there are, of all kinds together.
  var exportCount: Int { get }
  /// One export file by its number; files may be made at the same time.
  func export(_ number: Int) throws -> SampleFile
  /// The files beside the exports: catalogue, exchange rates, pipeline and truth.
  func companions() -> [SampleFile]
}
