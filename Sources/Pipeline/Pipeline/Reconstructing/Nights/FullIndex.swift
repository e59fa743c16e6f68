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
    let (merged, batches) = (learned.merged, learned.batches)
    guard let joined = batches.joined else { return }
    for share in merged.shares {
      for (number, key) in share.keys.enumerated() {
        chains.append(
          Chain(
            key: key, account: joined.accounts[chains.count], isSandbox: share.isSandbox[number],
            isStanding: share.isStanding[number],
            nextChangeAt: result.nextChanges[key] ?? .distantFuture))
      }
    }
    customers = joined.customers
    try readClaims(merged, joined)
    winners = batches.settled.winners.map { Winner(id: $0.key, purchase: $0.value) }
      .sorted { $0.id < $1.id }
    let (prices, unsigned) = (learned.lesson.prices, learned.lesson.unsigned)
    for (place, own) in batches.reports.reports.enumerated() {
      let chain = own.named.flatMap { _ in
        own.report.transactionID.flatMap { batches.settled.purchases[$0] }
      }.map { joined.number(of: $0.place) }
      reports.append(
        Report(
          placed: learned.placed[place], opinion: Opinion(prices.judgements[place]),
          unsignedOpinion: Opinion(unsigned.judgements[place]),
          customer: own.report.customer, transactionID: own.report.transactionID,
          named: own.named, namedChain: chain))
    }
    offers = batches.reports.offers
    storefronts = merged.loneStorefronts
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

  private mutating func readClaims(_ merged: MergedChains, _ joined: JoinedChains)
    throws(RunFailure)
  {
    let reader = try merged.claims.reader()
    while try reader.next() {
      let bits = unsafe reader.key.loadUnaligned(as: UInt64.self)
      let claim = unsafe reader.value.loadUnaligned(as: MergedChains.Claim.self)
      claims.append(
        Claim(
          id: TransactionID(AppleNumber(rawValue: UInt64(bigEndian: bits))),
          chain: joined.number(of: claim.purchase.place)))
    }
    // Claims to one id are in the order of their strength.
    for place in claims.indices.dropFirst() where claims[place - 1].id == claims[place].id {
      claims.sort { ($0.id, $0.chain) < ($1.id, $1.chain) }
      break
    }
  }
}
