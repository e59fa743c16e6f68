internal import Diagnostics
@testable internal import SignedTransactions
internal import Testing

/// Values of decoded payloads in another unit or form than Apple's.
struct ValueFaultTests {
  private func fault(_ changes: [String: String?]) throws -> TokenFault? {
    var reader = try Sample.reader()
    return try reader.read(Sample.payload(Sample.renewal, changes)).findings[0].fault
  }

  // 2024-05-01 10:00:05 is 1714557605 s after 1970, and 736250405 s after 2001.
  @Test(arguments: [
    ("purchaseDate", "1714557605", "is in seconds since 1970"),
    ("signedDate", "1714557605", "is in seconds since 1970"),
    ("signedDate", "1714557605.5", "is in seconds since 1970"),
    ("expiresDate", #""1714557605""#, "is in seconds since 1970"),
    ("purchaseDate", "736250405.0", "is in seconds since 2001, as Swift's JSONEncoder"),
    ("signedDate", "736250405.25", "is in seconds since 2001, as Swift's JSONEncoder"),
    ("price", "8.99", "has decimals; expected thousandths"),
    ("price", "0.0", "has decimals; expected thousandths"),
    ("price", #""8.99""#, "has decimals; expected thousandths"),
    ("price", #"{"$numberLong":"8990"}"#, "is an object or a list, as in MongoDB's"),
    ("signedDate", #"{"$date":"2024-05-01T10:00:05Z"}"#, "is an object or a list, as in MongoDB's"),
    ("revocationDate", #"{"$date":{"$numberLong":"1714557605000"}}"#, "is an object or a list"),
  ])
  func `the field and the expected form are named`(
    key: String, value: String, words: String
  ) throws {
    let fault = try #require(try fault([key: value]))
    #expect(fault.reason == .tokenFieldInvalid)
    #expect(fault.detail.hasPrefix("\(key) \(words)"), "\(fault.detail)")
    #expect(!fault.detail.contains("1714557605") && !fault.detail.contains("736250405"))
  }

  @Test(arguments: [("\"True\"", true), ("\"f\"", false), ("\"1\"", true)])
  func `a flag of a table is read`(value: String, isUpgraded: Bool) throws {
    var reader = try Sample.reader()
    let row = try reader.transaction(Sample.payload(Sample.renewal, ["isUpgraded": value]))
    #expect(row.isUpgraded == isUpgraded)
  }
}
