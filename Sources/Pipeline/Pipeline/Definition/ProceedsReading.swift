internal import CivilTime
internal import Diagnostics
internal import PurchaseModel

extension ProceedsTerms {
  /// Reads and checks `proceeds` of a catalogue; `nil` if the key is missing.
  ///
  /// Without `commission`, Apple's published terms apply. Taxes are required, because an estimate
  /// without tax could be a mistake. To estimate without tax, write
  /// `[{from: 2008-07-10, percent: 0, included: false}]`.
  static func read(_ top: SettingsMapping) throws(RunFailure) -> ProceedsTerms? {
    guard let entry = try top.mapping("proceeds", known: keys) else { return nil }
    var commissions: [Commission] = []
    for item in try entry.mappings("commission", known: commissionKeys) {
      let standard = try item.requiredValue("percent", expected: aShare, read: appleShare)
      let reduced = try item.value("reduced_percent", expected: aShare, read: appleShare)
      commissions.append(
        Commission(
          storefront: try storefront(item), from: try day(item), standard: standard,
          reduced: reduced ?? standard))
    }
    var taxes: [Tax] = []
    for item in try entry.mappings("taxes", known: taxKeys) {
      taxes.append(
        Tax(
          storefront: try storefront(item), from: try day(item),
          rate: try item.requiredValue("percent", expected: aPercentage, read: basisPoints),
          isIncluded: try item.requiredValue(
            "included", expected: "true or false", read: { ["true": true, "false": false][$0] })))
    }
    guard !taxes.isEmpty else {
      throw entry.failure(
        "taxes",
        expected: "a list of at least one tax; write "
          + "[{from: 2008-07-10, percent: 0, included: false}] for none")
    }
    try refuseTwice(commissions.map { ($0.storefront, $0.from) }, in: entry, key: "commission")
    try refuseTwice(taxes.map { ($0.storefront, $0.from) }, in: entry, key: "taxes")
    return ProceedsTerms(
      commissions: commissions.isEmpty ? standardCommissions : commissions,
      smallBusiness: try smallBusiness(entry), taxes: taxes)
  }

  private static let keys = ["commission", "small_business", "taxes"]
  private static let commissionKeys = ["storefront", "from", "percent", "reduced_percent"]
  private static let taxKeys = ["storefront", "from", "percent", "included"]

  private static func smallBusiness(_ entry: SettingsMapping) throws(RunFailure)
    -> [SmallBusiness]
  {
    var memberships: [SmallBusiness] = []
    for item in try entry.mappings("small_business", known: ["from", "through"]) {
      let from = try day(item)
      let through = try item.value("through", expected: aDay, read: CivilDay.init(text:))
      if let through, through < from {
        throw item.failure(
          "through", expected: "the day of the key from, or a later day", found: through.text)
      }
      memberships.append(SmallBusiness(from: from, through: through))
    }
    return memberships
  }

  private static func storefront(_ item: SettingsMapping) throws(RunFailure) -> Storefront? {
    try item.value(
      "storefront", expected: "a country code such as DEU or DE", read: Storefront.init)
  }

  private static let aDay = "a day such as 2021-01-01"
  private static let aPercentage =
    "a percentage from 0 to 99.99 with at most two decimals, such as 30 or 7.5"

  private static let aShare = aPercentage + "; a share such as 0.30 is not a percentage"

  /// Reads Apple's commission in percent; `nil` for any other text.
  ///
  /// A number above 0 and below 1 is refused too, because 0.30 probably means 30 %.
  private static func appleShare(_ text: String) -> BasisPoints? {
    basisPoints(text).flatMap { (1..<100).contains($0.rawValue) ? nil : $0 }
  }

  private static func day(_ item: SettingsMapping) throws(RunFailure) -> CivilDay {
    try item.requiredValue("from", expected: aDay, read: CivilDay.init(text:))
  }

  /// Converts a percentage to hundredths of a percent; `nil` for any other text.
  ///
  /// Example: `7.5` → 750.
  static func basisPoints(_ text: String) -> BasisPoints? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard (1...2).contains(parts.count),
      let whole = PipelineDefinition.wholeNumber(String(parts[0])), whole < 100
    else { return nil }
    guard parts.count == 2 else { return BasisPoints(Int32(whole * 100)) }
    guard parts[1].utf8.count <= 2,
      let fraction = PipelineDefinition.wholeNumber(String(parts[1]))
    else { return nil }
    return BasisPoints(Int32(whole * 100 + (parts[1].utf8.count == 1 ? fraction * 10 : fraction)))
  }

  private static func refuseTwice(
    _ entries: [(storefront: Storefront?, from: CivilDay)], in entry: SettingsMapping, key: String
  ) throws(RunFailure) {
    let names = entries.map { ($0.storefront?.code ?? "all other storefronts", $0.from) }
    let sorted = names.sorted { $0 < $1 }
    for (left, right) in zip(sorted, sorted.dropFirst()) where left == right {
      throw entry.failure(
        key, expected: "the only entry for its storefront and day",
        found: "\(left.0) \(left.1.text)")
    }
  }
}
