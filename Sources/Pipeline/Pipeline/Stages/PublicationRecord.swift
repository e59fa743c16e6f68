internal import StateStore
internal import Diagnostics
internal import Warehouse

/// Copies the records of publications into state.db.
enum PublicationRecord {
  /// Copies the records of publications that state.db lacks from the warehouse.
  ///
  /// Called after each publication. Called before a publication too, because the previous run may
  /// have been killed before the copy. Called when a new state.db is created next to a warehouse.
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
