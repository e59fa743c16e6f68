internal import Purchases

/// A set of households of a run.
///
/// It has one Boolean per household, because membership is tested for every chain and report.
struct HouseholdSet {
  private var marks: [Bool]

  init(among households: Households) { marks = Array(repeating: false, count: households.count) }

  func contains(_ household: HouseholdNumber) -> Bool { marks[Int(household.rawValue)] }

  /// Adds a household.
  ///
  /// - Returns: True if the set did not contain the household.
  @discardableResult
  mutating func insert(_ household: HouseholdNumber) -> Bool {
    defer { marks[Int(household.rawValue)] = true }
    return !marks[Int(household.rawValue)]
  }

  /// Removes the households of another set.
  func subtracting(_ other: HouseholdSet) -> HouseholdSet {
    var rest = self
    for place in marks.indices where other.marks[place] { rest.marks[place] = false }
    return rest
  }

  mutating func formUnion(_ other: HouseholdSet) {
    for place in marks.indices where other.marks[place] { marks[place] = true }
  }
}
