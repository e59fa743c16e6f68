/// A part of a condition, which works on the values or the truth of other parts.
struct ConditionNode: Hashable {
  /// What is done with the operands.
  enum Operation: UInt8 {
    // Values.
    case column, word, integer, text, null
    case add, negate, bitAnd, shiftRight, choose, coalesce, substring, length, daysLater, number
    // Conditions.
    case and, or, not, equal, less, isSame, isAmong, isInSet, isTrue

    /// Whether the part is true or false, rather than a value.
    var isCondition: Bool { rawValue >= Operation.and.rawValue }
  }

  var operation: Operation
  /// The first operand's place; of a column, word, text or set its number.
  var first: Int32 = 0
  /// The second operand's place.
  var second: Int32 = 0
  /// The third operand's place.
  var third: Int32 = 0
  /// A whole number's value, or a bit for each word that is looked for.
  var number: Int64 = 0
}
