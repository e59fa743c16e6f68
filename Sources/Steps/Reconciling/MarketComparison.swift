internal import Amounts
internal import AppleReports
internal import CivilTime
internal import PurchaseModel

/// Both sides of one product, storefront and currency, while they are matched.
struct MarketComparison {
  /// Charges of Apple's that are alike.
  struct Charge: Hashable {
    var day: CivilDay
    var offer: AppleOffer
    var price: Milliunits
  }

  /// A refund of Apple's.
  struct Refund {
    var line: AppleReportLine
    var isCovered: Bool
    var isOpen = true

    /// The refunded money, above 0: of one unit, or the part.
    var price: Int64 {
      line.unitPrice?.rawValue ?? -line.amount.rawValue
    }
  }

  /// One of our entries; one on a day that is not covered may fit, and counts nothing.
  struct Ours {
    var entry: BookEntry
    var isCovered: Bool
    /// The charge of Apple's that it is.
    var match: Charge?
    /// The cause of the difference, if the two are not equal.
    var cause: ReconciliationCause?
  }

  let market: Market
  private(set) var result = Reconciliation()
  /// The number of units left of each charge.
  private var charges: [Charge: Int64] = [:]
  private var byDay: [CivilDay: [Charge]] = [:]
  private var uncovered: Set<Charge> = []
  /// The rows that each charge is assigned to.
  private var holders: [Charge: [Int]] = [:]
  private var refunds: [Refund] = []
  private var ours: [Ours] = []
  private var ourRefunds: [Ours] = []

  init(_ market: Market) { self.market = market }

  mutating func add(_ line: AppleBooks.Line, _ books: AppleBooks) {
    let isCovered = books.covers(
      line.line.day, isSubscription: line.line.report == .subscriber || line.line.isRenewal != nil)
    guard !line.line.isRefund, let price = line.line.unitPrice else {
      refunds.append(Refund(line: line.line, isCovered: isCovered))
      return
    }
    let charge = Charge(day: line.line.day, offer: line.line.offer, price: price)
    if charges.updateValue((charges[charge] ?? 0) + line.line.units, forKey: charge) == nil {
      byDay[charge.day, default: []].append(charge)
      if !isCovered { uncovered.insert(charge) }
    }
  }

  mutating func add(_ entry: BookEntry, _ books: AppleBooks) {
    let isCovered = books.covers(entry.day, isSubscription: entry.isSubscription)
    let isNear = [-1, 1].contains {
      books.covers(entry.day.advanced(by: $0), isSubscription: entry.isSubscription)
    }
    guard isCovered || isNear else { return }
    let ours = Ours(entry: entry, isCovered: isCovered)
    if entry.isRefund { ourRefunds.append(ours) } else { self.ours.append(ours) }
  }

  /// Matches charges of equal price, the same day first, then the neighbouring days; then refunds.
  ///
  /// It finds a maximum matching: if the only charge that fits a row is taken, its holder moves to
  /// another one that fits.
  mutating func matchPrices() {
    ours.sort { $0.entry.isBefore($1.entry) }
    ourRefunds.sort { $0.entry.isBefore($1.entry) }
    for day in byDay.keys {
      byDay[day]?.sort { ($0.offer, $0.price) < ($1.offer, $1.price) }
    }
    for shift in Self.shifts {
      for isSameOffer in [true, false] {
        match(shift) { ours, charge in
          charge.price == ours.entry.unitPrice
            && (charge.offer == ours.entry.offer) == isSameOffer
        }
      }
    }
    for index in ours.indices where ours[index].match == nil && ours[index].entry.unitPrice != nil {
      var seen: Set<Charge> = []
      _ = findPlace(index, &seen)
    }
    matchRefunds()
  }

  /// The days by which Apple's day may differ from ours.
  private static let shifts: [Int64] = [0, -1, 1]

  /// Gives each row without a match one that fits, on a day beside its own.
  private mutating func match(
    _ shift: Int64, cause: ReconciliationCause? = nil, where fits: (Ours, Charge) -> Bool
  ) {
    for index in ours.indices where ours[index].match == nil {
      let one = ours[index]
      let charge = byDay[one.entry.day.advanced(by: shift)]?.first {
        fits(one, $0) && charges[$0, default: 0] >= one.entry.quantity
      }
      if let charge { take(index, charge, cause) }
    }
  }

  /// Finds a charge of equal price for a row, moving other rows if they fit elsewhere.
  private mutating func findPlace(_ index: Int, _ seen: inout Set<Charge>) -> Bool {
    let entry = ours[index].entry
    for shift in Self.shifts {
      for charge in byDay[entry.day.advanced(by: shift), default: []]
      where charge.price == entry.unitPrice && seen.insert(charge).inserted {
        if charges[charge, default: 0] >= entry.quantity {
          take(index, charge, nil)
          return true
        }
        for holder in holders[charge, default: []]
        where ours[holder].entry.quantity == entry.quantity && findPlace(holder, &seen) {
          take(index, charge, nil)
          return true
        }
      }
    }
    return false
  }

  /// Makes a charge of Apple's a row's, in place of the one before.
  private mutating func take(_ index: Int, _ charge: Charge, _ cause: ReconciliationCause?) {
    if let former = ours[index].match {
      charges[former, default: 0] += ours[index].entry.quantity
      holders[former]?.removeAll { $0 == index }
    }
    charges[charge, default: 0] -= ours[index].entry.quantity
    holders[charge, default: []].append(index)
    ours[index].match = charge
    ours[index].cause = cause
  }

