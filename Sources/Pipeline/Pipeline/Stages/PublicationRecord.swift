internal import StateStore
internal import Diagnostics
internal import Warehouse

/// The record of a publication in state.db.
enum PublicationRecord {
  /// Copies publications to state.db that only the warehouse knows.
  ///
  /// Called after a publication, before the next one in case a run was killed between the two, and
  /// when state.db is made again beside a warehouse.
  ///
  /// - Parameters:
  ///   - warehousePath: the warehouse.
  ///   - state: the working database.
  ///   - unpublished: the run at work, if it has not published yet.
  /// - Throws: ``RunFailure`` when reading or writing fails.
  static func takeOver(
    from warehousePath: String, into state: StateDatabase, unpublished: Int64? = nil
  ) throws(RunFailure) {
    guard PathStatus.exists(warehousePath) else { return }
    let last = try state.lastPublication()
    try state.adopt(
      try WarehouseDatabase(path: warehousePath).history(after: last), unpublished: unpublished)
  }
}
