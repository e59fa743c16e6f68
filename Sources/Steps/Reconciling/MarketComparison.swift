internal import Amounts
internal import AppleReports
internal import CivilTime
internal import PurchaseModel

/// Matches Apple's charges with the charges of the facts, for one product, storefront and currency.
struct MarketComparison {
  /// The properties that equal charges in Apple's reports have in common.
  struct Charge: Hashable {
    var day: CivilDay
    var offer: AppleOffer
    var price: Milliunits

    /// Returns true if this charge is tried before another charge of the same day.
    func isBefore(_ other: Charge) -> Bool { (offer, price) < (other.offer, other.price) }
  }

  /// The certainty that the reports contain Apple's charge for a row, the highest first.
  enum MatchCertainty {
    /// The day of the row, the day before and the day after have reports.
    case reported
    /// The row's day and its neighbours have reports, but the payment may have been late.
    case late
    /// The report of the row's day or of a neighbouring day is missing.
    case withGap
  }

  /// A charge of the facts, with its match in Apple's reports.
  ///
  /// If the day of the charge is not compared, the result leaves out the charge; likewise for its
  /// match.
  struct FactCharge {
    var entry: ReconciliationEntry
    var isCompared: Bool
    var certainty: MatchCertainty
    /// Apple's charge that is matched with the entry.
    var match: Charge?
    /// The cause of the difference; `nil` if entry and charge agree.
    var cause: ReconciliationCause?
  }

  let market: StorefrontMarket
  private(set) var result = Reconciliation()
  /// The number of unmatched units of each charge.
  private var charges: [Charge: Int64] = [:]
  private var byDay: [CivilDay: [Charge]] = [:]
  private var uncovered: Set<Charge> = []
  /// The charges that Apple settled in a fiscal month after the month of the charge, according to
  /// Finance Detail.
  private var settledLater: Set<Charge> = []
  /// The charges in ``settledLater`` that were made in a fiscal month that was not read.
  private var carriedOver: Set<Charge> = []
  /// The rows that are matched with each charge, as positions in the list of the facts' charges.
  private var holders: [Charge: [Int]] = [:]
  private var refunds = RefundMatching()
  private var factCharges: [FactCharge] = []

  init(_ market: StorefrontMarket) { self.market = market }

  mutating func add(_ line: ReconciledReports.Line, _ appleReports: ReconciledReports) {
    let line = line.line
    let isCovered = appleReports.covers(line)
    guard !line.isRefund, let price = line.unitPrice else {
      return refunds.add(line, isCovered: isCovered)
    }
    let charge = Charge(day: line.day, offer: line.offer, price: price)
    if charges.updateValue((charges[charge] ?? 0) + line.units, forKey: charge) == nil {
      byDay[charge.day, default: []].append(charge)
      if !isCovered { uncovered.insert(charge) }
    }
    if appleReports.isCarriedOver(line) { carriedOver.insert(charge) }
    if line.isSettledLater == true || appleReports.isCarriedOver(line) {
      settledLater.insert(charge)
    }
  }

  mutating func add(_ entry: ReconciliationEntry, _ appleReports: ReconciledReports) {
    let isCompared = appleReports.compares(entry.day, isSubscription: entry.isSubscription)
    let isNear = [-1, 1].contains {
      appleReports.covers(entry.day.advanced(by: $0), isSubscription: entry.isSubscription)
    }
    guard isCompared || isNear || appleReports.mayBeCarriedOver(entry.day) else { return }
    if entry.isRefund {
      refunds.add(entry, isCompared: isCompared)
    } else {
      factCharges.append(
        FactCharge(
          entry: entry, isCompared: isCompared, certainty: entry.certainty(in: appleReports)))
    }
  }

  /// Matches the rows that have a storefront and a currency.
  ///
  /// Matches rows with charges of equal price: on the same day, then on the neighbouring days, then
  /// late payments. Other prices and free units follow. As many rows as possible are matched: if
  /// the only fitting charge already has a row, that row moves to another fitting charge.
  ///
  /// If two rows compete for a charge, a row with complete reports has priority over a row next to
  /// a missing report. A late payment never removes another row from a charge of that row's own
  /// day.
  mutating func matchKnown() {
    factCharges.sort { $0.entry.isBefore($1.entry) }
    for day in byDay.keys { byDay[day]?.sort { $0.isBefore($1) } }
    matchPrices(of: .reported, Self.shifts)
    findCharges(of: .reported)
    for certainty in [MatchCertainty.late, .withGap] { matchPrices(of: certainty, [0]) }
    for certainty in [MatchCertainty.late, .withGap] {
      matchPrices(of: certainty, [-1, 1])
      findCharges(of: certainty)
    }
    matchLate()
    matchOtherPrices()
  }

