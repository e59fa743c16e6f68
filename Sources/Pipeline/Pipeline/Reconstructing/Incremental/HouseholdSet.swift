internal import Purchases

/// Some households of an incremental run: a mark for each, because an incremental run asks about
/// every chain and report.
struct HouseholdSet {
  private var marks: [Bool]

  /// A set without any of an incremental run's households.
  init(among households: Households) { marks = Array(repeating: false, count: households.count) }

  /// Whether a household is among them.
  func contains(_ household: HouseholdNumber) -> Bool { marks[Int(household.rawValue)] }

  /// Adds a household.
  ///
  /// - Returns: Whether it was missing.
  @discardableResult
  mutating func insert(_ household: HouseholdNumber) -> Bool {
    defer { marks[Int(household.rawValue)] = true }
    return !marks[Int(household.rawValue)]
  }

  /// Adds all households of another set.
  mutating func formUnion(_ other: HouseholdSet) {
    for place in marks.indices where other.marks[place] { marks[place] = true }
  }
}
