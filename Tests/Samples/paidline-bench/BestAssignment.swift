internal import Amounts
internal import AppleReports
internal import CivilTime
internal import PurchaseModel
internal import Reconciling

/// The best assignment of the facts' charges of subscriptions to units of Apple's reports.
///
/// All rows and units of a product compete at once: first as many rows as possible are matched at
/// their price within a day, then as many as possible later, then at another price. This is the
/// plain definition that the comparison approximates, and it is far slower.
struct BestAssignment {
  /// The kind of a row's match.
  enum Match: String, CaseIterable {
    case near = "within a day"
    case late = "later"
    case price = "another price"
    case none = "no charge"

    /// The match that a cause of the comparison stands for.
    init(_ cause: ReconciliationCause) {
      switch cause {
      case .equal, .dayBoundary, .settlement: self = .near
      case .recoveredLate: self = .late
      case .price, .notCharged: self = .price
      default: self = .none
      }
    }
  }

  /// A product in a month.
  struct Cell: Hashable {
    var productID: String
    var month: String
  }

  /// The numbers of rows by cell and match.
  private(set) var counts: [Cell: [Match: Int]] = [:]

  /// Units of Apple's reports with equal properties.
  private struct Group: Hashable {
    var day: CivilDay
    var storefront: Storefront
    var currency: String
    var price: Int64
    var offer: AppleOffer
  }

  private struct Edge {
    var group: Int
    var gain: Int64
    var match: Match
  }

  private var groups: [Group] = []
  private var free: [Int64] = []
  private var holders: [Set<Int>] = []
  private var edges: [[Edge]] = []
  private var taken: [Edge?] = []

  /// Assigns the rows of all products.
  init(_ entries: [ReconciliationEntry], with appleReports: ReconciledReports) {
    let lines = Dictionary(
      grouping: appleReports.lines.filter {
        !$0.line.isRefund && $0.line.units > 0 && ($0.line.unitPrice?.rawValue ?? 0) > 0
          && appleReports.covers($0.line.day, isSubscription: true)
      }, by: \.productID)
    let rows = Dictionary(grouping: entries.filter { Self.isCompared($0, appleReports) }) {
      $0.productID
    }
    for product in rows.keys.sorted() {
      assign(rows[product] ?? [], lines[product] ?? [])
    }
  }

  /// Returns true if a row is a charge of a subscription that the comparison includes.
  static func isCompared(_ entry: ReconciliationEntry, _ appleReports: ReconciledReports) -> Bool {
    !entry.isRefund && entry.isSubscription && entry.quantity == 1 && entry.amount?.rawValue != 0
      && appleReports.covers(entry.day, isSubscription: true)
  }

  private mutating func assign(
    _ rows: [ReconciliationEntry], _ lines: [ReconciledReports.Line]
  ) {
    var units: [Group: Int64] = [:]
    for line in lines.map(\.line) {
      guard let currency = line.currency?.code, let price = line.unitPrice?.rawValue else {
        continue
      }
      let group = Group(
        day: line.day, storefront: line.storefront, currency: currency, price: price,
        offer: line.offer)
      units[group, default: 0] += line.units
    }
    groups = Array(units.keys)
    free = groups.map { units[$0] ?? 0 }
    holders = Array(repeating: [], count: groups.count)
    var byDay: [CivilDay: [Int]] = [:]
    for (index, group) in groups.enumerated() { byDay[group.day, default: []].append(index) }
    edges = rows.map { Self.edges(of: $0, groups, byDay) }
    taken = Array(repeating: nil, count: rows.count)
    for row in rows.indices { insert(row) }
    for (row, entry) in rows.enumerated() {
      let cell = Cell(productID: entry.productID, month: entry.day.monthText)
      counts[cell, default: [:]][taken[row]?.match ?? .none, default: 0] += 1
    }
  }

  /// Lists the units that may be a row's charge.
  private static func edges(
    of entry: ReconciliationEntry, _ groups: [Group], _ byDay: [CivilDay: [Int]]
  ) -> [Edge] {
    let latest = entry.lateUntil.map { $0.daysSinceEpoch - entry.day.daysSinceEpoch } ?? 1
    return (-1...max(1, latest)).flatMap { shift -> [Edge] in
      let day = entry.day.advanced(by: shift)
      return (byDay[day] ?? []).compactMap { index -> Edge? in
        let group = groups[index]
        let isHere = entry.storefront == nil || entry.storefront == group.storefront
        guard isHere || entry.isStorefrontInferred,
          entry.currency == nil || entry.currency?.code == group.currency
        else { return nil }
        let isNear = shift <= 1
        let isSameOffer = entry.offer == group.offer
        let likeness: Int64 = (shift == 0 ? 20 : 0) + (isSameOffer ? 5 : 0) + (isHere ? 50 : 0)
        if entry.amount?.rawValue == group.price {
          return Edge(
            group: index, gain: isNear ? 1_000_000 + likeness : 10_000 - shift,
            match: isNear ? .near : .late)
        }
        guard isNear, isHere, isSameOffer else { return nil }
        return Edge(group: index, gain: 100 + likeness, match: .price)
      }
    }
  }

  /// Adds a row, and moves other rows if that is better for all together.
  private mutating func insert(_ row: Int) {
    struct Arrival {
      var gain: Int64
      var row: Int
      var edge: Edge
      /// The group that the row leaves; `nil` for the new row.
      var from: Int?
    }
    var arrivals: [Int: Arrival] = [:]
    var queue: [Int] = []
    func arrive(_ arrival: Arrival) {
      if let known = arrivals[arrival.edge.group], known.gain >= arrival.gain { return }
      arrivals[arrival.edge.group] = arrival
      queue.append(arrival.edge.group)
    }
    for edge in edges[row] { arrive(Arrival(gain: edge.gain, row: row, edge: edge)) }
    /// The best end of a path: the last group, and the row that loses its charge, if any.
    var best: (gain: Int64, group: Int, loser: Int?)?
    func end(_ gain: Int64, _ group: Int, loser: Int?) {
      if gain > best?.gain ?? 0 { best = (gain, group, loser) }
    }
    var next = 0
    while next < queue.count {
      let group = queue[next]
      next += 1
      guard let arrival = arrivals[group] else { continue }
      guard free[group] == 0 else {
        end(arrival.gain, group, loser: nil)
        continue
      }
      for holder in holders[group] where holder != arrival.row {
        guard let held = taken[holder] else { continue }
        end(arrival.gain - held.gain, group, loser: holder)
        for edge in edges[holder] where edge.group != group {
          arrive(
            Arrival(
              gain: arrival.gain - held.gain + edge.gain, row: holder, edge: edge, from: group))
        }
      }
    }
    guard let best else { return }
    if let loser = best.loser {
      taken[loser] = nil
      holders[best.group].remove(loser)
    } else {
      free[best.group] -= 1
    }
    var group: Int? = best.group
    while let place = group, let arrival = arrivals[place] {
      if let from = arrival.from { holders[from].remove(arrival.row) }
      taken[arrival.row] = arrival.edge
      holders[place].insert(arrival.row)
      group = arrival.from
    }
  }
}
