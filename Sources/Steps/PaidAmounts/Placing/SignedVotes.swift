internal import Amounts
public import PriceLearning
public import PurchaseModel
public import Purchases

/// A signed price as a vote in price learning, with the chain of its purchase.
public struct SignedVote: Hashable, BitwiseCopyable, Sendable {
  /// The position of the purchase's chain in the purchase history.
  public var chain: ChainPosition
  /// The vote, in the form of a price report on the day of the purchase.
  public var placed: PlacedReport
}

extension HouseholdBatch {
  /// Collects signed prices as votes for price learning, from rows that pay the price in force.
  ///
  /// These rows are one-time purchases, the first regular row of a subscription, and the first
  /// regular row after a lapse or a change of product. The first regular row of a chain is not a
  /// vote if earlier rows may be missing. A later renewal is not a vote, because its customer may
  /// keep an old price. Example: a customer subscribed in March at 9.99 USD, and the list price
  /// rose to 12.99 in May: only the row of March is a vote.
  ///
  /// - Returns: The votes, in the order of the rows.
  public func signedVotes(
    timelines: BillingTimelines, voter: (HouseholdNumber?) -> Voter
  ) -> [SignedVote] {
    var votes: [SignedVote] = []
    for (number, chain) in book.chains.enumerated() {
      var kept: ProductID?
      // If the first rows of a chain are missing, the chain may keep an unknown old price.
      var isOpen = hasTruncatedHistory(chain, book: book, timelines: timelines)
      for row in chain.rows {
        let (purchase, timeline) = (book.purchases[row], timelines.rows[row])
        if timeline.followsLapse { (kept, isOpen) = (nil, false) }
        let isFirst = timeline.kind == .regular && kept != purchase.productID && !isOpen
        if timeline.kind == .regular { kept = purchase.productID }
        guard isFirst || timeline.kind == .oneTime, let terms = purchase.signed, !terms.isOffer,
          purchase.conflict == nil, let price = terms.price, price.amount > .zero, price.canBe
        else { continue }
        let quantity = Int64(max(1, purchase.quantity))
        guard price.amount.rawValue % quantity == 0 else { continue }
        let vote = PlacedReport(
          evidenceID: purchase.key.rawValue, time: purchase.purchasedAt,
          price: Milliunits(price.amount.rawValue / quantity), voter: voter(chain.household),
          productID: purchase.productID, currency: price.currency, offers: .none,
          place: terms.storefront, hasOwnPlace: terms.storefront != nil,
          instalment: timeline.instalment, isSigned: true)
        votes.append(SignedVote(chain: ChainPosition(number), placed: vote))
      }
    }
    return votes
  }
}
