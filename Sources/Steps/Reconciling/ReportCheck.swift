public import Amounts
public import AppleReports
public import CivilTime
public import PurchaseModel

/// The charges of each report of a day, to hold two reports against each other and a day against
/// the days before it.
///
/// Sums of parts add up, in any order.
public struct ReportCheck: Sendable {
  /// A product in a storefront on a day.
  public struct Place: Hashable, Comparable, Sendable {
    /// The Pacific day of the event.
    public var day: CivilDay
    /// The product, as App Store Connect names it.
    public var productID: String
    /// The storefront; `nil` for all.
    public var storefront: Storefront?

    /// Creates a place of its parts.
    public init(day: CivilDay, productID: String, storefront: Storefront?) {
      self.day = day
      self.productID = productID
      self.storefront = storefront
    }

    /// By day, product and storefront.
    public static func < (left: Place, right: Place) -> Bool {
      (left.day, left.productID, left.storefront?.rawValue ?? 0)
        < (right.day, right.productID, right.storefront?.rawValue ?? 0)
    }
  }

  /// Equal units of one report.
  public struct Entry: Hashable, Sendable {
    /// The report that has the units.
    public var report: AppleReport
    /// The day of the report, which is that of its file.
    public var reportDay: CivilDay
    /// The product in its storefront, on the day of the event.
    public var place: Place
    /// The currency of the price.
    public var currency: Currency
    /// The price of one, in thousandths, above 0.
    public var price: Int64
    /// Whether money went back.
    public var isRefund: Bool
    /// Whether it is a subscription that renews.
    public var isSubscription: Bool

    /// Creates units of their parts.
    public init(
      report: AppleReport, reportDay: CivilDay, place: Place, currency: Currency, price: Int64,
      isRefund: Bool, isSubscription: Bool
    ) {
      self.report = report
      self.reportDay = reportDay
      self.place = place
      self.currency = currency
      self.price = price
      self.isRefund = isRefund
      self.isSubscription = isSubscription
    }

    /// The units of a line; `nil` for free ones, for a part that went back, and in reports that are
    /// not compared.
    public init?(_ line: AppleReportLine, of productID: String, reportDay: CivilDay) {
      guard line.report == .sales || line.report == .subscriber, let currency = line.currency,
        let price = line.unitPrice, price > .zero
      else { return nil }
      self.init(
        report: line.report, reportDay: reportDay,
        place: Place(day: line.day, productID: productID, storefront: line.storefront),
        currency: currency, price: price.rawValue, isRefund: line.isRefund,
        isSubscription: line.isSubscription == true)
    }
  }

  /// The units of all equal lines, below 0 for refunds.
  public private(set) var entries: [Entry: Int64] = [:]

  /// Begins without any entry.
  public init() {}

  /// Adds the units of equal lines.
  public mutating func add(_ entry: Entry, units: Int64) {
    entries[entry, default: 0] += units
  }

  /// Finds the charges that prove nothing.
  ///
  /// - Parameters:
  ///   - subscriberDays: The days whose Subscriber report was read.
  ///   - salesDays: The days whose Sales report was read.
  /// - Returns: The places where two reports differ, and those whose numbers cannot be.
  public func doubts(subscriberDays: Set<CivilDay>, salesDays: Set<CivilDay>) -> ReportDoubts {
    var doubts = ReportDoubts()
    doubts.differing = differing(on: subscriberDays.intersection(salesDays))
    doubts.implausible = implausible(subscriberDays: subscriberDays, salesDays: salesDays)
    return doubts
  }

  /// Two reports of one day about a product in a storefront.
  private struct Told {
    struct Price: Hashable {
      var currency: Currency
      var price: Int64
      var isRefund: Bool
    }
    var sales: [Price: Int64] = [:]
    var subscriber: [Price: Int64] = [:]
    var days: Set<CivilDay> = []
  }

  /// Reports of one day are held against each other, whatever the days of their events.
  private func differing(on days: Set<CivilDay>) -> [ReportDoubts.Difference] {
    var told: [Place: Told] = [:]
    for (entry, units) in entries
    where entry.isSubscription && units != 0 && days.contains(entry.reportDay) {
      var place = entry.place
      place.day = entry.reportDay
      let price = Told.Price(
        currency: entry.currency, price: entry.price, isRefund: entry.isRefund)
      if entry.report == .sales {
        told[place, default: Told()].sales[price, default: 0] += units
      } else {
        told[place, default: Told()].subscriber[price, default: 0] += units
      }
      told[place]?.days.formUnion([entry.place.day, entry.reportDay])
    }
    return told.filter { $0.value.sales != $0.value.subscriber }
      .map { place, told in
        ReportDoubts.Difference(
          place: place, days: told.days.sorted(), salesUnits: told.sales.values.reduce(0, +),
          subscriberUnits: told.subscriber.values.reduce(0, +))
      }
      .sorted { $0.place < $1.place }
  }

