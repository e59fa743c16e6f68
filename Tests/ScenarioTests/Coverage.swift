internal import PaidAmounts
internal import Purchases

/// The combinations of rule, status and kind of row that scenarios contain.
struct Coverage {
  /// One combination of rule, status and kind.
  struct Cell: Hashable {
    var rule: PriceRule
    var status: PriceStatus
    var kind: PeriodKind
  }

  /// Every combination, possible or not.
  static let cells = PriceRule.allCases.flatMap { rule in
    PriceStatus.allCases.flatMap { status in
      PeriodKind.allCases.map { Cell(rule: rule, status: status, kind: $0) }
    }
  }

  /// The ids of the scenarios that contain a combination, keyed by combination.
  private(set) var stories: [Cell: Set<String>] = [:]

  /// Counts the facts of scenarios that were run.
  init(_ played: [(id: String, facts: StoryFacts)]) {
    for (id, facts) in played {
      for (row, amount) in facts.amounts.amounts.enumerated() {
        let kind = facts.timelines.rows[row].kind
        let cell = Cell(rule: amount.rule, status: amount.status, kind: kind)
        stories[cell, default: []].insert(id)
      }
    }
  }

  /// The page: a row for each rule and each of its statuses, a column for each kind.
  var page: String {
    let kinds = PeriodKind.allCases
    var lines = [
      "# What the stories show", "",
      "In how many stories an amount comes about in this way. Computed from all stories but the",
      "canaries: `make docs` writes this page, and a test compares it. A dash cannot be, as said below.",
      "", "| rule | status | " + kinds.map { "`\($0.rawValue)`" }.joined(separator: " | ") + " |",
      "|---|---|" + String(repeating: "---:|", count: kinds.count),
    ]
    for rule in PriceRule.allCases {
      for status in PriceStatus.allCases where Impossible.statuses(of: rule).contains(status) {
        let counts = kinds.map { kind in
          let cell = Cell(rule: rule, status: status, kind: kind)
          return Impossible.reason(cell) == nil ? "\(stories[cell]?.count ?? 0)" : "–"
        }
        lines.append(
          "| `\(rule.rawValue)` | \(status.rawValue) | \(counts.joined(separator: " | ")) |")
      }
    }
    lines += ["", "## Why the others cannot be", "", "| rule | its statuses | its kinds |"]
    lines.append("|---|---|---|")
    for rule in PriceRule.allCases {
      lines.append(
        "| `\(rule.rawValue)` | \(Impossible.whyStatuses(of: rule)) | "
          + "\(Impossible.whyKinds(of: rule)) |")
    }
    return lines.joined(separator: "\n") + "\n"
  }
}

/// The combinations of rule, status and kind that no export can produce, with the reasons.
enum Impossible {
  /// The reason why a combination is impossible; `nil` if it is possible.
  static func reason(_ cell: Coverage.Cell) -> String? {
    guard statuses(of: cell.rule).contains(cell.status) else { return whyStatuses(of: cell.rule) }
    return kinds(of: cell.rule).contains(cell.kind) ? nil : whyKinds(of: cell.rule)
  }

  /// The statuses that a rule can give.
  static func statuses(of rule: PriceRule) -> Set<PriceStatus> {
    switch rule {
    case .conflict: [.conflict]
    case .signedPrice: [.exact]
    case .appleReport: [.proven, .inferred]
    case .ownerCorrection: [.configured]
    case .freeTrial, .freeOffer: [.zeroByRule]
    case .reportedCharge, .reportedWithPurchase: [.exact, .derived]
    case .sameOffer: [.derived, .inferred, .configured]
    case .previousRenewal: [.derived, .inferred, .configured, .unresolved]
    case .customerReport: [.derived]
    case .priceHistory: [.inferred, .derived]
    case .servicePrice: []
    case .catalogueOffer, .cataloguePrice: [.configured]
    case .unresolved: [.unresolved]
    }
  }

  /// The reason why a rule cannot give other statuses.
  static func whyStatuses(of rule: PriceRule) -> String {
    switch rule {
    case .conflict: "a contradiction has a status of its own"
    case .signedPrice: "Apple's word is exact"
    case .appleReport: "proven where the customer surely was in that storefront, else inferred"
    case .ownerCorrection: "the owner only configures"
    case .freeTrial, .freeOffer: "free by the receipt's flags, not by evidence"
    case .reportedCharge: "two senders or the owner's server prove a charge, or not"
    case .reportedWithPurchase: "a report is confirmed by others, or it is not"
    case .sameOffer: "that of the earlier row, `derived` at best"
    case .previousRenewal: "that of the earlier row, `derived` at best, or open"
    case .customerReport: "a report of another time is never exact"
    case .priceHistory: "the fetched list derives, others' reports only let one infer"
    case .servicePrice: "stories have no exports of hosted services; ServiceExportTests have"
    case .catalogueOffer, .cataloguePrice: "the catalogue only configures"
    case .unresolved: "nothing is known"
    }
  }

  /// The kinds of rows that a rule can decide.
  static func kinds(of rule: PriceRule) -> Set<PeriodKind> {
    switch rule {
    case .conflict: Set(PeriodKind.allCases).subtracting([.oneTime])
    case .signedPrice: Set(PeriodKind.allCases)
    case .freeTrial: [.trial]
    case .freeOffer: [.promo, .offerCode]
    case .sameOffer: [.intro, .promo, .offerCode]
    case .previousRenewal: [.regular]
    case .catalogueOffer: [.promo, .offerCode]
    case .cataloguePrice, .servicePrice: [.regular, .oneTime]
    case .appleReport, .ownerCorrection, .reportedCharge, .reportedWithPurchase, .customerReport,
      .priceHistory,
      .unresolved:
      Set(PeriodKind.allCases).subtracting([.trial])
    }
  }

  /// The reason why a rule cannot decide other kinds.
  static func whyKinds(of rule: PriceRule) -> String {
    switch rule {
    case .conflict:
      "a one-time purchase is known by its product, and its restores may have other times"
    case .signedPrice: "all"
    case .appleReport: "a trial is free, whatever others paid"
    case .ownerCorrection: "a trial is free, whatever the owner says"
    case .freeTrial: "the trial flag without an offer id makes a row a trial"
    case .freeOffer: "the trial flag with an offer id makes an offer free"
    case .sameOffer: "others belong to no offer, or are free"
    case .previousRenewal: "others are no renewals at the regular price"
    case .catalogueOffer: "only these have an offer id"
    case .cataloguePrice, .servicePrice: "offers have no list price"
    case .reportedCharge, .reportedWithPurchase, .customerReport, .priceHistory, .unresolved:
      "`free_trial` has decided every trial before"
    }
  }
}