  /// Matches rows with unmatched charges of equal price; a charge with the row's offer is
  /// preferred.
  private mutating func matchPrices(of certainty: MatchCertainty, _ shifts: [Int64]) {
    for shift in shifts {
      for isSameOffer in [true, false] {
        match(shift) { factCharge, charge in
          factCharge.certainty == certainty && charge.price == factCharge.entry.unitPrice
            && (charge.offer == factCharge.entry.offer) == isSameOffer
            && (abs(shift) <= 1 || factCharge.entry.lateUntil.map { charge.day <= $0 } ?? false)
        }
      }
    }
  }

  /// Matches late payments with charges of equal price, the nearest day first.
  ///
  /// Unmatched charges come first; then other rows may move to other charges.
  private mutating func matchLate() {
    let windows = factCharges.compactMap { one in
      one.match == nil && one.certainty == .late
        ? one.entry.lateUntil.map { $0.daysSinceEpoch - one.entry.day.daysSinceEpoch } : nil
    }
    matchPrices(of: .late, Array(stride(from: 2, through: windows.max() ?? 0, by: 1)))
    findCharges(of: .late, isFar: true)
  }

  private mutating func findCharges(of certainty: MatchCertainty, isFar: Bool = false) {
    for index in factCharges.indices
    where factCharges[index].match == nil && factCharges[index].entry.unitPrice != nil
      && factCharges[index].certainty == certainty
    {
      var search = Search(isLate: certainty == .late, isFar: isFar)
      _ = findCharge(index, &search)
    }
  }

  /// The possible differences in days between Apple's day and the day of the facts.
  static let shifts: [Int64] = [0, -1, 1]

  /// Matches each unmatched row with a fitting charge that is `shift` days later than the row.
  private mutating func match(
    _ shift: Int64, cause: ReconciliationCause? = nil, where fits: (FactCharge, Charge) -> Bool
  ) {
    for index in factCharges.indices where factCharges[index].match == nil {
      let one = factCharges[index]
      let charge = byDay[one.entry.day.advanced(by: shift)]?.first {
        fits(one, $0) && charges[$0, default: 0] >= one.entry.quantity
      }
      if let charge { setCharge(index, charge, cause) }
    }
  }

  /// The state of a search for the charge of one row; the search may move other rows.
  private struct Search {
    /// Whether the row is a late payment; then other rows keep a charge of their own day.
    var isLate: Bool
    /// Whether late payments may match any later day of their windows, not only neighbouring days.
    var isFar: Bool
    /// The charges that were tried.
    var seen: Set<Charge> = []
  }

  /// Finds a charge of equal price for a row; moves other rows if they fit other charges.
  private mutating func findCharge(_ index: Int, _ search: inout Search) -> Bool {
    let entry = factCharges[index].entry
    let reachesFar = search.isFar && factCharges[index].certainty == .late
    for day in reachesFar ? entry.possibleDays : entry.nearDays {
      for charge in byDay[day, default: []]
      where charge.price == entry.unitPrice && search.seen.insert(charge).inserted {
        if charges[charge, default: 0] >= entry.quantity {
          setCharge(index, charge, nil)
          return true
        }
        for holder in holders[charge, default: []]
        where factCharges[holder].entry.quantity == entry.quantity
          && !(search.isLate && factCharges[holder].entry.day == day) && findCharge(holder, &search)
        {
          setCharge(index, charge, nil)
          return true
        }
      }
    }
    return false
  }

  /// Matches a row with a charge; the row's previous charge becomes unmatched.
  private mutating func setCharge(_ index: Int, _ charge: Charge, _ cause: ReconciliationCause?) {
    if let former = factCharges[index].match {
      charges[former, default: 0] += factCharges[index].entry.quantity
      holders[former]?.removeAll { $0 == index }
    }
    charges[charge, default: 0] -= factCharges[index].entry.quantity
    holders[charge, default: []].append(index)
    factCharges[index].match = charge
    factCharges[index].cause = cause
  }

