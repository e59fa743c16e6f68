internal import Amounts
internal import CivilTime
internal import PriceLearning
internal import PurchaseModel
internal import Purchases

/// A signed price that tells the price in force, as learning takes it.
struct SignedVote: Sendable {
  /// The price of one unit, where and when it was charged.
  var report: PriceReport
  /// The household that paid it; `nil` for nobody's.
  var household: HouseholdNumber?

  /// The vote as a report at a position among the reports that learning is given.
  ///
  /// - Parameters:
  ///   - position: The position.
  ///   - voter: The voter if it is no household's.
  /// - Returns: The report, placed.
  func placed(at position: Int, voter: Int) -> PlacedReport {
    PlacedReport(
      report: Int32(position), time: report.reportedAt,
      voter: household?.rawValue ?? Int32(voter), place: report.storefront,
      isPlaceTold: report.storefront != nil, isSigned: true)
  }
}

/// The signed prices of rows that pay the price in force: what is bought once, and the first regular
/// row of a subscription, also after a lapse and of another product.
///
/// A later renewal tells no price in force, as its customer may keep an old one. For example of a
/// subscription at 9.99 USD since March, whose list rose to 12.99 in May, the row of March votes.
func signedVotes(book: PurchaseBook, courses: PurchaseCourses) -> [SignedVote] {
  var votes: [SignedVote] = []
  for chain in book.chains {
    var kept: ProductID?
    // Of a chain whose beginning was never seen nobody knows whether it keeps a price from then.
    var isOpen = hasUnseenStart(chain, book: book, courses: courses)
    for row in chain.rows {
      let (purchase, course) = (book.purchases[row], courses.rows[row])
      if course.followsLapse { (kept, isOpen) = (nil, false) }
      let isFirst = course.kind == .regular && kept != purchase.productID && !isOpen
      if course.kind == .regular { kept = purchase.productID }
      guard isFirst || course.kind == .oneTime, let terms = purchase.signed, !terms.isOffer,
        purchase.conflict == nil, let price = terms.price, price.amount > .zero
      else { continue }
      let quantity = Int64(max(1, purchase.quantity))
      guard price.amount.rawValue % quantity == 0 else { continue }
      let report = PriceReport(
        evidenceID: 0, source: purchase.source, customer: nil,
        transactionID: purchase.transactionID, productID: purchase.productID,
        storefront: terms.storefront, currency: price.currency, reportedAt: purchase.purchasedAt,
        price: Milliunits(price.amount.rawValue / quantity), appliedDiscount: nil, offers: 0..<0)
      votes.append(SignedVote(report: report, household: chain.household))
    }
  }
  return votes
}
