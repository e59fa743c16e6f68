internal import CivilTime
internal import PurchaseModel
internal import Purchases

/// The moments at which phones of a household, or of one Apple account, sent records and reports.
///
/// What is sent within an hour comes from one phone, and shows one storefront. So a report and the
/// record of the same moment are one witness of the storefront.
///
/// Example: a receipt at 12:00 and a report at 12:01, both from Germany, are one moment. A report
/// of the next day is another.
struct HouseholdMoments: Sendable {
  /// A moment of a household.
  struct Moment: Hashable, Sendable {
    /// The time of the first record or report, in Unix milliseconds, UTC.
    var from: Int64
    /// The time of the last record or report, in Unix milliseconds, UTC.
    var through: Int64
    /// The storefront of the moment.
    ///
    /// `nil` if nothing names a storefront, or if two storefronts are named.
    var storefront: Storefront?

    /// Returns true if a record or report of the given time is of this moment.
    func contains(_ time: Instant) -> Bool {
      let pause = HouseholdMoments.longestPause.rawValue
      return from - pause <= time.milliseconds && time.milliseconds <= through + pause
    }
  }

  private struct Sighting: Timed, Sendable {
    var owner: Int
    var time: Int64
    var storefront: Storefront?

    init(_ report: PriceReport, of owner: Int) {
      self.owner = owner
      time = report.reportedAt.milliseconds
      storefront = report.storefront
    }

    init(_ observation: StorefrontObservation, of owner: Int) {
      self.owner = owner
      time = observation.observedAt.milliseconds
      storefront = observation.storefront
    }
  }

  /// The longest time between two records or reports of one moment: one hour.
  static let longestPause = Milliseconds.hours(1)

  private var moments: [Moment] = []
  private var starts: [Int] = [0]
  /// Whether the records and reports of each owner name several storefronts.
  private var varied: [Bool] = []

  /// Divides the records and reports of each household into moments, without reports of other
  /// stores.
  init(_ batch: HouseholdBatch) {
    let reports = batch.reports.map { own in
      own.isOfOtherStore ? nil : own.household.map { Sighting(own.report, of: Int($0.rawValue)) }
    }
    let records = batch.book.storefrontObservations.map { observation in
      observation.household.map { Sighting(observation, of: Int($0.rawValue)) }
    }
    self.init((reports + records).compactMap(\.self), owners: batch.households)
  }

  /// Divides the records and reports of each Apple account into moments.
  ///
  /// These are the records with a chain of the account, and the reports of the account's purchases.
  init(_ batch: HouseholdBatch, _ named: NamedRows, of accounts: RecordedAccounts) {
    let reports = batch.reports.enumerated().map { position, own in
      named.chain[position].map { Sighting(own.report, of: accounts[$0]) }
    }
    let records = batch.book.storefrontObservations.map { observation in
      observation.chain.map { Sighting(observation, of: accounts[$0]) }
    }
    self.init((reports + records).compactMap(\.self), owners: batch.book.chains.count)
  }

  private init(_ sightings: [Sighting], owners: Int) {
    let byOwner = Grouping(
      sightings, count: owners, by: { $0.owner }, orderedBy: { $0.time < $1.time })
    for owner in 0..<owners {
      let own = byOwner.items[byOwner[owner]]
      add(own)
      starts.append(moments.count)
      let first = own.lazy.compactMap(\.storefront).first
      varied.append(own.contains { $0.storefront != nil && $0.storefront != first })
    }
  }

  /// Returns true if the records and reports of a household name several storefronts.
  func areVaried(_ household: HouseholdNumber) -> Bool { varied[Int(household.rawValue)] }

  /// Returns true if the records and reports of an account name several storefronts.
  func areVaried(account: Int) -> Bool { varied[account] }

  /// The moments of a household that name a storefront, oldest first.
  func naming(_ household: HouseholdNumber) -> [Moment] { naming(Int(household.rawValue)) }

  /// The moments of an account that name a storefront, oldest first.
  func naming(account: Int) -> [Moment] { naming(account) }

  private func naming(_ owner: Int) -> [Moment] {
    moments[starts[owner]..<starts[owner + 1]].filter { $0.storefront != nil }
  }

  /// Adds the moments of a household; the sightings are sorted by time.
  private mutating func add(_ sightings: ArraySlice<Sighting>) {
    var current: Moment?
    var isContested = false
    for sighting in sightings {
      if var moment = current, sighting.time - moment.through <= Self.longestPause.rawValue {
        moment.through = sighting.time
        if let storefront = sighting.storefront {
          isContested = isContested || moment.storefront.map { $0 != storefront } ?? false
          moment.storefront = moment.storefront ?? storefront
        }
        current = moment
        continue
      }
      close(current, isContested)
      current = Moment(
        from: sighting.time, through: sighting.time, storefront: sighting.storefront)
      isContested = false
    }
    close(current, isContested)
  }

  private mutating func close(_ moment: Moment?, _ isContested: Bool) {
    guard var moment else { return }
    if isContested { moment.storefront = nil }
    moments.append(moment)
  }
}
