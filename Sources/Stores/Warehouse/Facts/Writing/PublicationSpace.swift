internal import SQLiteFiles

extension FreeSpace {
  /// An upper estimate of the disk space in bytes that a publication needs.
  ///
  /// Indexes add a third to the rows; the estimate adds a half. A replacement needs the space
  /// twice: in the write-ahead log and in the file.
  static func needed(for content: WarehouseContent, replacing: Bool) -> Int64 {
    let bytes =
      Int64(content.facts.bytes) * 3 / 2 + Int64(content.rejects.count) * 150 + (4 << 20)
    return replacing ? 2 * bytes : bytes
  }
}
