public import Amounts
public import CivilTime
public import ExchangeRates
public import PaidAmounts

/// A purchase's amount and proceeds in the reporting currency.
public struct ReportedAmount: Hashable, Sendable {
  /// The amount paid, in the reporting currency; `nil` without an exchange rate.
  public var paid: ConvertedAmount?
  /// The estimated proceeds, in the reporting currency; `nil` if unknown.
  public var proceeds: Micros?
  /// The estimated commission and tax.
  public var share: ProceedsShare
}

/// The bounds of an amount in the reporting currency.
public struct ReportedBounds: Hashable, Sendable {
  /// The lower bound; `nil` without an exchange rate.
  public var low: Micros?
  /// The upper bound; `nil` if it is unknown, or without an exchange rate.
  public var high: Micros?
  /// Whether ``high`` is an estimate, because the row has no upper bound in its own currency.
  ///
  /// The estimate is based on the product's highest price in any storefront.
  public var isHighEstimated = false
}

/// The developer's proceeds of a row.
public struct RowProceeds: Hashable, Sendable {
  /// The proceeds for the whole quantity.
  public var amount: Milliunits
  /// The currency of the proceeds: for an estimate, the currency of the paid amount.
  public var currency: Currency
  /// Whether the amount is an estimate; false for Apple's own figure.
  public var isEstimate: Bool
}

/// Converts paid amounts to the reporting currency, and estimates proceeds.
public struct ReportingConverter: Sendable {
  /// The reporting currency; `nil` if the pipeline has none.
  public var currency: ReportingCurrency?
  /// The estimated commission and tax per revenue row; empty if the catalogue has no terms.
  public var shares: [ProceedsShare]

  /// Estimated upper bounds of the rows that have no upper bound in their own currency.
  ///
  /// The amounts are in the reporting currency, keyed by row.
  public var highEstimates: [Int: Micros] = [:]

  /// Creates a converter; without a currency, it converts every amount to `nil`.
  public init(
    currency: ReportingCurrency? = nil, shares: [ProceedsShare] = [],
    highEstimates: [Int: Micros] = [:]
  ) {
    self.currency = currency
    self.shares = shares
    self.highEstimates = highEstimates
  }

  /// The estimated commission and tax of the revenue row at a position.
  public func share(ofRow row: Int) -> ProceedsShare {
    shares.isEmpty ? ProceedsShare() : shares[row]
  }

  /// Converts a paid amount to the reporting currency and estimates its proceeds.
  ///
  /// Uses the rates of the purchase day. The proceeds of an amount of 0 are 0, even if commission
  /// and tax are unknown.
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

  /// Converts the bounds of a row's amount to the reporting currency.
  ///
  /// Both bounds of a known amount are equal to the amount. Example: between 9.99 and 12.99 EUR at
  /// 1.10 → 10.989 to 14.289 USD. An amount in an unknown currency is between 0 and the estimate
  /// for its row.
  ///
  /// - Parameters:
  ///   - paid: The known amount in the reporting currency; `nil` if unknown.
  ///   - day: The day of the purchase; its rates are used.
  /// - Returns: The bounds; empty without a reporting currency.
  public func bounds(of amount: PaidAmount, paid: Micros?, ofRow row: Int, on day: CivilDay)
    throws(AmountError) -> ReportedBounds
  {
    guard let own = currency else { return ReportedBounds() }
    if amount.paid != nil { return ReportedBounds(low: paid, high: paid) }
    var bounds = ReportedBounds()
    bounds.low = try own.converted(amount.low, from: amount.currency, on: day)?.micros
    if let high = amount.high {
      bounds.high = try own.converted(high, from: amount.currency, on: day)?.micros
    } else if let estimate = highEstimates[row] {
      bounds.high = max(estimate, bounds.low ?? .zero)
      bounds.isHighEstimated = true
    }
    return bounds
  }

  /// Computes the developer's proceeds of a row.
  ///
  /// Returns Apple's own figure if Apple's reports prove the row; otherwise an estimate. The
  /// proceeds of an amount of 0 are 0.
  public func proceeds(of amount: PaidAmount, ofRow row: Int) throws(AmountError) -> RowProceeds? {
    if let stated = amount.proceeds {
      return RowProceeds(amount: stated.amount, currency: stated.currency, isEstimate: false)
    }
    guard !shares.isEmpty, let paid = amount.paid, let currency = amount.currency else {
      return nil
    }
    guard paid > .zero else {
      return RowProceeds(amount: .zero, currency: currency, isEstimate: true)
    }
    guard let kept = try share(ofRow: row).proceeds(of: paid) else { return nil }
    return RowProceeds(amount: kept, currency: currency, isEstimate: true)
  }

  /// Converts a charge or a refund to the reporting currency, at the rates of the given day.
  ///
  /// `nil` without a reporting currency or an exchange rate.
  public func entry(_ amount: Milliunits, in currency: Currency, on day: CivilDay)
    throws(AmountError) -> Micros?
  {
    try self.currency?.converted(amount, from: currency, on: day)?.micros
  }
}
