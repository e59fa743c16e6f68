internal import Amounts
internal import AppleReports
internal import CivilTime

/// Matches Apple's charges with the charges of the facts, for one product, storefront and currency.
struct MarketComparison {
  /// The day, offer and unit price of charges in Apple's reports; units with equal values are added
  /// up.
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
    /// The row's day and its neighbors have reports, but the payment may have been late.
    case late
    /// The report of the row's day or of a neighboring day is missing.
    case withGap
  }

  /// A charge of the facts, with the matching charge in Apple's reports.
  ///
  /// The two charges may be on different days. The comparison includes the charge of the facts if
  /// its day is compared, or if Apple's charge is carried over from another fiscal month. It
  /// includes Apple's charge if a report covers the day of Apple's charge, or if that charge is
  /// carried over.
  struct FactCharge {
    var entry: ReconciliationEntry
    var isCompared: Bool
    var certainty: MatchCertainty
    /// Apple's charge that is matched with the entry.
    var match: Charge?
    /// The cause of the difference; `nil` if entry and charge agree.
    var cause: ReconciliationCause?
    /// Whether the entry is compared in another storefront.
    var isMoved = false
  }

  let market: StorefrontMarket
  private(set) var result = Reconciliation()
  /// The number of unmatched units of each charge.
  var charges: [Charge: Int64] = [:]
  var byDay: [CivilDay: [Charge]] = [:]
  var uncovered: Set<Charge> = []
  /// The charges that Apple settled in a fiscal month after the month of the charge, according to
  /// Finance Detail.
  private var settledLater: Set<Charge> = []
  /// The charges in ``settledLater`` whose own fiscal month is not in the reports.
  private var carriedOver: Set<Charge> = []
  /// The rows that are matched with each of Apple's charges, as positions in ``factCharges``.
  var holders: [Charge: [Int]] = [:]
  private var refunds = RefundMatching()
  var factCharges: [FactCharge] = []

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

  /// The days from a charge of the facts to the same charge in Apple's reports, the likeliest
  /// first.
  static let shifts: [Int64] = [0, -1, 1]

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

  /// Adds a row whose storefront or currency is unknown in the facts, and the refunds of the row.
  ///
  /// The row is matched with unmatched units of `charge`.
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

  /// Leaves out an unmatched row, because it is compared in another storefront.
  mutating func leaveOut(_ index: Int) { factCharges[index].isMoved = true }

  /// Adds a row and its charge to the sums; leaves out the row or the charge if its day is not
  /// compared.
  private mutating func count(
    _ one: FactCharge, with charge: Charge, _ doubted: DoubtedPlaces
  ) {
    let days = charge.day.daysSinceEpoch - one.entry.day.daysSinceEpoch
    let isWhole = one.isCompared && !uncovered.contains(charge)
    let isAlike = charge.day.monthText == one.entry.day.monthText
    let cause =
      (isDoubted(charge.day, doubted) ? .doubted : one.cause)
      ?? (abs(days) > 1 ? .recoveredLate : nil)
      ?? (settledLater.contains(charge) ? .settlement : nil)
      ?? (isAlike && isWhole ? .equal : .dayBoundary)
    // A free row matched with a free unit is left out.
    guard charge.price > .zero || one.entry.amount != .zero else { return }
    if !uncovered.contains(charge) { count(charge, units: one.entry.quantity, cause) }
    if one.isCompared || carriedOver.contains(charge) { count(one.entry, cause) }
  }

  /// Returns true if Apple's charges of a day are unreliable.
  private func isDoubted(_ day: CivilDay, _ doubted: DoubtedPlaces) -> Bool {
    doubted.contains(day, market.productID, market.storefront)
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
  ///
  /// Charges in doubted places have the cause `doubted`; refunds keep their causes.
  mutating func finish(_ appleReports: ReconciledReports, _ doubted: DoubtedPlaces) {
    matchUnseenLate()
    for one in factCharges where !one.isMoved {
      if let charge = one.match {
        count(one, with: charge, doubted)
      } else if one.isCompared, one.entry.amount != .zero {
        let isDoubted = isDoubted(one.entry.day, doubted)
        count(
          one.entry, isDoubted ? .doubted : one.entry.causeWithoutMatch(in: appleReports))
      }
    }
    for (charge, units) in charges
    where units > 0 && charge.price > .zero && !uncovered.contains(charge) {
      count(charge, units: units, isDoubted(charge.day, doubted) ? .doubted : .receiptMissing)
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
  /// Returns true if a refund in Apple's reports is only a part of the price.
  ///
  /// A refund with 0 units is partial. A refund with units is partial if a unit was sold at a
  /// higher price than the refund, but none at exactly the refunded price. Only units of the
  /// purchase day and of its neighboring days are compared. If the purchase day is unknown, all
  /// units up to the day of the refund are compared.
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
}
