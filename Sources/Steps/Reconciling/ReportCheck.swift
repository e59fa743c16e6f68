public import Amounts
public import AppleReports
public import CivilTime
public import PurchaseModel

/// The charges in Apple's reports, for a check of the reports themselves.
///
/// The check compares the Sales report of a day with the Subscriber report of the same day. It also
/// compares the charges of a day with the charges of earlier days. Charges can be added in any
/// order.
public struct ReportCheck: Sendable {
  /// A product on a day, in one storefront or in all storefronts together.
  public struct Place: Hashable, Comparable, Sendable {
    /// The day of the event, in Pacific time.
    public var day: CivilDay
    /// The product id in App Store Connect.
    public var productID: String
    /// The storefront; `nil` for all storefronts together.
    public var storefront: Storefront?

    /// Creates a place from its fields.
    public init(day: CivilDay, productID: String, storefront: Storefront?) {
      self.day = day
      self.productID = productID
      self.storefront = storefront
    }

    /// Orders places by day, product and storefront.
    public static func < (left: Place, right: Place) -> Bool {
      (left.day, left.productID, left.storefront?.rawValue ?? 0)
        < (right.day, right.productID, right.storefront?.rawValue ?? 0)
    }
  }

  /// The key under which units are added up: units with equal properties have one entry.
  public struct Entry: Hashable, Sendable {
    /// The report that has the units.
    public var report: AppleReport
    /// The day of the report's file.
    public var reportDay: CivilDay
    /// The product, the storefront and the day of the event.
    public var place: Place
    /// The currency of the price.
    public var currency: Currency
    /// The price of one unit, in thousandths, above 0.
    public var price: Int64
    /// Whether the units were refunded.
    public var isRefund: Bool
    /// Whether the product is an auto-renewable subscription.
    public var isSubscription: Bool

    /// Creates an entry from its fields.
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

    /// Creates the entry of a line in a Sales or Subscriber report.
    ///
    /// `nil` for a line of another report, for free units, and for a partial refund.
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

  /// The number of units per entry; negative for refunds.
  public private(set) var entries: [Entry: Int64] = [:]

  /// Creates a check without entries.
  public init() {}

  /// Adds the units of a line to the units of earlier lines with an equal entry.
  public mutating func add(_ entry: Entry, units: Int64) {
    entries[entry, default: 0] += units
  }

  /// Finds the charges in the reports that are unreliable.
  public func doubts(subscriberDays: Set<CivilDay>, salesDays: Set<CivilDay>) -> ReportDoubts {
    var doubts = ReportDoubts()
    doubts.differing = differing(on: subscriberDays.intersection(salesDays))
    doubts.implausible = implausible(subscriberDays: subscriberDays, salesDays: salesDays)
    return doubts
  }

  /// The units of a product in a storefront, keyed by price, in the two reports of one day.
  private struct DayUnits {
    struct Price: Hashable {
      var currency: Currency
      var price: Int64
      var isRefund: Bool
    }
    var sales: [Price: Int64] = [:]
    var subscriber: [Price: Int64] = [:]
    var days: Set<CivilDay> = []
  }

  /// Compares the Sales report and the Subscriber report of each given day.
  ///
  /// A report may also contain events of other days; these are compared too.
  private func differing(on days: Set<CivilDay>) -> [ReportDoubts.Difference] {
    var dayUnits: [Place: DayUnits] = [:]
    for (entry, units) in entries
    where entry.isSubscription && units != 0 && days.contains(entry.reportDay) {
      var place = entry.place
      place.day = entry.reportDay
      let price = DayUnits.Price(
        currency: entry.currency, price: entry.price, isRefund: entry.isRefund)
      if entry.report == .sales {
        dayUnits[place, default: DayUnits()].sales[price, default: 0] += units
      } else {
        dayUnits[place, default: DayUnits()].subscriber[price, default: 0] += units
      }
      dayUnits[place]?.days.formUnion([entry.place.day, entry.reportDay])
    }
    return dayUnits.filter { $0.value.sales != $0.value.subscriber }
      .map { place, dayUnits in
        ReportDoubts.Difference(
          place: place, days: dayUnits.days.sorted(),
          salesUnits: dayUnits.sales.values.reduce(0, +),
          subscriberUnits: dayUnits.subscriber.values.reduce(0, +))
      }
      .sorted { $0.place < $1.place }
  }

  /// The units and money of one product in one kind of report, keyed by day.
  private struct Timeline {
    var units: [CivilDay: Int64] = [:]
    var money: [Currency: [CivilDay: Int64]] = [:]
  }
  private struct Series: Hashable {
    var report: AppleReport
    var productID: String
  }

  /// Finds the products and days with implausibly many charges.
  ///
  /// A day with more than 1,000 units is compared with the 28 days before. It is implausible if it
  /// has more than 20 times the units or the money of the largest of these days. If none of these
  /// days has a report, the day is not checked. Example: 3,000 units on a day after at most 100
  /// units on each earlier day → implausible.
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

/// The products, storefronts and days in which Apple's charges are unreliable.
struct DoubtedPlaces {
  fileprivate let places: Set<ReportCheck.Place>

  /// Returns true if the charges of a product and storefront on a day are unreliable.
  func contains(_ day: CivilDay, _ productID: String, _ storefront: Storefront?) -> Bool {
    guard !places.isEmpty else { return false }
    return [storefront, nil].contains {
      places.contains(ReportCheck.Place(day: day, productID: productID, storefront: $0))
    }
  }
}

/// The unreliable charges in Apple's reports: two reports differ, or the numbers are implausible.
public struct ReportDoubts: Hashable, Sendable {
  /// The number of preceding days with which a day is compared.
  static let lookBack: Int64 = 28
  /// The multiple of the largest earlier day up to which a day's units or money are plausible: 20.
  static let largestFactor: Int64 = 20
  /// The number of units up to which a day is always plausible: 1,000.
  static let leastUnits: Int64 = 1_000

  /// A difference between the Sales and the Subscriber report of one day.
  public struct Difference: Hashable, Sendable {
    /// The product in its storefront, on the day of the reports.
    public var place: ReportCheck.Place
    /// The day of the two reports and the days of their events, sorted.
    public var days: [CivilDay]
    /// The units of the Sales report, minus refunds.
    public var salesUnits: Int64
    /// The units of the Subscriber report, minus refunds.
    public var subscriberUnits: Int64

    /// Creates a difference from its fields.
    public init(
      place: ReportCheck.Place, days: [CivilDay], salesUnits: Int64, subscriberUnits: Int64
    ) {
      self.place = place
      self.days = days
      self.salesUnits = salesUnits
      self.subscriberUnits = subscriberUnits
    }
  }

  /// The products, storefronts and days in which Sales and Subscriber reports differ.
  public var differing: [Difference] = []
  /// The products and days with implausible numbers; each entry is for all storefronts together.
  public var implausible: [ReportCheck.Place] = []

  /// Creates an empty list of doubts.
  public init() {}

  /// All products, storefronts and days with unreliable charges.
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

  /// The products, storefronts and days in which charges are unreliable.
  var doubtedPlaces: DoubtedPlaces { DoubtedPlaces(places: Set(places)) }

  /// Removes the doubts about products of other apps, for which `isOther` returns true.
  public mutating func leaveOut(_ isOther: (String) -> Bool) {
    differing.removeAll { isOther($0.place.productID) }
    implausible.removeAll { isOther($0.productID) }
  }
}
