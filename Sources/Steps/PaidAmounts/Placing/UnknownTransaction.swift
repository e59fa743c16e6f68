public import PurchaseModel

/// The kind of a report's transaction id that no purchase of the inputs has, in any environment.
public enum UnknownTransaction: UInt8, Hashable, BitwiseCopyable, Sendable {
  /// The id has the form of the App Store's ids; its purchase may be in no export yet.
  case ofAppStore
  /// The id has another form, as in other stores and in StoreKit's test files.
  ///
  /// The report is no evidence of anything.
  case ofOtherStore

  /// Determines the kind of a report's transaction id that no purchase has.
  ///
  /// `nil` for a report without a transaction id.
  public init?(_ id: TransactionID?, in symbols: SymbolTable) {
    guard let id else { return nil }
    self = id.number.hasFormOfTransaction(in: symbols) ? .ofAppStore : .ofOtherStore
  }
}
