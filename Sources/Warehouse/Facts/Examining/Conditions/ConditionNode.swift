/// A part of a condition, in the order in which a ``ConditionParser`` finds them: parts of a part
/// come before it.
struct ConditionNode {
  /// What is done with the operands.
  enum Operation: UInt8 {
    case column, integer, text, null
    case and, or, not
    case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual
    case isSame, isNotSame, between, inList, inSet
    case add, bitAnd, shiftRight
    case choose, coalesce, substring, length, daysLater
  }

  var operation: Operation
  /// The first operand's place; of a column, text or set its number.
  var first: Int32 = 0
  /// The second operand's place, or where its list of operands begins.
  var second: Int32 = 0
  /// The third operand's place, or how long the list is.
  var third: Int32 = 0
  /// A whole number's value.
  var number: Int64 = 0
}

/// Conditions over the rows of one table, made ready for being asked of many rows.
struct ConditionProgram {
  /// The parts of all conditions.
  private(set) var nodes: [ConditionNode] = []
  /// The lists of operands, end to end.
  private(set) var operands: [Int32] = []
  /// The texts that conditions name.
  private(set) var texts: [[UInt8]] = []
  /// The place of each condition.
  var roots: [Int32] = []

  /// Adds a part, and tells its place.
  mutating func add(_ node: ConditionNode) -> Int32 {
    nodes.append(node)
    return Int32(nodes.count - 1)
  }

  /// Adds a part with so many operands.
  mutating func add(
    _ operation: ConditionNode.Operation, of first: Int32 = 0, _ list: [Int32]
  ) -> Int32 {
    let start = Int32(operands.count)
    operands += list
    return add(
      ConditionNode(operation: operation, first: first, second: start, third: Int32(list.count)))
  }

  /// Adds a text.
  mutating func add(text: [UInt8]) -> Int32 {
    texts.append(text)
    return add(ConditionNode(operation: .text, first: Int32(texts.count - 1)))
  }
}
