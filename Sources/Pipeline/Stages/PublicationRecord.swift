internal import StateStore
internal import Diagnostics
internal import Warehouse

/// What was published, as state.db remembers it.
enum PublicationRecord {
  /// Lets state.db know what a warehouse has published that it does not know yet.
  ///
  /// After a publication, before the next one in case a run was killed between the two, and when
  /// state.db is made anew beside a warehouse.
  ///
  /// - Parameters:
  ///   - warehousePath: the warehouse.
  ///   - state: the working database.
  ///   - unpublished: the run at work, where it has not published yet.
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
