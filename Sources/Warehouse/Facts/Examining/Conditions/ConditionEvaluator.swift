internal import CivilTime
internal import Glibc

/// Asks conditions of stored rows, one after another, by SQL's logic of three values.
///
/// What SQLite would answer in a way that is not known here, such as a sum that does not fit or
/// the length of a text beyond ASCII, makes it doubtful: then SQLite has to be asked.
@safe
struct ConditionEvaluator: ~Copyable {
  private typealias Value = RecordCursor.Value

  private let nodes: UnsafeMutableBufferPointer<ConditionNode>
  private let operands: UnsafeMutableBufferPointer<Int32>
  private let texts: UnsafeMutableBufferPointer<UnsafeRawBufferPointer>
  private let values: UnsafeMutableBufferPointer<RecordCursor.Value>
  /// Ten bytes a part, for the days that parts compute.
  private let days: UnsafeMutableBufferPointer<UInt8>
  private let sets: [ValueSet]  // which `lookUp` points into
  private let lookUp: UnsafeMutableBufferPointer<Unmanaged<ValueSet>>
  private let roots: UnsafeMutableBufferPointer<Int32>
  private let keyColumn: Int?
  private let broken: UnsafeMutableBufferPointer<Int>
  /// Whether something was met that only SQLite can answer.
  private(set) var isDoubtful = false

