internal import CivilTime
internal import Parallel
internal import PurchaseModel
internal import Purchases

/// Where households and their chains were, by reports and export records, in order of time.
struct HouseholdPlaces: Sendable {
  /// A storefront at a moment.
  struct Place: Sendable, Timed {
    /// Unix milliseconds, UTC.
    var time: Int64
    var storefront: Storefront
    /// The report, by its position in the placement; -1 for an export record.
    var report: Int32
    /// The household or chain, by number.
    var owner: Int32
    /// The chain that the record holds or the report names; -1 for none.
    var chain: Int32
    /// Among reports of one moment, the smaller first; 0 for an export record.
    var doubt: Int64

    /// Whether it is nearer to a moment than another place; of equally near ones the earlier, then the
    /// report, tells.
    func precedes(_ other: Place, around time: Int64) -> Bool {
      let (distance, otherDistance) = (abs(self.time - time), abs(other.time - time))
      return distance == otherDistance ? key < other.key : distance < otherDistance
    }

    /// The order of one owner's places: time, reports before records, then the nearer report or
    /// the storefront.
    var key: (Int64, Int32, Int64, Int32) {
      report >= 0 ? (time, 0, doubt, report) : (time, 1, Int64(storefront.rawValue), chain)
    }
  }

  private let byChain: Grouping<Place>
  private let byHousehold: Grouping<Place>
  /// By household, those that belong to no chain: they may be any chain's.
  private let unnamed: Grouping<Place>

  /// Gathers the places that reports and records tell.
  init(_ placement: ReportPlacement, set: SightingSet, book: PurchaseBook) {
    var places: [Place] = []
    places.reserveCapacity(placement.entries.count + book.storefrontSightings.count)
    for (position, entry) in placement.entries.enumerated() {
      let report = set.reports[Int(entry.report)]
      guard let storefront = report.storefront else { continue }
      places.append(
        Place(
          time: entry.time.milliseconds, storefront: storefront, report: Int32(position),
          owner: entry.household?.rawValue ?? -1, chain: entry.chain ?? -1,
          doubt: doubt(madeAt: report.reportedAt, placedAt: entry.time, isBelieved: true)))
    }
    for sighting in book.storefrontSightings {
      let chain = sighting.originalTransactionID.flatMap(book.chain(named:)) ?? -1
      let household =
        sighting.originalTransactionID.flatMap(book.households.household)
        ?? sighting.customer.flatMap(book.households.household)
      places.append(
        Place(
          time: sighting.observedAt.milliseconds, storefront: sighting.storefront, report: -1,
          owner: household?.rawValue ?? -1, chain: Int32(chain), doubt: 0))
    }
    byHousehold = Grouping(
      places.filter { $0.owner >= 0 }, count: book.households.count, by: \.owner
    ) { $0.key < $1.key }
    byChain = Grouping(
      places.filter { $0.chain >= 0 }, count: book.chains.count, by: \.chain
    ) { $0.key < $1.key }
    unnamed = Grouping(
      places.filter { $0.owner >= 0 && $0.chain < 0 }, count: book.households.count, by: \.owner
    ) { $0.key < $1.key }
  }

  /// The nearest place of a household (ties: earlier, then the report).
  func nearest(to time: Instant, household: HouseholdNumber) -> Place? {
    byHousehold.nearest(to: time.milliseconds, in: byHousehold[Int(household.rawValue)]).map {
      byHousehold.items[$0]
    }
  }

  /// The nearest place of a chain: of what reports and records say of the chain, and of what its
  /// household says of no chain.
  ///
  /// Where there is neither, of what the household says of another.
  func nearest(to time: Instant, chain: Int32, household: HouseholdNumber?) -> Place? {
    let own = byChain.nearest(to: time.milliseconds, in: byChain[Int(chain)])
      .map { byChain.items[$0] }
    guard let household else { return own }
    let loose = unnamed.nearest(
      to: time.milliseconds, in: unnamed[Int(household.rawValue)]
    ).map { unnamed.items[$0] }
    let found = [own, loose].compactMap(\.self)
    return found.min { $0.precedes($1, around: time.milliseconds) }
      ?? nearest(to: time, household: household)
  }
}
