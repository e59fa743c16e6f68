import Diagnostics
import ExportReading

/// What libFuzzer calls with each input.
///
/// The first byte says how the rest is read: its lowest bit whether as prices, the next whether
/// under the name of a gzip file. A trap is what the fuzzer looks for, and these are promises whose
/// breach is one: every record is counted once, nothing points outside, and the size of the buffer
/// changes nothing. `CorpusTests` replays the corpus with the same promises.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzExport(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  let input = Array(UnsafeBufferPointer(start: start, count: count))
  guard let choice = input.first else { return 0 }
  let whole = reading(input.dropFirst(), choice, buffer: 1 << 16)
  let pieces = reading(input.dropFirst(), choice, buffer: 7)
  precondition(whole == pieces, "the buffer changes the result")
  return 0
}

private func reading(_ bytes: ArraySlice<UInt8>, _ choice: UInt8, buffer: Int) -> RecordTally? {
  var limits = ExportLimits()
  limits.buffer = buffer
  let name = choice & 2 == 0 ? "a.ndjson" : "a.ndjson.gz"
  guard
    let content = try? readExport(
      bytes: Array(bytes), name: name, kind: choice & 1 == 0 ? .receipts : .prices, limits: limits)
  else { return nil }
  let set = content.set
  precondition(
    set.observations.allSatisfy { Int($0.record) < set.records.count }, "a row of no record")
  precondition(
    set.renewals.allSatisfy { Int($0.record) < set.records.count }, "a state of no record")
  precondition(set.reports.allSatisfy { $0.offers.upperBound <= set.offers.count }, "no such offer")
  return content.tally
}
