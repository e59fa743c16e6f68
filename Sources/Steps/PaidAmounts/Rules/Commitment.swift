internal import CivilTime
internal import PurchaseModel
internal import Purchases

extension PriceEvidence {
  /// The commitment of an earlier instalment: when it began, and whether a row is a payment of it.
  ///
  /// The payments of a commitment are equal, whatever becomes of the price meanwhile. A commitment
  /// begins with the first instalment since a lapse or another product, and again whenever it is
  /// paid off. Example: first paid on March 5 by twelve payments of a month → that of next February
  /// has the price of the first; that of next March has it unless the price changed in the year.
  ///
  /// Commitments are told apart by time, because payments may be missing. `nil` if the exports may
  /// lack the first payment, or if the row is no instalment.
  func commitment(of earlier: PricedRow, before row: PricingContext)
    -> (beganAt: Instant, includesRow: Bool)?
  {
    guard let instalment = row.instalment, let begun = beginningOfInstalments(row) else {
      return nil
    }
    let payment = instalment.length.nominalHours * 3_600_000
    let length = payment * Int64(instalment.count)
    func number(_ time: Instant) -> Int64 {
      (time.since(begun).rawValue + payment / 2) / length
    }
    let ownNumber = number(earlier.time)
    return (
      begun.advanced(by: Milliseconds(ownNumber * length)), ownNumber == number(row.time)
    )
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
