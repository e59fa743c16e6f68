internal import Amounts
internal import CivilTime

/// Matches the rows of one product, storefront and currency with Apple's charges.
extension MarketComparison {
  /// Matches the rows that have a storefront and a currency with Apple's charges.
  ///
  /// Rows are matched in this order:
  ///
  /// - with charges of equal price on the day of the row, then on the neighboring days
  /// - with charges of equal price on later days, if the row may be a late payment
  /// - with charges of another price, then with free units
  ///
  /// As many rows as possible are matched within a day, and only the others later. If the only
  /// fitting charge is already matched with another row, the other row is matched with another
  /// charge, if possible; a row that is matched within a day stays within a day.
  ///
  /// Two rows may compete for a charge. A row has priority if its day and the neighboring days all
  /// have reports.
  mutating func matchEqualPrices() {
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
  }

  /// Matches the rows of one certainty with unmatched charges of equal price.
  ///
  /// A shift is the number of days from the row to the charge. The shifts are tried in their order;
  /// for each shift, charges with the row's offer are tried first.
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
  /// Unmatched charges are tried first. Then charges of other rows are tried: a charge is used if
  /// its row can be matched with another charge instead.
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
      var seen: Set<Charge> = []
      _ = findCharge(index, isFar: isFar, &seen)
    }
  }

  /// Matches each unmatched row with a fitting charge that is `shift` days later than the row.
  ///
  /// A negative `shift` means earlier days. `cause` is the cause of the difference; `nil` for none.
  private mutating func match(
    _ shift: Int64, cause: ReconciliationCause? = nil, where fits: (FactCharge, Charge) -> Bool
  ) {
    for index in factCharges.indices
    where factCharges[index].match == nil && !factCharges[index].isMoved {
      let one = factCharges[index]
      let charge = byDay[one.entry.day.advanced(by: shift)]?.first {
        fits(one, $0) && charges[$0, default: 0] >= one.entry.quantity
      }
      if let charge { setCharge(index, charge, cause) }
    }
  }

  /// Matches a row with a charge of equal price; returns true if a charge was found.
  ///
  /// If another row has the charge, the other row is first matched with another charge of equal
  /// price. A late payment may take a charge of any day up to `lateUntil` if `isFar` is true; a row
  /// that already has a charge within a day may take only another one within a day. `seen` has the
  /// charges that this search has tried; each is tried only once.
  private mutating func findCharge(_ index: Int, isFar: Bool, _ seen: inout Set<Charge>) -> Bool {
    let (entry, former) = (factCharges[index].entry, factCharges[index].match)
    let isNear = former.map { abs($0.day.daysSinceEpoch - entry.day.daysSinceEpoch) <= 1 } ?? false
    let reachesFar = isFar && !isNear && factCharges[index].certainty == .late
    for day in reachesFar ? entry.possibleDays : entry.nearDays {
      for charge in byDay[day, default: []]
      where charge.price == entry.unitPrice && seen.insert(charge).inserted {
        if charges[charge, default: 0] >= entry.quantity {
          setCharge(index, charge, nil)
          return true
        }
        for holder in holders[charge, default: []]
        where factCharges[holder].entry.quantity == entry.quantity
          && findCharge(holder, isFar: isFar, &seen)
        {
          setCharge(index, charge, nil)
          return true
        }
      }
    }
    return false
  }

  /// Matches a row with a charge; the row's previous charge becomes unmatched.
  mutating func setCharge(_ index: Int, _ charge: Charge, _ cause: ReconciliationCause?) {
    if let former = factCharges[index].match {
      charges[former, default: 0] += factCharges[index].entry.quantity
      holders[former]?.removeAll { $0 == index }
    }
    charges[charge, default: 0] -= factCharges[index].entry.quantity
    holders[charge, default: []].append(index)
    factCharges[index].match = charge
    factCharges[index].cause = cause
  }

  /// Matches the remaining rows with charges of another price, then with free units.
  mutating func matchOtherPrices() {
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

  /// Matches an unmatched row with an unmatched charge of equal price 2 to 16 days later.
  ///
  /// Such a charge is a payment in a grace period that no response shows. It is no later than the
  /// first snapshot that shows the row. Neither the row nor the
  /// charge may have another candidate. Example: a row of 9.99 USD on May 3 without a charge, and a
  /// charge of 9.99 USD on May 9 without a row.
  mutating func matchUnseenLate() {
    var rows: [Charge: [Int]] = [:]
    var found: [Int: [Charge]] = [:]
    for (index, one) in factCharges.enumerated()
    where one.match == nil && !one.isMoved && one.isCompared && one.certainty == .reported
      && one.entry.isSubscription && one.entry.unitPrice ?? .zero > .zero
    {
      let later = (2...Self.longestGrace).flatMap { byDay[one.entry.day.advanced(by: $0)] ?? [] }
      found[index] = later.filter { charge in
        charge.price == one.entry.unitPrice && charge.offer == one.entry.offer
          && charges[charge] == one.entry.quantity && !uncovered.contains(charge)
          && one.entry.chargedBy.map { charge.day <= $0 } ?? true
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