  private mutating func matchOtherPrices() {
    for isKnown in [false, true] {
      for shift in Self.shifts {
        for isSameOffer in [true, false] {
          match(shift, cause: .price) { factCharge, charge in
            (factCharge.entry.amount != nil) == isKnown && charge.price > .zero
              && (charge.offer == factCharge.entry.offer) == isSameOffer
              && (isSameOffer || factCharge.entry.amount != .zero)
          }
        }
      }
    }
    for shift in Self.shifts {
      match(shift, cause: .notCharged) { factCharge, charge in
        factCharge.entry.amount != .zero && charge.price == .zero
      }
    }
  }

  /// Finds the unmatched charges that fit a row without a storefront, the nearest day first.
  ///
  /// A row with a known amount fits a charge of equal price. A row with an unknown amount fits a
  /// charge of the same offer.
  func fitting(_ entry: ReconciliationEntry) -> [Charge] {
    entry.possibleDays.flatMap { byDay[$0, default: []] }.filter { charge in
      let fits =
        entry.amount == nil
        ? charge.price > .zero && charge.offer == entry.offer : charge.price == entry.unitPrice
      return fits && charges[charge, default: 0] >= entry.quantity
    }
  }

  /// Returns the number of unmatched units of a charge.
  func left(of charge: Charge) -> Int64 { charges[charge, default: 0] }

  /// Adds a row without a known storefront and its refunds; matches the row with an unmatched
  /// charge.
  mutating func addAssigned(
    _ entry: ReconciliationEntry, at charge: Charge, refunds: [ReconciliationEntry],
    _ appleReports: ReconciledReports
  ) {
    let isCompared = appleReports.compares(entry.day, isSubscription: entry.isSubscription)
    factCharges.append(
      FactCharge(entry: entry, isCompared: isCompared, certainty: entry.certainty(in: appleReports))
    )
    setCharge(factCharges.count - 1, charge, entry.amount == nil ? .price : nil)
    for refund in refunds { add(refund, appleReports) }
  }

  /// Adds a matched row and its charge to the sums; leaves out a row or charge whose day is not
  /// compared.
  private mutating func count(_ one: FactCharge, with charge: Charge) {
    let days = charge.day.daysSinceEpoch - one.entry.day.daysSinceEpoch
    let isWhole = one.isCompared && !uncovered.contains(charge)
    let isAlike = charge.day.monthText == one.entry.day.monthText
    let cause =
      one.cause ?? (abs(days) > 1 ? .recoveredLate : nil)
      ?? (settledLater.contains(charge) ? .settlement : nil)
      ?? (isAlike && isWhole ? .equal : .dayBoundary)
    // A free row matched with a free unit is left out.
    guard charge.price > .zero || one.entry.amount != .zero else { return }
    if !uncovered.contains(charge) { count(charge, units: one.entry.quantity, cause) }
    if one.isCompared || carriedOver.contains(charge) { count(one.entry, cause) }
  }

  private mutating func count(_ charge: Charge, units: Int64, _ cause: ReconciliationCause) {
    var sum = ReconciliationSum()
    sum.appleUnits = units
    sum.appleMilli = units * charge.price.rawValue
    result.add(sum, to: market.cell(charge.day), cause: cause)
  }

  private mutating func count(_ entry: ReconciliationEntry, _ cause: ReconciliationCause) {
    let cell = market.cell(entry.day)
    result.add(entry.sum, to: cell, cause: cause)
    result.rows.append(
      Reconciliation.Row(
        purchaseKey: entry.purchaseKey, isRefund: entry.isRefund, cell: cell, cause: cause))
  }

  /// Adds all matches to the result, and assigns a cause to all unmatched rows, charges and
  /// refunds.
  mutating func finish(_ appleReports: ReconciledReports) {
    matchUnseenLate()
    for one in factCharges {
      if let charge = one.match {
        count(one, with: charge)
      } else if one.isCompared, one.entry.amount != .zero {
        count(one.entry, one.entry.causeWithoutMatch(in: appleReports))
      }
    }
    for (charge, units) in charges
    where units > 0 && charge.price > .zero && !uncovered.contains(charge) {
      count(charge, units: units, .receiptMissing)
    }
    for found in refunds.matched(appleReports, isPartial: isPartial) {
      if let entry = found.entry { count(entry, found.cause) }
      guard let line = found.line else { continue }
      var sum = ReconciliationSum()
      sum.appleUnits = line.units
      sum.appleMilli = line.amount.rawValue
      result.add(sum, to: market.cell(line.day), cause: found.cause)
    }
  }
}

