/// The sender of a charge: the amount that was paid for one transaction.
///
/// Two charges of different senders prove each other.
public enum ChargeSender: UInt8, Hashable, BitwiseCopyable, Sendable, CaseIterable {
  /// The app, which computes the amount from the price that StoreKit showed.
  ///
  /// Such an amount is compared with the prices that others report.
  case app
  /// The owner, in a table with `price_is: charged`.
  case owner
  /// A subscription service, such as RevenueCat.
  case service
  /// Apple, in a decoded transaction without a signature.
  case apple
}

extension PriceReport {
  /// Whether the report is a charge, which decides its own transaction and is not compared with
  /// prices that others were shown.
  public var isCharge: Bool { meaning == .charged && sender != .app }
}
