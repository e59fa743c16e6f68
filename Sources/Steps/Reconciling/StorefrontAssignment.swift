internal import PurchaseModel

/// Assigns rows without a storefront or currency to charges that match no other row.
///
/// If possible, all rows of a spell are assigned to one storefront. If a row fits only one
/// storefront, its spell is assigned to that storefront; otherwise, to the storefront that most
/// rows of the spell can still be assigned to. If all charges that fit a row are already assigned
/// to other rows, one of the other rows is assigned to another charge, if possible. So the order of
/// rows does not matter. A row without a charge in the storefront of its spell is assigned to any
/// unassigned charge.
struct StorefrontAssignment {
  /// A charge of Apple's reports, with its product, storefront and currency.
  private struct Slot: Hashable {
    var market: StorefrontMarket
    var charge: MarketComparison.Charge
  }

  /// The rows of one product in one spell; all of them are in one storefront.
  ///
  /// A row that belongs to no spell is the only row of its run.
  private struct Run {
    var rows: [Int] = []
    /// The storefront of all these rows; `nil` while unknown.
    var storefront: Storefront?
  }

  private var entries: [ReconciliationEntry]
  private var runs: [Run] = []
  private var runOfRow: [Int]
  /// For each row, the charges in Apple's reports that may be its charge.
  ///
  /// Within a market, the charge of the nearest day is first.
  private var slots: [[Slot]]
  /// The number of unassigned units of each charge.
  private var left: [Slot: Int64] = [:]
  private var holders: [Slot: [Int]] = [:]
  private var taken: [Slot?]

  /// Assigns charges of the facts to unmatched charges in Apple's reports.
  init(_ entries: [ReconciliationEntry], in markets: [StorefrontMarket: MarketComparison]) {
    self.entries = entries.sorted { $0.isBefore($1) }
    let byProduct = Dictionary(grouping: markets.keys.sorted(), by: \.productID)
    slots = self.entries.map { entry in
      (byProduct[entry.productID] ?? []).filter { market in
        (entry.storefront == nil || entry.storefront == market.storefront)
          && (entry.currency == nil || entry.currency == market.currency)
      }.flatMap { market in
        (markets[market]?.fitting(entry) ?? []).map { Slot(market: market, charge: $0) }
      }
    }
    taken = Array(repeating: nil, count: slots.count)
    runOfRow = []
    for slot in Set(slots.joined()) { left[slot] = markets[slot.market]?.left(of: slot.charge) }
    var numbers: [String: Int] = [:]
    for (row, entry) in self.entries.enumerated() {
      var number = runs.count
      if entry.run.isEmpty {
        runs.append(Run())
      } else {
        let key = entry.productID + "\u{1F}" + entry.run
        number = numbers[key] ?? number
        if number == runs.count { runs.append(Run()) }
        numbers[key] = number
      }
      runs[number].rows.append(row)
      runOfRow.append(number)
    }
    place()
  }

  /// Each row with the market and charge to which it is assigned; `nil` if no charge was left.
  var placed:
    [(
      entry: ReconciliationEntry,
      place: (market: StorefrontMarket, charge: MarketComparison.Charge)?
    )]
  {
    entries.indices.map { row in (entries[row], taken[row].map { ($0.market, $0.charge) }) }
  }

  private mutating func place() {
    // Assigns spells with a single fitting storefront. Repeats this, because each assignment leaves
    // fewer charges for the other spells.
    var open = Set(runs.indices)
    while true {
      let settled = open.sorted().filter { settle($0) }
      guard !settled.isEmpty else { break }
      open.subtract(settled)
      for run in settled { assign(run) }
    }
    for run in open.sorted(by: isBefore) {
      if runs[run].rows.count > 1 { runs[run].storefront = likeliest(run) }
      assign(run)
    }
    assignRest()
  }

  /// Returns true if the rows of one spell are assigned before the rows of another spell.
  ///
  /// The spell with more rows is first. If the numbers are equal, the spell with fewer possible
  /// charges (``slots``) is first; then the order is by day and purchase.
  private func isBefore(_ left: Int, _ right: Int) -> Bool {
    let (one, other) = (runs[left].rows, runs[right].rows)
    let (fits, otherFits) = (
      one.reduce(0) { $0 + slots[$1].count }, other.reduce(0) { $0 + slots[$1].count }
    )
    return (-one.count, fits, one[0]) < (-other.count, otherFits, other[0])
  }

  /// Sets the storefront of a spell if all charges that fit one of its rows are in one storefront.
  ///
  /// - Returns: True if the storefront was set.
  private mutating func settle(_ run: Int) -> Bool {
    for row in runs[run].rows {
      let fitting = Set(slots[row].filter { isLeft($0, for: row) }.map(\.market.storefront))
      if fitting.count == 1, let only = fitting.first {
        runs[run].storefront = only
        return true
      }
    }
    return false
  }

  /// Finds the storefront with unassigned charges for the most rows of a spell; in a tie, the one
  /// with the smaller code.
  private func likeliest(_ run: Int) -> Storefront? {
    var rows: [Storefront: Int] = [:]
    for row in runs[run].rows {
      for storefront in Set(slots[row].filter { isLeft($0, for: row) }.map(\.market.storefront)) {
        rows[storefront, default: 0] += 1
      }
    }
    return rows.min { ($1.value, $0.key.rawValue) < ($0.value, $1.key.rawValue) }?.key
  }

  private func isLeft(_ slot: Slot, for row: Int) -> Bool {
    left[slot, default: 0] >= entries[row].quantity
  }

  private mutating func assign(_ run: Int) {
    for row in runs[run].rows {
      var seen: Set<Slot> = []
      _ = findCharge(row, &seen)
    }
  }

  /// Assigns the remaining rows one by one to unassigned charges of any storefront.
  private mutating func assignRest() {
    for row in entries.indices where taken[row] == nil {
      if let slot = slots[row].first(where: { isLeft($0, for: row) }) { setCharge(row, slot) }
    }
  }

  /// The number of tried charges after which the search for a row's charge gives up.
  private static let longestSearch = 5_000

  private mutating func findCharge(_ row: Int, _ seen: inout Set<Slot>) -> Bool {
    let storefront = runs[runOfRow[row]].storefront
    let fitting = slots[row].filter { storefront == nil || $0.market.storefront == storefront }
    if let slot = fitting.first(where: { isLeft($0, for: row) && !seen.contains($0) }) {
      setCharge(row, slot)
      return true
    }
    for slot in fitting where seen.count < Self.longestSearch && seen.insert(slot).inserted {
      for holder in holders[slot, default: []]
      where entries[holder].quantity == entries[row].quantity && findCharge(holder, &seen) {
        setCharge(row, slot)
        return true
      }
    }
    return false
  }

  private mutating func setCharge(_ row: Int, _ slot: Slot) {
    if let former = taken[row] {
      left[former, default: 0] += entries[row].quantity
      holders[former]?.removeAll { $0 == row }
    }
    left[slot, default: 0] -= entries[row].quantity
    holders[slot, default: []].append(row)
    taken[row] = slot
  }
}
