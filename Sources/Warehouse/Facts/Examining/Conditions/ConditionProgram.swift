/// Conditions over the rows of one table, made ready for being asked of many rows.
///
/// What several conditions have in common is one part. The many ways in which SQL can say a thing
/// become one: `a <> b` is `NOT a = b`, `a IN (b, c)` is `a = b OR a = c`. Where a column is
/// compared with fixed texts alone, it becomes one of few words.
struct ConditionProgram {
  /// The parts of all conditions; each comes after its operands.
  private(set) var nodes: [ConditionNode] = []
  /// The texts that conditions name.
  private(set) var texts: [[UInt8]] = []
  /// The words of columns, by column.
  private(set) var words: [Int: [[UInt8]]] = [:]
  /// The place of each condition.
  private(set) var roots: [Int32] = []
  private var places: [ConditionNode: Int32] = [:]

  /// Adds a condition as one to be asked.
  mutating func ask(_ condition: Int32) {
    roots.append(self.condition(condition))
  }

  /// Adds a part, or finds it, and tells its place.
  private mutating func add(
    _ operation: ConditionNode.Operation, _ first: Int32 = 0, _ second: Int32 = 0,
    _ third: Int32 = 0, number: Int64 = 0
  ) -> Int32 {
    let node = ConditionNode(
      operation: operation, first: first, second: second, third: third, number: number)
    if let known = places[node] { return known }
    nodes.append(node)
    places[node] = Int32(nodes.count - 1)
    return Int32(nodes.count - 1)
  }

  private func operation(_ place: Int32) -> ConditionNode.Operation { nodes[Int(place)].operation }

  /// A part as a condition: a value is true unless it is 0.
  private mutating func condition(_ place: Int32) -> Int32 {
    operation(place).isCondition ? place : add(.isTrue, place)
  }

  /// A part as a value: a condition is 0 or 1.
  private mutating func value(_ place: Int32) -> Int32 {
    operation(place).isCondition ? add(.number, place) : place
  }

  // MARK: Values

  /// A column of the row.
  mutating func column(_ number: Int) -> Int32 { add(.column, Int32(number)) }

  /// A whole number.
  mutating func integer(_ value: Int64) -> Int32 { add(.integer, number: value) }

  /// NULL.
  mutating func null() -> Int32 { add(.null) }

  /// A text.
  mutating func text(_ text: [UInt8]) -> Int32 {
    if let known = texts.firstIndex(of: text) { return add(.text, Int32(known)) }
    texts.append(text)
    return add(.text, Int32(texts.count - 1))
  }

  /// A sum, or the bits of two numbers.
  mutating func arithmetic(
    _ operation: ConditionNode.Operation, _ left: Int32, _ right: Int32
  ) -> Int32 {
    add(operation, value(left), value(right))
  }

  /// A number with the other sign.
  mutating func negated(_ number: Int32) -> Int32 { add(.negate, value(number)) }

  /// The one value where a condition is true, else the other.
  mutating func choice(_ condition: Int32, _ value: Int32, else other: Int32) -> Int32 {
    add(.choose, self.condition(condition), self.value(value), self.value(other))
  }

  /// The first value unless it is NULL, else the other.
  mutating func coalesce(_ first: Int32, _ other: Int32) -> Int32 {
    add(.coalesce, value(first), value(other))
  }

  /// `substr(text, start, count)`.
  mutating func substring(_ text: Int32, _ start: Int32, _ count: Int32) -> Int32 {
    add(.substring, value(text), value(start), value(count))
  }

  /// `length(text)`.
  mutating func length(_ text: Int32) -> Int32 { add(.length, value(text)) }

  /// A day so many days later.
  mutating func day(_ day: Int32, later days: Int64) -> Int32 {
    add(.daysLater, value(day), number: days)
  }

  // MARK: Conditions

  /// Whether both hold.
  mutating func both(_ left: Int32, _ right: Int32) -> Int32 {
    add(.and, condition(left), condition(right))
  }

  /// Whether one of them holds.
  mutating func either(_ left: Int32, _ right: Int32) -> Int32 {
    add(.or, condition(left), condition(right))
  }

  /// Whether it does not hold.
  mutating func not(_ part: Int32) -> Int32 { add(.not, condition(part)) }

  /// Whether two values are equal.
  mutating func equal(_ left: Int32, _ right: Int32) -> Int32 {
    isAmong(left, [right]) ?? isAmong(right, [left]) ?? add(.equal, value(left), value(right))
  }

  /// Whether the first value is less than the second.
  mutating func less(_ left: Int32, _ right: Int32) -> Int32 {
    add(.less, value(left), value(right))
  }

  /// Whether two values are equal, or both NULL.
  mutating func isSame(_ left: Int32, _ right: Int32) -> Int32 {
    add(.isSame, value(left), value(right))
  }

  /// Whether a value is among those of a list, which is not empty.
  mutating func isIn(_ left: Int32, _ list: [Int32]) -> Int32 {
    if let among = isAmong(left, list) { return among }
    let tests = list.map { equal(left, $0) }
    return tests.dropFirst().reduce(tests[0]) { either($0, $1) }
  }

  /// Whether a value is in the set with this number.
  mutating func isIn(_ left: Int32, set: Int32) -> Int32 {
    add(.isInSet, value(left), set)
  }

  /// Whether a column is one of some texts; `nil` where this is no such question.
  private mutating func isAmong(_ left: Int32, _ list: [Int32]) -> Int32? {
    guard operation(left) == .column, list.allSatisfy({ operation($0) == .text }) else {
      return nil
    }
    let column = nodes[Int(left)].first
    var known = words[Int(column), default: []]
    var bits: Int64 = 0
    for place in list {
      let text = texts[Int(nodes[Int(place)].first)]
      let word = known.firstIndex(of: text) ?? known.count
      if word == known.count { known.append(text) }
      guard word < Vocabulary.largest else { return nil }
      bits |= 1 << Int64(word)
    }
    words[Int(column)] = known
    return add(.isAmong, add(.word, column), number: bits)
  }
}
