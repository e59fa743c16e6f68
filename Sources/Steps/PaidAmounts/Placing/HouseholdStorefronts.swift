internal import CivilTime
internal import Parallel
internal import PriceLearning
internal import PurchaseModel
internal import Purchases

/// The storefronts of households and their chains over time, from reports and export records.
struct HouseholdStorefronts: Sendable {
  /// A storefront that a report or an export record shows at a point in time.
  struct Place: Sendable, Timed {
    /// The time in Unix milliseconds, UTC.
    var time: Int64
    var storefront: Storefront
    /// The position of the report in the batch; `nil` for an export record.
    var report: ReportPosition?
    /// The household of the report or export record; `nil` if unknown, or if the chain has no
    /// household.
    var household: HouseholdNumber?
    /// The chain of the export record, or of the report's purchase; `nil` if unknown or not in the
    /// batch.
    var chain: ChainPosition?
    /// Whether the report or record belongs to no chain.
    ///
    /// Its storefront may then apply to any chain of the household.
    var isOfNoChain: Bool
    /// The rank among reports of one moment (smaller is preferred); 0 for an export record.
    var doubt: Int64

    /// The household as an index of an array.
    var householdNumber: Int? { household.map { Int($0.rawValue) } }

    /// Returns true if this place is nearer to a moment than another place.
    ///
    /// Of two equally near places, the earlier is preferred. Of two places at one time, a report is
    /// preferred to an export record.
    func precedes(_ other: Place, around time: Int64) -> Bool {
      let (distance, otherDistance) = (abs(self.time - time), abs(other.time - time))
      return distance == otherDistance ? key < other.key : distance < otherDistance
    }

    /// The sort key of places: time, then reports before export records.
    ///
    /// Reports of one time are sorted by ``doubt``, export records by storefront code.
    var key: (Int64, Int, Int64, Int) {
      if let report { return (time, 0, doubt, report.index) }
      return (time, 1, Int64(storefront.rawValue), chain?.index ?? -1)
    }
  }

  private let byChain: Grouping<Place>
  private let byHousehold: Grouping<Place>
  /// The storefronts shown by reports and records that belong to no chain, grouped by household.
  ///
  /// They are used for every chain of the household.
  private let unnamed: Grouping<Place>
  /// The places that come from export records, grouped by household.
  private let records: Grouping<Place>
  /// Whether each household alternates between two storefronts.
  private let alternates: [Bool]

  /// Collects the storefronts of reports and records.
  ///
  /// Leaves out reports whose storefront is contested, reports of other stores, and charges whose
  /// currency the App Store does not use in their storefront.
  init(_ batch: HouseholdBatch, _ named: NamedRows, reportVerdicts: [ReportVerdict]? = nil) {
    var places: [Place] = []
    places.reserveCapacity(batch.reports.count + batch.book.storefrontObservations.count)
    for (position, own) in batch.reports.enumerated() {
      guard let storefront = own.report.storefront,
        reportVerdicts?[position].verdict != .contestedPlace, !own.isOfOtherStore,
        !own.report.hasOtherCurrencyThanPlace(at: own.time)
      else { continue }
      places.append(
        Place(
          time: own.time.milliseconds, storefront: storefront, report: ReportPosition(position),
          household: own.household, chain: named.chain[position],
          isOfNoChain: own.named.map(\.isExcluded) ?? true,
          doubt: doubt(madeAt: own.report.reportedAt, placedAt: own.time, isBelieved: true)))
    }
    for observation in batch.book.storefrontObservations {
      places.append(
        Place(
          time: observation.observedAt.milliseconds, storefront: observation.storefront,
          report: nil,
          household: observation.household, chain: observation.chain,
          isOfNoChain: observation.chain == nil, doubt: 0))
    }
    // Closures, because a key path is resolved again for each place.
    byHousehold = Grouping(
      places, count: batch.households, by: { $0.householdNumber },
      orderedBy: { $0.key < $1.key })
    byChain = Grouping(
      places, count: batch.book.chains.count, by: { $0.chain?.index },
      orderedBy: { $0.key < $1.key })
    records = Grouping(
      places.filter { $0.report == nil }, count: batch.households, by: { $0.householdNumber },
      orderedBy: { $0.key < $1.key })
    let households = byHousehold
    alternates = (0..<batch.households).map { household in
      let own = households.items[households[household]]
      return zip(own, own.dropFirst()).count { $0.storefront != $1.storefront }
        >= Self.leastMoves
    }
    unnamed = Grouping(
      places.filter { $0.isOfNoChain }, count: batch.households, by: { $0.householdNumber },
      orderedBy: { $0.key < $1.key })
  }

