internal import CivilTime

/// Up to 64 rows at once, column by column, with what the parts of conditions say of them.
///
/// Work that is done for many rows in a row needs no decision a row; and where a value has to be
/// fetched from far away, the processor fetches the next ones meanwhile.
@safe
struct RowBatch: ~Copyable {
  private let parts: Int
  private let numbers: UnsafeMutablePointer<Int64>  // 64 a part; of a text its place
  private let nulls: UnsafeMutablePointer<RowSet>
  private let texts: UnsafeMutablePointer<RowSet>
  private let truths: UnsafeMutablePointer<Truth>
  private let done: UnsafeMutablePointer<RowSet>
  private let doneFromStart: UnsafeMutablePointer<RowSet>
  /// The texts, end to end: first those of conditions, then those of the rows.
  private var bytes = ByteSink(capacity: 16_384)
  private var constantBytes = 0

  /// An empty batch for so many parts.
  init(parts: Int) {
    self.parts = parts
    unsafe numbers = .allocate(capacity: RowSet.largest * parts)
    unsafe numbers.initialize(repeating: 0, count: RowSet.largest * parts)
    unsafe nulls = .allocate(capacity: parts)
    unsafe nulls.initialize(repeating: .none, count: parts)
    unsafe texts = .allocate(capacity: parts)
    unsafe texts.initialize(repeating: .none, count: parts)
    unsafe truths = .allocate(capacity: parts)
    unsafe truths.initialize(repeating: Truth(), count: parts)
    unsafe done = .allocate(capacity: parts)
    unsafe done.initialize(repeating: .none, count: parts)
    unsafe doneFromStart = .allocate(capacity: parts)
    unsafe doneFromStart.initialize(repeating: .none, count: parts)
  }

  deinit {
    unsafe numbers.deallocate()
    unsafe nulls.deallocate()
    unsafe texts.deallocate()
    unsafe truths.deallocate()
    unsafe done.deallocate()
    unsafe doneFromStart.deallocate()
  }

  /// Makes a part one that is known without work: a column, or the same for all rows.
  mutating func fix(_ part: Int32) {
    unsafe doneFromStart[Int(part)] = .all
    unsafe done[Int(part)] = .all
  }

  /// Keeps the texts that there are now for all batches.
  mutating func fixTexts() { constantBytes = bytes.count }

  /// Forgets the rows.
  mutating func clear() {
    bytes.truncate(to: constantBytes)
    unsafe done.update(from: doneFromStart, count: parts)
  }

  // MARK: Values

  /// The whole numbers of a part by row, and where its texts lie.
  @inline(__always)
  subscript(_ part: Int32) -> UnsafeMutablePointer<Int64> {
    unsafe numbers + Int(part) &* RowSet.largest
  }

  /// For which rows a part is NULL.
  @inline(__always)
  func nulls(_ part: Int32) -> RowSet { unsafe nulls[Int(part)] }

  /// For which rows a part is a text.
  @inline(__always)
  func texts(_ part: Int32) -> RowSet { unsafe texts[Int(part)] }

  /// Says for some rows where a part is NULL and where a text.
  @inline(__always)
  mutating func set(_ part: Int32, nulls: RowSet, texts: RowSet, for rows: RowSet = .all) {
    let part = Int(part)
    unsafe self.nulls[part] = self.nulls[part] - rows | nulls & rows
    unsafe self.texts[part] = self.texts[part] - rows | texts & rows
  }

  /// Says for one row that a part is NULL there.
  @inline(__always)
  mutating func setNull(_ part: Int32, _ row: Int) { unsafe nulls[Int(part)].insert(row) }

  /// Says for one row that a part is a text there.
  @inline(__always)
  mutating func setText(_ part: Int32, _ row: Int) { unsafe texts[Int(part)].insert(row) }

  // MARK: Conditions

  /// Of which rows a condition is true.
  @inline(__always)
  func truth(_ part: Int32) -> Truth { unsafe truths[Int(part)] }

  /// Says for some rows whether a condition is true.
  @inline(__always)
  mutating func set(_ part: Int32, _ truth: Truth, for rows: RowSet) {
    let known = unsafe truths[Int(part)]
    unsafe truths[Int(part)] = Truth(
      yes: known.yes - rows | truth.yes & rows, no: known.no - rows | truth.no & rows)
  }

  /// The rows among these for which a part is not yet known; it counts as known from now on.
  @inline(__always)
  mutating func begin(_ part: Int32, for rows: RowSet) -> RowSet {
    let missing = unsafe rows - done[Int(part)]
    unsafe done[Int(part)] = done[Int(part)] | missing
    return missing
  }

  // MARK: Texts

  /// Keeps a text, and tells its place.
  @inline(__always)
  mutating func keep(_ text: UnsafeRawBufferPointer) -> TextPlace {
    let place = TextPlace(start: bytes.count, count: text.count)
    unsafe bytes.append(text)
    return place
  }

  /// Keeps a day as a text, and tells its place.
  mutating func keep(_ day: CivilDay) -> TextPlace {
    let place = TextPlace(start: bytes.count, count: 10)
    bytes.append(day)
    return place
  }

  /// Lends a text until the next one is kept.
  @inline(__always)
  func text(_ place: TextPlace) -> UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(
      start: bytes.written.baseAddress?.advanced(by: place.start), count: place.count)
  }
}

/// Where a text of a batch lies, as one number.
struct TextPlace {
  /// The number: of two equal ones the text is the same.
  let number: Int64

  /// Where it begins, and how long it is; both below 2³¹, as SQLite's texts are.
  init(start: Int, count: Int) {
    precondition(start >> 31 == 0 && count >> 31 == 0, "a text is too long")
    number = Int64(start << 32 | count)
  }

  /// The place behind a number.
  init(_ number: Int64) { self.number = number }

  var start: Int { Int(number >> 32) }
  var count: Int { Int(number & 0xFFFF_FFFF) }
}
