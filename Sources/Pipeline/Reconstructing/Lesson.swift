internal import PaidAmounts
internal import PriceLearning
internal import PurchaseModel
internal import Purchases

/// What the third step learns: prices by all evidence, and prices where signed ones are hidden.
struct Lesson: Sendable {
  /// By all evidence.
  let prices: PriceBook
  /// By the reports alone, for the backtest; `nil` where nothing is signed.
  let hidden: PriceBook?

  /// Learns.
  ///
  /// - Parameters:
  ///   - reports: Every report that is used, by evidence id.
  ///   - signed: The signed prices that vote, in any order.
  ///   - isSigned: Whether a price is signed anywhere, even if none votes.
  ///   - offers: The lists of offers that the reports name.
  ///   - catalogue: What App Store Connect knows.
  ///   - workers: How many threads work; nothing depends on it.
  init(
    _ reports: [PlacedReport], signed: [PlacedReport], isSigned: Bool, offers: OfferLists,
    catalogue: Catalogue, workers: Int
  ) {
    // What comes out must not turn on the order of the batches.
    let votes = signed.sorted { $0.evidenceID < $1.evidenceID }
    prices = learnPrices(
      from: reports + votes, offers: offers, catalogue: catalogue, workers: workers)
    hidden =
      isSigned
      ? learnPrices(from: reports, offers: offers, catalogue: catalogue, workers: workers) : nil
  }

  /// What backtests decide with: ``prices`` where nothing is signed.
  var unsigned: PriceBook { hidden ?? prices }
}

/// What placing finds in a batch of households.
struct PlacedBatch: Sendable {
  /// A signed price that votes, and the chain of its purchase.
  struct Vote: Sendable {
    var chain: ChainKey
    var placed: PlacedReport
  }

  /// The reports of the batch, in its order.
  let reports: [PlacedReport]
  /// The signed prices that vote.
  let votes: [Vote]
  /// Whether a price is signed, even if none votes.
  let isSigned: Bool

  /// Places the reports of a batch, and finds its votes.
  init(
    _ batch: HouseholdBatches.Batch, catalogue: Catalogue, products: ProductFacts,
    symbols: SymbolTable
  ) {
    reports = batch.batch.placedReports()
    let book = batch.batch.book
    isSigned = book.purchases.contains { $0.signed?.price != nil }
    guard isSigned else {
      votes = []
      return
    }
    let courses = Purchases.courses(of: book, catalogue: catalogue, facts: products)
    let voter = { (household: HouseholdNumber?) in
      household.map { batch.voters[Int($0.rawValue)] } ?? Voter(-1)
    }
    votes = batch.batch.signedVotes(courses: courses, voter: voter).map { vote in
      let id = book.chains[Int(vote.chain)].originalTransactionID
      return Vote(chain: ChainKey(id, isSandbox: false, in: symbols), placed: vote.placed)
    }
  }
}
