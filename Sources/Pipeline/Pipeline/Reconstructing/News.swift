internal import Diagnostics
internal import PurchaseModel
internal import StateStore

/// The chains and price reports whose input changed since the last publication.
struct News {
  /// The chains and reports to read; `nil` for all.
  private(set) var selection: StateSelection?
  /// The changed chains; empty if all are changed.
  private(set) var chains: Set<ChainKey>
  /// The evidence ids of the changed reports; empty if all are changed.
  private(set) var reports: Set<Int64>
  /// The reason why everything is changed; `nil` if only ``selection`` is.
  private(set) var reason: AllKeysReason?

  /// Everything is changed.
  init(because reason: AllKeysReason) {
    selection = nil
    (chains, reports) = ([], [])
    self.reason = reason
  }

  /// Compares the files in use with those of the last publication.
  init(_ state: StateDatabase, since published: [FileKeys.Reading]) throws(RunFailure) {
    let readings = try state.usedReadings()
    guard Set(readings).isSuperset(of: published) else {
      self = News(because: .otherFiles)
      return
    }
    let files = Set(readings.map(\.file)).subtracting(published.map(\.file))
    let keys = try state.keys(ofFiles: files.sorted())
    var selection = StateSelection(chains: keys.chains, reports: keys.reports)
    selection.whole = files
    self.selection = selection
    (chains, reports) = (keys.chains, keys.reports)
    reason = nil
  }
}
