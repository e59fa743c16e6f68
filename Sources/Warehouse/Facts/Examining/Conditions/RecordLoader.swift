/// Takes records apart into the columns of a batch: only those that conditions ask for.
///
/// A record is a header with a type for each column, then the values (SQLite's file format, section
/// 2.1). Of all columns it looks whether they hold what they may.
@safe
struct RecordLoader: ~Copyable {
  /// What becomes of a column: the parts that it fills, below 0 where there are none.
  private struct Target {
    var column: Int
    var value: Int32 = -1
    var word: Int32 = -1
  }

  /// Of each type that takes a byte, how many bytes its value takes, and what kind it is.
  private struct Kind {
    var width: Int32
    var content: RecordShape.Content

    init(_ type: UInt8) {
      width = type < 128 ? Int32(SerialType.width(of: UInt64(type))) : 0
      switch type {
      case 0: content = .null
      case 1...6, 8, 9: content = .integer
      case 13..<128: content = type & 1 == 1 ? .text : []
      default: content = []
      }
    }
  }

  /// The type of a value, and where it begins.
  private struct Place {
    var type: UInt32 = 0
    var start: Int32 = 0
  }

  private let columns: UnsafeMutableBufferPointer<RecordShape.Content>
  private let targets: UnsafeMutableBufferPointer<Target>
  private let vocabularies: UnsafeMutablePointer<Vocabulary>  // one a target
  private let kinds: UnsafeMutablePointer<Kind>
  private let places: UnsafeMutablePointer<Place>  // one a column, of the record at hand
  private let keyColumn: Int?

  /// Makes ready for the records of a table, the first of whose columns conditions know by this
  /// number.
  init(_ program: ConditionProgram, _ shape: RecordShape, first: Int = 0) {
    keyColumn = shape.keyColumn
    unsafe columns = .allocate(capacity: shape.columns.count)
    _ = unsafe columns.initialize(from: shape.columns)
    unsafe places = .allocate(capacity: shape.columns.count)
    unsafe places.initialize(repeating: Place(), count: shape.columns.count)
    unsafe kinds = .allocate(capacity: 256)
    for type in 0..<256 { unsafe (kinds + type).initialize(to: Kind(UInt8(type))) }
    var asked = shape.columns.indices.map { Target(column: $0) }
    for (place, node) in program.nodes.enumerated() {
      let column = Int(node.first) - first
      guard asked.indices.contains(column) else { continue }
      switch node.operation {
      case .column: asked[column].value = Int32(place)
      case .word: asked[column].word = Int32(place)
      default: break
      }
    }
    asked.removeAll { $0.value < 0 && $0.word < 0 }
    unsafe targets = .allocate(capacity: asked.count)
    _ = unsafe targets.initialize(from: asked)
    unsafe vocabularies = .allocate(capacity: asked.count)
    for (place, target) in asked.enumerated() {
      let words = program.words[first + target.column] ?? []
      unsafe (vocabularies + place).initialize(to: Vocabulary(words))
    }
  }

  deinit {
    unsafe vocabularies.deinitialize(count: targets.count)
    unsafe vocabularies.deallocate()
    unsafe targets.deallocate()
    unsafe kinds.deallocate()
    unsafe places.deallocate()
    unsafe columns.deallocate()
  }

  /// Forgets what the columns of a batch say.
  func clear(_ batch: inout RowBatch) {
    for place in unsafe targets.indices {
      let target = unsafe targets[place]
      if target.value >= 0 { batch.set(target.value, nulls: .none, texts: .none) }
      if target.word >= 0 { batch.set(target.word, nulls: .none, texts: .none) }
    }
  }

  /// Takes a record apart; `false` for one that has not all columns, ends too early, or holds what
  /// a column may not.
  func load(_ record: UnsafeRawBufferPointer, number: Int64, as row: Int, of batch: inout RowBatch)
    -> Bool
  {
    guard unsafe locate(record) else { return false }
    for index in unsafe targets.indices {
      let target = unsafe targets[index]
      let place = unsafe places[target.column]
      let (type, start) = (UInt64(place.type), Int(place.start))
      if type >= 13 {
        let text = unsafe UnsafeRawBufferPointer(
          start: record.baseAddress?.advanced(by: start), count: SerialType.width(of: type))
        unsafe store(text: text, target, vocabularies + index, row, &batch)
      } else if target.column == keyColumn {
        Self.store(number, target, row, &batch)
      } else if type == 0 {
        Self.storeNull(target, row, &batch)
      } else {
        Self.store(unsafe Self.integer(type, record, at: start), target, row, &batch)
      }
    }
    return true
  }

  /// Takes it that there is no record: all columns are NULL.
  func loadNothing(as row: Int, of batch: inout RowBatch) {
    for index in unsafe targets.indices { Self.storeNull(unsafe targets[index], row, &batch) }
  }

  /// Finds out where the values of a record lie.
  @inline(__always)
  private func locate(_ record: UnsafeRawBufferPointer) -> Bool {
    var header = 0
    guard let length = unsafe Self.number(record, &header, end: record.count),
      length <= UInt64(record.count)
    else { return false }
    let headerEnd = Int(length)
    var body = headerEnd
    for column in unsafe columns.indices {
      guard header < headerEnd else { return false }
      let byte = unsafe record[header]
      let kind = unsafe kinds[Int(byte)]
      if byte < 128 {
        header += 1
        guard unsafe !columns[column].isDisjoint(with: kind.content) else { return false }
        unsafe places[column] = Place(type: UInt32(byte), start: Int32(truncatingIfNeeded: body))
        body += Int(kind.width)
      } else {
        guard let type = unsafe Self.number(record, &header, end: headerEnd), type >> 31 == 0,
          type >= 128, type & 1 == 1, unsafe columns[column].contains(.text)
        else { return false }
        unsafe places[column] = Place(
          type: UInt32(type), start: Int32(truncatingIfNeeded: body))
        body += SerialType.width(of: type)
      }
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
    text: UnsafeRawBufferPointer, _ target: Target, _ vocabulary: UnsafePointer<Vocabulary>,
    _ row: Int, _ batch: inout RowBatch
  ) {
    if target.value >= 0 {
      unsafe batch[target.value][row] = batch.keep(text).number
      batch.setText(target.value, row)
    }
    if target.word >= 0 {
      unsafe batch[target.word][row] = vocabulary.pointee.bit(of: text)
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