  /// Makes ready for the rows of a table with so many columns; the key column, where there is one,
  /// is the row's number.
  init(_ program: ConditionProgram, columns: Int, keyColumn: Int?, sets: [ValueSet]) {
    self.sets = sets
    unsafe lookUp = .allocate(capacity: sets.count)
    _ = unsafe lookUp.initialize(from: sets.map { unsafe Unmanaged.passUnretained($0) })
    self.keyColumn = keyColumn
    unsafe roots = .allocate(capacity: program.roots.count)
    _ = unsafe roots.initialize(from: program.roots)
    unsafe broken = .allocate(capacity: program.roots.count)
    unsafe broken.initialize(repeating: 0)
    unsafe nodes = .allocate(capacity: program.nodes.count)
    _ = unsafe nodes.initialize(from: program.nodes)
    unsafe operands = .allocate(capacity: program.operands.count)
    _ = unsafe operands.initialize(from: program.operands)
    unsafe texts = .allocate(capacity: program.texts.count)
    for (index, text) in program.texts.enumerated() {
      let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: text.count, alignment: 1)
      unsafe copy.copyBytes(from: text)
      unsafe texts.initializeElement(at: index, to: UnsafeRawBufferPointer(copy))
    }
    unsafe values = .allocate(capacity: columns)
    unsafe values.initialize(repeating: .null)
    unsafe days = .allocate(capacity: 10 * program.nodes.count)
  }

  deinit {
    for place in unsafe texts.indices { unsafe texts[place].deallocate() }
    unsafe texts.deallocate()
    unsafe lookUp.deallocate()
    unsafe roots.deallocate()
    unsafe broken.deallocate()
    unsafe nodes.deallocate()
    unsafe operands.deallocate()
    unsafe values.deallocate()
    unsafe days.deallocate()
  }

  /// How many rows broke each condition.
  var counts: [Int] { unsafe Array(broken) }

  /// Asks all conditions of a row.
  mutating func ask(_ record: UnsafeRawBufferPointer, row: Int64) {
    guard unsafe load(record) else { return isDoubtful = true }
    if let keyColumn { unsafe values[keyColumn] = .integer(row) }
    for index in unsafe roots.indices where truth(unsafe roots[index]) == .yes {
      unsafe broken[index] += 1
    }
  }

  /// Takes a record apart; `false` for one that has not all columns, or ends too early.
  private func load(_ record: UnsafeRawBufferPointer) -> Bool {
    var header = 0
    guard let length = unsafe Self.number(record, &header, end: record.count),
      length <= UInt64(record.count)
    else { return false }
    let headerEnd = Int(length)
    var body = headerEnd
    for column in unsafe values.indices {
      guard let type = unsafe Self.number(record, &header, end: headerEnd), type >> 32 == 0
      else { return false }
      let width = SerialType.width(of: type)
      guard width <= record.count - body else { return false }
      guard
        let value = unsafe Self.value(
          type, UnsafeRawBufferPointer(rebasing: record[body..<body + width]))
      else { return false }
      unsafe values[column] = value
      body += width
    }
    return header == headerEnd && body == record.count
  }

  /// The variable-length number at a place, which moves on; `nil` where it does not end in time.
  @inline(__always)
  private static func number(_ bytes: UnsafeRawBufferPointer, _ place: inout Int, end: Int)
    -> UInt64?
  {
    var value: UInt64 = 0
    while place < end, value >> 56 == 0 {
      let byte = unsafe bytes[place]
      place += 1
      value = value << 7 | UInt64(byte & 0x7F)
      if byte < 0x80 { return value }
    }
    return nil
  }

  /// What a column holds; `nil` for what no column of ours does.
  @inline(__always)
  private static func value(_ type: UInt64, _ bytes: UnsafeRawBufferPointer)
    -> RecordCursor.Value?
  {
    switch type {
    case 0: return unsafe .null
    case 8: return unsafe .integer(0)
    case 9: return unsafe .integer(1)
    case 1...6:
      var value = unsafe Int64(Int8(bitPattern: bytes[0]))
      for index in 1..<max(bytes.count, 1) { value = unsafe value << 8 | Int64(bytes[index]) }
      return unsafe .integer(value)
    default: return type >= 13 && type & 1 == 1 ? unsafe .text(bytes) : nil
    }
  }

  // MARK: Conditions

  private enum Truth {
    case yes, no, unknown

    init(_ isTrue: Bool) { self = isTrue ? .yes : .no }

    var negated: Truth {
      switch self {
      case .yes: .no
      case .no: .yes
      case .unknown: .unknown
      }
    }
  }

  private mutating func truth(_ place: Int32) -> Truth {
    let node = unsafe nodes[Int(place)]
    switch node.operation {
    case .and:
      let left = truth(node.first)
      if left == .no { return .no }
      let right = truth(node.second)
      return left == .yes ? right : right == .no ? .no : .unknown
    case .or:
      let left = truth(node.first)
      if left == .yes { return .yes }
      let right = truth(node.second)
      return left == .no ? right : right == .yes ? .yes : .unknown
    case .not: return truth(node.first).negated
    case .isSame: return Truth(unsafe isSame(value(node.first), value(node.second)))
    case .isNotSame: return Truth(!(unsafe isSame(value(node.first), value(node.second))))
    case .between:
      let value = unsafe value(node.first)
      let low = unsafe holds(.greaterOrEqual, value, self.value(node.second))
      if low == .no { return .no }
      let high = unsafe holds(.lessOrEqual, value, self.value(node.third))
      return low == .yes ? high : high == .no ? .no : .unknown
    case .inList: return isInList(node)
    case .inSet: return isInSet(node)
    case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual:
      return unsafe holds(node.operation, value(node.first), value(node.second))
    default:
      switch unsafe value(place) {
      case .null: return .unknown
      case .integer(let number): return Truth(number != 0)
      case .text: return doubt(.unknown)
      }
    }
  }

  private mutating func doubt<Result>(_ result: Result) -> Result {
    isDoubtful = true
    return result
  }

  private mutating func isInList(_ node: ConditionNode) -> Truth {
    let value = unsafe value(node.first)
    if case .null = unsafe value { return .unknown }
    var answer = Truth.no
    for place in node.second..<node.second + node.third {
      let other = unsafe nodes[Int(operands[Int(place)])]
      if other.operation == .text, case .text(let text) = unsafe value {
        let known = unsafe texts[Int(other.first)]
        // Texts of other lengths are other texts: most are, so nothing is called for them.
        if text.count == known.count, unsafe KeyOrder.compare(text, known) == 0 { return .yes }
        continue
      }
      switch unsafe holds(.equal, value, self.value(operands[Int(place)])) {
      case .yes: return .yes
      case .no: continue
      case .unknown: answer = .unknown
      }
    }
    return answer
  }

  private mutating func isInSet(_ node: ConditionNode) -> Truth {
    let value = unsafe value(node.first)
    return unsafe lookUp[Int(node.second)]._withUnsafeGuaranteedRef { set in
      let isFound: Bool
      switch unsafe value {
      case .null: return set.isEmpty ? .no : .unknown
      case .integer(let number):
        guard !set.hasTexts else { return doubt(.unknown) }
        isFound = set.contains(number)
      case .text(let text):
        guard !set.hasNumbers else { return doubt(.unknown) }
        isFound = unsafe set.contains(text)
      }
      return isFound ? .yes : set.hasNull ? .unknown : .no
    }
  }

  /// Whether two values compare so; NULL does not compare.
  @inline(__always)
  private mutating func holds(
    _ operation: ConditionNode.Operation, _ left: RecordCursor.Value, _ right: RecordCursor.Value
  ) -> Truth {
    let order: Int
    switch unsafe (left, right) {
    case (.integer(let left), .integer(let right)): order = left < right ? -1 : left > right ? 1 : 0
    case (.text(let left), .text(let right)):
      let isEquality = operation == .equal || operation == .notEqual
      if isEquality, left.count != right.count { return Truth(operation == .notEqual) }
      order = unsafe KeyOrder.compare(left, right)
    case (.null, _), (_, .null): return .unknown
    default: return doubt(.unknown)
    }
    return switch operation {
    case .equal: Truth(order == 0)
    case .notEqual: Truth(order != 0)
    case .less: Truth(order < 0)
    case .lessOrEqual: Truth(order <= 0)
    case .greater: Truth(order > 0)
    default: Truth(order >= 0)
    }
  }

  private mutating func isSame(_ left: RecordCursor.Value, _ right: RecordCursor.Value) -> Bool {
    switch unsafe (left, right) {
    case (.null, .null): true
    case (.null, _), (_, .null): false
    default: unsafe holds(.equal, left, right) == .yes
    }
  }

  // MARK: Values

  @inline(__always)
  private mutating func value(_ place: Int32) -> RecordCursor.Value {
    let node = unsafe nodes[Int(place)]
    switch node.operation {
    case .column: return unsafe values[Int(node.first)]
    case .integer: return unsafe .integer(node.number)
    case .text: return unsafe .text(texts[Int(node.first)])
    case .null: return unsafe .null
    default: return unsafe computed(node, at: place)
    }
  }

  private mutating func computed(_ node: ConditionNode, at place: Int32) -> RecordCursor.Value {
    switch node.operation {
    case .add, .bitAnd, .shiftRight: return unsafe arithmetic(node)
    case .choose:
      let base = unsafe value(node.first)
      let end = Int(node.second + node.third) - 1
      for place in stride(from: Int(node.second), to: end, by: 2)
      where unsafe holds(.equal, base, value(operands[place])) == .yes {
        return unsafe value(operands[place + 1])
      }
      return unsafe value(operands[end])
    case .coalesce:
      for place in node.second..<node.second + node.third {
        let value = unsafe self.value(operands[Int(place)])
        if case .null = unsafe value { continue }
        return unsafe value
      }
      return unsafe .null
    case .substring: return unsafe substring(node)
    case .length:
      switch unsafe value(unsafe operands[Int(node.second)]) {
      case .text(let text): return unsafe isASCII(text) ? .integer(Int64(text.count)) : doubt(.null)
      case .null: return unsafe .null
      case .integer: return unsafe doubt(.null)
      }
    case .daysLater: return unsafe daysLater(node, at: place)
    default:
      switch truth(place) {
      case .yes: return unsafe .integer(1)
      case .no: return unsafe .integer(0)
      case .unknown: return unsafe .null
      }
    }
  }

  private mutating func arithmetic(_ node: ConditionNode) -> RecordCursor.Value {
    switch unsafe (value(node.first), value(node.second)) {
    case (.integer(let left), .integer(let right)):
      switch node.operation {
      case .bitAnd: return unsafe .integer(left & right)
      case .shiftRight:
        guard (0..<64).contains(right) else { return unsafe doubt(.null) }
        return unsafe .integer(left >> right)
      default:
        let (sum, overflow) = left.addingReportingOverflow(right)
        return unsafe overflow ? doubt(.null) : .integer(sum)
      }
    case (.text, _), (_, .text): return unsafe doubt(.null)
    default: return unsafe .null
    }
  }

  private mutating func substring(_ node: ConditionNode) -> RecordCursor.Value {
    let list = Int(node.second)
    switch unsafe (value(operands[list]), value(operands[list + 1]), value(operands[list + 2])) {
    case (.text(let text), .integer(let first), .integer(let count)):
      guard unsafe isASCII(text), first >= 1, count >= 0 else { return unsafe doubt(.null) }
      let start = Int(min(first - 1, Int64(text.count)))
      let end = start + Int(min(count, Int64(text.count - start)))
      return unsafe .text(UnsafeRawBufferPointer(rebasing: text[start..<end]))
    case (.null, _, _): return unsafe .null
    default: return unsafe doubt(.null)
    }
  }

  private func isASCII(_ text: UnsafeRawBufferPointer) -> Bool {
    unsafe text.allSatisfy { $0 < 0x80 && $0 != 0 }
  }

  private mutating func daysLater(_ node: ConditionNode, at place: Int32) -> RecordCursor.Value {
    switch unsafe value(node.first) {
    case .null: return unsafe .null
    case .text(let text):
      guard text.count == 10, let day = CivilDay(text: unsafe String(decoding: text, as: UTF8.self))
      else { return unsafe doubt(.null) }
      let later = day.advanced(by: node.number)
      guard (1...9999).contains(later.date.year) else { return unsafe doubt(.null) }
      let start = 10 * Int(place)
      let room = unsafe UnsafeMutableBufferPointer(rebasing: days[start..<start + 10])
      _ = unsafe later.write(into: room)
      return unsafe .text(UnsafeRawBufferPointer(room))
    case .integer: return unsafe doubt(.null)
    }
  }
}
