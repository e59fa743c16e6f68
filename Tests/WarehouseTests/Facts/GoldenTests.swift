import Testing

@testable import Warehouse

/// The hand-made store as text, with every hashed table in the schema's order; its hash was
/// computed from that text by another program.
@Suite struct `Golden facts` {
  private func dump(_ folder: WorkFolder) throws -> String {
    var text = ""
    for table in WarehouseSchema.hashedTables {
      text += table + "\n"
      for row in try folder.rows("SELECT * FROM \(table) ORDER BY 1, 2") { text += row + "\n" }
    }
    return text
  }

  @Test func `the facts of the hand-made store`() throws {
    let folder = try WorkFolder()
    let report = try folder.warehouse.publish(SampleFacts().content)
    #expect(report.contentDigest == goldenHash)
    let found = try dump(folder).split(separator: "\n")
    let expected = goldenFacts.split(separator: "\n")
    for (left, right) in zip(found, expected) { #expect(left == right) }
    #expect(found.count == expected.count)
  }

  @Test func `the same key gives the same hash, another key another`() throws {
    let folder = try WorkFolder()
    let report = try folder.warehouse.publish(SampleFacts().content)
    var other = SampleFacts().content
    other.customerKey = [UInt8](repeating: 8, count: 32)
    let elsewhere = try WorkFolder()
    #expect(try elsewhere.warehouse.publish(other).contentDigest != report.contentDigest)
    let again = try WorkFolder()
    #expect(
      try again.warehouse.publish(SampleFacts().content).contentDigest == report.contentDigest)
  }

  @Test func `a customer's key is the start of a keyed SHA-256`() throws {
    // printf c-1 | openssl dgst -sha256 -mac HMAC -macopt hexkey:0707…07, the first 32 digits
    let folder = try WorkFolder()
    _ = try folder.warehouse.publish(SampleFacts().content)
    #expect(
      try folder.rows("SELECT DISTINCT customer_key FROM fct_revenue ORDER BY 1")
        == [
          "-", customerOne, customerTwo,
        ].sorted())
  }
}
