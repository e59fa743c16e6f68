internal import StateStore
internal import Diagnostics
internal import Warehouse

/// Copies the warehouse's records of publications into state.db.
enum PublicationRecord {
  /// Copies all records of publications that are in the warehouse, but not in state.db.
  ///
  /// It is called after each publication, and at the start of ingesting and reconstructing:
  /// state.db may be new, or the previous run may have been killed before it copied its record.
  ///
  /// - Parameters:
  ///   - unpublished: The number of the current run if it has not published yet, else `nil`. If the
  ///     warehouse has a publication with this number, the publication belongs to another pipeline.
  static func adopt(
    from warehousePath: String, into state: StateDatabase, unpublished: Int64? = nil
  ) throws(RunFailure) {
    guard PathStatus.exists(warehousePath) else { return }
    let last = try state.lastPublication()
    try state.adopt(
      try WarehouseDatabase(path: warehousePath).history(after: last), unpublished: unpublished)
  }
}
