internal import Diagnostics
internal import ExportReading
internal import PurchaseModel
internal import Testing

/// The rows of a large file are passed on in parts while it is read.
struct RowBatchTests {
  private static let records = (0..<60).map { number in
    number % 7 == 0 ? "{\"status\":21003}" : sound("\(1000 + number)")
  }

  private func read(_ text: String, kind: InputFile.Kind = .receipts) throws -> (
    batches: [Observations], content: ExportContent
  ) {
    var taken: [Observations] = []
    let batches = RowBatches(bytes: 1000) {
      taken.append($0)
      return true
    }
    let content = try readExport(
      bytes: Array(text.utf8), name: "a", kind: kind, limits: limits(buffer: 300), batches: batches)
    return (taken, content)
  }

  @Test func `batches and the rest are the file, in each of its forms`() throws {
    let forms = [
      Self.records.joined(separator: "\n"), "[" + Self.records.joined(separator: ",") + "]",
      Self.records.joined(separator: "\n").replacing("{\"status\"", with: "{\n\"status\""),
    ]
    for form in forms {
      let whole = try receipts(form)
      let (batches, content) = try read(form)
      #expect(batches.count > 5)
      let all = batches + [content.set]
      #expect(all.flatMap(\.records) == whole.set.records)
      #expect(
        all.flatMap(\.observations).map(\.transactionID)
          == whole.set.observations.map(\.transactionID))
      #expect(content.tally == whole.tally)
      #expect(content.rejects == whole.rejects)
      // A row refers to its record by the position within its own part.
      for batch in all {
        #expect(batch.observations.allSatisfy { $0.record < batch.records.count })
      }
    }
  }

  @Test func `a report that an earlier batch holds is a duplicate`() throws {
    let reports = (0..<80).map { report(price: #""price":"\#($0 % 40).99","#) }
    let (batches, content) = try read(reports.joined(separator: "\n"), kind: .prices)
    #expect(batches.count > 1)
    #expect((batches + [content.set]).reduce(0) { $0 + $1.reports.count } == 40)
    #expect(content.tally.used == 40)
    #expect(content.tally.duplicates == 40)
  }

  @Test func `a receiver that takes no more ends the reading`() {
    let batches = RowBatches(bytes: 1) { _ in false }
    #expect(throws: ExportError.cancelled) {
      try readExport(
        bytes: Array(Self.records.joined(separator: "\n").utf8), name: "a", kind: .receipts,
        batches: batches)
    }
  }
}
