internal import Amounts
internal import PaidAmounts
internal import Proceeds
internal import PurchaseModel
internal import Purchases
internal import Subscriptions
internal import Synchronization

/// The revenue rows in the order of their keys, a stretch at a time.
///
/// Keys are hashes: who reads in their order jumps about in every array, and where the arrays are
/// larger than the memory each jump fetches a page of the disk. So what a stretch of keys is made of
/// is gathered in one walk along the arrays, from which the rows are then written.
final class RowsByKey: Sendable {
  /// What is read of a revenue row at its position.
  struct Row: Sendable {
    var purchase: Purchase
    var course: PurchaseCourse
    var amount: PaidAmount
    var share: ProceedsShare
    /// Whom the chain belongs to.
    var customer: CustomerID?
    /// Which paid row of its chain it is.
    var paidNumber: Int32?
    /// The id of the report behind the amount.
    var evidenceID: Int64?
    /// The key of the row that the price comes from.
    var basisKey: PurchaseKey?

    /// What came back of a refunded row, where Apple says the share; `nil` else.
    ///
    /// 9.99 USD with 67.932 % → 6.786 USD.
    func refunded() throws(AmountError) -> Milliunits? {
      guard course.reversal?.kind == .refund, let paid = amount.paid,
        let share = purchase.signed?.refund?.share
      else { return nil }
      return try paid.share(Int64(share), of: 100_000)
    }
  }

  /// Rows in a stretch: whole portions of an ``EncodingLine``, some 20 MiB.
  private static let length = 1 << 16

  private let content: WarehouseContent
  private let order: [Int32]
  private let chainOfRow: [Int32]
  /// The two newest stretches: a slower thread may still write the one before.
  private let newest = Mutex<[(number: Int, stretch: GatheredRows)]>([])

  /// Rows of a content; `order` gives their positions by key.
  init(_ content: WarehouseContent, order: [Int32]) {
    self.content = content
    self.order = order
    var chains = [Int32](repeating: 0, count: content.purchases.revenueCount)
    for (index, chain) in content.purchases.chains.enumerated() {
      for row in chain.rows { chains[row] = Int32(index) }
    }
    chainOfRow = chains
  }

  /// How many rows there are.
  var count: Int { order.count }

  /// Does something with each row at these places, in their order.
  func forEach(_ places: Range<Int>, _ body: (Row) throws -> Void) throws {
    var rest = places
    while let place = rest.first {
      let number = place / Self.length
      let stretch = stretch(number).gathered { row(at: $0) }
      let end = min(rest.upperBound, (number + 1) * Self.length)
      for portion in (place..<end).inPortions {
        for row in portion.map({ stretch[$0] }) { try body(row) }
      }
      rest = end..<rest.upperBound
    }
  }

  private func stretch(_ number: Int) -> GatheredRows {
    newest.withLock { newest in
      if let found = newest.first(where: { $0.number == number }) { return found.stretch }
      if newest.count > 1 { newest.removeFirst() }
      let first = number * Self.length
      let places = first..<min(first + Self.length, order.count)
      let stretch = GatheredRows(places, positions: order[places])
      newest.append((number, stretch))
      return stretch
    }
  }

  private func row(at position: Int) -> Row {
    let amount = content.amounts.amounts[position]
    return Row(
      purchase: content.purchases.purchases[position],
      course: content.courses.rows[position], amount: amount,
      share: content.reporting.share(ofRow: position),
      customer: content.purchases.chains[Int(chainOfRow[position])].customer,
      paidNumber: content.subscriptions.paidNumbers[position],
      evidenceID: amount.evidence.map { content.sightings.reports[Int($0)].evidenceID },
      basisKey: amount.basis.map { content.purchases.purchases[Int($0)].key })
  }
}
