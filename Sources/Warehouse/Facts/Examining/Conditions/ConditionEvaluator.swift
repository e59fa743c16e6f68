/// Asks conditions of stored rows, a batch at a time, by SQL's logic of three values.
///
/// What SQLite would answer in a way that is not known here, such as a sum that does not fit or
/// the length of a text beyond ASCII, makes it doubtful: then SQLite has to be asked.
@safe
struct ConditionEvaluator: ~Copyable {
  /// What was found out about rows.
  struct Findings {
    /// How many rows broke each condition.
    var counts: [Int]
    /// Whether something was met that only SQLite can answer.
    var isDoubtful: Bool
  }

  private let nodes: UnsafeMutableBufferPointer<ConditionNode>
  private let roots: [Int32]
  private let sets: [ValueSet]
  private let loader: RecordLoader
  private let parentLoader: RecordLoader
  private var batch: RowBatch
  private var rows = 0
  private var findings: Findings

  /// Makes ready for the rows of a table, and where conditions ask for them, for those of another
  /// table that they point to, whose columns come after their own.
  init(
    _ program: ConditionProgram, _ shape: RecordShape, parent: RecordShape = .none,
    sets: [ValueSet]
  ) {
    self.sets = sets
    roots = program.roots
    findings = Findings(counts: roots.map { _ in 0 }, isDoubtful: false)
    unsafe nodes = .allocate(capacity: program.nodes.count)
    _ = unsafe nodes.initialize(from: program.nodes)
    loader = RecordLoader(program, shape)
    parentLoader = RecordLoader(program, parent, first: shape.columns.count)
    batch = RowBatch(parts: program.nodes.count)
    let texts = program.texts.map { text in
      unsafe text.withUnsafeBytes { unsafe batch.keep($0).number }
    }
    batch.fixTexts()
    for (place, node) in program.nodes.enumerated() {
      let place = Int32(place)
      let constant: Int64?
      switch node.operation {
      case .column, .word: constant = nil
      case .integer: constant = node.number
      case .text: constant = texts[Int(node.first)]
      case .null: constant = 0
      default: continue
      }
      batch.fix(place)
      if let constant { unsafe batch[place].update(repeating: constant, count: RowSet.largest) }
      batch.set(
        place, nulls: node.operation == .null ? .all : .none,
        texts: node.operation == .text ? .all : .none)
    }
  }

  deinit {
    unsafe nodes.deallocate()
  }

  /// Asks all conditions of a row, at the latest when the last row was given.
  @inline(__always)
  mutating func ask(_ record: UnsafeRawBufferPointer, row: Int64) {
    guard unsafe loader.load(record, number: row, as: rows, of: &batch) else {
      return findings.isDoubtful = true
    }
    rows += 1
    if rows == RowSet.largest { askAll() }
  }

  /// Asks all conditions of a row and the one that it points to, if there is such a row.
  mutating func ask(
    _ record: UnsafeRawBufferPointer, row: Int64, pointsTo parent: UnsafeRawBufferPointer?,
    parentRow: Int64
  ) {
    if let parent = unsafe parent {
      guard unsafe parentLoader.load(parent, number: parentRow, as: rows, of: &batch) else {
        return findings.isDoubtful = true
      }
    } else {
      parentLoader.loadNothing(as: rows, of: &batch)
    }
    unsafe ask(record, row: row)
  }

  /// What was found out about all rows.
  mutating func finish() -> Findings {
    askAll()
    return findings
  }

  private mutating func askAll() {
    let asked = RowSet(first: rows)
    for index in roots.indices {
      findings.counts[index] += (truth(roots[index], for: asked).yes & asked).count
    }
    rows = 0
    batch.clear()
    loader.clear(&batch)
    parentLoader.clear(&batch)
  }

  private mutating func doubt(_ rows: RowSet) {
    if !rows.isEmpty { findings.isDoubtful = true }
  }

  // MARK: Conditions

  /// Of which of the rows a condition is true: as SQL does, it looks no further where the first
  /// operand decides.
  private mutating func truth(_ place: Int32, for rows: RowSet) -> Truth {
    let missing = batch.begin(place, for: rows)
    guard !missing.isEmpty else { return batch.truth(place) }
    let node = unsafe nodes[Int(place)]
    let truth: Truth
    switch node.operation {
    case .and:
      let left = self.truth(node.first, for: missing)
      truth = left & self.truth(node.second, for: missing - left.no)
    case .or:
      let left = self.truth(node.first, for: missing)
      truth = left | self.truth(node.second, for: missing - left.yes)
    case .not: truth = self.truth(node.first, for: missing).negated
    case .equal: truth = isEqual(node.first, node.second, for: missing)
    case .less: truth = isLess(node.first, node.second, for: missing)
    case .isSame:
      let equality = isEqual(node.first, node.second, for: missing)
      let bothNull = batch.nulls(node.first) & batch.nulls(node.second)
      truth = Truth(yes: equality.yes | bothNull, no: missing - equality.yes - bothNull)
    case .isAmong:
      let known = missing - batch.nulls(node.first)
      doubt(known - batch.texts(node.first))
      let words = unsafe batch[node.first]
      let yes = RowSet { unsafe words[$0] & node.number != 0 }
      truth = Truth(yes: known & yes, no: known - yes)
    case .isInSet: truth = isInSet(node, for: missing)
    default:
      evaluate(node.first, for: missing)
      let known = missing - batch.nulls(node.first)
      doubt(known & batch.texts(node.first))
      let numbers = unsafe batch[node.first]
      let yes = RowSet { unsafe numbers[$0] != 0 }
      truth = Truth(yes: known & yes, no: known - yes)
    }
    batch.set(place, truth, for: missing)
    return batch.truth(place)
  }

