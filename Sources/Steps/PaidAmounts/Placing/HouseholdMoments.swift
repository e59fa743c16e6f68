internal import CivilTime
internal import PurchaseModel
internal import Purchases

/// The moments at which a household's phones sent records and reports.
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
  }

  private struct Sighting: Timed, Sendable {
    var owner: Int
    var time: Int64
    var storefront: Storefront?
  }

  /// The longest time between two records or reports of one moment: one hour.
  static let longestPause = Milliseconds.hours(1)

  private var moments: [Moment] = []
  private var starts: [Int] = [0]

  /// Divides the records and reports of each household into moments.
  init(_ batch: HouseholdBatch) {
    var sightings = batch.reports.compactMap { own in
      own.household.map {
        Sighting(
          owner: Int($0.rawValue), time: own.report.reportedAt.milliseconds,
          storefront: own.report.storefront)
      }
    }
    sightings += batch.book.storefrontObservations.compactMap { observation in
      observation.household.map {
        Sighting(
          owner: Int($0.rawValue), time: observation.observedAt.milliseconds,
          storefront: observation.storefront)
      }
    }
    let byHousehold = Grouping(
      sightings, count: batch.households, by: { $0.owner }, orderedBy: { $0.time < $1.time })
    for household in 0..<batch.households {
      add(byHousehold.items[byHousehold[household]])
      starts.append(moments.count)
    }
  }

  /// The moments of a household that name a storefront, oldest first.
  func naming(_ household: HouseholdNumber) -> [Moment] {
    let range = starts[Int(household.rawValue)]..<starts[Int(household.rawValue) + 1]
    return moments[range].filter { $0.storefront != nil }
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
