internal import Amounts
internal import CivilTime
internal import PurchaseModel

/// An earlier row with a known price.
struct PricedRow {
  var row: Int
  var time: Int64
  var unitPrice: Milliunits
  var amount: PaidAmount
}

/// What deciding a chain's rows has shown so far; one serves all chains, one after another.
///
/// Marks with a number say to which chain, spell or offer period an entry belongs, so that nothing
/// must be cleared between chains.
struct ChainMemory {
  private var regular: [Slot]
  private var offers: [Slot]
  private var chainMark: Int32 = 0
  private var spellMark: Int32 = 0
  /// The renewals that only the catalogue can settle.
  private(set) var questions: [RiseKey: Rise] = [:]

  /// A rise of a group's price: when it began, Unix milliseconds, UTC.
  struct RiseKey: Hashable, Sendable {
    var group: Int32
    var from: Int64
  }

  /// The prices before and after a rise, and how many rows wait.
  struct Rise: Sendable {
    var oldPrice: Milliunits
    var newPrice: Milliunits
    var rows: Int

    /// The same rise as other chains met it; of several old prices the lowest counts.
    func together(with other: Rise) -> Rise {
      Rise(
        oldPrice: min(oldPrice, other.oldPrice), newPrice: newPrice, rows: rows + other.rows)
    }
  }

  private struct Slot {
    var chain: Int32 = -1
    var part: Int32 = -1  // the stretch between lapses, or the offer period
    var row: PricedRow?
  }

  /// An empty memory for so many groups.
  init(groups: Int) {
    regular = Array(repeating: Slot(), count: groups)
    offers = Array(repeating: Slot(), count: groups)
  }

  /// Begins another chain.
  mutating func beginChain() {
    chainMark += 1
    spellMark += 1
  }

  /// Notes a lapse: what earlier regular rows cost holds no longer.
  mutating func noteLapse() { spellMark += 1 }

  /// Notes a row whose price is known.
  mutating func note(_ row: PricedRow, regular group: Int32) {
    regular[Int(group)] = Slot(chain: chainMark, part: spellMark, row: row)
  }

  /// Notes a row of an offer period whose price is known.
  mutating func note(_ row: PricedRow, offer group: Int32, period: Int32) {
    offers[Int(group)] = Slot(chain: chainMark, part: period, row: row)
  }

  /// Notes a renewal that only the catalogue can settle; of several old prices the lowest counts.
  mutating func ask(group: Int32, now: PriceInForce, before: Milliunits) {
    guard let from = now.from else { return }
    let key = RiseKey(group: group, from: from)
    var rise = questions[key] ?? Rise(oldPrice: before, newPrice: now.price, rows: 0)
    rise.oldPrice = min(rise.oldPrice, before)
    rise.rows += 1
    questions[key] = rise
  }

  /// The latest regular row of the chain with a known price and no lapse since.
  func regularRow(group: Int32) -> PricedRow? {
    let slot = regular[Int(group)]
    return slot.chain == chainMark && slot.part == spellMark ? slot.row : nil
  }

  /// Whether the chain has a regular row with a known price at all.
  func hadRegularRow(group: Int32) -> Bool { regular[Int(group)].chain == chainMark }

  /// The latest paid row of an offer period with a known price.
  func offerRow(group: Int32, period: Int32) -> PricedRow? {
    let slot = offers[Int(group)]
    return slot.chain == chainMark && slot.part == period ? slot.row : nil
  }
}
