internal import Amounts
internal import CivilTime
internal import PurchaseModel
internal import Purchases

/// A revenue row with what must be known of it before any rule is tried.
struct RowUnderDecision {
  /// Its position in the purchase book.
  let row: Int
  /// Its chain's position in the book.
  let chain: Int32
  /// The chain's customer.
  let customer: CustomerID?
  let kind: PeriodKind
  /// When it was bought, Unix milliseconds, UTC.
  let time: Int64
  /// At least 1.
  let quantity: Int64
  /// The promotional offer's id and the offer code's reference name, where present.
  let offerIDs: (OfferID?, OfferID?)
  let coveredPeriod: Period?
  /// The believed report that names the row and has the price of its kind.
  let naming: NamingVote?
  let storefront: Storefront?
  let storefrontSource: StorefrontSource
  let currency: Currency?
  /// The product × currency; `nil` where nothing prices it or the currency is unknown.
  let group: Int32?
}

/// The report that decides a row it names.
struct NamingVote {
  /// Its vote in ``PriceHistory``.
  var vote: Int32
  /// Whether equally many other voters name the row with another price.
  var isContested: Bool
}

extension PriceEvidence {
  /// Looks a row up: the reports that name it, its storefront and its currency.
  func look(at row: Int, chain: Int32) -> RowUnderDecision {
    let kind = courses.rows[row].kind
    let time = book.purchases[row].purchasedAt.milliseconds
    let product = book.purchases[row].productID
    let customer = book.chains[Int(chain)].customer
    let offerIDs =
      kind == .promo || kind == .offerCode
      ? (book.purchases[row].promotionalOfferID, book.purchases[row].offerCodeRefName)
      : (nil, nil)
    let named = ledger.naming(row)
    let naming =
      named.isEmpty ? nil : namingVote(of: row, named: named, kind: kind, offerIDs: offerIDs)
    let place = self.place(
      row: row, time: time, chain: chain, customer: customer, named: named, naming: naming)
    let currency = self.currency(
      row: row, time: time, chain: chain, customer: customer, named: named, naming: naming,
      storefront: place.storefront)
    return RowUnderDecision(
      row: row, chain: chain, customer: customer, kind: kind, time: time,
      quantity: Int64(max(1, book.purchases[row].quantity)), offerIDs: offerIDs,
      coveredPeriod: courses.rows[row].coveredPeriod, naming: naming,
      storefront: place.storefront, storefrontSource: place.source, currency: currency,
      group: currency.flatMap { groups.index(product, $0) })
  }

  /// The storefront of a row (RULES section 3, "Storefront of a row").
  private func place(
    row: Int, time: Int64, chain: Int32, customer: CustomerID?, named: ArraySlice<Int32>,
    naming: NamingVote?
  ) -> (storefront: Storefront?, source: StorefrontSource) {
    if !named.isEmpty {
      if let naming {
        let report = history.votes[Int(naming.vote)].report
        if let told = self.report(report).storefront { return (told, .priceReport) }
      }
      let telling = nearestNaming(row, named) { self.report($0).storefront != nil }
      if let told = telling.flatMap({ self.report($0).storefront }) { return (told, .priceReport) }
    }
    guard let found = storefronts.nearest(to: time, chain: chain, customer: customer) else {
      return (nil, .unknown)
    }
    return (found.place.storefront, found.holdsChain ? .export : .inferred)
  }

  /// The currency of a row (RULES section 3, "Currency of a row").
  private func currency(
    row: Int, time: Int64, chain: Int32, customer: CustomerID?, named: ArraySlice<Int32>,
    naming: NamingVote?, storefront: Storefront?
  ) -> Currency? {
    if let naming { return report(history.votes[Int(naming.vote)].report).currency }
    if !named.isEmpty {
      let telling = nearestNaming(row, named) {
        ledger.judged[Int($0)].verdict != .currencyMismatch
      }
      if let telling { return report(telling).currency }
    }
    guard let storefront else {
      return storefronts.nearestReport(to: time, chain: chain, customer: customer)
        .map { report($0).currency }
    }
    return currencyVotes.currency(of: storefront, at: time)
      ?? StorefrontCurrencies.currency(of: storefront, at: time)
  }

  /// The report at a position of the ledger.
  func report(_ position: Int32) -> PriceReport {
    set.reports[Int(ledger.judged[Int(position)].report)]
  }

  /// Of the naming reports that tell something: a believed one before others, then the one
  /// reported nearest to the purchase (ties: earlier, then the smaller evidence id).
  private func nearestNaming(
    _ row: Int, _ named: ArraySlice<Int32>, where tells: (Int32) -> Bool
  ) -> Int32? {
    named.filter(tells).min {
      let left = ledger.judged[Int($0)].verdict.isBelieved ? 0 : 1
      let right = ledger.judged[Int($1)].verdict.isBelieved ? 0 : 1
      return left != right ? left < right : nearness($0, row) < nearness($1, row)
    }
  }

  /// Orders reports by how near to a purchase they were made.
  func nearness(_ position: Int32, _ row: Int) -> (Int64, Int64, Int32) {
    let reportedAt = report(position).reportedAt
    let distance = reportedAt.since(book.purchases[row].purchasedAt).magnitude.rawValue
    return (distance, reportedAt.milliseconds, position)
  }

  /// The vote of a report for the price of a kind of row; `nil` where the report has none.
  ///
  /// Free trials have no vote, so no paid row takes their price.
  func vote(of report: Int32, kind: PeriodKind, offerIDs: (OfferID?, OfferID?)) -> Int32? {
    switch kind {
    case .regular, .oneTime: return history.regularVotes[Int(report)]
    case .trial: return nil
    case .intro: return offerVote(of: report) { $0 == nil }
    case .promo, .offerCode:
      if let id = offerIDs.0, let vote = offerVote(of: report, where: { $0 == id }) { return vote }
      if let id = offerIDs.1, let vote = offerVote(of: report, where: { $0 == id }) { return vote }
      return nil
    }
  }

  private func offerVote(of report: Int32, where matches: (OfferID?) -> Bool) -> Int32? {
    for index in self.report(report).offers
    where matches(set.offers[index].offerID) && history.offerVotes[index] >= 0 {
      return history.offerVotes[index]
    }
    return nil
  }

  /// The keys of the series families that hold the price of a row's kind.
  func families(of row: RowUnderDecision, group: Int32) -> [UInt64] {
    switch row.kind {
    case .regular, .oneTime: [SeriesKey.regular(group).family]
    case .trial: []
    case .intro: [SeriesKey.introductory(group, nil, .payAsYouGo).family]
    case .promo, .offerCode:
      [row.offerIDs.0, row.offerIDs.1].compactMap(\.self).map {
        SeriesKey.offer(group, $0).family
      }
    }
  }
}
