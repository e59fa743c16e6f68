internal import ArgumentParser
internal import CivilTime
internal import SampleStore

/// The options that determine which purchases have signed transactions.
struct SignedOptions: ParsableArguments {
  @Option(
    name: .customLong("signed-from"),
    help: "The day, YYYY-MM-DD in UTC, from which signed transactions replace receipts.")
  var firstDay: String?
  @Option(
    name: .customLong("signed-share"),
    help: "The fraction of customers with signed transactions, 0 to 1 (default: 1).")
  var share: Double?

  var isEmpty: Bool { firstDay == nil && share == nil }

  /// Returns the proportion of customers with signed transactions, and the first day of signing.
  ///
  /// `nil` if neither option is given.
  func signing(_ options: SampleOptions) throws -> SignedShare? {
    guard !isEmpty else { return nil }
    let share = share ?? 1
    guard (0...1).contains(share) else {
      throw ValidationError("--signed-share expects a number from 0 to 1.")
    }
    let perMille = Int((share * 1000).rounded())
    guard let firstDay else {
      return SignedShare(perMille: perMille, from: options.firstDay, keepsReceipts: true)
    }
    guard let day = CivilDay(text: firstDay) else {
      throw ValidationError("--signed-from expects a day as YYYY-MM-DD, found \(firstDay).")
    }
    return SignedShare(perMille: perMille, from: day, keepsReceipts: false)
  }
}
