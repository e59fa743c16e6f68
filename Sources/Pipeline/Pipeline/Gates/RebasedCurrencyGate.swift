internal import Amounts
internal import CivilTime
internal import Diagnostics
internal import PriceLearning
internal import PurchaseModel

/// The gate `rebased_currency`: the prices of a storefront changed by a power of ten.
///
/// The prices became 10, 100 or 1,000 times as high or as low, and the catalogue does not explain
/// the change. Example: from March 4 on, most phones in Hungary report a hundredth of every earlier
/// price in HUF.
struct RebasedCurrencyGate {
  /// Returns a finding with all storefronts whose unit is doubtful; `nil` if there are none.
  func finding(_ doubted: [DoubtedUnit]) -> GateFinding? {
    guard let first = doubted.first else { return nil }
    let items = doubted.map { unit in
      GateFinding.Item(
        subject: "\(unit.storefront.code) \(unit.currency.code)",
        found: "prices in another unit from \(unit.from.day.text) on",
        expected: "a line such as \(Self.line(unit))")
    }
    let others =
      items.count > 1 ? " (and in \(Count.text(items.count - 1, "more storefront")))" : ""
    var finding = GateFinding(
      .rebasedCurrency, items,
      message: """
        from \(first.from.day.text) on, most price reports of \(first.storefront.code) in \
        \(first.currency.code)\(others) show \(Self.change(first.factor)), and nothing shows \
        whether the currency or the app changed: reports from that day on decide no amount there.
        """, fault: "rebased_currency")
    finding.remedy = """
      If the currency got a new unit, add the line \(Self.line(first)) to the catalogue. If an app \
      version sends another unit, write the correct prices of that day under prices in the \
      catalogue instead.
      """
    finding.duration = .standing
    finding.page = .gates
    return finding
  }

  /// Returns the catalogue line that would settle the unit.
  private static func line(_ unit: DoubtedUnit) -> String {
    "rebased: [{currency: \(unit.currency.code), from: \(unit.from.day.text), "
      + "factor: \(unit.factor.text)}]"
  }

  private static func change(_ factor: RebasingFactor) -> String {
    switch factor.exponent {
    case 1: "a tenth of the earlier prices"
    case 2: "a hundredth of the earlier prices"
    case 3: "a thousandth of the earlier prices"
    case let power where power < 0: "\(factor.inverseText) times the earlier prices"
    default: "1/\(factor.text) of the earlier prices"
    }
  }
}

extension RebasingFactor {
  /// The inverse of the factor as text: `100` for a factor of 0.01.
  fileprivate var inverseText: String { RebasingFactor(exponent: -exponent)?.text ?? "1" }
}
