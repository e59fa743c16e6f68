internal import CivilTime

/// A line that no customer sent: broken, refused by Apple, or of an odd form.
struct OddLine: Sendable {
  /// Whether it stands in a file of receipts, else in one of prices.
  var isReceipt: Bool
  /// A moment of the export it stands in, Unix milliseconds.
  var day: Int64
  /// The line without its line feed.
  var text: String

  static func all(_ plan: StorePlan) -> [OddLine] { [] }
}
