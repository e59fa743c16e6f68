@testable internal import AppStoreClient
internal import CivilTime
internal import ExportReading
internal import TestSupport
internal import Testing

private func context(_ receipt: RawReceipt) -> String {
  String(decoding: receipt.context, as: UTF8.self)
}

@Test func `a record is its receipt and, in a fixed order, what else it says`() throws {
  let lines = try rawReceipts(
    """
    {"price_report":{"price":"9.99","a":[1,{"b":null}]},"receipt":"QUJD","customer_id":"c-\\u0031"}

      {"receipt":"QU\\/D\\r\\nRA==","note":{"deep":[1]},"received_at":"2021-03-01T00:00:00Z"}
    """)
  let first = try lines[0].get()
  let second = try lines[1].get()
  #expect(lines.count == 2)
  #expect((first.line, second.line) == (1, 3))
  #expect(String(decoding: second.base64, as: UTF8.self) == "QU/DRA==")
  #expect(
    context(first)
      == #""customer_id":"c-\u0031","price_report":{"price":"9.99","a":[1,{"b":null}]}"#)
  #expect(context(second) == #""received_at":"2021-03-01T00:00:00Z""#)
  #expect(!first.hasReceivedAt && second.hasReceivedAt)
}

@Test func `equal records have equal keys, whatever their order and blanks`() throws {
  let keys = try rawReceipts(
    """
    {"customer_id":"a","receipt":"QUJD"}
    { "receipt" : "QU\\u004aD" , "customer_id":"a", "unknown": 1 }
    {"customer_id":"b","receipt":"QUJD"}
    {"customer_id":"a","receipt":"QUJE"}
    {"receipt":"QUJD"}
    """
  ).map { try $0.get().key }
  #expect(keys[0] == keys[1])
  #expect(Set(keys).count == 4)
  #expect(keys.allSatisfy { $0.count == 32 })
}

@Test func `a line that is no raw receipt says why, and reading goes on`() throws {
  let lines = try rawReceipts(
    """
    {"customer_id":"a"}
    {"receipt":17}
    {"receipt":"no base64!"}
    {"receipt":""}
    {"receipt":"QUJD","receipt":"QUJD"}
    ["QUJD"]
    {"receipt":"QUJD"
    {"receipt":"QUJD"}
    """)
  let codes = lines.map { line in
    switch line {
    case .success: "fine"
    case .failure(let fault): "\(fault.line) \(fault.code)"
    }
  }
  #expect(
    codes == [
      "1 receipt_missing", "2 wrong_type", "3 receipt_not_base64", "4 receipt_not_base64",
      "5 duplicate_key", "6 not_an_object", "7 invalid_json", "fine",
    ])
}

@Test func `a line beyond the limit is left out alone, however long`() throws {
  var limits = ExportLimits()
  limits.record = 100
  limits.buffer = 64
  let long = "{\"receipt\":\"" + String(repeating: "A", count: 5000) + "\"}"
  let lines = try rawReceipts(
    long + "\n{\"receipt\":\"QUJD\"}\n" + long, limits: limits)
  #expect(lines.count == 3)
  #expect(try lines[1].get().line == 2)
  for index in [0, 2] {
    guard case .failure(let fault) = lines[index] else {
      Issue.record("line \(index + 1) is too long")
      continue
    }
    #expect(fault.code == "record_too_large" && fault.line == index + 1)
  }
}

@Test func `gzip is read, and a damaged file is refused`() throws {
  let packed = gzip(Array("{\"receipt\":\"QUJD\"}\n{\"receipt\":\"QUJE\"}\n".utf8))
  #expect(try rawReceipts(bytes: packed, name: "a.gz").count == 2)
  #expect(throws: ExportError.self) {
    try rawReceipts(bytes: Array(packed.dropLast(3)), name: "a.gz")
  }
  #expect(throws: ExportError.self) { try rawReceipts(bytes: [0, 1, 2], name: "a.gz") }
  #expect(try rawReceipts("").isEmpty)
}

@Test func `pieces that are packed one by one are unpacked as one text`() throws {
  var deflater = try GzipDeflater()
  var packed: [UInt8] = []
  for line in 0..<3000 { packed += deflater.append(Array("{\"line\":\(line)}\n".utf8)) }
  packed += deflater.finish()
  let text = gunzip(packed)
  #expect(text == Array((0..<3000).map { "{\"line\":\($0)}\n" }.joined().utf8))
}

@Test func `an export record tells what the raw record told and when it was answered`() throws {
  let lines = try rawReceipts(
    """
    {"customer_id":"a","receipt":"QUJD"}
    {"receipt":"QUJD"}
    {"received_at":"2021-03-01T00:00:00Z","receipt":"QUJD"}
    """)
  let answeredAt = Instant(milliseconds: 0)
  let texts = try lines.map { line in
    String(
      decoding: ExportRecord.line(
        try line.get(), response: Array("{\"status\":0}".utf8), answeredAt: answeredAt),
      as: UTF8.self)
  }
  #expect(
    texts == [
      #"{"received_at":"1970-01-01T00:00:00Z","customer_id":"a","response":{"status":0}}"# + "\n",
      #"{"received_at":"1970-01-01T00:00:00Z","response":{"status":0}}"# + "\n",
      #"{"received_at":"2021-03-01T00:00:00Z","response":{"status":0}}"# + "\n",
    ])
}
