internal import Amounts
internal import CivilTime
internal import PriceLearning
internal import PurchaseModel
internal import Purchases

/// A row whose price is known, so that later rows of its chain may use the price.
struct PricedRow {
  var row: Int
  var time: Instant
  var unitPrice: Milliunits
  var amount: PaidAmount
  /// The position in ``PriceHistory/intervals`` of the interval with this price.
  ///
  /// `nil` if the price does not come from an interval.
  var interval: Int?
  /// Whether the price comes from Apple's reports, directly or repeated from an earlier row.
  var isFromAppleReports = false
}

/// The chains whose amounts depend on Apple's reports of the 62 days after a row.
final class LaterCharges {
  private(set) var chains: Set<ChainPosition> = []

  /// Adds a chain with a row whose amount depends on Apple's reports of later days.
  func note(_ chain: ChainPosition) { chains.insert(chain) }
}

/// The earlier rows that rules may use for the current row of a chain.
///
/// The state has entries per market. Each entry contains the number of its chain, and the number of
/// its spell or offer period. An entry with other numbers than the current row is out of date.
/// Therefore one state is reused for all chains, and nothing is cleared between them.
struct ChainPricingState {
  private var regular: [Slot]
  private var offers: [Slot]
  private var chainMark: Int = 0
  private var lapseMark: Int = 0
  /// The storefront and currency of the subscription; `nil` before its first row and after a lapse.
  private(set) var running: SubscriptionStorefront?
  /// The product of the latest regular row.
  private var newestProduct: ProductID?
  /// Whether the current row is in the chain's first spell, before any lapse.
  private(set) var isFirstSpell = true
  /// Whether the current row is decided as if there were no Apple reports.
  ///
  /// If true, earlier regular rows are returned with the prices that the rules find without Apple's
  /// reports.
  var isWithoutAppleReports = false
  /// The chains whose amounts depend on Apple's reports of the 62 days after a row.
  ///
  /// Copies of this state refer to one common set.
  let laterCharges = LaterCharges()
  /// The price rises that the catalogue must explain; one element per rise and chain.
  private(set) var unexplainedRises: [UnexplainedPriceRise] = []
  /// The position of the current chain's first rise in ``unexplainedRises``.
  private var firstUnexplainedRise = 0

  private struct Slot {
    var chain: Int?
    var part: Int?  // the stretch between lapses, or the offer period
    var row: PricedRow?
    /// The latest row whose price is known without Apple's reports, with that price.
    var otherRow: PricedRow?
  }

  /// Creates an empty state for a number of markets.
  ///
  /// All rows without a market have one common entry. The earlier row in that entry may have
  /// another product or currency than the current row, so the caller must compare both.
  init(markets: Int) {
    regular = Array(repeating: Slot(), count: markets + 1)
    offers = Array(repeating: Slot(), count: markets + 1)
  }

  mutating func beginChain() {
    chainMark += 1
    lapseMark += 1
    running = nil
    newestProduct = nil
    isFirstSpell = true
    firstUnexplainedRise = unexplainedRises.count
  }

  /// Begins a row; `returnsElsewhere` is true if the subscription goes on in another country.
  mutating func begin(row: Purchase, _ timeline: BillingTimeline, returnsElsewhere: Bool) {
    if timeline.followsLapse || returnsElsewhere { noteLapse() }
    if timeline.kind == .regular { note(regularRowOf: row.productID) }
  }

  /// Records a lapse: the prices and storefronts of earlier regular rows no longer apply.
  private mutating func noteLapse() {
    lapseMark += 1
    running = nil
    isFirstSpell = false
  }

  /// Records a regular row of a product.
  ///
  /// If the product has changed, the prices of earlier regular rows no longer apply. A customer who
  /// returns to an earlier product pays the product's list price of that day, not a preserved
  /// price.
  private mutating func note(regularRowOf product: ProductID) {
    if let last = newestProduct, last != product { lapseMark += 1 }
    newestProduct = product
  }

  /// Records the storefront and currency of a row; the subscription's next row keeps them.
  mutating func note(running place: SubscriptionStorefront) { running = place }

  /// Records a regular row with a known price.
  ///
  /// `otherwise` is used only if the price comes from Apple's reports: the row with the price that
  /// the rules find without these reports, or `nil` if they find none.
  mutating func note(_ row: PricedRow, otherwise: PricedRow?, regular market: MarketIndex?) {
    let otherRow = row.isFromAppleReports ? otherwise ?? otherRegularRow(market: market) : row
    regular[position(market)] = Slot(
      chain: chainMark, part: lapseMark, row: row, otherRow: otherRow)
  }

  /// Records a row of an offer period, with its known price.
  mutating func note(_ row: PricedRow, offer market: MarketIndex?, period: Int) {
    offers[position(market)] = Slot(chain: chainMark, part: period, row: row)
  }

  /// Records a renewal after a price rise that the catalogue must explain.
  ///
  /// Renewals of the same rise are merged, with the lowest of their old prices.
  mutating func addUnexplainedRise(_ rise: UnexplainedPriceRise) {
    if let same = unexplainedRises[firstUnexplainedRise...].firstIndex(where: {
      $0.isSame(as: rise)
    }) {
      unexplainedRises[same].oldPrice = min(unexplainedRises[same].oldPrice, rise.oldPrice)
      unexplainedRises[same].rows += 1
    } else {
      unexplainedRises.append(rise)
    }
  }

  /// The chain's latest regular row whose price is known.
  ///
  /// `nil` if there is none, or if a lapse or a change of product follows the row.
  func regularRow(market: MarketIndex?) -> PricedRow? {
    let slot = regular[position(market)]
    return slot.chain == chainMark && slot.part == lapseMark ? row(of: slot) : nil
  }

  /// The chain's latest regular row whose price is known without Apple's reports.
  ///
  /// `nil` if there is none, or if a lapse or a change of product follows the row.
  func otherRegularRow(market: MarketIndex?) -> PricedRow? {
    let slot = regular[position(market)]
    return slot.chain == chainMark && slot.part == lapseMark ? slot.otherRow : nil
  }

  /// The chain's latest regular row whose price is known, even if a lapse follows the row.
  func regularRowBeforeLapse(market: MarketIndex?) -> PricedRow? {
    let slot = regular[position(market)]
    return slot.chain == chainMark ? row(of: slot) : nil
  }

  /// The offer period's latest paid row whose price is known; `nil` if there is none.
  func offerRow(market: MarketIndex?, period: Int) -> PricedRow? {
    let slot = offers[position(market)]
    return slot.chain == chainMark && slot.part == period ? slot.row : nil
  }

  /// The row of a slot, with the price that ``isWithoutAppleReports`` selects.
  private func row(of slot: Slot) -> PricedRow? { isWithoutAppleReports ? slot.otherRow : slot.row }

  /// The position of a market's slot; the last slot is for rows without a market.
  private func position(_ market: MarketIndex?) -> Int {
    market.map { Int($0.rawValue) } ?? regular.count - 1
  }
}
