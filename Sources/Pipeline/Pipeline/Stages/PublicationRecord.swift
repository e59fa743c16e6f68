internal import StateStore
internal import Diagnostics
internal import Warehouse

/// The record of a publication in state.db.
enum PublicationRecord {
  /// Copies publications from the warehouse to state.db, if state.db lacks them.
  ///
  /// Called after each publication. Also called before a publication, because the last run may have
  /// been killed before the copy, and when a new state.db is created next to a warehouse.
  ///
  /// - Parameters:
  ///   - warehousePath: The path of the warehouse.
  ///   - state: The working database.
  ///   - unpublished: The current run, if it has not published yet; else `nil`.
  /// - Throws: ``RunFailure`` if reading or writing fails.
  static func adopt(
    from warehousePath: String, into state: StateDatabase, unpublished: Int64? = nil
  ) throws(RunFailure) {
    guard PathStatus.exists(warehousePath) else { return }
    let last = try state.lastPublication()
    try state.adopt(
      try WarehouseDatabase(path: warehousePath).history(after: last), unpublished: unpublished)
  }
}
