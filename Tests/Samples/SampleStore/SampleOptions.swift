public import CivilTime

/// The options of a synthetic store; they determine all of its data.
public struct SampleOptions: Hashable, Sendable {
  /// The number of random customers.
  public var customers: Int
  /// The seed of all random choices.
  public var seed: UInt64
  /// The first day of the store, UTC.
  public var firstDay: CivilDay
  /// The number of days for which the store has data, at least 30.
  public var days: Int
  /// The number of receipt files, which equals the number of price files.
  public var files: Int
  /// The number of customers per thousand who buy nothing.
  public var boughtNothingPerMille = 0
  /// Whether the hand-made stories of `SampleData` are included.
  public var hasStories: Bool

  /// Creates the options of a store; values outside their range are clamped.
  ///
  /// - Parameters:
  ///   - customers: The number of random customers, 0 or more.
  ///   - firstDay: The first day, UTC.
  ///   - days: The number of days with data, 30 or more.
  ///   - files: The number of export files of each kind, 1 to `days`.
  ///   - hasStories: Whether to add the hand-made customers, which need 365 days from 2021-01-01.
  public init(
    customers: Int, seed: UInt64, firstDay: CivilDay, days: Int, files: Int,
    hasStories: Bool = false
  ) {
    self.customers = max(0, customers)
    self.seed = seed
    self.firstDay = firstDay
    self.days = max(30, days)
    self.files = min(max(1, files), self.days)
    self.hasStories = hasStories
  }

  /// The options of the store in `SampleData`.
  ///
  /// It has 34 random customers and the hand-made stories, in the year 2021. It has twelve files of
  /// receipts and twelve files of prices.
  public static let showcase = SampleOptions(
    customers: 34, seed: 34, firstDay: CivilDay(daysSinceEpoch: 18_628), days: 365, files: 12,
    hasStories: true)
}

/// One file of a synthetic store.
public struct SampleFile: Hashable, Sendable {
  /// The path below the store's folder, such as `receipts/receipts-2021-01-31.ndjson.gz`.
  public var name: String
  /// The content of the file.
  public var bytes: [UInt8]
}
