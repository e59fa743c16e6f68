internal import Amounts
internal import CivilTime
internal import PriceLearning
internal import PurchaseModel
internal import Purchases

/// An earlier row with a known price.
struct PricedRow {
  var row: Int
  var time: Instant
  var unitPrice: Milliunits
  var amount: PaidAmount
  /// The interval whose price it has, by its position in the history.
  var interval: Int?
}

/// Facts that the earlier rows of a chain have shown; one value serves all chains in turn.
///
/// Each entry carries numbered marks of its chain and of its stretch between lapses or its offer
/// period. An entry with older marks is out of date, so nothing is cleared between chains.
struct ChainMemory {
  private var regular: [Slot]
  private var offers: [Slot]
  private var chainMark: Int = 0
  private var lapseMark: Int = 0
  /// The storefront and currency of the subscription; `nil` before its first row and after a lapse.
  private(set) var running: RunningPlace?
  /// The product of the newest regular row.
  private var newestProduct: ProductID?
  /// Whether no lapse lies between the chain's first row and now.
  private(set) var isFirstSpell = true
  /// The renewals of all chains that only the catalogue can settle.
  private(set) var questions: [OpenQuestion] = []
  /// The position of the current chain's first question.
  private var firstQuestion = 0

  private struct Slot {
    var chain: Int?
    var part: Int?  // the stretch between lapses, or the offer period
    var row: PricedRow?
  }

  /// An empty memory for a number of markets.
  init(markets: Int) {
    regular = Array(repeating: Slot(), count: markets)
    offers = Array(repeating: Slot(), count: markets)
  }

  /// Begins another chain.
  mutating func beginChain() {
    chainMark += 1
    lapseMark += 1
    running = nil
    newestProduct = nil
    isFirstSpell = true
    firstQuestion = questions.count
  }

  /// Begins the chain's next row.
  mutating func begin(row: Purchase, _ timeline: BillingTimeline) {
    if timeline.followsLapse { noteLapse() }
    if timeline.kind == .regular { note(regularRowOf: row.productID) }
  }

  /// Notes a lapse: the prices of earlier regular rows hold no longer, nor do their storefronts.
  private mutating func noteLapse() {
    lapseMark += 1
    running = nil
    isFirstSpell = false
  }

  /// Notes a regular row of a product.
  ///
  /// A customer who returns to another product later pays its price of that day, not a preserved
  /// price.
  private mutating func note(regularRowOf product: ProductID) {
    if let last = newestProduct, last != product { lapseMark += 1 }
    newestProduct = product
  }

  /// Notes where a subscription row was bought.
  mutating func note(running place: RunningPlace) { running = place }

  /// Notes a row whose price is known.
  mutating func note(_ row: PricedRow, regular market: MarketIndex) {
    regular[Int(market.rawValue)] = Slot(chain: chainMark, part: lapseMark, row: row)
  }

  /// Notes a row of an offer period whose price is known.
  mutating func note(_ row: PricedRow, offer market: MarketIndex, period: Int) {
    offers[Int(market.rawValue)] = Slot(chain: chainMark, part: period, row: row)
  }

  /// Notes a renewal that only the catalogue can settle; of several old prices the lowest is used.
  mutating func ask(_ question: OpenQuestion) {
    if let same = questions[firstQuestion...].firstIndex(where: { $0.isSame(as: question) }) {
      questions[same].oldPrice = min(questions[same].oldPrice, question.oldPrice)
      questions[same].rows += 1
    } else {
      questions.append(question)
    }
  }

  /// The latest regular row of the chain with a known price and without a lapse since.
  func regularRow(market: MarketIndex) -> PricedRow? {
    let slot = regular[Int(market.rawValue)]
    return slot.chain == chainMark && slot.part == lapseMark ? slot.row : nil
  }

  /// Whether the chain has a regular row with a known price at all.
  func hadRegularRow(market: MarketIndex) -> Bool {
    regular[Int(market.rawValue)].chain == chainMark
  }

  /// The latest paid row of an offer period with a known price.
  func offerRow(market: MarketIndex, period: Int) -> PricedRow? {
    let slot = offers[Int(market.rawValue)]
    return slot.chain == chainMark && slot.part == period ? slot.row : nil
  }
}
