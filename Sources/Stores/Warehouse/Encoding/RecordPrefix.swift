/// The entry of a row in an index: a record of its first columns and its number.
enum RecordPrefix {
  /// Appends the entry of a row.
  static func append(
    _ record: UnsafeRawBufferPointer, columns: Int, row: Int64, to sink: inout ByteSink
  ) {
    let (headerEnd, start) = unsafe Varint.read(record, at: 0)
    var types = start
    var body = 0
    for _ in 0..<columns {
      let (type, end) = unsafe Varint.read(record, at: types)
      types = end
      body += SerialType.width(of: type)
    }
    let number = SerialType(integer: row)
    // Columns of a key are short: their types take fewer than 127 bytes.
    sink.append(UInt8(types - start + 2))
    unsafe sink.append(UnsafeRawBufferPointer(rebasing: record[start..<types]))
    sink.append(number.code)
    let bodyStart = Int(headerEnd)
    unsafe sink.append(UnsafeRawBufferPointer(rebasing: record[bodyStart..<bodyStart + body]))
    sink.appendBigEndian(UInt64(bitPattern: row), bytes: number.width)
  }
}
