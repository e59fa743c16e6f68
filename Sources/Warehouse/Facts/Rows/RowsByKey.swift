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
  }

  /// Some rows in the order of their positions, and where each place of the order is among them.
  struct Stretch: Sendable {
    fileprivate let rows: [[Row]]
    fileprivate let numbers: [UInt32]
    fileprivate let first: Int

    /// The row at a place of the order.
    subscript(place: Int) -> Row {
      let number = Int(numbers[place - first])
      return rows[number / RowsByKey.piece][number % RowsByKey.piece]
    }
  }

  /// Rows in a stretch: whole portions of an ``EncodingLine``, some 20 MiB.
  private static let length = 1 << 16
  /// Rows that are gathered at once; between them a limit of memory is looked at.
  private static let piece = 1 << 11

  private let content: WarehouseContent
  private let order: [Int32]
  private let chainOfRow: [Int32]
  /// The two newest stretches: a slower thread may still write the one before.
  private let newest = Mutex<[(number: Int, stretch: Stretch)]>([])

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
      let stretch = stretch(number)
      let end = min(rest.upperBound, (number + 1) * Self.length)
      for portion in (place..<end).inPortions {
        for row in portion.map({ stretch[$0] }) { try body(row) }
      }
      rest = end..<rest.upperBound
    }
  }

  /// The first thread that asks for a stretch gathers it, and the others wait.
  private func stretch(_ number: Int) -> Stretch {
    newest.withLock { newest in
      if let found = newest.first(where: { $0.number == number }) { return found.stretch }
      if newest.count > 1 { newest.removeFirst() }
      let stretch = gather(number)
      newest.append((number, stretch))
      return stretch
    }
  }

  private func gather(_ number: Int) -> Stretch {
    let first = number * Self.length
    let positions = order[first..<min(first + Self.length, order.count)]
    // A position above, its place below: sorted, they walk along the arrays.
    let walk = positions.enumerated()
      .map { UInt64($0.element) << 32 | UInt64($0.offset) }.sorted()
    var rows: [[Row]] = []
    var piece: [Row] = []
    var numbers = [UInt32](repeating: 0, count: walk.count)
    for (number, step) in walk.enumerated() {
      if piece.isEmpty { piece.reserveCapacity(Self.piece) }
      numbers[Int(step & 0xFFFF_FFFF)] = UInt32(number)
      let position = Int(step >> 32)
      let amount = content.amounts.amounts[position]
      piece.append(
        Row(
          purchase: content.purchases.purchases[position],
          course: content.courses.rows[position], amount: amount,
          share: content.reporting.share(ofRow: position),
          customer: content.purchases.chains[Int(chainOfRow[position])].customer,
          paidNumber: content.subscriptions.paidNumbers[position],
          evidenceID: amount.evidence.map { content.sightings.reports[Int($0)].evidenceID },
          basisKey: amount.basis.map { content.purchases.purchases[Int($0)].key }))
      if piece.count == Self.piece {
        rows.append(piece)
        piece = []
      }
    }
    rows.append(piece)
    return Stretch(rows: rows, numbers: numbers, first: first)
  }
}
