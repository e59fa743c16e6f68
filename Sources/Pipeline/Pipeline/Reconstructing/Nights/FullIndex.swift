internal import CivilTime
internal import Diagnostics
internal import Joining
internal import PaidAmounts
internal import PriceLearning
internal import PurchaseModel
internal import Purchases
internal import TemporaryFiles
internal import Warehouse

extension PublishedIndex {
  /// The index of a publication for which everything was decided.
  ///
  /// - Parameters:
  ///   - learned: The households, and the output of the third step.
  ///   - result: The results of deciding.
  /// - Throws: ``RunFailure`` if a temporary file cannot be read.
  init(
    _ learned: LearnedHouseholds, result: DecidingPass.Result
  ) throws(RunFailure) {
    let batches = learned.batches
    guard let joined = batches.joined else { return }
    for share in joined.shares {
      for (number, key) in share.keys.enumerated() {
        chains.append(
          Chain(
            key: key, account: joined.chains.accounts[chains.count],
            isSandbox: share.isSandbox[number], isStanding: share.isStanding[number],
            nextChangeAt: result.nextChanges[key] ?? .distantFuture))
      }
    }
    customers = joined.chains.customers
    winners = batches.winners.map { Winner(id: $0.key, purchase: $0.value) }
      .sorted { $0.id < $1.id }
    let (prices, unsigned) = (learned.lesson.prices, learned.lesson.unsigned)
    streamed = FullIndexRows(
      claims: joined.claims, chains: joined.chains, reports: learned.placed,
      judgements: prices.judgements,
      unsignedJudgements: learned.lesson.hidden?.judgements)
    offers = batches.offers
    storefronts = joined.storefronts
    nobodies = batches.households.nobodies
    products = learned.products
    self.prices = PublishedPrices(prices)
    unsignedPrices = PublishedPrices(unsigned)
    isSigned = learned.lesson.hidden != nil
    readVotes(learned.votes)
    questions = result.questions
    tally = result.tally
  }

  private mutating func readVotes(_ found: [PlacedBatch.Vote]) {
    guard !found.isEmpty else { return }
    let positions = Dictionary(
      chains.enumerated().map { ($0.element.key, ChainPosition($0.offset)) }, uniquingKeysWith: min)
    votes = found.compactMap { vote in
      positions[vote.chain].map { Vote(chain: $0, placed: vote.placed) }
    }
  }
}

/// The claims and reports of a full run's index, read from their sorts while the index is written.
struct FullIndexRows: Sendable {
  fileprivate let claims: ExternalSort
  fileprivate let chains: JoinedChains
  fileprivate let reports: PlacedReports
  fileprivate let judgements: Judgements
  /// The judgements where signed prices are hidden; `nil` if no price is signed.
  let unsignedJudgements: Judgements?

  /// The number of claims.
  var claimCount: Int { claims.count }
  /// The number of reports.
  var reportCount: Int { reports.count }

  /// Hands on the claims, by id, then chain.
  func forEachClaim(_ body: (PublishedIndex.Claim) -> Void) throws(RunFailure) {
    let reader = try claims.reader()
    var same: [PublishedIndex.Claim] = []
    func end() {
      same.sort { $0.chain < $1.chain }
      same.forEach(body)
      same.removeAll(keepingCapacity: true)
    }
    while try reader.next() {
      let id = unsafe SortedKey(reader.key).transactionID
      let place = reader.value(MergedChains.Claim.self).purchase.place
      if let last = same.last, last.id != id { end() }
      same.append(PublishedIndex.Claim(id: id, chain: chains.number(of: place)))
    }
    end()
  }

  /// Hands on the placed reports, by evidence id.
  func forEachPlaced(_ body: (PlacedReport) -> Void) throws(RunFailure) {
    try reports.forEach { body($0.placed) }
  }

  /// Hands on the names in the reports and the judgements on them, by evidence id.
  func forEachReport(_ body: (PublishedIndex.Report) -> Void) throws(RunFailure) {
    var position = 0
    try reports.forEach { entry in
      body(
        PublishedIndex.Report(
          customer: entry.customer, transactionID: entry.transactionID, named: entry.named,
          namedChain: entry.namedChain, opinion: PublishedIndex.Opinion(judgements[position])))
      position += 1
    }
  }
}