extension MarketComparison {
  /// Returns true if a refund in Apple's reports is smaller than the price.
  ///
  /// The refund has 0 units, or units were sold at a higher price and none at the refunded price.
  /// Only units of the purchase day and its neighbours are compared; if the purchase day is
  /// unknown, all units up to the day of the refund.
  ///
  /// Example: 9.99 USD were charged on May 2, and one unit of 3.33 USD was refunded on May 12 after
  /// an upgrade → true.
  private func isPartial(_ refund: AppleReportLine) -> Bool {
    guard let price = refund.unitPrice, price > .zero else { return refund.isProration }
    func isPossible(_ day: CivilDay) -> Bool {
      guard let bought = refund.purchaseDay else { return day <= refund.day }
      return abs(day.daysSinceEpoch - bought.daysSinceEpoch) <= 1
    }
    let prices =
      charges.keys.filter { isPossible($0.day) }.map(\.price)
      + factCharges.filter { isPossible($0.entry.day) }.compactMap(\.entry.unitPrice)
    return prices.contains { $0 > price } && !prices.contains(price)
  }

  /// Matches an unmatched row with an unmatched charge of equal price 2 to 16 days later.
  ///
  /// Such a charge is a payment in a grace period that no response shows. Neither the row nor the
  /// charge may have another candidate. Example: a row of 9.99 USD on May 3 without a charge, and a
  /// charge of 9.99 USD on May 9 without a row.
  private mutating func matchUnseenLate() {
    var rows: [Charge: [Int]] = [:]
    var found: [Int: [Charge]] = [:]
    for (index, one) in factCharges.enumerated()
    where one.match == nil && one.isCompared && one.certainty == .reported
      && one.entry.isSubscription && one.entry.unitPrice ?? .zero > .zero
    {
      let later = (2...Self.longestGrace).flatMap { byDay[one.entry.day.advanced(by: $0)] ?? [] }
      found[index] = later.filter { charge in
        charge.price == one.entry.unitPrice && charge.offer == one.entry.offer
          && charges[charge] == one.entry.quantity && !uncovered.contains(charge)
      }
      for charge in found[index] ?? [] { rows[charge, default: []].append(index) }
    }
    for index in found.keys.sorted() {
      guard let charges = found[index], charges.count == 1, let only = charges.first,
        rows[only]?.count == 1
      else { continue }
      setCharge(index, only, nil)
    }
  }

  /// The longest grace period, in days.
  private static let longestGrace: Int64 = 16
}

extension ReconciliationEntry {
  /// The day of the entry, the day before and the day after.
  var nearDays: [CivilDay] { MarketComparison.shifts.map { day.advanced(by: $0) } }

  /// The certainty that the reports contain Apple's charge for the entry.
  fileprivate func certainty(in appleReports: ReconciledReports) -> MarketComparison.MatchCertainty
  {
    guard nearDays.allSatisfy({ appleReports.covers($0, isSubscription: isSubscription) }) else {
      return .withGap
    }
    return lateUntil == nil ? .reported : .late
  }

  /// The days on which Apple may have charged for the entry, the most likely first.
  var possibleDays: [CivilDay] {
    let near = nearDays
    guard let lateUntil, lateUntil > day.advanced(by: 1) else { return near }
    return near + (day.daysSinceEpoch + 2...lateUntil.daysSinceEpoch).map(CivilDay.init)
  }

  /// Finds the cause of a charge or refund without a counterpart in Apple's reports.
  func causeWithoutMatch(in appleReports: ReconciledReports) -> ReconciliationCause {
    let isMissing: (CivilDay) -> Bool = { !appleReports.covers($0, isSubscription: isSubscription) }
    if isRefund { return isMissing(day) ? .noReport : .refund }
    if appleReports.detailDays.contains(day) { return .settlement }
    if possibleDays.contains(where: isMissing) { return .noReport }
    return isSubscription && appleReports.mayBeUnmapped(productID, on: day)
      ? .unmapped : .unexplained
  }
}
