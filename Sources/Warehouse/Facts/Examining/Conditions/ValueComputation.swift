internal import CivilTime

/// The values of a sum or function for the rows of a batch, given those of its operands.
struct ValueComputation {
  private let node: ConditionNode
  private let place: Int32
  /// The rows whose value only SQLite can tell.
  private(set) var doubtful = RowSet.none
  private var nulls = RowSet.none
  private var texts = RowSet.none

  /// Begins to compute a part.
  init(_ node: ConditionNode, _ place: Int32) {
    self.node = node
    self.place = place
  }

  /// Computes the part for some rows.
  mutating func run(in batch: inout RowBatch, for rows: RowSet) {
    // NULL of NULL: that is so for all that is computed here.
    for operand in node.operands { nulls = nulls | rows & batch.nulls(operand) }
    let known = rows - nulls
    switch node.operation {
    case .substring: substring(in: batch, for: known)
    case .length: length(in: batch, for: known)
    case .daysLater: daysLater(in: &batch, for: known)
    case .negate: negate(in: batch, for: known)
    default: arithmetic(in: batch, for: known)
    }
    batch.set(place, nulls: nulls | doubtful, texts: texts, for: rows)
  }

  private mutating func arithmetic(in batch: borrowing RowBatch, for rows: RowSet) {
    let (left, right, values) = unsafe (batch[node.first], batch[node.second], batch[place])
    let numbers = rows - batch.texts(node.first) - batch.texts(node.second)
    doubtful = rows - numbers
    numbers.forEach { row in
      let (one, other) = unsafe (left[row], right[row])
      switch node.operation {
      case .bitAnd: unsafe values[row] = one & other
      case .shiftRight:
        if !(0..<64).contains(other) { doubtful.insert(row) }
        unsafe values[row] = one &>> other
      default:
        let (sum, overflow) = one.addingReportingOverflow(other)
        if overflow { doubtful.insert(row) }
        unsafe values[row] = sum
      }
    }
  }

  private mutating func negate(in batch: borrowing RowBatch, for rows: RowSet) {
    let (numbers, values) = unsafe (batch[node.first], batch[place])
    doubtful = rows & batch.texts(node.first)
    (rows - doubtful).forEach { row in
      let (difference, overflow) = unsafe Int64(0).subtractingReportingOverflow(numbers[row])
      if overflow { doubtful.insert(row) }
      unsafe values[row] = difference
    }
  }

  private mutating func substring(in batch: borrowing RowBatch, for rows: RowSet) {
    let (starts, counts) = unsafe (batch[node.second], batch[node.third])
    let (sources, values) = unsafe (batch[node.first], batch[place])
    let computable =
      rows & batch.texts(node.first) - batch.texts(node.second) - batch.texts(node.third)
    doubtful = rows - computable
    computable.forEach { row in
      let text = unsafe TextPlace(sources[row])
      let (first, count) = unsafe (starts[row], counts[row])
      guard first >= 1, count >= 0, unsafe Self.isASCII(batch.text(text)) else {
        return doubtful.insert(row)
      }
      let skipped = min(Int(first - 1), text.count)
      let kept = min(Int(count), text.count - skipped)
      unsafe values[row] = TextPlace(start: text.start + skipped, count: kept).number
      texts.insert(row)
    }
  }

  private mutating func length(in batch: borrowing RowBatch, for rows: RowSet) {
    let (sources, values) = unsafe (batch[node.first], batch[place])
    let computable = rows & batch.texts(node.first)
    doubtful = rows - computable
    computable.forEach { row in
      let text = unsafe TextPlace(sources[row])
      if unsafe !Self.isASCII(batch.text(text)) { doubtful.insert(row) }
      unsafe values[row] = Int64(text.count)
    }
  }

  private static func isASCII(_ text: UnsafeRawBufferPointer) -> Bool {
    var isASCII = true
    for place in 0..<text.count { isASCII = unsafe isASCII && text[place] &- 1 < 0x7F }
    return isASCII
  }

  private mutating func daysLater(in batch: inout RowBatch, for rows: RowSet) {
    let (sources, values) = unsafe (batch[node.first], batch[place])
    doubtful = rows - batch.texts(node.first)
    (rows - doubtful).forEach { row in
      let text = unsafe TextPlace(sources[row])
      let bytes = unsafe batch.text(text).bindMemory(to: UInt8.self)
      guard let day = unsafe CivilDay(text: bytes.span) else { return doubtful.insert(row) }
      let later = day.advanced(by: node.number)
      guard (1...9999).contains(later.date.year) else { return doubtful.insert(row) }
      unsafe values[row] = batch.keep(later).number
      texts.insert(row)
    }
  }
}

extension ConditionNode {
  /// The places of the values that a sum or function works on.
  var operands: [Int32] {
    switch operation {
    case .substring: [first, second, third]
    case .length, .daysLater, .negate: [first]
    default: [first, second]
    }
  }
}
