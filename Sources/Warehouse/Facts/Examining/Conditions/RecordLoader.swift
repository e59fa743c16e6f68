/// Takes records apart into the columns of a batch: only those that conditions ask for.
///
/// A record is a header with a type for each column, then the values (SQLite's file format, section
/// 2.1).
@safe
struct RecordLoader: ~Copyable {
  /// What becomes of a column: the parts that it fills, below 0 where there are none.
  private struct Target {
    var value: Int32 = -1
    var word: Int32 = -1
  }

  private let targets: UnsafeMutableBufferPointer<Target>
  private let vocabularies: UnsafeMutablePointer<Vocabulary>
  private let keyColumn: Int?

  /// Makes ready for the rows of a table with so many columns; the key column, where there is one,
  /// is the row's number.
  init(_ program: ConditionProgram, columns: Int, keyColumn: Int?) {
    self.keyColumn = keyColumn
    unsafe targets = .allocate(capacity: columns)
    unsafe targets.initialize(repeating: Target())
    unsafe vocabularies = .allocate(capacity: columns)
    for column in 0..<columns {
      unsafe (vocabularies + column).initialize(to: Vocabulary(program.words[column] ?? []))
    }
    for (place, node) in program.nodes.enumerated() {
      switch node.operation {
      case .column: unsafe targets[Int(node.first)].value = Int32(place)
      case .word: unsafe targets[Int(node.first)].word = Int32(place)
      default: break
      }
    }
  }

  deinit {
    unsafe vocabularies.deinitialize(count: targets.count)
    unsafe vocabularies.deallocate()
    unsafe targets.deallocate()
  }

  /// Forgets what the columns of a batch say.
  func clear(_ batch: inout RowBatch) {
    for column in unsafe targets.indices {
      let target = unsafe targets[column]
      if target.value >= 0 { batch.set(target.value, nulls: .none, texts: .none) }
      if target.word >= 0 { batch.set(target.word, nulls: .none, texts: .none) }
    }
  }

  /// Takes a record apart; `false` for one that has not all columns, ends too early, or holds what
  /// no column of ours does.
  func load(_ record: UnsafeRawBufferPointer, number: Int64, as row: Int, of batch: inout RowBatch)
    -> Bool
  {
    var header = 0
    guard let length = unsafe Self.number(record, &header, end: record.count),
      length <= UInt64(record.count)
    else { return false }
    let headerEnd = Int(length)
    var body = headerEnd
    for column in unsafe targets.indices {
      guard let type = unsafe Self.number(record, &header, end: headerEnd), type >> 32 == 0
      else { return false }
      let width = SerialType.width(of: type)
      guard width <= record.count - body else { return false }
      let target = unsafe targets[column]
      if target.value >= 0 || target.word >= 0 {
        let value = unsafe UnsafeRawBufferPointer(
          start: record.baseAddress?.advanced(by: body), count: width)
        if type >= 13, type & 1 == 1 {
          unsafe store(text: value, target, column, row, &batch)
        } else if type == 0, column != keyColumn {
          Self.storeNull(target, row, &batch)
        } else if type <= 6 || type == 8 || type == 9 {
          let value = column == keyColumn ? number : unsafe Self.integer(type, record, at: body)
          Self.store(value, target, row, &batch)
        } else {
          return false
        }
      }
      body += width
    }
    return header == headerEnd && body == record.count
  }

  // MARK: Storing

  @inline(__always)
  private static func storeNull(_ target: Target, _ row: Int, _ batch: inout RowBatch) {
    if target.value >= 0 { batch.setNull(target.value, row) }
    if target.word >= 0 { batch.setNull(target.word, row) }
  }

  @inline(__always)
  private static func store(
    _ value: Int64, _ target: Target, _ row: Int, _ batch: inout RowBatch
  ) {
    if target.value >= 0 { unsafe batch[target.value][row] = value }
    if target.word >= 0 { unsafe batch[target.word][row] = 0 }
  }

  @inline(__always)
  private func store(
    text: UnsafeRawBufferPointer, _ target: Target, _ column: Int, _ row: Int,
    _ batch: inout RowBatch
  ) {
    if target.value >= 0 {
      unsafe batch[target.value][row] = batch.keep(text).number
      batch.setText(target.value, row)
    }
    if target.word >= 0 {
      unsafe batch[target.word][row] = vocabularies[column].bit(of: text)
      batch.setText(target.word, row)
    }
  }

  // MARK: Reading

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

  /// The whole number of a type that is one.
  @inline(__always)
  private static func integer(_ type: UInt64, _ record: UnsafeRawBufferPointer, at start: Int)
    -> Int64
  {
    if type >= 8 { return Int64(type) - 8 }
    let width = SerialType.width(of: type)
    let end = start + width
    guard end >= 8 else {
      return unsafe record[start + 1..<end].reduce(Int64(Int8(bitPattern: record[start]))) {
        $0 << 8 | Int64($1)
      }
    }
    // Eight bytes that end where the number does, of which the first ones are not its own.
    let bytes = unsafe record.loadUnaligned(fromByteOffset: end - 8, as: Int64.self)
    let others = Int64(64 - 8 * width)
    return (Int64(bigEndian: bytes) &<< others) &>> others
  }
}
