internal import CivilTime
internal import Joining
internal import PaidAmounts
internal import PriceLearning
internal import PurchaseModel
internal import Purchases
internal import Warehouse

/// All price reports that are used, brought up to date by those that have news.
struct NightReports {
  /// By evidence id.
  private(set) var all: [PublishedIndex.Report]
  private(set) var offers: OfferLists
  /// By report: its household; `nil` for a report with an unknown customer that names no purchase.
  private(set) var households: [HouseholdNumber?] = []
  /// The reports that turn out to name a purchase of the sandbox, and are used no longer.
  private(set) var dropped: [PublishedIndex.Report] = []
  /// The reports that are new, say something else of their file, or name a purchase with news.
  private(set) var news: [ReportPosition] = []

  /// Takes news in.
  ///
  /// - Throws: ``FullReason`` if that takes a look at everything.
  init(
    _ index: PublishedIndex, read: SightingSet, loaded: LoadedChains, chains: inout NightChains
  ) throws(FullReason) {
    offers = index.offers
    all = []
    all.reserveCapacity(index.reports.count + read.reports.count)
    var newsIDs: Set<TransactionID> = []
    for chain in loaded.chains.values { newsIDs.formUnion(chain.claims.lazy.map(\.id)) }
    let contested = Set(index.winners.map(\.id))
    var next = 0
    func append(_ report: PublishedIndex.Report, isNews: Bool) {
      if isNews { news.append(ReportPosition(all.count)) }
      all.append(report)
    }
    for known in index.reports {
      while next < read.reports.count, read.reports[next].evidenceID < known.placed.evidenceID {
        if let report = try Self.new(read, next, chains, contested, &offers) {
          append(report, isNews: true)
        }
        next += 1
      }
      var isNews = known.transactionID.map(newsIDs.contains) ?? false
      if next < read.reports.count, read.reports[next].evidenceID == known.placed.evidenceID {
        isNews = true
        next += 1
      }
      if isNews, let id = known.transactionID {
        guard !contested.contains(id) else { throw .contestedID }
        if let chain = chains.chain(claiming: id), chains.chains[chain.index].isSandbox {
          dropped.append(known)
          continue
        }
      }
      append(known, isNews: isNews)
    }
    while next < read.reports.count {
      if let report = try Self.new(read, next, chains, contested, &offers) {
        append(report, isNews: true)
      }
      next += 1
    }
    name(&chains)
    settleVoters()
  }

  /// A report that is new since the last publication; `nil` for one that names a purchase of the
  /// sandbox, which is not used.
  private static func new(
    _ read: SightingSet, _ position: Int, _ chains: NightChains, _ contested: Set<TransactionID>,
    _ offers: inout OfferLists
  ) throws(FullReason) -> PublishedIndex.Report? {
    let report = read.reports[position]
    if let id = report.transactionID {
      if contested.contains(id) { throw .contestedID }
      if let chain = chains.chain(claiming: id), chains.chains[chain.index].isSandbox { return nil }
    }
    let list = offers.index(of: Array(read.offers[report.offers]))
    let unknown = PublishedIndex.Opinion(Judgement(place: report.storefront))
    let placed = PlacedReport(
      evidenceID: report.evidenceID, time: report.reportedAt, price: report.price,
      voter: Voter(-1), productID: report.productID, currency: report.currency, offers: list,
      place: report.storefront, isPlaceTold: report.storefront != nil)
    return PublishedIndex.Report(
      placed: placed, opinion: unknown, unsignedOpinion: unknown, customer: report.customer,
      transactionID: report.transactionID, named: nil, namedChain: nil)
  }

  /// Finds the household of each report, and for those with news the chain that they name.
  ///
  /// Whether the purchase has the report's product shows when the chain has been read.
  private mutating func name(_ chains: inout NightChains) {
    for number in news {
      let id = all[number.index].transactionID
      all[number.index].namedChain = id.flatMap(chains.chain(claiming:))
    }
    households.reserveCapacity(all.count)
    for report in all {
      var household: HouseholdNumber?
      if let customer = report.customer, !chains.households.isNobody(customer) {
        household = chains.household(ofReporter: customer)
      }
      if household == nil {
        household = report.namedChain.flatMap(chains.household(ofChain:))
      }
      households.append(household)
    }
  }

  /// Settles the purchases that reports with news name, once their chains have been read.
  mutating func settleNames(_ loaded: LoadedChains, _ chains: NightChains) {
    for number in news {
      let place = number.index
      guard let chain = all[place].namedChain, let id = all[place].transactionID,
        let claimed = loaded.chains[chains.chains[chain.index].key]?.purchase(named: id),
        claimed.productID == all[place].placed.productID
      else {
        forgetName(place, chains)
        continue
      }
      all[place].named = claimed.named
    }
    settleVoters()
  }

  private mutating func forgetName(_ place: Int, _ chains: NightChains) {
    all[place].named = nil
    all[place].namedChain = nil
    let customer = all[place].customer.flatMap { chains.households.isNobody($0) ? nil : $0 }
    if customer == nil { households[place] = nil }
  }

  private mutating func settleVoters() {
    for place in all.indices {
      let household = households[place].map { Int64($0.rawValue) }
      all[place].placed.voter = Voter(household ?? -1 - Int64(place))
    }
  }

  /// Takes the place of a report.
  mutating func place(_ report: PlacedReport, at position: ReportPosition) {
    all[position.index].placed = report
  }

  /// Takes the judgements on the reports.
  mutating func judge(_ lesson: Lesson) {
    let (judgements, unsigned) = (lesson.prices.judgements, lesson.unsigned.judgements)
    for place in all.indices {
      all[place].opinion = PublishedIndex.Opinion(judgements[place])
      all[place].unsignedOpinion = PublishedIndex.Opinion(unsigned[place])
    }
  }

  /// The household of the purchase that a report names.
  func namedHousehold(_ place: Int, _ chains: NightChains) -> HouseholdNumber? {
    all[place].namedChain.flatMap(chains.household(ofChain:))
  }

  /// The reports that some households see, joined with their content as read.
  func joined(
    _ read: [Int64: PriceReport], chains: NightChains, wanted: Set<HouseholdNumber>,
    alone: Set<ReportPosition>
  ) -> [ReportJoiner.Joined] {
    all.indices.compactMap { place in
      let named = namedHousehold(place, chains)
      guard isSeen(place, named, wanted, alone), var report = read[all[place].placed.evidenceID]
      else { return nil }
      report.offers = offers.range(of: all[place].placed.offers)
      return ReportJoiner.Joined(
        report: HouseholdReport(
          report: report, offers: all[place].placed.offers,
          customer: report.customer.flatMap { chains.households.isNobody($0) ? nil : $0 },
          household: households[place], named: all[place].named, voter: all[place].placed.voter),
        position: ReportPosition(place), namedHousehold: named)
    }
  }

  /// The evidence ids of the reports that some households see.
  func seen(
    by wanted: Set<HouseholdNumber>, alone: Set<ReportPosition>, _ chains: NightChains
  ) -> [Int64] {
    all.indices.filter { isSeen($0, namedHousehold($0, chains), wanted, alone) }
      .map { all[$0].placed.evidenceID }
  }

  private func isSeen(
    _ place: Int, _ named: HouseholdNumber?, _ wanted: Set<HouseholdNumber>,
    _ alone: Set<ReportPosition>
  ) -> Bool {
    if let household = households[place], wanted.contains(household) { return true }
    if let named, wanted.contains(named) { return true }
    return alone.contains(ReportPosition(place))
  }
}
