internal import Amounts
internal import PriceLearning
internal import PurchaseModel
internal import Purchases

/// The charges that state what was paid for one row.
enum RowCharge {
  /// No charge has the row's transaction id.
  case none
  /// Two charges of the row state different amounts or currencies.
  case contested
  /// A charge of the row is in another unit.
  case otherUnit
  /// All charges of the row state one amount.
  case stated(DecidingCharge)

  /// The amount that all charges state; `nil` without a charge, or if they differ.
  var decidingCharge: DecidingCharge? {
    if case .stated(let charge) = self { return charge }
    return nil
  }
}

/// The amount that one or more charges state for a row.
struct DecidingCharge {
  /// The position of the charge that the row is decided by.
  ///
  /// This is a charge of Apple, else of a service, else of the owner; of several, the one with the
  /// smallest evidence id.
  var position: ReportPosition
  var amount: Milliunits
  var currency: Currency
  /// The storefront in which the charges' currency is used; `nil` if none of the charges has one.
  var storefront: Storefront?
  /// Whether the amount is certain: two senders state it, or the owner's server verified it.
  ///
  /// Two senders are not enough if the currency is not used in the storefront that one of them has.
  var isProven: Bool
  /// Whether Apple states the amount, or the owner's server verified it.
  ///
  /// Such an amount also shows that the purchase was not made with a promo code.
  var isOfApple: Bool
}

extension PriceEvidence {
  /// Finds the charges with a row's transaction id.
  ///
  /// A charge with an impossible amount or time is ignored. A charge of 0 is ignored for a paid
  /// row: it may be the missing value of a program. For a free row it shows storefront and
  /// currency.
  func charge(of row: Int) -> RowCharge {
    let named = named.reports(naming: row)
    guard named.contains(where: { report($0).isCharge }) else { return .none }
    let purchase = book.purchases[row]
    let isFree = purchase.isTrialPeriod == true || timelines.rows[row].kind == .trial
    let mayBeFree = isFree || purchase.isTrialPeriod == nil && timelines.rows[row].kind.isOffer
    let charges = named.filter { position in
      report(position).isCharge && (report(position).price > .zero || mayBeFree)
        && [.believed, .noReference, .charged, .contestedCharge, .unitError].contains(
          reportVerdict(position).verdict)
    }.sorted {
      let (left, right) = (report($0), report($1))
      return left.sender == right.sender ? $0 < $1 : left.sender.rawValue > right.sender.rawValue
    }
    guard let first = charges.first else { return .none }
    guard !charges.contains(where: { reportVerdict($0).verdict == .unitError }) else {
      return .otherUnit
    }
    let reports = charges.map { report($0) }
    guard !charges.contains(where: { reportVerdict($0).verdict == .contestedCharge }),
      reports.agree(quantity: purchase.quantity),
      isFree || reports.allSatisfy({ ($0.price > .zero) == (reports[0].price > .zero) })
    else { return .contested }
    let isTrusted = reports.contains(where: \.isTrusted)
    let misplaced = reports.filter { $0.hasOtherCurrencyThanPlace(at: purchase.purchasedAt) }
    return .stated(
      DecidingCharge(
        position: first, amount: reports.map(\.price).max() ?? .zero, currency: reports[0].currency,
        storefront: reports.first { $0.storefront != nil && !misplaced.contains($0) }?.storefront,
        isProven: isTrusted || misplaced.isEmpty && Set(reports.map(\.sender)).count > 1,
        isOfApple: isTrusted || reports.contains { $0.sender == .apple }))
  }
}