  /// Counts a match on both sides; days that are not covered count nothing.
  private mutating func count(_ one: Ours, with charge: Charge) {
    let isAlike = charge.day.monthText == one.entry.day.monthText
    let isWhole = one.isCovered && !uncovered.contains(charge)
    let cause = one.cause ?? (isAlike && isWhole ? .equal : .dayBoundary)
    // Pairs that are free on both sides are left out.
    guard charge.price > .zero || one.entry.amount != .zero else { return }
    if !uncovered.contains(charge) { count(charge, units: one.entry.quantity, cause) }
    if one.isCovered { count(one.entry, cause) }
  }

  private mutating func count(_ charge: Charge, units: Int64, _ cause: ReconciliationCause) {
    var sum = BookSum()
    sum.appleUnits = units
    sum.appleMilli = units * charge.price.rawValue
    result.add(sum, to: market.cell(charge.day), cause: cause)
  }

  private mutating func count(_ entry: BookEntry, _ cause: ReconciliationCause) {
    let cell = market.cell(entry.day)
    result.add(entry.sum, to: cell, cause: cause)
    result.rows.append(
      Reconciliation.Row(
        purchaseKey: entry.purchaseKey, isRefund: entry.isRefund, cell: cell, cause: cause))
  }

  /// Takes in a row that does not know its place, where something of Apple's is left for it.
  mutating func adopt(_ entry: BookEntry, _ books: AppleBooks) -> Bool {
    guard !entry.isRefund, books.covers(entry.day, isSubscription: entry.isSubscription) else {
      return false
    }
    ours.append(Ours(entry: entry, isCovered: true))
    if entry.unitPrice == nil {
      for shift in Self.shifts {
        match(shift, cause: .price) { ours, charge in
          ours.entry == entry && charge.price > .zero && charge.offer == entry.offer
        }
      }
    } else {
      var seen: Set<Charge> = []
      _ = findPlace(ours.count - 1, &seen)
    }
    guard ours.last?.match == nil else { return true }
    ours.removeLast()
    return false
  }

  /// Names a cause for all that is left.
  mutating func finish(_ books: AppleBooks) {
    for isKnown in [false, true] {
      for shift in Self.shifts {
        for isSameOffer in [true, false] {
          match(shift, cause: .price) { ours, charge in
            (ours.entry.amount != nil) == isKnown && charge.price > .zero
              && (charge.offer == ours.entry.offer) == isSameOffer
              && (isSameOffer || ours.entry.amount != .zero)
          }
        }
      }
    }
    for shift in Self.shifts {
      match(shift, cause: .notCharged) { ours, charge in
        ours.entry.amount != .zero && charge.price == .zero
      }
    }
    for one in ours {
      if let charge = one.match {
        count(one, with: charge)
      } else if one.isCovered, one.entry.amount != .zero {
        let isAtEdge = [-1, 1].contains { days in
          !books.covers(
            one.entry.day.advanced(by: days), isSubscription: one.entry.isSubscription)
        }
        count(one.entry, isAtEdge ? .dayBoundary : .unexplained)
      }
    }
    for (charge, units) in charges where units > 0 && !uncovered.contains(charge) {
      count(charge, units: units, .receiptMissing)
    }
    for refund in refunds where refund.isOpen && refund.isCovered {
      count(refund, refund.line.isProration ? .proration : .refund)
    }
    for one in ourRefunds where one.isCovered { count(one.entry, .refund) }
  }

  /// The degree of likeness between a refund of Apple's and ours: in size, else at least in its
  /// day, else in the day of its purchase alone.
  private enum Likeness: CaseIterable {
    case size, day, purchase
  }

  /// Matches refunds of one purchase day, the most alike first.
  private mutating func matchRefunds() {
    refunds.sort { ($0.line.day, $0.price, $0.line.line) < ($1.line.day, $1.price, $1.line.line) }
    for likeness in Likeness.allCases {
      var left: [Ours] = []
      for one in ourRefunds {
        guard let index = refunds.firstIndex(where: { fits($0, one, likeness) })
        else {
          left.append(one)
          continue
        }
        refunds[index].isOpen = false
        let refund = refunds[index]
        let days = refund.line.day.daysSinceEpoch - one.entry.day.daysSinceEpoch
        let isAlike = refund.line.day.monthText == one.entry.day.monthText
        let isWhole = refund.isCovered && one.isCovered
        let cause: ReconciliationCause =
          likeness != .size
          ? .proration
          : isAlike && isWhole ? .equal : abs(days) <= 1 ? .dayBoundary : .refund
        if refund.isCovered { count(refund, cause) }
        if one.isCovered { count(one.entry, cause) }
      }
      ourRefunds = left
    }
  }

  private func fits(_ refund: Refund, _ one: Ours, _ likeness: Likeness) -> Bool {
    guard refund.isOpen else { return false }
    let near: (CivilDay, CivilDay) -> Bool = { abs($0.daysSinceEpoch - $1.daysSinceEpoch) <= 1 }
    let isSameDay =
      refund.line.purchaseDay.map { near($0, one.entry.purchaseDay) }
      ?? near(refund.line.day, one.entry.day)
    guard isSameDay else { return false }
    if likeness != .size {
      return -refund.line.units <= one.entry.quantity
        && (likeness == .purchase || near(refund.line.day, one.entry.day))
    }
    return refund.line.units == 0
      ? refund.price == one.entry.amount?.rawValue
      : -refund.line.units == one.entry.quantity && refund.price == one.entry.unitPrice?.rawValue
  }

  private mutating func count(_ refund: Refund, _ cause: ReconciliationCause) {
    var sum = BookSum()
    sum.appleUnits = refund.line.units
    sum.appleMilli = refund.line.amount.rawValue
    result.add(sum, to: market.cell(refund.line.day), cause: cause)
  }
}
