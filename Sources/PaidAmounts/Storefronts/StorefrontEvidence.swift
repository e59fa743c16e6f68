internal import Amounts
internal import CivilTime
internal import PurchaseModel
internal import Purchases

/// Where customers were, by their reports and by export records, in order of time.
struct StorefrontEvidence: Sendable {
  /// A storefront at a moment.
  struct Place: Sendable {
    var time: Int64
    var storefront: Storefront
    /// The report, by ledger position; -1 for an export record.
    var report: Int32
    /// The chain the export record holds, by position in the book; -1 for none.
    var chain: Int32
    /// The customer's symbol, or the chain.
    var owner: Int32
    /// Among reports of one moment, the smaller first; 0 for an export record.
    var doubt: Int64 = 0

    /// The order of one owner's places: time, reports before records, the better report or the
    /// storefront.
    var key: (Int64, Int32, Int64, Int32) {
      report >= 0 ? (time, 0, doubt, report) : (time, 1, Int64(storefront.rawValue), chain)
    }
  }

  private let byCustomer: Grouping<Place>  // by the customer's symbol
  private let byChain: Grouping<Place>
  private let unplaced: OwnedReports

  /// Gathers the evidence of all customers, and of the chains whose customers have none.
  init(ledger: ReportLedger, set: SightingSet, book: PurchaseBook, chainOfRow: [Int32]) {
    let gatherer = PlaceGatherer(
      ledger: ledger, set: set, book: book, chainOfRow: chainOfRow)
    let ofCustomers = Grouping(gatherer.ofCustomers(), count: set.symbols.count, by: \.owner) {
      $0.key < $1.key
    }
    let ofChains = gatherer.ofChains { !ofCustomers[Int($0.symbol.rawValue)].isEmpty }
    byCustomer = ofCustomers
    byChain = Grouping(ofChains, count: book.chains.count, by: \.owner) { $0.key < $1.key }
    unplaced = OwnedReports(ledger: ledger, set: set, book: book, chainOfRow: chainOfRow)
  }

  /// The nearest place of a chain's customer, else of the chain; ties: earlier, then the report.
  func nearest(to time: Int64, chain: Int32, customer: CustomerID?) -> (
    place: Place, holdsChain: Bool
  )? {
    if let customer {
      let range = byCustomer[Int(customer.symbol.rawValue)]
      if !range.isEmpty { return Self.nearest(to: time, chain: chain, among: byCustomer, range) }
    }
    let range = byChain[Int(chain)]
    return range.isEmpty ? nil : Self.nearest(to: time, chain: chain, among: byChain, range)
  }

  private static func nearest(
    to time: Int64, chain: Int32, among places: borrowing Grouping<Place>, _ range: Range<Int>
  ) -> (place: Place, holdsChain: Bool) {
    let later = places.items.firstPosition(in: range) { $0.time > time }
    var found = later
    if later > range.lowerBound {
      let earlierTime = places.items[later - 1].time
      let isLaterNearer =
        later < range.upperBound && places.items[later].time - time < time - earlierTime
      if !isLaterNearer {
        found = places.items.firstPosition(in: range) { $0.time >= earlierTime }
      }
    }
    let place = places.items[found]
    guard place.report < 0 else { return (place, false) }
    // One record holds several chains: ask for the place of this one.
    var wanted = place
    wanted.chain = chain
    let position = places.items.firstPosition(in: range) { $0.key >= wanted.key }
    return (place, position < range.upperBound && places.items[position].key == wanted.key)
  }

  /// Among all: the report nearest in time that the chain's customer, else the chain, made.
  func nearestReport(to time: Int64, chain: Int32, customer: CustomerID?) -> Int32? {
    unplaced.nearest(to: time, chain: chain, customer: customer)
  }
}

/// Collects the places of ``StorefrontEvidence`` and puts them in order.
struct PlaceGatherer {
  typealias Place = StorefrontEvidence.Place
  let ledger: ReportLedger
  let set: SightingSet
  let book: PurchaseBook
  let chainOfRow: [Int32]

  /// The places that name a customer, owned by its symbol.
  func ofCustomers() -> [Place] {
    var places: [Place] = []
    places.reserveCapacity(ledger.judged.count + book.storefrontSightings.count)
    for (position, judgement) in ledger.judged.enumerated() {
      let report = set.reports[Int(judgement.report)]
      guard let storefront = report.storefront, let customer = report.customer else { continue }
      places.append(
        Place(
          time: judgement.time.milliseconds, storefront: storefront, report: Int32(position),
          chain: -1, owner: Int32(customer.symbol.rawValue), doubt: judgement.doubt(of: report)))
    }
    var last: (id: OriginalTransactionID?, chain: Int32) = (nil, -1)
    for sighting in book.storefrontSightings {
      guard let customer = sighting.customer else { continue }
      if sighting.originalTransactionID != last.id {
        last = (sighting.originalTransactionID, chain(sighting.originalTransactionID))
      }
      places.append(
        Place(
          time: sighting.observedAt.milliseconds, storefront: sighting.storefront, report: -1,
          chain: last.chain, owner: Int32(customer.symbol.rawValue)))
    }
    return places
  }

  /// The places of chains whose customer is unknown or tells nothing.
  func ofChains(isKnown: (CustomerID) -> Bool) -> [Place] {
    let needed = book.chains.map { chain in !(chain.customer.map(isKnown) ?? false) }
    guard needed.contains(true) else { return [] }
    var places: [Place] = []
    for (position, judgement) in ledger.judged.enumerated() {
      guard let purchase = judgement.purchase, Int(purchase) < chainOfRow.count else { continue }
      let owner = chainOfRow[Int(purchase)]
      let report = set.reports[Int(judgement.report)]
      guard needed[Int(owner)], let storefront = report.storefront else { continue }
      places.append(
        Place(
          time: judgement.time.milliseconds, storefront: storefront, report: Int32(position),
          chain: -1, owner: owner, doubt: judgement.doubt(of: report)))
    }
    var last: (id: OriginalTransactionID?, chain: Int32) = (nil, -1)
    for sighting in book.storefrontSightings {
      if sighting.originalTransactionID != last.id {
        last = (sighting.originalTransactionID, chain(sighting.originalTransactionID))
      }
      guard last.chain >= 0, needed[Int(last.chain)] else { continue }
      places.append(
        Place(
          time: sighting.observedAt.milliseconds, storefront: sighting.storefront, report: -1,
          chain: last.chain, owner: last.chain))
    }
    return places
  }

  /// The position of a chain in the book; -1 for none.
  private func chain(_ id: OriginalTransactionID?) -> Int32 {
    id.flatMap(book.chain(named:)).map { Int32($0) } ?? -1
  }
}
