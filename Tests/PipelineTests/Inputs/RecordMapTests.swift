@testable internal import Pipeline
internal import TestSupport
internal import Testing

/// Files that are one object with a key for each record.
struct RecordMapTests {
  private static let members =
    #""uid":"c-1","productId":"pro","price":9.99,"currency":"USD","at":{"_seconds":1714557600}"#

  private static func map(_ count: Int) -> String {
    "{\((0..<count).map { "\"doc\($0)\":{\(members)}" }.joined(separator: ","))}"
  }

  @Test(arguments: [
    ("", ".", ""), (#"{"__collections__":{"purchases":"#, ".__collections__.purchases", "}}"),
    (#"{"version":{"major":1},"own rows":"#, #"."own rows""#, "}"),
  ])
  func `the number of records changes neither what is said nor the search`(
    _ before: String, _ place: String, _ after: String
  ) throws {
    let folder = try TemporaryFolder()
    for count in [2, 10, 200] {
      try folder.write("map.json", before + Self.map(count) + after)
      let found = try RecognizedInput.of(folder.path("map.json"))
      #expect(found.kind == nil)
      #expect(
        found.words
          == "one object with a key for each record; write one record per line, for example with "
          + "jq -c '\(place)[]'", "\(count) records")
    }
  }

  @Test func `many records are a map beside other values, too`() throws {
    let folder = try TemporaryFolder()
    try folder.write("map.json", "{\"exported\":\"2024-05-01\",\"rows\":\(Self.map(200))}")
    #expect(try RecognizedInput.of(folder.path("map.json")).words.hasSuffix("jq -c '.rows[]'"))
  }

  @Test(arguments: [
    // Two objects beside a value are members of one record.
    ["id", "old.sku", "old.price", "old.currency", "new.sku", "new.price", "new.currency"],
    // DynamoDB's and Firestore's values with their types.
    ["Item.a.S", "Item.b.S", "Item.c.N"], ["fields.a.stringValue", "fields.b.doubleValue"],
    ["context.device.id", "context.device.type", "context.os.name", "context.os.version"],
    ["rows[].a", "rows[].b", "rows[].c"], [],
  ])
  func `a record with objects is no map`(_ paths: [String]) {
    #expect(RecordMap(among: paths) == nil)
  }
}