  /// The rows for which both values are there, both as numbers or both as texts.
  private mutating func comparable(_ left: Int32, _ right: Int32, for rows: RowSet)
    -> (numbers: RowSet, texts: RowSet)
  {
    evaluate(left, for: rows)
    evaluate(right, for: rows)
    let known = rows - batch.nulls(left) - batch.nulls(right)
    let texts = known & batch.texts(left) & batch.texts(right)
    let numbers = known - batch.texts(left) - batch.texts(right)
    doubt(known - texts - numbers)
    return (numbers, texts)
  }

  private mutating func isEqual(_ left: Int32, _ right: Int32, for rows: RowSet) -> Truth {
    let (numbers, texts) = comparable(left, right, for: rows)
    let (leftValues, rightValues) = unsafe (batch[left], batch[right])
    var yes = RowSet.none
    if !numbers.isEmpty {
      yes = numbers & RowSet { unsafe leftValues[$0] == rightValues[$0] }
    }
    texts.forEach { row in
      let (left, right) = unsafe (TextPlace(leftValues[row]), TextPlace(rightValues[row]))
      guard left.count == right.count else { return }
      if unsafe KeyOrder.compare(batch.text(left), batch.text(right)) == 0 { yes.insert(row) }
    }
    return Truth(yes: yes, no: (numbers | texts) - yes)
  }

  private mutating func isLess(_ left: Int32, _ right: Int32, for rows: RowSet) -> Truth {
    let (numbers, texts) = comparable(left, right, for: rows)
    let (leftValues, rightValues) = unsafe (batch[left], batch[right])
    var yes = RowSet.none
    if !numbers.isEmpty {
      yes = numbers & RowSet { unsafe leftValues[$0] < rightValues[$0] }
    }
    texts.forEach { row in
      let left = unsafe batch.text(TextPlace(leftValues[row]))
      let right = unsafe batch.text(TextPlace(rightValues[row]))
      if unsafe KeyOrder.compare(left, right) < 0 { yes.insert(row) }
    }
    return Truth(yes: yes, no: (numbers | texts) - yes)
  }

  private mutating func isInSet(_ node: ConditionNode, for rows: RowSet) -> Truth {
    let set = sets[Int(node.second)]
    evaluate(node.first, for: rows)
    let known = rows - batch.nulls(node.first)
    guard !set.isEmpty else { return Truth(yes: .none, no: rows) }
    let texts = known & batch.texts(node.first)
    let numbers = known - texts
    if set.hasTexts { doubt(numbers) }
    if set.hasNumbers { doubt(texts) }
    let values = unsafe batch[node.first]
    var yes = RowSet.none
    numbers.forEach { row in
      if unsafe set.contains(values[row]) { yes.insert(row) }
    }
    texts.forEach { row in
      if unsafe set.contains(batch.text(TextPlace(values[row]))) { yes.insert(row) }
    }
    return Truth(yes: yes, no: set.hasNull ? .none : known - yes)
  }

  // MARK: Values

  /// Computes what a part is for these rows.
  private mutating func evaluate(_ place: Int32, for rows: RowSet) {
    let missing = batch.begin(place, for: rows)
    guard !missing.isEmpty else { return }
    let node = unsafe nodes[Int(place)]
    switch node.operation {
    case .choose:
      let isChosen = truth(node.first, for: missing).yes & missing
      take(node.second, as: place, for: isChosen)
      take(node.third, as: place, for: missing - isChosen)
    case .coalesce:
      evaluate(node.first, for: missing)
      let isMissing = batch.nulls(node.first) & missing
      take(node.first, as: place, for: missing - isMissing)
      take(node.second, as: place, for: isMissing)
    case .number:
      let truth = truth(node.first, for: missing)
      batch.set(place, nulls: missing - truth.yes - truth.no, texts: .none, for: missing)
      let values = unsafe batch[place]
      missing.forEach { unsafe values[$0] = 0 }
      (truth.yes & missing).forEach { unsafe values[$0] = 1 }
    default:
      for operand in node.operands { evaluate(operand, for: missing) }
      var computation = ValueComputation(node, place)
      computation.run(in: &batch, for: missing)
      doubt(computation.doubtful)
    }
  }

  /// Makes a part what another one is for some rows.
  private mutating func take(_ other: Int32, as place: Int32, for rows: RowSet) {
    evaluate(other, for: rows)
    batch.set(place, nulls: batch.nulls(other), texts: batch.texts(other), for: rows)
    let (values, others) = unsafe (batch[place], batch[other])
    rows.forEach { unsafe values[$0] = others[$0] }
  }
}
