internal import CivilTime
internal import Diagnostics
internal import ExportReading
internal import SystemPackage

/// Describes a file that is not recognized: its columns, and the kind that it resembles most.
enum UnknownInput {
  /// The largest number of columns that the description lists.
  private static let shown = 12

  /// Returns the file with the reason why it is no input.
  static func described(_ path: String) throws(RunFailure) -> RecognizedInput {
    let columns = try KeySearch.columns(path)
    var words = "not recognized; Docs/formats.md lists the keys that each kind needs"
    if columns.contains(where: isTime) {
      words =
        "not recognized: its first line has values where the names of the columns belong; export it "
        + "with a header, or write one as the first line"
    } else if !columns.isEmpty {
      let names = columns.prefix(shown).map(OneLine.text).joined(separator: ", ")
      let more = columns.count > shown ? " and \(columns.count - shown) more" : ""
      words = "not recognized, with the columns \(names)\(more); \(nearest(columns))"
    }
    return RecognizedInput(path: path, kind: nil, settings: "", words: words)
  }

  /// Names RevenueCat's events in an analytics tool, whose amounts cannot be used.
  ///
  /// `nil` if the beginning of the file names no such event.
  static func convertedEvents(_ path: String) -> RecognizedInput? {
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    guard let descriptor = try? FileDescriptor.open(FilePath(path), .readOnly) else { return nil }
    let count = try? descriptor.closeAfter {
      try unsafe bytes.withUnsafeMutableBytes { unsafe try descriptor.read(into: $0) }
    }
    let words = String(decoding: bytes.prefix(count ?? 0), as: UTF8.self)
      .split { !$0.isLetter && $0 != "_" }
    guard words.contains(where: ConvertedEvents.include) else { return nil }
    return RecognizedInput(path: path, kind: nil, settings: "", words: ConvertedEvents.advice)
  }

  /// Whether a name of a column is a time, so that the table has no header.
  private static func isTime(_ column: String) -> Bool {
    let text = column.replacing("\\", with: "")
    return text.count >= 10 && Instant(text: text) != nil
  }

  /// What the columns lack to be price reports, or what they are instead.
  private static func nearest(_ columns: [String]) -> String {
    let needed = [
      ("product_id", "a product"), ("price", "a price"), ("currency", "a currency"),
      ("reported_at", "a time"),
    ]
    let lacking = needed.filter { KeySearch.places(of: $0.0, among: columns).isEmpty }.map(\.1)
    if lacking.count <= 2 {
      let lack = lacking.isEmpty ? "values that can be read" : lacking.joined(separator: " and ")
      return "nearest: prices, which need \(lack). \(DocsPage.formats.reference)"
    }
    if !KeySearch.places(of: "transaction_id", among: columns).isEmpty {
      return "nearest: transactions, which need Apple's whole response, a signed transaction, or a "
        + "decoded one with Apple's names. \(DocsPage.inputs.reference)"
    }
    return "receipts need a column with Apple's response, prices a product, a price, a currency "
      + "and a time. \(DocsPage.formats.reference)"
  }
}
