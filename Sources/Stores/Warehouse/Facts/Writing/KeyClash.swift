internal import Diagnostics

/// Two rows under one key: a clash of hashes, or a bug.
enum KeyClash {
  /// Makes sure that keys come in strictly rising order.
  static func check(_ key: Int64, after last: Int64, in table: String) throws(RunFailure) {
    guard key <= last else { return }
    throw RunFailure(
      .invariantBroken,
      key == last
        ? "\(table): two different rows have the key \(key). Nothing was published; "
          + "this is a bug or a clash of hashes, please report it."
        : "\(table): the key \(key) comes after \(last). Nothing was published; "
          + "this is a bug, please report it.")
  }
}