  /// The minimum number of moves between storefronts in a household that alternates.
  ///
  /// Two moves may be a single journey: one move and the return.
  private static let leastMoves = 3

  /// Returns true if two Apple accounts of different countries seem to use one device of the
  /// household.
  ///
  /// Example: reports from Poland, the United States, Poland and the United States → true.
  func alternates(_ household: HouseholdNumber) -> Bool { alternates[Int(household.rawValue)] }

  /// Finds the chain's export record nearest to a moment, within 31 days, and returns its
  /// storefront.
  func ownRecord(of chain: ChainPosition, near time: Instant) -> Storefront? {
    byChain.items[byChain[chain.index]].lazy.filter { $0.report == nil }
      .map { (distance: abs($0.time - time.milliseconds), storefront: $0.storefront) }
      .filter { $0.distance <= Self.near.rawValue }
      .min { $0.distance < $1.distance }?.storefront
  }

  /// The place of a household that is nearest to a moment.
  ///
  /// Of equally near places, prefers the earlier, then a report to an export record.
  func nearest(to time: Instant, household: HouseholdNumber) -> Place? {
    byHousehold.nearest(to: time.milliseconds, in: byHousehold[Int(household.rawValue)]).map {
      byHousehold.items[$0]
    }
  }

  /// The household's export record nearest to a moment; `nil` if there is none within 31 days.
  ///
  /// Of equally near records, prefers the earlier, then the smaller storefront code.
  func nearestRecord(to time: Instant, household: HouseholdNumber) -> Place? {
    let own = records[Int(household.rawValue)]
    return records.nearest(to: time.milliseconds, in: own).flatMap {
      let found = records.items[$0]
      return abs(found.time - time.milliseconds) <= Self.near.rawValue ? found : nil
    }
  }

  /// Returns true if a household's report or record shows a storefront that matches `isFound`.
  ///
  /// Uses reports and records within 180 days of a moment, except those of the given chain.
  func contains(
    household: HouseholdNumber, without chain: ChainPosition, around time: Instant,
    where isFound: (Storefront) -> Bool
  ) -> Bool {
    let range = byHousehold[Int(household.rawValue)]
    let reach = Milliseconds.days(180).rawValue
    let first = byHousehold.items.firstPosition(in: range) {
      $0.time >= time.milliseconds - reach
    }
    return byHousehold.items[first..<range.upperBound]
      .prefix { $0.time <= time.milliseconds + reach }
      .contains { $0.chain != chain && isFound($0.storefront) }
  }

  /// Returns true if a household was certainly in a storefront at a moment.
  ///
  /// Uses the evidence nearest before the moment and the evidence nearest after the moment. Both
  /// must show the storefront. If there is evidence only before or only after the moment, the
  /// evidence must also be within 31 days of the moment. For a chain without a household, uses only
  /// the chain's own evidence.
  ///
  /// Example: a customer who was in Germany in March and in July was there in May. If nothing is
  /// known after March, the customer may have moved by July.
  func isSure(
    of storefront: Storefront, at time: Instant, chain: ChainPosition, household: HouseholdNumber?
  ) -> Bool {
    let places = household == nil ? byChain : byHousehold
    let range = places[household.map { Int($0.rawValue) } ?? chain.index]
    let next = places.items.firstPosition(in: range) { $0.time > time.milliseconds }
    let before = next > range.lowerBound ? places.items[next - 1] : nil
    let after = next < range.upperBound ? places.items[next] : nil
    let found = [before, after].compactMap(\.self)
    return found.allSatisfy { $0.storefront == storefront }
      && (found.count == 2
        || found.contains { abs($0.time - time.milliseconds) <= Self.near.rawValue })
  }

  /// The maximum time between a moment and the evidence that shows its storefront: 31 days.
  private static let near = Milliseconds.days(31)

  /// Finds the evidence of a chain's storefront that is nearest to a moment.
  ///
  /// Searches the chain's own reports and records, and the household's evidence without a chain. If
  /// there is none, searches the household's other chains.
  func nearest(to time: Instant, chain: ChainPosition, household: HouseholdNumber?) -> Place? {
    let own = byChain.nearest(to: time.milliseconds, in: byChain[chain.index])
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
