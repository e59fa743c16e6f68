internal import Amounts
internal import CivilTime
internal import PurchaseModel
internal import Purchases

/// Judges every report (RULES section 3, "Plausibility").
///
/// A report is compared with a reference that depends on no other verdict: the regular price that
/// most other voters report around its time, so that no order of judging exists and liars cannot
/// disqualify each other's accusers.
enum Plausibility {
  /// How far around a report others are asked for the reference.
  static let referenceReach = Milliseconds.days(90)
  /// How far around a report others may vouch for a price far from the reference.
  static let vouchingReach = Milliseconds.days(30)

  /// Fills in verdicts and references; stretches are judged by several threads at once.
  static func judge(
    _ ledger: inout ReportLedger, set: SightingSet, groups: PriceGroups, workers: Int = 1
  ) {
    let stretches = stretches(of: ledger, groups: groups)
    let known = ledger
    // The first piece finds the mismatches, which depend on no verdict and overrule all.
    let judgements = inParallel(stretches.count + 1, workers: workers) { piece in
      piece == 0
        ? currencyMismatches(known, set: set)
        : judge(stretches[piece - 1], ledger: known, set: set, groups: groups)
    }
    var judged = ledger.judged
    ledger.judged = []  // so that the array is changed in place
    for judgement in (judgements.dropFirst() + judgements.prefix(1)).lazy.flatMap(\.self) {
      judged[Int(judgement.position)].verdict = judgement.verdict
      if let reference = judgement.reference {
        judged[Int(judgement.position)].reference = Milliunits(reference)
      }
    }
    ledger.judged = judged
  }

  /// The reports of a group between two of its dates, by their places in ``ReportLedger/order``.
  private struct Stretch {
    var group: Int32
    var members: Range<Int>
  }

  /// What is thought of the report at a position of the ledger.
  private struct Judgement {
    var position: Int32
    var verdict: Verdict
    var reference: Int64?
  }

  private static func stretches(of ledger: ReportLedger, groups: PriceGroups) -> [Stretch] {
    var stretches: [Stretch] = []
    for group in 0..<groups.count {
      let members = ledger.groupStarts[group]..<ledger.groupStarts[group + 1]
      var start = members.lowerBound
      while start < members.upperBound {
        let stretch = groups.stretch(Int32(group), at: ledger.time(ofOrdered: start))
        var end = start + 1
        while end < members.upperBound,
          groups.stretch(Int32(group), at: ledger.time(ofOrdered: end)) == stretch
        {
          end += 1
        }
        stretches.append(Stretch(group: Int32(group), members: start..<end))
        start = end
      }
    }
    return stretches
  }

  private static func judge(
    _ stretch: Stretch, ledger: ReportLedger, set: SightingSet, groups: PriceGroups
  ) -> [Judgement] {
    let window = ReportWindow(
      members: ledger.order[stretch.members], ledger: ledger, reports: set.reports)
    var references = References.find(in: window)
    for member in window.members.indices where references[member] == nil {
      references[member] =
        groups.listPrice(stretch.group, at: window.times[member])?.price.rawValue
    }
    var judgements: [Judgement] = []
    judgements.reserveCapacity(window.members.count)
    window.sweep(reach: vouchingReach) { member, tally in
      guard let reference = references[member] else { return }
      let verdict = verdict(
        price: window.prices[Int(window.price[member])], reference: reference
      ) {
        let vouchers = tally.voters(of: window.price[member])
        let number = window.prices.firstPosition { $0 >= reference }
        let isReported = number < window.prices.count && window.prices[number] == reference
        let others = isReported ? tally.voters(of: Int32(number)) : 0
        return vouchers >= 4 && vouchers > others
      }
      judgements.append(
        Judgement(position: window.members[member], verdict: verdict, reference: reference))
    }
    return judgements
  }

