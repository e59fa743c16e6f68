internal import CivilTime
internal import PriceLearning
internal import PurchaseModel
internal import Purchases

extension PriceEvidence {
  /// Whether an instalment and an earlier one are payments of one commitment.
  ///
  /// The payments of a commitment are equal, whatever becomes of the price meanwhile. A commitment
  /// begins with the first instalment since a lapse or another product, and again whenever it is
  /// paid off. Example: first paid on March 5 by twelve payments of a month → that of next February
  /// has the price of the first, that of next March may have another one.
  ///
  /// Commitments are told apart by time, because payments may be missing. False if the exports may
  /// lack the first payment.
  func isSameCommitment(_ row: PricingContext, as earlier: PricedRow) -> Bool {
    guard let instalment = row.instalment, let begun = beginningOfInstalments(row) else {
      return false
    }
    func number(_ time: Instant) -> Int64 {
      let length = instalment.length.nominalHours * 3_600_000
      let payment = (time.since(begun).rawValue + length / 2) / length
      return payment / Int64(instalment.count)
    }
    return number(earlier.time) == number(row.time)
  }

  /// The time of the first of the instalments that a row continues; `nil` if it may be missing.
  private func beginningOfInstalments(_ row: PricingContext) -> Instant? {
    let chain = book.chains[row.chain.index]
    let product = book.purchases[row.row].productID
    var first: Int?
    var isFirstOfChain = false
    var hasRegular = false
    for position in chain.rows.prefix(while: { $0 <= row.row }) {
      let timeline = timelines.rows[position]
      if timeline.followsLapse { first = nil }
      guard timeline.kind == .regular else { continue }
      let isSame =
        timeline.instalment == row.instalment && book.purchases[position].productID == product
      if first == nil, isSame { (first, isFirstOfChain) = (position, !hasRegular) }
      if !isSame { first = nil }
      hasRegular = true
    }
    guard let first else { return nil }
    if isFirstOfChain, PaidAmounts.hasTruncatedHistory(chain, book: book, timelines: timelines) {
      return nil
    }
    return book.purchases[first].purchasedAt
  }
}
