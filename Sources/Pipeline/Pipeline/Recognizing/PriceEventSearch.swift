internal import Amounts
internal import Diagnostics
internal import ExportReading
internal import PurchaseModel

/// Finds the keys and the names of events with a price, in exports that also hold other events.
extension KeySearch {
  /// Recognizes price reports among other events, by the records that have a product and a price.
  ///
  /// Example: Segment's page views and own purchases → `keys: {…, event: [event, type]}` and
  /// `events: ["Purchase Completed"]`.
  static func priceEvents(_ path: String) throws(RunFailure) -> RecognizedInput? {
    let shapes = try shapes(path)
    let prices = ["price"] + PriceUnit.allCases.map(\.rawValue)
    let priced = shapes.filter { shape in
      func has(_ key: String) -> Bool { place(of: key, in: "", among: shape) != nil }
      return ["product_id", "currency", "reported_at"].allSatisfy(has)
        && prices.contains(where: has)
    }
    var paths: [String] = []
    for path in priced.joined() where !paths.contains(path) { paths.append(path) }
    let (found, unit) = values(in: "", among: paths)
    guard let event = place(of: "event", in: "", among: paths) else { return nil }
    // Segment's calls other than `track` have no event.
    let isEverywhere = shapes.allSatisfy { $0.contains(event) }
    let events = (key: "event", paths: isEverywhere ? [event] : [event, "type"])
    for hasDecimalComma in [false, true] {
      for extra in extras {
        let added = extra.map { ($0, place(of: $0, in: "", among: paths)) }
        let keys = keys(found + added) + [events]
        guard added.allSatisfy({ $0.1 != nil }),
          let names = try eventNames(path, keys, unit, hasDecimalComma),
          let layout = try? PriceLayout(
            format: nil, keys: keys, events: names, unit: unit, hasDecimalComma: hasDecimalComma),
          let content = try RecognizedInput.preview(
            path, .prices, FieldMapping(layout: layout, namesUnit: unit != nil),
            records: RecognizedInput.manyRecords),
          content.tally.rejected * 100 <= content.tally.records, !content.set.reports.isEmpty
        else { continue }
        var input = input(path, .prices, "prices", keys)
        let settings =
          ", events: [\(names.map(RecognizedInput.quoted).joined(separator: ", "))]"
          + (unit.map { ", price_unit: \($0.rawValue)" } ?? "")
          + (hasDecimalComma ? ", decimal: \",\"" : "")
        input.settings += settings
        input.words += settings
        return input
      }
    }
    return nil
  }

  /// The names of the events that have a product and a price; `nil` if there are none, or too many
  /// for names.
  private static func eventNames(
    _ path: String, _ keys: Keys, _ unit: PriceUnit?, _ hasDecimalComma: Bool
  ) throws(RunFailure) -> [String]? {
    guard
      let layout = try? PriceLayout(
        format: nil, keys: keys, unit: unit, hasDecimalComma: hasDecimalComma),
      let content = try RecognizedInput.preview(
        path, .prices, FieldMapping(layout: layout, namesUnit: unit != nil),
        records: RecognizedInput.manyRecords)
    else { return nil }
    var names: [String] = []
    for record in content.previews where record.isUsed && RecognizedInput.hasPrice(record) {
      guard let name = record.fields.first(where: { $0.name == "event" })?.text else { continue }
      if !names.contains(name) { names.append(name) }
    }
    return (1...20).contains(names.count) ? names : nil
  }

  /// The different lists of paths to the values of the first records.
  private static func shapes(_ path: String) throws(RunFailure) -> [[String]] {
    guard let own = try? PriceLayout(format: nil) else { return [] }
    return try RecognizedInput.preview(
      path, .prices, FieldMapping(layout: own, namesUnit: false),
      records: RecognizedInput.manyRecords, notesShapes: true)?.shapes ?? []
  }
}