  /// What is thought of a price next to its reference; both in thousandths.
  ///
  /// `isVouchedFor` is asked only for a price outside [⅓, 3] × reference.
  static func verdict(price: Int64, reference: Int64, isVouchedFor: () -> Bool) -> Verdict {
    if 3 * price >= reference, price <= 3 * reference { return .believed }
    if isVouchedFor() { return .believed }
    return isOtherUnit(price: price, reference: reference) ? .unitError : .outlier
  }

  /// Whether the ratio lies within 5 % of 100, 1,000 or their inverses.
  static func isOtherUnit(price: Int64, reference: Int64) -> Bool {
    guard price > 0, reference > 0 else { return false }
    for factor in [100, 1000] as [Int64] {
      let above = abs(price - factor * reference)
      if above * 20 <= factor * reference { return true }
      let below = abs(factor * price - reference)
      if below * 20 <= reference { return true }
    }
    return false
  }

  /// At least three other voters reported the storefront, none of them in the report's currency.
  private static func currencyMismatches(_ ledger: ReportLedger, set: SightingSet) -> [Judgement] {
    let claims = StorefrontClaims(ledger, set: set)
    return ledger.judged.indices.compactMap { position in
      guard let claim = claims.ofReports[position] else { return nil }
      // The report's own voter is one of both counts.
      guard claims.voters[Int(claim.any)] - 1 >= 3, claims.voters[Int(claim.own)] == 1 else {
        return nil
      }
      return Judgement(position: Int32(position), verdict: .currencyMismatch, reference: nil)
    }
  }
}

/// How many voters reported each storefront, and each in which currency.
private struct StorefrontClaims {
  /// The storefront in any currency, and in the report's, by number.
  struct Claim {
    var any: Int32
    var own: Int32
  }

  /// By ledger position; `nil` for a report without storefront.
  private(set) var ofReports: [Claim?]
  /// How many different voters stand behind each claim.
  private(set) var voters: [Int32] = []

  init(_ ledger: ReportLedger, set: SightingSet) {
    ofReports = Array(repeating: nil, count: ledger.judged.count)
    // What is asked of the reports, taken out in their order before it is asked in another.
    let told = ledger.judged.map { judged in
      let report = set.reports[Int(judged.report)]
      return Told(storefront: report.storefront, currency: report.currency)
    }
    var numbers: [UInt64: Int32] = [:]
    var lastVoters: [Int32] = []
    // By voter, so that a claim's voters can be counted without a set for each claim.
    let byVoter = Grouping(
      ledger.judged.indices.map(Int32.init), count: ledger.voterCount,
      by: { ledger.voters[Int($0)] }, orderedBy: <)
    func number(_ storefront: Storefront, _ currency: UInt32) -> Int32 {
      let key = UInt64(storefront.rawValue) << 32 | UInt64(currency)
      if let known = numbers[key] { return known }
      numbers[key] = Int32(voters.count)
      voters.append(0)
      lastVoters.append(-1)
      return Int32(voters.count - 1)
    }
    var last: (told: Told, claim: Claim)?
    for position in byVoter.items {
      let told = told[Int(position)]
      guard let storefront = told.storefront else { continue }
      // A voter's reports mostly say the same.
      if last?.told != told {
        let claim = Claim(
          any: number(storefront, 0), own: number(storefront, told.currency.rawValue))
        last = (told, claim)
      }
      guard let claim = last?.claim else { continue }
      ofReports[Int(position)] = claim
      let voter = ledger.voters[Int(position)]
      for number in [Int(claim.any), Int(claim.own)] where lastVoters[number] != voter {
        lastVoters[number] = voter
        voters[number] += 1
      }
    }
  }

  /// What a report says about where it was made.
  private struct Told: Equatable {
    var storefront: Storefront?
    var currency: Currency
  }
}

extension ReportLedger {
  /// The time of the report at a position of ``order``, in Unix milliseconds.
  func time(ofOrdered position: Int) -> Int64 {
    judged[Int(order[position])].time.milliseconds
  }
}
