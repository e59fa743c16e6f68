public import Amounts
public import CivilTime
public import ExchangeRates
internal import PurchaseModel

/// The worth of a purchase to the owner.
public struct ReportedAmount: Hashable, Sendable {
  /// The amount paid, in the reporting currency; `nil` without a rate.
  public var paid: ConvertedAmount?
  /// The estimated proceeds of it, in the reporting currency.
  public var proceeds: Micros?
  /// The estimated shares of Apple and of the tax.
  public var share: ProceedsShare
}

/// All that turns paid amounts into the reporting currency and into estimates of proceeds.
public struct ReportingBook: Sendable {
  /// The reporting currency; `nil` if the pipeline names none.
  public var currency: ReportingCurrency?
  /// The estimated shares, one a revenue row; empty if the catalogue has no terms.
  public var shares: [ProceedsShare]

  /// A book; without a currency and shares everything is NULL.
  public init(currency: ReportingCurrency? = nil, shares: [ProceedsShare] = []) {
    self.currency = currency
    self.shares = shares
  }

  /// The estimated shares for the revenue row at a position.
  public func share(ofRow row: Int) -> ProceedsShare {
    shares.isEmpty ? ProceedsShare() : shares[row]
  }

  /// The worth of a paid amount, given the estimated shares.
  ///
  /// Rates are those of the purchase day. The proceeds of 0 are 0, whatever the shares.
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
