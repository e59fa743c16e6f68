public import Amounts
public import CivilTime
public import ExchangeRates
internal import PurchaseModel

/// What a purchase is worth to the owner.
public struct ReportedAmount: Hashable, Sendable {
  /// What was paid, in the reporting currency; `nil` without a rate.
  public var paid: ConvertedAmount?
  /// What remains of it by the estimate, in the reporting currency.
  public var proceeds: Micros?
  /// The estimated shares of Apple and of the tax.
  public var share: ProceedsShare
}

/// All that turns paid amounts into the reporting currency and into estimates of proceeds.
public struct ReportingBook: Sendable {
  /// The reporting currency; `nil` where the pipeline names none.
  public var currency: ReportingCurrency?
  /// The estimated shares, one a revenue row; empty where the catalogue has no terms.
  public var shares: [ProceedsShare]

  /// A book; without a currency and shares everything is NULL.
  public init(currency: ReportingCurrency? = nil, shares: [ProceedsShare] = []) {
    self.currency = currency
    self.shares = shares
  }

  /// What is estimated of the revenue row at a position.
  public func share(ofRow row: Int) -> ProceedsShare {
    shares.isEmpty ? ProceedsShare() : shares[row]
  }

  /// What a paid amount is worth, given what is estimated of it.
  ///
  /// Rates are those of the purchase day. Of nothing paid the proceeds are nothing, whatever the
  /// shares.
  ///
  /// - Throws: ``AmountError/overflow`` when a result does not fit.
  public func reported(
    _ paid: Milliunits?, in currency: Currency?, on day: CivilDay, share: ProceedsShare
  ) throws(AmountError) -> ReportedAmount {
    var reported = ReportedAmount(paid: nil, proceeds: nil, share: share)
    guard let paid, let own = self.currency else { return reported }
    reported.paid = try own.converted(paid, from: currency, on: day)
    guard !shares.isEmpty, let converted = reported.paid?.micros else { return reported }
    reported.proceeds = converted == .zero ? .zero : try share.proceeds(of: converted)
    return reported
  }

  /// A movement of money in the reporting currency, at the rates of its own day.
  ///
  /// - Throws: ``AmountError/overflow`` when the result does not fit.
  public func entry(_ amount: Milliunits, in currency: Currency, on day: CivilDay)
    throws(AmountError) -> Micros?
  {
    try self.currency?.converted(amount, from: currency, on: day)?.micros
  }
}
