/// The days and months on which figures are complete, computed a second time in plain loops.
///
/// A day is complete if the exports cover it, and subscriptions whose end nobody has looked at are
/// at most one of a hundred of them and of those that run. A month is complete if it has ended and
/// each of its days is.
struct Completeness {
  private(set) var days: Set<String> = []
  private(set) var months: Set<String> = []

  /// - Parameters:
  ///   - days: The days of `dim_date`.
  init(
    purchases: [FactRow], subscriptions: [FactRow], days all: [String], completeThrough: String?
  ) {
    guard let completeThrough else { return }
    let running = purchases.filter { $0.text("product_kind") == "auto_renewable_subscription" }
      .map { Stretch(from: cell($0.text("purchased_date")), to: cell($0.text("access_ends_at"))) }
    let unseen = subscriptions.filter { $0.text("seen_through_at") != nil }
      .map { Stretch(from: cell($0.text("expires_at")), to: cell($0.text("unseen_until"))) }
    for day in all where day <= completeThrough {
      let (seen, hidden) = (running.count { $0.has(day) }, unseen.count { $0.has(day) })
      if 100 * hidden <= seen + hidden { days.insert(day) }
    }
    for (month, own) in Dictionary(grouping: all, by: { $0.prefix(7) }) {
      let hasEnded = own.max().map { Days.text($0, adding: 1).prefix(7) != month } ?? false
      if hasEnded && own.allSatisfy(days.contains) { months.insert(String(month)) }
    }
  }

  /// The days on whose end something lasts.
  private struct Stretch {
    let from: String
    let to: String

    init(from: String, to: String) {
      self.from = String(from.prefix(10))
      self.to = String(to.prefix(10))
    }

    func has(_ day: String) -> Bool { from <= day && day < to }
  }
}
