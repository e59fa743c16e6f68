internal import Testing

@testable import ExportReading

/// A key type with more possible keys than a table can have.
private struct WideKey: RawRepresentable, Sendable {
  var rawValue: UInt8
}

@Test func `a table with a 65th key is refused when it is made`() async {
  await #expect(processExitsWith: .success) {
    _ = KeyTable<WideKey>([(name: "last", key: WideKey(rawValue: 63))])
  }
  // Its bit would be that of the first key.
  await #expect(processExitsWith: .failure) {
    _ = KeyTable<WideKey>([(name: "one_more", key: WideKey(rawValue: 64))])
  }
}
