internal import CivilTime
internal import Diagnostics
internal import PurchaseModel
internal import Reconciling

/// The gates `apple_reports_differ` and `apple_reports_implausible`.
///
/// The first gate finds products and days for which Apple's Sales and Subscriber reports differ.
/// The second finds products and days with implausibly many units. In both cases the reports prove
/// no amount of the product on that day.
struct ReportDoubtGates {
  /// The largest number of products and days that a finding lists.
  static let shown = 10

  let rules: GateRules

  /// Returns the findings; empty if the reports agree and are plausible.
  func findings(_ doubts: ReportDoubts) -> [GateFinding] {
    [differing(doubts.differing), implausible(doubts.implausible)].compactMap(\.self)
      .filter { rules[$0.gate] != .off }
  }

  private func differing(_ found: [ReportDoubts.Difference]) -> GateFinding? {
    guard !found.isEmpty else { return nil }
    let items = found.prefix(Self.shown).map { difference in
      GateFinding.Item(
        subject: Self.name(difference.place),
        found: difference.salesUnits == difference.subscriberUnits
          ? "other prices" : Count.text(Int(difference.subscriberUnits), "unit") + " by Subscriber",
        expected: Count.text(Int(difference.salesUnits), "unit") + " by Sales")
    }
    var finding = GateFinding(
      .appleReportsDiffer, items,
      message: "Apple's Sales and Subscriber reports differ in \(Count.text(found.count, "place")) "
        + "(one day, product and storefront each), so they prove no amount there: "
        + items.map(\.subject).joined(separator: ", ") + Self.more(found.count),
      fault: Gate.appleReportsDiffer.rawValue)
    finding.remedy =
      "Fetch the reports of these days again: one of the two reports was edited, cut or withdrawn."
    finding.page = .books
    finding.duration = .standing
    return finding
  }

  private func implausible(_ found: [ReportCheck.Place]) -> GateFinding? {
    guard !found.isEmpty else { return nil }
    let items = found.prefix(Self.shown).map { place in
      GateFinding.Item(
        subject: Self.name(place),
        found: "more than 1,000 units, and more than 20 times the largest day before",
        expected: "at most 20 times the units of the largest day of the 28 days before")
    }
    var finding = GateFinding(
      .appleReportsImplausible, items,
      message:
        "Apple's reports show more than 20 times the units of each of the 28 days before, so they "
        + "prove no amount of these days: " + items.map(\.subject).joined(separator: ", ")
        + Self.more(found.count),
      fault: Gate.appleReportsImplausible.rawValue)
    finding.remedy = "Compare these days with App Store Connect."
    finding.page = .books
    finding.duration = .standing
    return finding
  }

  private static func name(_ place: ReportCheck.Place) -> String {
    [place.day.text, OneLine.text(place.productID), place.storefront?.code].compactMap(\.self)
      .joined(separator: " ")
  }

  private static func more(_ count: Int) -> String {
    count > shown ? " and \(count - shown) more" : ""
  }
}
