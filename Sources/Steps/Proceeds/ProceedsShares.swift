public import Amounts
internal import CivilTime
public import PaidAmounts
public import PurchaseModel
public import Purchases

/// The estimated percentages of an amount that Apple and tax authorities receive.
public struct ProceedsShare: Hashable, Sendable {
  /// Apple's commission as a part of the price without tax; `nil` if unknown.
  public var commission: BasisPoints?
  /// The tax as a part of the paid amount; `nil` if unknown.
  ///
  /// It is 0 in a storefront that adds the tax to the displayed price.
  public var tax: BasisPoints?

  /// Creates a value whose commission and tax are unknown.
  public init() {}

  /// Computes the proceeds: `amount × (1 − tax) × (1 − commission)`, rounded once.
  ///
  /// Example: 10.00 EUR with 19 % tax included and 15 % commission → 7.142550 EUR.
  ///
  /// - Returns: The proceeds; `nil` unless both parts are known.
  public func proceeds(of amount: Micros) throws(AmountError) -> Micros? {
    guard let kept else { return nil }
    return try amount.share(kept, of: BasisPoints.whole * BasisPoints.whole)
  }

  /// Computes the proceeds of an amount in milliunits; `nil` unless both parts are known.
  public func proceeds(of amount: Milliunits) throws(AmountError) -> Milliunits? {
    guard let kept else { return nil }
    return try amount.share(kept, of: BasisPoints.whole * BasisPoints.whole)
  }

  /// The part of an amount that the developer receives, in units of 1 / 100,000,000.
  ///
  /// `nil` unless commission and tax are known. Example: a tax of 0 and a commission of 15 % →
  /// 85,000,000.
  private var kept: Int64? {
    guard let commission, let tax else { return nil }
    return (BasisPoints.whole - Int64(tax.rawValue))
      * (BasisPoints.whole - Int64(commission.rawValue))
  }
}

/// Estimates Apple's commission and the tax of every revenue row, in the order of the rows.
///
/// The commission is reduced in two cases: the owner is in the small business program on the day of
/// the purchase, or a year of paid service precedes the row (``ServiceClock``).
public func proceedsShares(
  book: PurchaseHistory, timelines: BillingTimelines, amounts: PaidAmountResults,
  terms: ProceedsTerms
) -> [ProceedsShare] {
  var commissions = TermsByStorefront(
    terms.commissions.map { (storefront: $0.storefront, from: $0.from, entry: $0) })
  var taxes = TermsByStorefront(
    terms.taxes.map { (storefront: $0.storefront, from: $0.from, entry: $0.shareOfPrice) })
  var shares: [ProceedsShare] = []
  shares.reserveCapacity(book.revenueCount)
  for chain in book.chains {
    var clock = ServiceClock()
    for row in chain.rows {
      let purchase = book.purchases[row]
      let amount = amounts.amounts[row]
      let day = purchase.purchasedAt.day
      let isAfterOneYear = clock.isAfterOneYear(
        purchase, timeline: timelines.rows[row], amount: amount)
      let isSmallBusiness = terms.smallBusiness.contains {
        $0.from <= day && day <= ($0.through ?? day)
      }
      var share = ProceedsShare()
      if let commission = commissions.entry(for: amount.storefront, on: day) {
        let isReduced = isAfterOneYear || isSmallBusiness
        share.commission = isReduced ? commission.reduced : commission.standard
      }
      // The tax that Apple states is that of the charge.
      share.tax = purchase.signed?.taxShare ?? taxes.entry(for: amount.storefront, on: day)
      shares.append(share)
    }
  }
  return shares
}

extension ProceedsTerms.Tax {
  /// The tax as a part of the displayed price; 0 if the displayed price does not include the tax.
  ///
  /// Example: 19 % of the price without tax is 15.97 % of the price with tax → 1,597.
  var shareOfPrice: BasisPoints {
    guard isIncluded else { return BasisPoints(0) }
    let whole = BasisPoints.whole
    let share = try? Micros(whole).share(Int64(rate.rawValue), of: whole + Int64(rate.rawValue))
    return BasisPoints(Int32(share?.rawValue ?? 0))
  }
}