  /// The charges of a product in a report, by day.
  private struct Timeline {
    var units: [CivilDay: Int64] = [:]
    var money: [Currency: [CivilDay: Int64]] = [:]
  }
  private struct Series: Hashable {
    var report: AppleReport
    var productID: String
  }

  /// A day is held against the greatest of the 28 days before it, if one of these was read.
  private func implausible(subscriberDays: Set<CivilDay>, salesDays: Set<CivilDay>) -> [Place] {
    var timelines: [Series: Timeline] = [:]
    for (entry, units) in entries where units > 0 && !entry.isRefund {
      let series = Series(report: entry.report, productID: entry.place.productID)
      let day = entry.place.day
      timelines[series, default: Timeline()].units[day, default: 0] += units
      let money = units.multipliedReportingOverflow(by: entry.price)
      let sum = timelines[series]?.money[entry.currency]?[day] ?? 0
      timelines[series]?.money[entry.currency, default: [:]][day] =
        money.overflow
        ? .max
        : sum.addingReportingOverflow(money.partialValue).overflow
          ? .max : sum + money.partialValue
    }
    var places: Set<Place> = []
    for (series, timeline) in timelines {
      let read = series.report == .sales ? salesDays : subscriberDays
      for (day, units) in timeline.units where units > ReportDoubts.leastUnits {
        let before = (1...ReportDoubts.lookBack).map { day.advanced(by: -$0) }
        guard before.contains(where: read.contains) else { continue }
        func isBeyond(_ values: [CivilDay: Int64]) -> Bool {
          let usual = before.map { values[$0] ?? 0 }.max() ?? 0
          let most = usual.multipliedReportingOverflow(by: ReportDoubts.largestFactor)
          return !most.overflow && (values[day] ?? 0) > most.partialValue
        }
        if isBeyond(timeline.units) || timeline.money.values.contains(where: isBeyond) {
          places.insert(Place(day: day, productID: series.productID, storefront: nil))
        }
      }
    }
    return places.sorted()
  }
}

/// The parts of Apple's reports that prove nothing.
public struct ReportDoubts: Hashable, Sendable {
  /// The days that a day is held against.
  static let lookBack: Int64 = 28
  /// The growth beyond which a day cannot be.
  static let largestFactor: Int64 = 20
  /// The units that no growth makes implausible.
  static let leastUnits: Int64 = 1_000

  /// Two reports of one day that differ about a product in a storefront.
  public struct Difference: Hashable, Sendable {
    /// The product in its storefront, on the day of the reports.
    public var place: ReportCheck.Place
    /// The days of the events.
    public var days: [CivilDay]
    /// The units of the Sales report, refunds taken off.
    public var salesUnits: Int64
    /// The units of the Subscriber report, refunds taken off.
    public var subscriberUnits: Int64

    /// Creates a difference of its parts.
    public init(
      place: ReportCheck.Place, days: [CivilDay], salesUnits: Int64, subscriberUnits: Int64
    ) {
      self.place = place
      self.days = days
      self.salesUnits = salesUnits
      self.subscriberUnits = subscriberUnits
    }
  }

  /// The places where Sales and Subscriber differ.
  public var differing: [Difference] = []
  /// The days of products with more than can be, in all storefronts.
  public var implausible: [ReportCheck.Place] = []

  /// Begins without any doubt.
  public init() {}

  /// Every place of an event that proves nothing.
  public var places: [ReportCheck.Place] {
    implausible
      + differing.flatMap { difference in
        difference.days.map { day in
          ReportCheck.Place(
            day: day, productID: difference.place.productID, storefront: difference.place.storefront
          )
        }
      }
  }

  /// Leaves out the products of other apps.
  public mutating func leaveOut(_ isOther: (String) -> Bool) {
    differing.removeAll { isOther($0.place.productID) }
    implausible.removeAll { isOther($0.productID) }
  }
}
